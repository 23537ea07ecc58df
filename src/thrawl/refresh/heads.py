"""The heads of an agenda's classes, compared at every choice of a page (see `agenda`).

This very file is also compiled, as `_heads` (with the types of `_heads.pxd`), when the package is installed; `agenda`
takes the compiled one where it was built.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable


class Entry:
    """A list's place in the agenda until it is scheduled anew: every choice looks at it, so it says that itself."""

    __slots__ = ("due", "is_over", "key", "lateness", "wait")

    def __init__(self, key: Hashable, wait: float, due: float) -> None:
        self.key = key
        self.wait = wait
        self.due = due
        self.lateness = 0.0
        self.is_over = False


def latest_heads(heaps: list[list[tuple[float, int, Entry]]], now: float, most: int) -> list[Entry]:
    """Of the heads of all heaps at most so many with the largest lateness: the wait so far over the planned wait."""
    found: list[Entry] = []
    for heap in heaps:
        entry = None
        while heap:
            entry = heap[0][2]
            if not entry.is_over:
                break
            heapq.heappop(heap)
            entry = None
        if entry is None:
            continue
        lateness = entry.lateness = (now - entry.due) / entry.wait
        place = len(found)
        while place:
            other = found[place - 1]
            if other.lateness >= lateness:
                break
            place -= 1
        if place < most:
            found.insert(place, entry)
            if len(found) > most:
                found.pop()
    return found
