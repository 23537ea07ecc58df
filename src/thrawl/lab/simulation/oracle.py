"""The oracle (section 4.2): knows every post the moment it appears; an upper bound for every other policy.

At each request it takes the page with the most posts not yet held, and of those the one that waits longest. This is
the best order for what waits now; it does not hold a page back to let more posts gather, as nothing in the paper's
description does.
"""

from __future__ import annotations

import heapq

from thrawl.lab.simulation.forum import Forum
from thrawl.refresh.pages import ENTRY_PAGE, History, Layer, Looked, PageRef, Shown, Site


class Oracle:
    """The only policy that reads the forum itself."""

    def __init__(self, forum: Forum) -> None:
        self._forum = forum
        self._read = forum.next_post
        self._number: dict[int, int] = {}
        self._waiting: dict[PageRef, list[int]] = {}
        self._heap: list[tuple[int, int, PageRef]] = []

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        self._number = {thread: len(posts) for thread, posts in self._forum.posts.items()}

    def choose(self, now: float) -> PageRef:
        self._take_in()
        while self._heap:
            negative, _, ref = self._heap[0]
            waiting = self._waiting.get(ref)
            if waiting is not None and len(waiting) == -negative:
                return ref
            heapq.heappop(self._heap)
        return ENTRY_PAGE

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        self._waiting.pop(ref, None)

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        """It knows that the site is down, and asks all the same: nothing else can be done with the request."""

    def _take_in(self) -> None:
        forum = self._forum
        for post in range(self._read, forum.next_post):
            thread = forum.threads[post]
            place = self._number.get(thread, 0)
            self._number[thread] = place + 1
            ref = PageRef(Layer.POSTS, thread, place // forum.looks.posts_per_page + 1)
            waiting = self._waiting.setdefault(ref, [])
            waiting.append(forum.times[post])
            heapq.heappush(self._heap, (-len(waiting), waiting[0], ref))
        self._read = forum.next_post
