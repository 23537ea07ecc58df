"""What the times of one site mean, settled by all of its pages together.

A line cannot tell whether 03/04 is in March or April; a site can: some day is above 12, a weekday or an attribute
stands beside the date, one reading lies in the future, or only one reading runs one way through a list. Where nothing
tells, the question stays open and the times stay unread. Not in the papers, which name numeric dates without saying
how they are read.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

from thrawl.page.timeformat import Form, TimeFormat
from thrawl.page.timelayout import DateLayout, layout
from thrawl.page.timeparts import Order, Parts, fields_in, moment
from thrawl.page.times import TimeMention
from thrawl.page.timewords import look_up
from thrawl.page.timezones import agreed_zone

_SHARE: Final = 0.9  # of a style's dates that the settled order must fit; quoted foreign dates are the rest
_OTHER_ZONES: Final = timedelta(days=2)  # a shown day and the true one differ by a day at most, and both by hours
_MAX_FORMS: Final = 6  # a site writes full dates in one to four forms


@dataclass(frozen=True, slots=True)
class PageTimes:
    """The times of one page: all its mentions, those that stand in line as lists, and what the page says of zone and
    moment. `fetched` is the response's Date."""

    mentions: tuple[TimeMention, ...]
    fetched: datetime | None = None
    lists: tuple[tuple[TimeMention, ...], ...] = ()
    zone: int | None = None


def settle(pages: Sequence[PageTimes]) -> TimeFormat:
    """The time format of the site whose pages these are."""
    orders = _settle_orders(pages)
    months, languages = _settle_months(mention.parts for page in pages for mention in page.mentions)
    known = TimeFormat(orders=tuple(sorted(orders.items())), months=months, languages=languages)
    zone = agreed_zone([(page.mentions, page.fetched, page.zone) for page in pages], known)
    forms = _settle_forms((mention for page in pages for mention in page.mentions), known)
    return TimeFormat(known.orders, zone, months, languages, forms)


# --- the order of day, month and year


@dataclass(frozen=True, slots=True)
class _Numeric:
    """A numeric date with all that may tell how it is read."""

    parts: Parts
    beside: Parts | None
    fetched: datetime | None


def _numerics(page: PageTimes, mentions: Iterable[TimeMention]) -> Iterator[_Numeric]:
    for mention in mentions:
        if mention.exact is not None and mention.exact.numbers:
            yield _Numeric(mention.exact, mention.parts, page.fetched)
        elif mention.parts.numbers:
            yield _Numeric(mention.parts, mention.exact, page.fetched)


def _settle_orders(pages: Sequence[PageTimes]) -> dict[str, Order]:
    styles: dict[str, list[_Numeric]] = defaultdict(list)
    for page in pages:
        for numeric in _numerics(page, page.mentions):
            styles[numeric.parts.style].append(numeric)
    found = {style: _settle_style(style, shown, pages) for style, shown in styles.items()}
    return {style: order for style, order in found.items() if order is not None}


def _settle_style(style: str, shown: list[_Numeric], pages: Sequence[PageTimes]) -> Order | None:
    fits = _fits(shown)
    best = [order for order, share in fits.items() if share >= _SHARE and share == max(fits.values())]
    if len(best) > 1:
        best = _by_lists(style, best, pages)
    if len(best) > 1 and style.endswith("2"):
        best = _by_spread(best, [numeric.parts.numbers for numeric in shown])
    if len(best) == 1:
        return best[0]
    # Nobody writes the month first with dots; with dashes and strokes people write both.
    return "dmy" if style.startswith(".") and "dmy" in best else None


def _fits(shown: list[_Numeric]) -> dict[Order, float]:
    """For each order, the share of the dates that it can be the order of."""
    counts: Counter[Order] = Counter()
    readable = 0
    for numeric in shown:
        allowed = [order for order in numeric.parts.orders if _is_possible(order, numeric)]
        counts.update(allowed)
        readable += bool(allowed)
    return {order: count / readable for order, count in counts.items()}


def _is_possible(order: Order, numeric: _Numeric) -> bool:
    fields = fields_in(order, numeric.parts.numbers)
    if fields is None:
        return False
    year, month, day = fields
    if year is None:
        return True
    date = datetime(year, month, day, tzinfo=UTC)
    if numeric.fetched is not None and date > numeric.fetched + _OTHER_ZONES:
        return False
    if numeric.parts.weekday is not None and date.weekday() != numeric.parts.weekday:
        return False
    return numeric.beside is None or _fits_beside(date, numeric.beside, numeric.fetched)


