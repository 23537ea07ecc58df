"""Lists that nobody may forget: each is looked at again after a fixed time, whatever is expected of it.

A prediction is an estimate from the past. A board that was dead for a year wakes up, a feed leaves out what it should
tell, a thread is revived after all: a look now and then finds it. As the time is one for all, the list that was looked
at longest ago stands first, and asking costs nothing.

Lists that were all looked at in the same hour, by a crawl, are overdue in the same hour, too: such looks are spaced, so
that they never keep what is new waiting for more than a turn.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Overdue(Generic[Key]):
    """`looks_share` is the most of all requests that such looks may take; with many lists the time grows to fit."""

    def __init__(self, seconds: float, seconds_per_request: float, looks_share: float) -> None:
        self._seconds = seconds
        self._least = seconds_per_request / looks_share
        self._looked: OrderedDict[Key, float] = OrderedDict()
        self._last = float("-inf")
        self._none_before = float("-inf")  # a moment up to which no list can be overdue

    @property
    def seconds(self) -> float:
        """After so long a list is overdue."""
        return max(self._seconds, self._least * len(self._looked))

    def begin(self, looked: Iterable[tuple[Key, float]]) -> None:
        self._looked = OrderedDict(sorted(looked, key=lambda one: one[1]))
        self._none_before = float("-inf")

    def look(self, key: Key, now: float) -> None:
        before = self._looked.get(key, now)
        if now - before > self._seconds and now - before > self.seconds:
            self._last = now
        self._looked[key] = now
        self._looked.move_to_end(key)

    def remove(self, key: Key) -> None:
        self._looked.pop(key, None)

    def first(self, now: float) -> Key | None:
        """The list that is overdue for the longest time; None also where the last such look was just now."""
        if now < self._none_before or not self._looked or now - self._last < self._least:
            return None
        key, looked = next(iter(self._looked.items()))
        self._none_before = looked + self._seconds
        return key if now - looked > self._seconds and now - looked > self.seconds else None

    def due(self, key: Key) -> float | None:
        """When a list will be overdue; None for a list that is not watched over."""
        return self._looked[key] + self.seconds if key in self._looked else None
