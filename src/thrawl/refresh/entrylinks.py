"""The links of entry rows to the last post of their board: followed as long as what is new stands where they lead.

A row may link to a pinned thread, or to the one that was opened last. Each look at a thread that such a link named
tells whether there was anything new; links that lead to nothing are left alone, and the board's index page is asked.
"""

from __future__ import annotations

from thrawl.refresh.pages import EntryShown
from thrawl.refresh.trust import Trust


class EntryLinks:
    """How far the links of one site's entry rows can be believed."""

    def __init__(self) -> None:
        self._trust = Trust()
        self._followed: set[int] = set()

    def named(self, shown: EntryShown, place: int) -> tuple[int, int] | None:
        """The thread that a row links to and the time of its last post, if that is told and can be believed."""
        if shown.last_threads is None or shown.last_times is None or self._trust.lies:
            return None
        thread = shown.last_threads[place]
        return None if thread is None else (thread, shown.last_times[place])

    def follow(self, thread: int) -> None:
        """The thread is going to be fetched since a row links to it."""
        self._followed.add(thread)

    def looked(self, thread: int, *, is_new: bool) -> None:
        """A page of a thread was read, and showed something new or not."""
        if thread in self._followed:
            self._followed.discard(thread)
            if is_new:
                self._trust.tell(1)
            else:
                self._trust.miss(1)
