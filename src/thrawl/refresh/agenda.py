"""Which list comes next, in O(log n) of the number of lists.

A policy values a visit to a list by a score that grows from the last visit on, differently for each list, so no
fixed order exists, and comparing all lists at every request would cost O(n). Instead a list is scheduled for the
moment when its score will reach the going `Price` (the score at which visits are bought on average). Lists are kept in
classes of similar length of wait, each a heap by moment: within a class the list that is due first has waited longest
for its wait, and the heads of the classes, some thirty at most, are compared. One heap for all would let lists with
long waits that are a day late go before busy ones that are an hour late, which is many times their wait.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from heapq import heappush
from math import frexp
from typing import Final, Generic, TypeVar, cast

try:
    from thrawl.refresh._heads import Entry, latest_heads
except ImportError:
    from thrawl.refresh.heads import Entry, latest_heads

Key = TypeVar("Key", bound=Hashable)

# Heads with the largest lateness whose true scores are compared.
COMPARED: Final = 4
# Seconds: no wait is shorter, or nothing could be a share of it.
SHORTEST_WAIT: Final = 1e-3


class Price:
    """The going score of a visit: a mean that forgets over `memory` visits."""

    def __init__(self, start: float, memory: float = 200.0) -> None:
        self.value = start
        self._share = 1.0 / memory

    def paid(self, score: float) -> None:
        self.value += self._share * (score - self.value)


class Agenda(Generic[Key]):
    """Lists by the moment they are due. Scheduling a list again replaces its moment."""

    def __init__(self) -> None:
        self._entries: dict[Key, Entry] = {}
        self._classes: dict[int, list[tuple[float, int, Entry]]] = {}
        self._heaps: list[list[tuple[float, int, Entry]]] = []
        self._number = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def schedule(self, key: Key, since: float, due: float) -> None:
        """The list was last visited at `since` and is due at `due`."""
        self._number += 1
        before = self._entries.get(key)
        if before is not None:
            before.is_over = True
        wait = due - since
        if wait < SHORTEST_WAIT:
            wait = SHORTEST_WAIT
        due = since + wait
        entry = self._entries[key] = Entry(key, wait, due)
        heap = self._classes.get(frexp(wait)[1])
        if heap is None:
            heap = self._classes[frexp(wait)[1]] = []
            self._heaps.append(heap)
        heappush(heap, (due, self._number, entry))

    def remove(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            entry.is_over = True

    def latest(self, now: float) -> tuple[Key, float] | None:
        """The list that has waited longest for its wait, and its due moment."""
        heads = latest_heads(self._heaps, now, 1)
        return (cast(Key, heads[0].key), heads[0].due) if heads else None

    def best(self, now: float, score: Callable[[Key, float], float]) -> tuple[Key, float] | None:
        """Of the lists that have waited longest, the one with the highest score now, and that score."""
        best: Key | None = None
        highest = 0.0
        for entry in latest_heads(self._heaps, now, COMPARED):
            key = cast(Key, entry.key)
            worth = score(key, now)
            if best is None or worth > highest:
                best, highest = key, worth
        return None if best is None else (best, highest)
