"""How far a page that tells of the whole site can be believed: what it told, against what it left out.

A feed may list new threads only, an entry page may count what visitors do not see. Every index head is looked at now
and then whatever the best signal is; news found there that are older than the last look at the signal were left out.
"""

from __future__ import annotations

from typing import Final

from thrawl.refresh.pages import Layer

# Of the posts that should have been told; a feed that hides a fifth of them is worse than asking the boards.
MOST_MISSED: Final = 0.2
# Posts left out before anything is concluded: some slip in between two looks.
FEWEST_MISSED: Final = 10.0
# Posts after which what was counted weighs half: sites change, and so do their feeds.
HALF_LIFE: Final = 500.0
# Seconds that a signal may be late: feeds are cached.
LATENESS: Final = 900.0
# Seconds after which a signal that left posts out is tried again: sites get mended.
TRIED_AGAIN: Final = 14 * 86_400.0


class Trust:
    """The measured reliability of one signal."""

    def __init__(self, told: float = 0.0, missed: float = 0.0) -> None:
        self.told = told
        self.missed = missed

    def tell(self, posts: int) -> None:
        self._forget(posts)
        self.told += posts

    def miss(self, posts: int) -> None:
        self._forget(posts)
        self.missed += posts

    @property
    def reliability(self) -> float:
        """The share of posts that it told in time; 1 until something is known."""
        return (self.told + 1.0) / (self.told + self.missed + 1.0)

    @property
    def lies(self) -> bool:
        return self.missed >= FEWEST_MISSED and self.missed > MOST_MISSED * (self.told + self.missed)

    def _forget(self, posts: int) -> None:
        kept: float = 0.5 ** (posts / HALF_LIFE)
        self.told *= kept
        self.missed *= kept


class Beliefs:
    """The pages that tell of the whole site: how far each is believed, and those that left out too much."""

    def __init__(self) -> None:
        self._trust = {Layer.FEED: Trust(), Layer.ENTRY: Trust()}
        self._dropped: dict[Layer, float] = {}
        self._first_told: dict[Layer, float] = {}

    def __getitem__(self, kind: Layer) -> Trust:
        return self._trust[kind]

    def is_dropped(self, kind: Layer) -> bool:
        return kind in self._dropped

    def renew(self, kind: Layer, trust: Trust) -> None:
        self._trust[kind] = trust
        self._dropped.pop(kind, None)
        self._first_told.pop(kind, None)

    def try_again(self, now: float) -> None:
        """What was dropped long ago is believed anew."""
        if not self._dropped:
            return
        for kind in [kind for kind, moment in self._dropped.items() if now - moment > TRIED_AGAIN]:
            del self._dropped[kind]
            self._trust[kind] = Trust()

    def look(self, kind: Layer, now: float) -> None:
        """A page was read: from the first time on it can leave something out."""
        self._first_told.setdefault(kind, now)

    def since(self, kind: Layer, now: float) -> float:
        return self._first_told.get(kind, now)

    def miss(self, kind: Layer, posts: int, now: float) -> None:
        """A page left out posts; it is dropped where those are too many."""
        self._trust[kind].miss(posts)
        if self._trust[kind].lies:
            self._dropped[kind] = now
