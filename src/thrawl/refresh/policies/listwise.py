"""The list-wise strategy (LWS) and its bandwidth control (LWS+BC), sections 3.4 and 3.5 of the list-wise paper.

Lists, not pages, are visited: the one with the largest expected number of new records, (now - last visit) / F(x). Of
an index list the first pages are fetched, as many as the expected records fill; of a post list the last page, and pages
that were never fetched before anything else. Bandwidth control gives index lists the share of requests that new threads
have among new threads and posts in history.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import filterfalse
from math import ceil
from typing import Final

from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.features import ListTimes
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.interval import IntervalPredictor
from thrawl.refresh.pages import (
    ENTRY_PAGE,
    History,
    Layer,
    ListKey,
    Looked,
    PageRef,
    PostsShown,
    RowsShown,
    Shown,
    Site,
)

DAY: Final = 86_400.0
RETRAINED_AFTER: Final = 60 * DAY
MOST_INDEX_PAGES: Final = 10


class ListWise:
    """One queue for all lists."""

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        self._site = site
        self._holdings = Holdings(history, site.posts_per_page)
        self._new_pages: deque[PageRef] = deque()
        self._head_pages: deque[PageRef] = deque()
        self._records: dict[ListKey, list[float]] = defaultdict(list)
        self._times: dict[ListKey, ListTimes] = defaultdict(ListTimes)
        # When each list was visited last, and the interval of its records as it was seen then.
        self._visits: dict[ListKey, tuple[float, float]] = {}
        self._new_threads = self._new_posts = 0
        for board in site.boards:
            self._records[(Layer.INDEX, board)] = []
        self._read_history(history)
        self._train(now)
        self._schedule_all(looked, now)
        self._new_pages.extend(self._holdings.next_page(thread) for thread in history.told)

    def choose(self, now: float) -> PageRef:
        if now - self._trained > RETRAINED_AFTER:
            self._train(now)
        return self._choose_index(now) if self._turn_of_index() else self._choose_any(now)

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        if isinstance(shown, PostsShown):
            self._read_posts(ref, shown)
        elif isinstance(shown, RowsShown):
            self._read_rows(now, ref, shown)
        self._look(ref, now)

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        """A list that cannot be had counts as visited; one that is gone is not visited again."""
        if gone and ref.page == 1 and (ref.kind, ref.list) in self._visits:
            self._queue_of((ref.kind, ref.list)).remove((ref.kind, ref.list))
        else:
            self._look(ref, now)

    def _look(self, ref: PageRef, now: float) -> None:
        if ref.kind in (Layer.INDEX, Layer.POSTS):
            self._visit((ref.kind, ref.list), now)

    def _turn_of_index(self) -> bool:
        return bool(self._head_pages)

    def _choose_index(self, now: float) -> PageRef:
        return (
            self._head_pages.popleft()
            if self._head_pages
            else self._page_of(self._most_expected(now, self._index_queue), now)
        )

    def _choose_any(self, now: float) -> PageRef:
        if self._new_pages:
            return self._new_pages.popleft()
        return self._page_of(self._most_expected(now, self._queue), now)

    def _most_expected(self, now: float, queue: Agenda[ListKey]) -> tuple[ListKey, float] | None:
        found = queue.best(now, self._expected)
        if found is not None:
            self._prices[found[0][0]].paid(found[1])
        return found

    def _expected(self, key: ListKey, now: float) -> float:
        """How many new records a list has by now."""
        visited, interval = self._visits[key]
        return (now - visited) / interval

    def _page_of(self, found: tuple[ListKey, float] | None, now: float) -> PageRef:
        if found is None:
            return ENTRY_PAGE
        (kind, key), expected = found
        if kind is Layer.POSTS:
            held = self._holdings.threads[key].held
            return PageRef(kind, key, -(-held // self._site.posts_per_page) or 1)
        pages = min(MOST_INDEX_PAGES, max(1, ceil(expected / self._site.rows_per_page)))
        self._head_pages.extend(PageRef(kind, key, page) for page in range(2, pages + 1))
        return PageRef(kind, key, 1)

    def _visit(self, key: ListKey, now: float) -> None:
        interval = self._predictors[key[0]].predict(self._times[key], now)
        self._visits[key] = now, interval
        self._queue_of(key).schedule(key, now, now + self._prices[key[0]].value * interval)

    def _queue_of(self, key: ListKey) -> Agenda[ListKey]:
        return self._queue

    def _read_rows(self, now: float, ref: PageRef, shown: RowsShown) -> None:
        for thread in filterfalse(self._holdings.threads.__contains__, shown.threads):
            self._holdings.note_thread(thread, ref.list, int(now))
            self._new_pages.append(PageRef(Layer.POSTS, thread, 1))
            self._new_threads += 1

    def _read_posts(self, ref: PageRef, shown: PostsShown) -> None:
        held = self._holdings.threads.get(ref.list)
        first = held is None or held.held == 0
        new = self._holdings.read_posts(ref, shown)
        entry = self._holdings.threads[ref.list]
        for time in new:
            self._add((Layer.POSTS, ref.list), time)
        self._new_posts += len(new)
        if first and new:
            self._add((Layer.INDEX, entry.board), new[0])
        if shown.pages > shown.page and entry.held == shown.page * self._site.posts_per_page:
            self._new_pages.append(PageRef(Layer.POSTS, ref.list, shown.page + 1))

    def _add(self, key: ListKey, time: float) -> None:
        self._records[key].append(time)
        self._times[key].add(time)

    def _read_history(self, history: History) -> None:
        seen: set[int] = set()
        columns = (history.board.tolist(), history.thread.tolist(), history.time.tolist())
        for board, thread, time in zip(*columns, strict=True):
            self._add((Layer.POSTS, thread), time)
            if thread not in seen:
                seen.add(thread)
                self._add((Layer.INDEX, board), time)
        self._new_threads, self._new_posts = len(seen), len(history.time)

    def _train(self, now: float) -> None:
        self._trained = now
        self._predictors = {
            kind: IntervalPredictor(lists_end=kind is Layer.POSTS).fit(
                (records for key, records in self._records.items() if key[0] is kind), now
            )
            for kind in (Layer.INDEX, Layer.POSTS)
        }

    def _schedule_all(self, looked: Looked, now: float) -> None:
        self._queue: Agenda[ListKey] = Agenda()
        self._index_queue: Agenda[ListKey] = Agenda()
        for key in self._records:
            self._visits[key] = looked.get(key, now), self._predictors[key[0]].predict(self._times[key], now)
        self._prices = self._starting_prices()
        for key in self._records:
            since, interval = self._visits[key]
            self._queue_of(key).schedule(key, since, since + self._prices[key[0]].value * interval)

    def _starting_prices(self) -> dict[Layer, Price]:
        price = Price(self._site.seconds_per_request * sum(1 / interval for _, interval in self._visits.values()))
        return {Layer.INDEX: price, Layer.POSTS: price}


class ListWiseBandwidth(ListWise):
    """Index lists and post lists apart, each with its share of the requests."""

    _credit = 0.0

    @property
    def _index_share(self) -> float:
        """Eq. 3; half of each until something was counted."""
        return (self._new_threads + 1) / (self._new_threads + self._new_posts + 2)

    def _turn_of_index(self) -> bool:
        self._credit += self._index_share
        if self._credit < 1.0:
            return False
        self._credit -= 1.0
        return True

    def _queue_of(self, key: ListKey) -> Agenda[ListKey]:
        return self._index_queue if key[0] is Layer.INDEX else self._queue

    def _starting_prices(self) -> dict[Layer, Price]:
        share = self._index_share
        prices: dict[Layer, Price] = {}
        for kind, part in ((Layer.INDEX, share), (Layer.POSTS, 1 - share)):
            demand = sum(1 / interval for key, (_, interval) in self._visits.items() if key[0] is kind)
            prices[kind] = Price(self._site.seconds_per_request / part * demand)
        return prices
