"""How the times of a page's records run: up in a thread, down in a board (FoCUS' Table 1, "time order").

A record may show several times (the post's, the author's join date, the last edit). The ones at one place of the
records form a group; the group that runs most steadily, of the most exact ones, is the one that counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from thrawl.page.records import Region, place_in
from thrawl.page.shape import Shapes, element_of
from thrawl.page.timeparts import Order
from thrawl.page.times import TimeMention

_ORDERS: Final[tuple[Order, ...]] = ("ymd", "dmy", "mdy")
_FINE: Final = frozenset({"second", "minute", "hour"})
_COVERING: Final = 0.6  # of the records, as for timed regions: what fewer show is an edit
# Only the order matters, so any moment after all that a page can show will do for "yesterday".
_LATE: Final = datetime(2100, 1, 1, tzinfo=UTC)


def time_order(page: Shapes, region: Region, times: Sequence[TimeMention], now: datetime | None = None) -> float:
    """From -1 (each time earlier than the one above) to 1 (later); 0 where there is no order or nothing to compare."""
    groups = _groups(page, region, times)
    wanted = _COVERING * len(region.records)
    runs = [_sequence(group, now or _LATE) for group in groups if len(group) > 1 and len(group) >= wanted]
    return max(runs, key=lambda run: (run.fine, round(abs(run.order), 1), run.latest), default=_NO_RUN).order


@dataclass(frozen=True, slots=True)
class _Sequence:
    """The times of one place: whether they show hours, how steadily they run, and the latest of them."""

    fine: bool
    order: float
    latest: float


_NO_RUN: Final = _Sequence(False, 0.0, 0.0)


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


def _sequence(group: Sequence[TimeMention], now: datetime) -> _Sequence:
    """The group under the reading of its dates that makes it steadiest."""
    fine = sum(time.exact is not None or time.precision in _FINE for time in group) * 2 > len(group)
    best: list[datetime] = []
    steadiest = (-1.0, 0)
    is_open = any(len(time.parts.orders) > 1 for time in group)
    for order in _ORDERS if is_open else (None,):
        values = [value for time in group if (value := time.value(now, order))]
        steady = (abs(_run(values)), len(values))
        if steady > steadiest:
            best, steadiest = values, steady
        if steadiest == (1.0, len(group)):  # no other reading can do better
            break
    return _Sequence(fine, _run(best), max((value.timestamp() for value in best), default=0.0))


def _run(values: Sequence[datetime]) -> float:
    ups = sum(one < two for one, two in pairwise(values))
    downs = sum(one > two for one, two in pairwise(values))
    return (ups - downs) / max(1, len(values) - 1)
