"""How one site writes times: learned once, then read fast.

A `TimeFormat` belongs to a site's profile. It knows the day/month order of each numeric style, the zone of the clock,
the meaning of month names that languages share, and the forms that the site's full dates take, each compiled to one
expression. Reading a time by a known form takes a few microseconds; anything else goes to the general reader.

The design names dateparser for finding a site's format. It is left out: it reads a text without keeping open what the
text leaves open, finds no times inside a line, and takes milliseconds a text where `timetext` takes 25 microseconds
and reads the same languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from thrawl.errors import InputError
from thrawl.page.timeattributes import read_attributes
from thrawl.page.timeparts import ORDERS, Order, Parts, Precision, century, fineness, is_date, moment
from thrawl.page.timescan import scan
from thrawl.page.timewords import look_up

if TYPE_CHECKING:
    from thrawl.page.times import TimeMention


@dataclass(frozen=True, slots=True)
class ReadTime:
    """A time as read: `value` is aware, and taken as UTC where `zone_known` is false; None if it stays open."""

    value: datetime | None
    precision: Precision | None
    text: str
    zone_known: bool = False

    @property
    def told(self) -> datetime | None:
        """The time as far as the site tells it: by the site's own clock where nobody knows in what zone that stands."""
        return self.value if self.value is None or self.zone_known else self.value.replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Form:
    """One way in which the site writes a full date: an expression, and the field that each of its groups is."""

    pattern: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimeFormat:
    """What a site's times mean. `orders` maps a numeric style ("/4") to its order, `months` a shared name to a month.

    `zone` is in minutes east of Greenwich, None where the site does not show it.
    """

    orders: tuple[tuple[str, Order], ...] = ()
    zone: int | None = None
    months: tuple[tuple[str, int], ...] = ()
    languages: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    _readers: tuple[_Reader, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "_readers", tuple(map(_Reader, self.forms)))

    def read(self, text: str, attributes: Mapping[str, str] | None = None, fetched: datetime | None = None) -> ReadTime:
        """The time that a field shows. An attribute that names the instant wins over a vaguer text."""
        exact = read_attributes(attributes) if attributes else None
        if exact is not None and exact.parts.zone is not None:
            return self._answer(exact.parts, text or exact.text, fetched)
        quick = None if exact else self._read_quickly(text)
        if quick is not None:
            return quick
        said = [found.parts for found in scan(text)] + ([exact.parts] if exact else [])
        return self._best_answer(sorted(said, key=fineness, reverse=True), text, fetched)

    def shown_in(self, text: str) -> str:
        """The part of a text that shows its time; all of it where none is found."""
        quick = next((match for reader in self._readers if (match := reader.find(text)) is not None), None)
        if quick is not None:
            return quick[0]
        found = scan(text)
        return text[found[0].start : found[0].end] if found else text

    def read_mention(self, mention: TimeMention, fetched: datetime | None = None) -> ReadTime:
        """The time that a mention of a page means."""
        said = [mention.exact, mention.parts] if mention.exact else [mention.parts]
        return self._best_answer(said, mention.text, fetched)

    def says_day(self, text: str) -> bool:
        """Whether a text says on which day something was, and not merely at what time of a day."""
        return self._read_quickly(text) is not None or any(found.parts.says_day for found in scan(text))

    def _best_answer(self, said: list[Parts], text: str, fetched: datetime | None) -> ReadTime:
        """The first of the readings that is settled."""
        for parts in said:
            answer = self._answer(parts, text, fetched)
            if answer.value is not None:
                return answer
        return ReadTime(None, None, text)

    def order_of(self, parts: Parts) -> Order | None:
        """The order of a numeric date: that of its style, or the one that all other styles of the site share."""
        if not parts.numbers:
            return None
        known = dict(self.orders)
        if parts.style in known:
            return known[parts.style]
        return next(iter(known.values())) if len(set(known.values())) == 1 else None

    def _answer(self, parts: Parts, text: str, fetched: datetime | None) -> ReadTime:
        for word, month in self.months:
            if parts.month_word.casefold() == word:
                parts = replace(parts, month=month)
        value = moment(parts, fetched, self.order_of(parts), self.zone)
        known = parts.zone is not None or self.zone is not None or parts.ago is not None
        return ReadTime(value.astimezone(UTC) if value else None, parts.precision if value else None, text, known)

    def _read_quickly(self, text: str) -> ReadTime | None:
        for reader in self._readers:
            values = reader.read(text)
            if values is not None:
                here = UTC if not self.zone else timezone(timedelta(minutes=self.zone))
                value = datetime(*values, tzinfo=here)
                return ReadTime(value.astimezone(UTC), reader.precision, text, self.zone is not None)
        return None

    def to_json(self) -> dict[str, object]:
        """As it stands in a profile."""
        return {
            "orders": dict(self.orders),
            "zone": self.zone,
            "months": dict(self.months),
            "languages": list(self.languages),
            "forms": [[form.pattern, *form.fields] for form in self.forms],
        }

    @staticmethod
    def from_json(data: object) -> TimeFormat:
        """The format that `to_json` wrote; raises InputError for anything else."""
        try:
            return _from_checked(data)
        except (TypeError, ValueError, KeyError, AttributeError, re.error) as error:
            raise InputError(f"the time format of the profile cannot be used ({error}); learn the site again") from None


