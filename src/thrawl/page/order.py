"""How the times of a page's records run: up in a thread, down in a board (FoCUS' Table 1, "time order").

A record may show several times (the post's, the author's join date, the last edit). The ones at one place of the
records form a group; the group that runs most steadily, of the most exact ones, is the one that counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from thrawl.page.records import Region, place_in
from thrawl.page.shape import Shapes, element_of
from thrawl.page.timeparts import Order
from thrawl.page.times import TimeMention

_ORDERS: Final[tuple[Order, ...]] = ("ymd", "dmy", "mdy")
_FINE: Final = frozenset({"second", "minute", "hour"})
_COVERING: Final = 0.6
# Only the order matters, so any moment after all that a page can show will do for "yesterday".
_LATE: Final = datetime(2100, 1, 1, tzinfo=UTC)


def time_order(page: Shapes, region: Region, times: Sequence[TimeMention], now: datetime | None = None) -> float:
    """From -1 (each time earlier than the one above) to 1 (later); 0 where there is no order or nothing to compare."""
    groups = _groups(page, region, times)
    wanted = _COVERING * len(region.records)
    runs = [_steadiness(group, now or _LATE) for group in groups if len(group) > 1 and len(group) >= wanted]
    return max(runs, key=lambda run: (run[0], abs(run[1])), default=(False, 0.0))[1]


def _groups(page: Shapes, region: Region, times: Sequence[TimeMention]) -> list[list[TimeMention]]:
    groups: dict[int, list[TimeMention]] = defaultdict(list)
    at = 0
    for one in region.records:
        seen: set[int] = set()
        while at < len(times) and times[at].node < one.start:
            at += 1
        while at < len(times) and times[at].node < one.end:
            place = place_in(page, element_of(page.tree, times[at].node), one)
            if place not in seen:
                seen.add(place)
                groups[place].append(times[at])
            at += 1
    return list(groups.values())


def _steadiness(group: Sequence[TimeMention], now: datetime) -> tuple[bool, float]:
    """Whether the group shows hours, and how it runs under the reading of its dates that makes it steadiest."""
    fine = sum(time.exact is not None or time.precision in _FINE for time in group) * 2 > len(group)
    return fine, max((_run([time.value(now, order) for time in group]) for order in _ORDERS), key=abs)


def _run(values: Sequence[datetime | None]) -> float:
    known = [value for value in values if value is not None]
    ups = sum(one < two for one, two in pairwise(known))
    downs = sum(one > two for one, two in pairwise(known))
    return (ups - downs) / max(1, len(known) - 1)
