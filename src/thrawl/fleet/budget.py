"""One budget over all forums, divided by what the refresh policies expect to find.

A forum that gets r posts a day and n looks a day keeps each post waiting for a day / 2n, so all posts together wait
least where n goes with the square root of r (it is what `refresh.activity` does with the lists of one forum). No forum
gets less than its floor, as long as the budget has as much for all, and none more than its pace allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.watching import Watching
from thrawl.refresh.activity import Activity
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.budget import Budget
from thrawl.refresh.rhythm import DAY

# Posts a day that a forum is expected to get of which nothing is known yet.
UNKNOWN: Final = 1.0
_ROUNDS: Final = 60  # halvings of the interval in which the price stands: more than a float has digits


@dataclass(frozen=True, slots=True)
class FleetBudget:
    """Requests over all forums, and the least that one forum gets."""

    budget: Budget
    floor: Budget

    def shares(self, expected: Mapping[int, float | None], most: float) -> dict[int, float]:
        """The requests a day of each forum, by the posts a day that are expected; `most` is what its pace allows."""
        return divide(_daily(self.budget), expected, min(_daily(self.floor), most), most)


def _daily(budget: Budget) -> float:
    return budget.requests / budget.seconds * DAY


def divide(total: float, expected: Mapping[int, float | None], floor: float, most: float) -> dict[int, float]:
    """Shares that go with the square root of what is expected, between a floor and a ceiling; their sum is the total,
    or less where all have as much as their pace allows."""
    if not expected:
        return {}
    if floor * len(expected) >= total:
        return dict.fromkeys(expected, total / len(expected))
    roots = {name: sqrt(UNKNOWN if rate is None else max(rate, 0.0)) for name, rate in expected.items()}

    def at(price: float) -> dict[int, float]:
        return {name: min(max(floor, price * root), most) for name, root in roots.items()}

    low, high = 0.0, max(total, 1.0) / min((root for root in roots.values() if root), default=1.0)
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(at(middle).values()) <= total else (low, middle)
    return at(low)


def expected_posts(archive: Archive, forum_id: int, now: float) -> float:
    """The posts that a forum will get within a day, by what the policy makes of its history."""
    atlas = Atlas(Watching(archive, forum_id))
    history = atlas.begin(now)
    activity = Activity(history, tuple(atlas.boards), now)
    return activity.expected(activity.site, now, now + DAY)[0]
