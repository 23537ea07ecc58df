"""The zone of a site's clock: said on the page, or found by comparing shown times with instants that are known.

Forums print local times. Most say of which zone ("All times are GMT +8") somewhere on every page; where an attribute
or the page's own clock gives the instant of a shown time, the difference is the zone. A site whose difference changes
with the season has no one offset, and none is given: unknown stays unknown.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from thrawl.page.timeformat import TimeFormat
from thrawl.page.timeparts import Parts, moment
from thrawl.page.times import TimeMention
from thrawl.page.timewords import HOUR, MINUTE
from thrawl.page.tree import Tree

_MAX_CHARS: Final = 160  # a line that says the zone is short
_ZONE: Final = re.compile(
    r"(?<![A-Za-z\d])(?:UTC|GMT)(?:\s?([+\-−–±])\s?(\d{1,2})(?::?(\d{2}))?(?!\d))?(?![A-Za-z\d/])"
)
_MANY: Final = 0.9  # of the comparisons must agree


def shown_zone(tree: Tree) -> int | None:
    """The zone that a page says its times are in, in minutes east; None if it says none, or several."""
    found = {
        zone
        for node, text in enumerate(tree.texts)
        if text and ("UTC" in text or "GMT" in text) and len(text) <= _MAX_CHARS
        if tree.tags[tree.parents[node]] != "option"  # a list of zones to choose from
        for zone in _zones_in(text)
    }
    return found.pop() if len(found) == 1 else None


def _zones_in(text: str) -> Iterator[int]:
    for match in _ZONE.finditer(text):
        sign, hours, minutes = match.groups()
        # Behind a clock time the zone is that time's own and says nothing of the others.
        if re.search(r"\d\s?(?:[AaPp]\.?[Mm]\.?)?\s?\(?$", text[max(0, match.start() - 8) : match.start()]):
            continue
        if hours is None:
            yield 0
        elif int(hours) <= 14 and int(minutes or 0) < 60:
            yield (-1 if sign in "-−–" else 1) * (60 * int(hours) + int(minutes or 0))


def agreed_zone(
    pages: Sequence[tuple[tuple[TimeMention, ...], datetime | None, int | None]], known: TimeFormat
) -> int | None:
    """The one offset that the pages agree on: said, or compared with attributes, or with the page's own clock."""
    said = Counter(zone for _, _, zone in pages if zone is not None)
    if said and said.most_common(1)[0][1] >= 0.6 * len(pages):
        return said.most_common(1)[0][0]
    compared = Counter(
        offset
        for mentions, fetched, _ in pages
        for mention in mentions
        if (offset := _compared(mention, fetched, known)) is not None
    )
    if compared:
        offset, votes = compared.most_common(1)[0]
        return offset if votes >= _MANY * compared.total() else None
    return _by_running_clock([(mentions, fetched) for mentions, fetched, _ in pages if fetched], known)


def _compared(mention: TimeMention, fetched: datetime | None, known: TimeFormat) -> int | None:
    """Shown local time against the instant behind it, or "5 minutes ago" against the local time behind it."""
    exact = mention.exact
    if exact is None or exact.minute is None:
        return None
    if exact.zone is not None:
        local = _local(mention.parts, known)
        instant = moment(exact, None)
        return None if local is None or instant is None else _offset(local, instant, slack=MINUTE)
    if mention.parts.ago is None or fetched is None or mention.parts.unit > MINUTE:
        return None
    local = _local(exact, known)
    return None if local is None else _offset(local, fetched - timedelta(seconds=mention.parts.ago), slack=2 * MINUTE)


def _local(parts: Parts, known: TimeFormat) -> datetime | None:
    if parts.kind != "absolute" or parts.minute is None or parts.zone is not None:
        return None
    return moment(parts, None, known.order_of(parts))


def _offset(local: datetime, instant: datetime, slack: int) -> int | None:
    """Their difference in minutes if it is a quarter of an hour, as all zones are, and no more than a zone can be."""
    seconds = (local - instant).total_seconds()
    quarters = round(seconds / (15 * MINUTE))
    if abs(seconds - quarters * 15 * MINUTE) > slack or not -12 * HOUR <= seconds <= 14 * HOUR + slack:
        return None
    return 15 * quarters


def _by_running_clock(
    pages: Sequence[tuple[tuple[TimeMention, ...], datetime | None]], known: TimeFormat
) -> int | None:
    """A page that prints its own moment shows a time that runs with our clock: the same offset, another text."""
    texts: dict[int, set[str]] = defaultdict(set)
    votes: Counter[int] = Counter()
    for mentions, fetched in pages:
        here = set()
        for mention in mentions:
            local = _local(mention.parts, known)
            offset = _offset(local, fetched.astimezone(UTC), slack=MINUTE) if local and fetched else None
            if offset is not None:
                here.add(offset)
                texts[offset].add(mention.text)
        votes.update(here)
    if not votes:
        return None
    offset, count = votes.most_common(1)[0]
    return offset if count >= 3 and count >= _MANY * len(pages) and len(texts[offset]) >= 2 else None
