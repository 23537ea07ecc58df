"""Which list comes next, in O(log n) of the number of lists.

A policy values a visit to a list by a score that grows from the last visit on, differently for each list, so no
fixed order exists, and comparing all lists at every request would cost O(n). Instead a list is scheduled for the
moment when its score will reach the going `Price` (the score at which visits are bought on average). Lists are kept in
classes of similar length of wait, each a heap by moment: within a class the list that is due first has waited longest
for its wait, and the heads of the classes, some thirty at most, are compared. One heap for all would let lists with
long waits that are a day late go before busy ones that are an hour late, which is many times their wait.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from math import frexp
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

# Heads with the largest lateness whose true scores are compared.
COMPARED: Final = 4


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
        self._entries: dict[Key, tuple[float, int, float, Key]] = {}
        self._classes: dict[int, list[tuple[float, int, float, Key]]] = {}
        self._number = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def schedule(self, key: Key, since: float, due: float) -> None:
        """The list was last visited at `since` and is due at `due`."""
        self._number += 1
        wait = max(due - since, 1e-3)
        entry = self._entries[key] = (since + wait, self._number, wait, key)
        heap = self._classes.setdefault(frexp(wait)[1], [])
        heapq.heappush(heap, entry)

    def remove(self, key: Key) -> None:
        self._entries.pop(key, None)

    def latest(self, now: float) -> tuple[Key, float] | None:
        """The list that has waited longest for its wait, and its due moment."""
        heads = self._heads(now)
        if not heads:
            return None
        entry = max(heads, key=_lateness)[1]
        return entry[3], entry[0]

    def best(self, now: float, score: Callable[[Key], float]) -> tuple[Key, float] | None:
        """Of the lists that have waited longest, the one with the highest score, and that score."""
        heads = self._heads(now)
        if not heads:
            return None
        if len(heads) > COMPARED:
            heads = sorted(heads, key=_lateness, reverse=True)[:COMPARED]
        scored = [(score(entry[3]), entry[3]) for _, entry in heads]
        worth, key = max(scored, key=_first)
        return key, worth

    def _heads(self, now: float) -> list[tuple[float, tuple[float, int, float, Key]]]:
        """The head of each class with its lateness: the wait so far over the wait that was planned."""
        heads: list[tuple[float, tuple[float, int, float, Key]]] = []
        entries = self._entries
        for heap in self._classes.values():
            while heap and entries.get(heap[0][3]) is not heap[0]:
                heapq.heappop(heap)
            if heap:
                due, _, wait, _ = heap[0]
                heads.append(((now - due) / wait, heap[0]))
        return heads


def _lateness(head: tuple[float, object]) -> float:
    return head[0]


def _first(scored: tuple[float, object]) -> float:
    return scored[0]
