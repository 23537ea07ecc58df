"""The plain sketch (`layers`): poll the cheapest layer, descend where something changed. Nothing is predicted.

Of the lists to poll it takes the one with the largest rate x age; changed threads are fetched in the order of the
time their rows showed; nothing waits to be fetched together with more. It is kept to show what prediction and
batching add. Entry rows are used for their times alone, not for their links. Where rows tell nothing of replies,
each thread is polled by its own rate x age.
"""

from __future__ import annotations

import heapq
from math import exp
from typing import Final

import numpy as np

from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.aside import Aside
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import (
    ENTRY_PAGE,
    FEED_HEAD,
    EntryShown,
    History,
    Layer,
    Looked,
    PageRef,
    PostsShown,
    RowsShown,
    Shown,
    Site,
)

DAY: Final = 86_400.0
MEMORY_DAYS: Final = 60.0
# Posts a second of a board that gets none: one a year, so that it is still looked at.
SLOWEST_RATE: Final = 1 / (365 * DAY)


class Layers:
    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        self._site = site
        self._holdings = Holdings(history, site.posts_per_page)
        self._changed: list[tuple[int, int]] = []
        self._waiting: set[int] = set()
        self._flips: list[PageRef] = []
        self._boards_told: dict[int, int] = {}
        self._boards_changed: list[tuple[int, int]] = []
        self._agenda: Agenda[PageRef] = Agenda()
        self._price = Price(0.0)
        self._rate: dict[PageRef, float] = {}
        self._visited: dict[PageRef, float] = {}
        self._aside = Aside(site.seconds_per_request)
        for thread in history.told:
            self._wait_for(thread)
        if not (site.has_feed or site.has_entry_rows):
            self._schedule_polls(history, now)

    def choose(self, now: float) -> PageRef:
        for ref in self._aside.back(now):
            if ref.kind is Layer.POSTS:
                self._wait_for(ref.list)
        if self._flips:
            return self._flips.pop()
        while self._changed:
            thread = self._changed[0][1]
            if thread in self._waiting:
                return self._holdings.next_page(thread)
            heapq.heappop(self._changed)
        if self._site.has_feed and FEED_HEAD not in self._aside:
            return FEED_HEAD
        if self._boards_changed:
            return PageRef(Layer.INDEX, heapq.heappop(self._boards_changed)[1], 1)
        return ENTRY_PAGE if self._site.has_entry_rows else self._poll(now)

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        self._aside.answered(ref, now)
        if isinstance(shown, EntryShown):
            self._read_entry(shown)
        elif isinstance(shown, RowsShown):
            self._read_rows(now, ref, shown)
        elif isinstance(shown, PostsShown):
            self._read_posts(now, ref, shown)
        elif ref.kind is Layer.POSTS:
            self._waiting.discard(ref.list)
        if ref in self._rate:
            self._visit(ref, now)

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        if not gone:
            self._aside.put(ref, now)
        if ref.kind is Layer.POSTS:
            self._waiting.discard(ref.list)
            if gone:
                self._holdings.gone(ref)
                if ref.page > 1:
                    self._wait_for(ref.list)
        if ref in self._rate:
            self._visit(ref, now)

    def _wait_for(self, thread: int) -> None:
        self._waiting.add(thread)
        heapq.heappush(self._changed, (self._holdings.threads[thread].told_time, thread))

    def _read_entry(self, shown: EntryShown) -> None:
        for board, time in zip(shown.boards, shown.last_times or (), strict=False):
            if self._boards_told.get(board, 0) < time:
                self._boards_told[board] = time
                heapq.heappush(self._boards_changed, (time, board))

    def _read_rows(self, now: float, ref: PageRef, shown: RowsShown) -> None:
        read = self._holdings.read_rows(ref, shown, now=now)
        news = read.news
        for row in news:
            self._waiting.add(row.thread)
            heapq.heappush(self._changed, (row.time, row.thread))
        self._learn_rate(ref, sum(row.posts for row in news), now)
        if news and read.goes_on and ref.page < shown.pages:
            self._flips.append(ref._replace(page=ref.page + 1))

    def _read_posts(self, now: float, ref: PageRef, shown: PostsShown) -> None:
        new = self._holdings.read_posts(ref, shown)
        entry = self._holdings.threads[ref.list]
        if entry.waiting <= 0:
            self._waiting.discard(ref.list)
        if new and not self._site.has_index_rows:
            self._follow_thread(ref, now)

    def _poll(self, now: float) -> PageRef:
        found = self._agenda.best(now, self._score)
        if found is None:
            return ENTRY_PAGE
        ref, score = found
        self._price.paid(score)
        return ref

    def _score(self, ref: PageRef, now: float) -> float:
        return self._rate[ref] * (now - self._visited[ref])

    def _visit(self, ref: PageRef, now: float) -> None:
        self._visited[ref] = now
        self._agenda.schedule(ref, now, now + self._price.value / self._rate[ref])

    def _schedule_polls(self, history: History, now: float) -> None:
        recent = history.board[history.time > now - MEMORY_DAYS * DAY]
        posts = dict(zip(*(column.tolist() for column in np.unique(recent, return_counts=True)), strict=True))
        for board in self._site.boards:
            self._rate[PageRef(Layer.INDEX, board, 1)] = (posts.get(board, 0) + 1) / (MEMORY_DAYS * DAY)
        if not self._site.has_index_rows:
            for thread in self._holdings.threads:
                self._rate[self._holdings.next_page(thread)] = self._thread_rate(thread, now)
        self._price.value = self._site.seconds_per_request * sum(self._rate.values())
        for ref in self._rate:
            self._visit(ref, now)

    def _follow_thread(self, ref: PageRef, now: float) -> None:
        """A thread got posts: it is watched by its next page and at its new rate from now on."""
        self._rate.pop(ref, None)
        self._agenda.remove(ref)
        following = self._holdings.next_page(ref.list)
        self._rate[following] = self._thread_rate(ref.list, now)
        self._visit(following, now)

    def _thread_rate(self, thread: int, now: float) -> float:
        entry = self._holdings.threads[thread]
        return max(entry.held, 1) / (now - entry.opened + DAY)

    def _learn_rate(self, ref: PageRef, new: int, now: float) -> None:
        if ref.kind is Layer.INDEX and ref in self._rate:
            kept = exp((self._visited[ref] - now) / (MEMORY_DAYS * DAY))
            self._rate[ref] = max(kept * self._rate[ref] + new / (MEMORY_DAYS * DAY), SLOWEST_RATE)
