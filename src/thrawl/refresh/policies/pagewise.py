"""What the page-wise policies share: each page is one object of its own, as a general crawler sees it.

Nothing is known of lists: an index page counts as changed when its rows moved, and a thread's full pages are visited
like its last one. As in section 4.2 of the list-wise paper, a URL that was never fetched comes first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import ceil
from typing import Final

import numpy as np

from thrawl.refresh.agenda import Agenda
from thrawl.refresh.pages import EntryShown, History, Layer, Looked, PageRef, PostsShown, RowsShown, Shown, Site

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR


class PageWise:
    """Subclasses say after how many seconds a page is due again, given how much of it was new at this visit."""

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        self._site = site
        self._agenda: Agenda[PageRef] = Agenda()
        self._new_pages: deque[PageRef] = deque()
        self._content: dict[PageRef, int | frozenset[int | None] | None] = {}
        self._visited: dict[PageRef, float] = {}
        self._pages: dict[tuple[Layer, int], int] = {}
        self._changed: dict[PageRef, float] = {}
        for ref in self._known_pages(history):
            self._visited[ref] = looked.get((ref.kind, ref.list), now)
        self._prepare(now)
        for ref, since in self._visited.items():
            self._agenda.schedule(ref, since, since + self._first_period(ref, now))
        self._new_pages.extend(PageRef(Layer.POSTS, thread, 1) for thread in history.told)

    def choose(self, now: float) -> PageRef:
        if self._new_pages:
            return self._new_pages.popleft()
        first = self._agenda.latest(now)
        if first is None:
            return PageRef(Layer.ENTRY, 0, 1)
        self._paid(now, first[1])
        return first[0]

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        change = self._compare(ref, shown)
        self._find_pages(ref, shown)
        self._visit(ref, now, change)

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        """A page that cannot be had is visited like one that did not change; one that is gone, never again."""
        self._visit(ref, now, 0.0)
        if gone:
            self._agenda.remove(ref)

    def _visit(self, ref: PageRef, now: float, change: float) -> None:
        passed = now - self._visited.get(ref, now)
        self._visited[ref] = now
        self._agenda.schedule(ref, now, now + self._next_period(ref, now, passed, change))

    def _prepare(self, now: float) -> None:
        """Called when the pages of the archive are known, before any is scheduled."""

    def _paid(self, now: float, due: float) -> None:
        """Called with the moment at which the chosen page was due."""

    def _first_period(self, ref: PageRef, now: float) -> float:
        raise NotImplementedError

    def _next_period(self, ref: PageRef, now: float, passed: float, change: float) -> float:
        raise NotImplementedError

    def _known_pages(self, history: History) -> list[PageRef]:
        refs: list[PageRef] = []
        size = self._site.posts_per_page
        posts: dict[int, int] = {}
        for thread, time in zip(history.thread.tolist(), history.time.tolist(), strict=True):
            place = posts[thread] = posts.get(thread, 0) + 1
            ref = PageRef(Layer.POSTS, thread, (place - 1) // size + 1)
            self._changed[ref] = time
            self._content[ref] = place - (ref.page - 1) * size
        for thread, count in posts.items():
            refs.extend(self._numbered(Layer.POSTS, thread, ceil(count / size)))
        for board in self._site.boards:
            count = len(np.unique(history.thread[history.board == board]))
            refs.extend(self._numbered(Layer.INDEX, board, max(1, ceil(count / self._site.rows_per_page))))
        return refs

    def _silence(self, ref: PageRef, now: float) -> float:
        """Seconds since a page of the archive last changed: what a policy that watched it before would know."""
        return max(HOUR, now - self._changed.get(ref, now - DAY * ref.page))

    def _numbered(self, kind: Layer, key: int, pages: int) -> list[PageRef]:
        known = self._pages.get((kind, key), 0)
        self._pages[(kind, key)] = max(pages, known)
        return [PageRef(kind, key, page) for page in range(known + 1, pages + 1)]

    def _find_pages(self, ref: PageRef, shown: Shown) -> None:
        if not isinstance(shown, RowsShown | PostsShown):
            return
        self._new_pages.extend(self._numbered(ref.kind, ref.list, shown.pages))
        if isinstance(shown, PostsShown):
            return
        for thread in shown.threads:
            if (Layer.POSTS, thread) not in self._pages:
                self._new_pages.extend(self._numbered(Layer.POSTS, thread, 1))

    def _compare(self, ref: PageRef, shown: Shown) -> float:
        """How much of the page is new, from 0 to 1; a page without an earlier version counts as unchanged."""
        before = self._content.get(ref)
        if isinstance(shown, PostsShown):
            count = shown.posts
            self._content[ref] = count
            known = before if isinstance(before, int) else count
            return max(0, count - known) / max(count, 1)
        if not isinstance(shown, RowsShown | EntryShown):
            return 0.0
        rows = frozenset(_entries(shown))
        self._content[ref] = rows
        return len(rows - before) / max(len(rows), 1) if isinstance(before, frozenset) else 0.0


class FixedRate(PageWise):
    """Every page equally often."""

    def _first_period(self, ref: PageRef, now: float) -> float:
        return DAY

    def _next_period(self, ref: PageRef, now: float, passed: float, change: float) -> float:
        return DAY


def _entries(shown: RowsShown | EntryShown) -> Sequence[int | None]:
    if isinstance(shown, EntryShown):
        return shown.last_threads or shown.last_times or ()
    return shown.threads
