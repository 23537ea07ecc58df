"""What a site is said to be: its entry page, the families of its boards and threads, and how sure each is."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Final

from thrawl.learn.flips import likely_flips
from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.families import Family

SURE: Final = 0.9  # of what is said to be so sure, nine in ten were right when it was measured


@dataclass(frozen=True, slots=True)
class Chosen:
    """A family with its part in the explanation; `reserve`: it may bring nothing that others do not.

    `ids`: for URLs that rows reach by a redirect, the number by which the row asks for them.
    """

    family: Family
    probability: float
    reserve: bool = False
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a site is: its entry page, boards and threads, the likeliest first.

    `listed` is how many boards (or, at less, threads) the entry page shows, `second_entry` the page that shows most
    beside it.
    """

    entry: Sampled
    boards: tuple[Chosen, ...]
    threads: tuple[Chosen, ...]
    listed: float = 0.0
    second_entry: str | None = None
    second_listed: float = 0.0

    @property
    def is_sure(self) -> bool:
        """Whether there is hardly a doubt about what is followed."""
        return self.is_connected and all(
            one.probability >= SURE for one in (*self.boards, *self.threads) if not one.reserve
        )

    @property
    def is_connected(self) -> bool:
        """Whether the entry page leads to threads, by its boards or by rows of its own."""
        return bool(self._followed) or self._list_threads({self.entry.url})

    @property
    def is_open(self) -> bool:
        """Whether nothing leads on from the few threads that the entry page shows: no boards, and no further pages.

        Several that are sure lead on, also from the reserve.
        """
        sure = [one for one in self.boards if one.probability >= SURE and len(one.family.urls) > 1]
        if self._list_threads({url for one in (*self._followed, *sure) for url in one.family.urls}):
            return False
        return not (self._list_threads({self.entry.url}) and likely_flips(self.entry.page))

    @property
    def _followed(self) -> list[Chosen]:
        return [one for one in self.boards if not one.reserve]

    def _list_threads(self, pages: Container[str]) -> bool:
        """Whether pages show threads in rows, or one that the entry page does not show: a month may have no other."""
        known = {link.url for link in self.entry.page.links}
        sightings = (at for one in self.threads for at in one.family.sightings if at.seen.sampled.url in pages)
        return any(at.in_rows or not known.issuperset(at.candidate.urls) for at in sightings)
