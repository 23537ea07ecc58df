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
        self._entries: dict[Key, _Entry[Key]] = {}
        self._classes: dict[int, list[tuple[float, int, _Entry[Key]]]] = {}
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
        wait = max(due - since, 1e-3)
        entry = self._entries[key] = _Entry(key, wait)
        heap = self._classes.setdefault(frexp(wait)[1], [])
        heapq.heappush(heap, (since + wait, self._number, entry))

    def remove(self, key: Key) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            entry.is_over = True

    def latest(self, now: float) -> tuple[Key, float] | None:
        """The list that has waited longest for its wait, and its due moment."""
        heads = self._heads(now)
        if not heads:
            return None
        due, entry = max(heads, key=_lateness)[1:]
        return entry.key, due

    def best(self, now: float, score: Callable[[Key], float]) -> tuple[Key, float] | None:
        """Of the lists that have waited longest, the one with the highest score, and that score."""
        heads = self._heads(now)
        if not heads:
            return None
        if len(heads) > COMPARED:
            heads.sort(key=_lateness, reverse=True)
            del heads[COMPARED:]
        scored = [(score(entry.key), entry.key) for _, _, entry in heads]
        worth, key = max(scored, key=_first)
        return key, worth

    def _heads(self, now: float) -> list[tuple[float, float, _Entry[Key]]]:
        """The head of each class with its lateness: the wait so far over the wait that was planned."""
        heads: list[tuple[float, float, _Entry[Key]]] = []
        for heap in self._classes.values():
            while heap and heap[0][2].is_over:
                heapq.heappop(heap)
            if heap:
                due, _, entry = heap[0]
                heads.append(((now - due) / entry.wait, due, entry))
        return heads


class _Entry(Generic[Key]):
    """A list's place in the agenda, until it is scheduled anew: looked at by every choice, so it says that itself."""

    __slots__ = ("is_over", "key", "wait")

    def __init__(self, key: Key, wait: float) -> None:
        self.key = key
        self.wait = wait
        self.is_over = False


def _lateness(head: tuple[float, float, object]) -> float:
    return head[0]


def _first(scored: tuple[float, object]) -> float:
    return scored[0]