def _fits_beside(date: datetime, beside: Parts, fetched: datetime | None) -> bool:
    """Whether a date can be the one that the attribute behind it, or the text before it, says in another way."""
    if beside.numbers or beside.kind == "partial":
        return True
    value = moment(beside, fetched)
    return value is None or abs(value - date) < _OTHER_ZONES + timedelta(seconds=beside.unit)


def _by_lists(style: str, orders: list[Order], pages: Sequence[PageTimes]) -> list[Order]:
    """The orders under which the lists' times turn back least."""
    lists = [
        [numeric.parts for numeric in _numerics(page, line) if numeric.parts.style == style]
        for page in pages
        for line in page.lists
    ]
    turns = {order: sum(_turns(order, line) for line in lists) for order in orders}
    least = min(turns.values())
    return [order for order in orders if turns[order] == least]


def _turns(order: Order, line: list[Parts]) -> int:
    values = [value for parts in line if (value := moment(parts, None, order)) is not None]
    rising = sum(a < b for a, b in pairwise(values))
    falling = sum(a > b for a, b in pairwise(values))
    return min(rising, falling)


def _by_spread(orders: list[Order], numbers: list[tuple[int, ...]]) -> list[Order]:
    """Over many two-digit dates the year takes few values and the day many: an order that swaps them is out."""
    if len(numbers) < 12:
        return orders
    kinds = [len(set(column)) for column in zip(*numbers, strict=False)]
    kept = [order for order in orders if kinds[order.index("d")] > 2 * kinds[order.index("y")]]
    return kept or orders


# --- month names that languages share


def _settle_months(parts: Iterable[Parts]) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    words = sorted({part.month_word.casefold() for part in parts if part.month_word})
    languages: Counter[str] = Counter()
    for word in words:
        meaning = look_up(word)
        languages.update(meaning.months.keys() if meaning else ())
    if not languages:
        return (), ()
    most = max(languages.values())
    best = tuple(language for language, count in languages.items() if count == most)
    shared = []
    for word in words:
        meaning = look_up(word)
        if meaning and len(set(meaning.months.values())) > 1:
            readings = {meaning.months[language] for language in best if language in meaning.months}
            if len(readings) == 1:
                shared.append((word, readings.pop()))
    return tuple(shared), best


# --- forms for the fast reader


def _settle_forms(mentions: Iterable[TimeMention], known: TimeFormat) -> tuple[Form, ...]:
    counts: Counter[Form] = Counter()
    for mention in mentions:
        if mention.kind == "absolute" and (form := form_of(mention.text, known)) is not None:
            counts[form] += 1
    frequent = [form for form, count in counts.most_common(_MAX_FORMS) if count > 1]
    return tuple(sorted(frequent, key=lambda form: -len(form.fields)))


def form_of(text: str, known: TimeFormat) -> Form | None:
    """The form of a text that is one full date, if the site's orders settle it."""
    shape = layout(text)
    if shape is None:
        return None
    order = known.order_of(shape.parts) if shape.parts.numbers else None
    if shape.parts.numbers and order is None:
        return None
    return _build_form(shape, order)


_NUMERIC_FIELDS: Final[dict[Order, tuple[str, str, str]]] = {
    "dmy": ("day", "month", "year"), "mdy": ("month", "day", "year"), "ymd": ("year", "month", "day")
}  # fmt: skip


def _build_form(shape: DateLayout, order: Order | None) -> Form:
    pattern, fields = [], []
    numeric = iter(_NUMERIC_FIELDS[order]) if order else None
    for token, role in shape.tokens:
        if role == "number" and numeric is not None:
            role = next(numeric)
        if role == "year" and len(token) == 2:
            role = "short_year"
        if role in _GROUPS:
            pattern.append(_GROUPS[role])
            fields.append(role)
        else:
            pattern.append(_LITERALS.get(role) or re.escape(token))
    return Form(r"(?<!\d)" + "".join(pattern) + r"(?!\d)", tuple(fields))


_GROUPS: Final = {
    "year": r"(\d{4})", "short_year": r"(\d{2})", "month": r"(\d{1,2})", "day": r"(\d{1,2})", "hour": r"(\d{1,2})",
    "minute": r"(\d{2})", "second": r"(\d{2})", "month_name": r"([^\W\d_]+)", "half": r"([^\s\d]+)",
}  # fmt: skip
_LITERALS: Final = {"space": r"\s+", "weekday": r"[^\W\d_]+"}