def _from_checked(data: Any) -> TimeFormat:
    if not all(order in ORDERS for order in data["orders"].values()):
        raise ValueError("an unknown order of day and month")
    zone = data["zone"]
    return TimeFormat(
        orders=tuple((str(style), order) for style, order in data["orders"].items()),
        zone=None if zone is None else int(zone),
        months=tuple((str(word), int(month)) for word, month in data["months"].items()),
        languages=tuple(map(str, data["languages"])),
        forms=tuple(_form(*map(str, line)) for line in data["forms"]),
    )


def _form(pattern: str, *fields: str) -> Form:
    if set(fields) - FIELDS or re.compile(pattern).groups != len(fields):
        raise ValueError("a form with unknown fields")
    return Form(pattern, fields)


FIELDS: Final = frozenset("year short_year month month_name day hour minute second half".split())
_DIGIT: Final = re.compile(r"\d")
_LAST_READ: Final = 64  # texts


class _Reader:
    """A form ready to read: groups to fields by position."""

    __slots__ = ("_expression", "_fields", "precision", "read")

    def __init__(self, form: Form) -> None:
        self._expression = re.compile(form.pattern)
        self._fields = form.fields
        # asked first whether a text says a day, then for the time
        self.read = lru_cache(maxsize=_LAST_READ)(self._read)
        self.precision: Precision = (
            "second" if "second" in form.fields else "minute" if "minute" in form.fields else "day"
        )

    def find(self, text: str) -> re.Match[str] | None:
        """Where the form stands in a text that has no other digits."""
        match = self._expression.search(text)
        if match is None or _DIGIT.search(text, match.end()) or _DIGIT.search(text, 0, match.start()):
            return None
        return match

    def _read(self, text: str) -> tuple[int, int, int, int, int, int] | None:
        match = self.find(text)
        if match is None:
            return None
        shown = dict(zip(self._fields, match.groups(), strict=True))
        year = int(shown["year"]) if "year" in shown else century(int(shown["short_year"]))
        month = int(shown["month"]) if "month" in shown else _month(shown["month_name"])
        day = int(shown["day"])
        hour = _hour(int(shown.get("hour", 0)), shown.get("half"))
        minute, second = int(shown.get("minute", 0)), int(shown.get("second", 0))
        if not is_date(year, month, day) or not 0 <= hour <= 23 or minute > 59 or second > 59:
            return None
        return year, month, day, hour, minute, second


def _month(name: str) -> int:
    """The month of a name, 0 for one that languages share: the general reader asks the site's say."""
    word = look_up(name)
    return word.month if word and len(set(word.months.values())) == 1 else 0


def _hour(hour: int, half: str | None) -> int:
    """The hour of the day, -1 for a half that is none."""
    if half is None:
        return hour
    word = look_up(half.rstrip("."))
    if word is None or not word.half:
        return -1
    return hour if hour > 12 else hour % 12 + (12 if word.half == "pm" else 0)
