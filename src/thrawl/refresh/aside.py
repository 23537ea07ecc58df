"""Pages that could not be had, set aside for a while: each failure in a row doubles the wait.

A site that is down fails on every page; when it comes back, what was set aside meanwhile comes back at once, and what
fails by itself stays where it is.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final

from thrawl.refresh.pages import PageRef

# Seconds; a hiccup is over by then, and a page that is broken for good costs one request a day in the end.
SHORTEST: Final = 120.0
LONGEST: Final = 86_400.0
# Failures in a row, of whatever pages, that mean that the site is down and not the pages.
DOWN_AFTER: Final = 5
# Seconds between two tries of a site that is down: short against the outage, and polite.
DOWN_SECONDS: Final = 600.0


class Aside:
    def __init__(self, seconds_per_request: float) -> None:
        self._shortest = max(SHORTEST, 2 * seconds_per_request)
        self._until: dict[PageRef, float] = {}
        self._times: dict[PageRef, int] = {}
        self._heap: list[tuple[float, PageRef]] = []
        self._in_a_row = 0
        self._meanwhile: set[PageRef] = set()

    def __contains__(self, ref: PageRef) -> bool:
        return ref in self._until

    @property
    def is_down(self) -> bool:
        """Whether nothing answered lately."""
        return self._in_a_row >= DOWN_AFTER

    def put(self, ref: PageRef, now: float) -> None:
        """A page failed."""
        times = self._times[ref] = self._times.get(ref, 0) + 1
        self._in_a_row += 1
        self._meanwhile.add(ref)
        longest = DOWN_SECONDS if self.is_down else LONGEST
        self._set(ref, now + min(self._shortest * 2.0 ** min(times - 1, 20), longest))

    def answered(self, ref: PageRef, now: float) -> None:
        """A page came: it is fine, and if the site was down, so are those that failed meanwhile."""
        if not self._times and not self._in_a_row:  # nothing failed lately, as on most days
            return
        self._times.pop(ref, None)
        self._until.pop(ref, None)
        if self.is_down:
            for other in self._meanwhile & self._until.keys():
                self._times.pop(other, None)
                self._set(other, now)
        self._in_a_row = 0
        self._meanwhile.clear()

    def back(self, now: float) -> Sequence[PageRef]:
        """The pages whose time is over; they are not aside any more."""
        if not self._heap or self._heap[0][0] > now:
            return ()
        back: list[PageRef] = []
        while self._heap and self._heap[0][0] <= now:
            until, ref = heapq.heappop(self._heap)
            if self._until.get(ref) == until:
                del self._until[ref]
                back.append(ref)
        return back

    def _set(self, ref: PageRef, until: float) -> None:
        self._until[ref] = until
        heapq.heappush(self._heap, (until, ref))
