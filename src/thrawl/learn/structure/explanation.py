"""What a site is said to be: its entry page, the families of its boards and threads, and how sure each is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.families import Family

SURE: Final = 0.9


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
        listed = (
            at.in_rows for one in self.threads for at in one.family.sightings if at.seen.sampled.url == self.entry.url
        )
        return any(not one.reserve for one in self.boards) or any(listed)
