"""Pages of like layout as clusters, by single linkage (Wang et al., section 4).

The layout of a page is the set of its repetitive regions. Regions that nearly every page has (menus, footers) tell no
two layouts apart, so each weighs by how rare it is in the sample, as words do in the retrieval of texts. How alike two
layouts are is the weight of the regions that they share in the weight of all that they have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

Regions = frozenset[int]

ALIKE: Final = 0.6
"""Layouts that share this much of their weight are one kind of page: a thread without a pager still is a thread."""
_FAINT: Final = 0.05  # what a region weighs that all pages have: pages without any region of their own are alike, too


@dataclass(frozen=True, slots=True)
class Weights:
    """What each region weighs; one that the sample never showed weighs as much as the rarest."""

    weights: Mapping[int, float]
    rarest: float

    @classmethod
    def of(cls, layouts: Iterable[Regions]) -> Weights:
        counts: Counter[int] = Counter()
        pages = 0
        for regions in layouts:
            counts.update(regions)
            pages += 1
        return cls({one: log(pages / count) + _FAINT for one, count in counts.items()}, log(max(pages, 1)) + _FAINT)

    def likeness(self, one: Regions, other: Regions) -> float:
        """From 0 to 1; two pages without any region are alike."""
        all_of_them = self.total(one | other)
        return self.total(one & other) / all_of_them if all_of_them else 1.0

    def total(self, regions: Regions) -> float:
        known = self.weights
        return sum(known.get(one, self.rarest) for one in regions)


def single_linkage(layouts: Sequence[Regions], weights: Weights, alike: float = ALIKE) -> list[int]:
    """The cluster of each layout: two are in one cluster where a chain of layouts links them, each like the next."""
    members: dict[Regions, list[int]] = defaultdict(list)
    for number, regions in enumerate(layouts):
        members[regions].append(number)
    distinct = list(members)
    leaders = Leaders(range(len(distinct)))
    for at, one in enumerate(distinct):
        for number in range(at):
            if leaders.of(at) != leaders.of(number) and weights.likeness(one, distinct[number]) >= alike:
                leaders.join(at, number)
    clusters = [0] * len(layouts)
    numbers: dict[Hashable, int] = {}
    for at, regions in enumerate(distinct):
        cluster = numbers.setdefault(leaders.of(at), len(numbers))
        for page in members[regions]:
            clusters[page] = cluster
    return clusters


class Leaders:
    """Sets that grow together: everything in one set has the same leader."""

    def __init__(self, items: Iterable[int]) -> None:
        self._above = {item: item for item in items}

    def of(self, item: int) -> int:
        while self._above[item] != item:
            self._above[item] = self._above[self._above[item]]
            item = self._above[item]
        return item

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.of(one), self.of(other)))
        self._above[second] = first
