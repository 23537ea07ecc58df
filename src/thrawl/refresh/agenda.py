"""Which list comes next, in O(log n) of the number of lists.

A policy values a visit to a list by a score that grows from the last visit on, differently for each list, so no
fixed order exists and comparing all lists at every request would cost O(n). Instead a list is due at the moment
when its score will reach the going `Price` (the score at which visits are bought on average). The few lists that
were or will be due first are then compared by their true scores now.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

COMPARED: Final = 6


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
        self._due: dict[Key, float] = {}
        self._heap: list[tuple[float, int, Key]] = []
        self._number = 0

    def __len__(self) -> int:
        return len(self._due)

    def __contains__(self, key: Key) -> bool:
        return key in self._due

    def schedule(self, key: Key, due: float) -> None:
        self._due[key] = due
        self._number += 1
        heapq.heappush(self._heap, (due, self._number, key))
        if len(self._heap) > 4 * len(self._due) + 64:
            self._rebuild()

    def remove(self, key: Key) -> None:
        self._due.pop(key, None)

    def first(self) -> tuple[Key, float] | None:
        """The list that is due first, and when."""
        self._drop_stale()
        return (self._heap[0][2], self._heap[0][0]) if self._heap else None

    def best(self, score: Callable[[Key], float], compared: int = COMPARED) -> tuple[Key, float] | None:
        """Of the lists that are due first, the one with the highest score, and that score. It stays scheduled."""
        taken = self._take(compared)
        if not taken:
            return None
        for entry in taken:
            heapq.heappush(self._heap, entry)
        return max(((entry[2], score(entry[2])) for entry in taken), key=lambda pair: pair[1])

    def _take(self, count: int) -> list[tuple[float, int, Key]]:
        taken: list[tuple[float, int, Key]] = []
        while len(taken) < count:
            self._drop_stale()
            if not self._heap:
                break
            taken.append(heapq.heappop(self._heap))
        return taken

    def _drop_stale(self) -> None:
        while self._heap and self._due.get(self._heap[0][2]) != self._heap[0][0]:
            heapq.heappop(self._heap)

    def _rebuild(self) -> None:
        self._number = 0
        self._heap = []
        for key, due in self._due.items():
            self._number += 1
            self._heap.append((due, self._number, key))
        heapq.heapify(self._heap)
