"""Our own policy: ask the page that tells most, descend where something changed, fetch just what is new.

Nothing in the papers: it replaces LWS's polling of every thread by reading the layers in which forum software tells of
its changes. A thread known to have new posts is fetched before anything is polled, since polling first would only
make it wait (see `waiting` for the order). Else the page is polled whose look is worth most (see `activity`): the
newest-posts page or the entry page for the whole site where there is one, else the boards' index pages.

An entry row tells a board's number of posts and links to its last one. The linked thread is fetched at once; only if
the board's number is still ahead of what is known, its index page is polled too. So one quiet-hour post costs two
requests, as with a newest-posts page. Where rows tell nothing of replies, each thread is an arm of its own and polled
by its own worth.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from thrawl.refresh.activity import Activity
from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.boards import BoardCounts
from thrawl.refresh.excitation import Pulse
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import (
    ENTRY_PAGE,
    FEED_HEAD,
    EntryShown,
    History,
    PageKind,
    PageRef,
    PostsShown,
    RowsShown,
    Shown,
    Site,
)
from thrawl.refresh.waiting import WaitingThreads

PRICE_MEMORY: Final = 300.0
# Arms from which the first price is estimated.
PRICED_ARMS: Final = 1000
# The share of the requests that fetching what was found may take, when the price of polls is estimated.
MOST_FETCHES: Final = 0.6

Arm = tuple[PageKind, int]


class Ours:
    def begin(self, site: Site, history: History, now: float) -> None:
        self._site = site
        self._holdings = Holdings(history, site.posts_per_page)
        self._activity = Activity(history, site.boards, now)
        self._counts = BoardCounts(self._holdings)
        self._waiting = WaitingThreads()
        self._flips: list[PageRef] = []
        self._last_rows: dict[PageRef, RowsShown] = {}
        self._agenda: Agenda[Arm] = Agenda()
        self._looked: dict[Arm, float] = {}
        self._spans: dict[Arm, float] = {}
        self._site_looked = now
        self._price = Price(1.0, PRICE_MEMORY)
        if not self._whole_site_page:
            self._start_arms(now)

    def choose(self, now: float) -> PageRef:
        if self._flips:
            return self._flips.pop()
        thread = self._waiting.first()
        if thread is not None:
            return self._holdings.next_page(thread)
        board = self._counts.most_behind()
        if board is not None:
            return PageRef(PageKind.INDEX, board, 1)
        return self._poll_site(now) if self._whole_site_page else self._poll_arm(now)

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        if isinstance(shown, PostsShown):
            self._read_posts(now, ref, shown)
        elif isinstance(shown, RowsShown):
            self._read_rows(now, ref, shown)
        else:
            self._read_entry(now, shown)

    @property
    def _whole_site_page(self) -> PageRef | None:
        if self._site.has_feed:
            return FEED_HEAD
        return ENTRY_PAGE if self._site.has_entry_rows and len(self._site.boards) > 1 else None

    def _poll_site(self, now: float) -> PageRef:
        """The entry page, or the index page of a board so busy that it alone is worth more.

        An entry row names one thread: of a board with more new posts the index page is needed too. So a look at the
        entry page costs one request and another for each board that is likely to have several.
        """
        if self._site.has_feed:
            return FEED_HEAD
        activity = self._activity
        posts, worth = activity.expected(activity.site, self._site_looked, now)
        board, share = self._counts.busiest(activity, now)
        looked = max(self._site_looked, self._looked.get((PageKind.INDEX, board), 0.0))
        extra = min(posts * posts * share * share, posts) / 2
        alone = activity.worth(activity.boards[board], looked, now)
        return PageRef(PageKind.INDEX, board, 1) if alone > worth / (1 + extra) else ENTRY_PAGE

    def _poll_arm(self, now: float) -> PageRef:
        found = self._agenda.best(now, lambda arm: self._worth(arm, now))
        if found is None:
            return ENTRY_PAGE
        (kind, key), worth = found
        self._price.paid(worth)
        return self._holdings.next_page(key) if kind is PageKind.POSTS else PageRef(kind, key, 1)

    def _read_entry(self, now: float, shown: EntryShown) -> None:
        self._site_looked = now
        for place in self._counts.read_entry(shown):
            if shown.last_threads is not None:
                thread, board, time = shown.last_threads[place], shown.boards[place], shown.last_times[place]
                if self._holdings.tell(thread, board, time):
                    self._tell(thread, 1, time)

    def _read_rows(self, now: float, ref: PageRef, shown: RowsShown) -> None:
        unchanged = self._last_rows.get(ref) is shown
        self._last_rows[ref] = shown
        news = [] if unchanged else list(self._holdings.read_rows(ref.list, shown, now=now))
        for row in news:
            self._tell(row.thread, row.posts, row.time)
        if news and news[-1].thread == shown.threads[-1] and ref.page < shown.pages:
            self._flips.append(ref._replace(page=ref.page + 1))
        elif ref.kind is PageKind.INDEX:
            self._counts.settle(ref.list)
        if ref.page == 1:
            self._look((ref.kind, ref.list), now)

    def _read_posts(self, now: float, ref: PageRef, shown: PostsShown) -> None:
        entry = self._holdings.threads[ref.list]
        told = entry.told
        new = self._holdings.read_posts(ref, shown)
        self._read_times(ref.list, new, now)
        self._counts.know(entry.board, entry.told - told)
        if entry.told > told and self._site.has_index_rows:
            self._activity.told(entry.board, entry.told - told, entry.told_time)
        self._queue(ref.list)
        if not self._site.has_index_rows:
            self._look((PageKind.POSTS, ref.list), now)

    def _read_times(self, thread: int, times: list[int], now: float) -> None:
        self._activity.read(thread, times, now)

    def _tell(self, thread: int, posts: int, time: int) -> None:
        board = self._holdings.threads[thread].board
        self._counts.know(board, posts)
        if self._site.has_index_rows:
            self._activity.told(board, posts, time)
        self._queue(thread)

    def _queue(self, thread: int) -> None:
        entry = self._holdings.threads[thread]
        self._waiting.put(thread, self._holdings.waiting_on_next_page(thread), entry.told_time)

    def _worth(self, arm: Arm, now: float) -> float:
        return self._activity.worth(self._pulse(arm, now), self._looked[arm], now)

    def _pulse(self, arm: Arm, now: float) -> Pulse:
        kind, key = arm
        return self._activity.boards[key] if kind is PageKind.INDEX else self._activity.thread(key, now)

    def _look(self, arm: Arm, now: float) -> None:
        self._looked[arm] = now
        if arm[0] is PageKind.INDEX and self._whole_site_page:
            self._site_looked += self._counts.share(self._activity, arm[1], now) * (now - self._site_looked)
        if not self._whole_site_page and arm[0] is not PageKind.FEED:
            self._schedule(arm, now)

    def _schedule(self, arm: Arm, now: float) -> None:
        self._pulse(arm, now).move(now)
        looked = self._looked[arm]
        span = self._spans[arm] = self._span(arm, looked, now, self._spans.get(arm, 0.0))
        self._agenda.schedule(arm, looked, looked + span)

    def _span(self, arm: Arm, looked: float, now: float, guess: float = 0.0) -> float:
        """Seconds after a look until another is worth the price."""
        return self._activity.span_until(self._price.value, self._pulse(arm, now), looked, guess)

    def _start_arms(self, now: float) -> None:
        arms: list[Arm] = [(PageKind.INDEX, board) for board in self._site.boards]
        if not self._site.has_index_rows:
            arms.extend((PageKind.POSTS, thread) for thread in self._holdings.threads)
            for board in self._site.boards:
                self._activity.boards[board].still()
        self._looked = dict.fromkeys(arms, now)
        self._set_price(now)

    def _set_price(self, now: float) -> None:
        """Find the price at which the visits of all arms just take the budget, and schedule them."""
        arms = list(self._looked)
        sample = arms[:: max(1, len(arms) // PRICED_ARMS)]
        fetched = min(self._activity.site.rate(now) * self._site.seconds_per_request, MOST_FETCHES)
        budget = (1 - fetched) / self._site.seconds_per_request * len(sample) / max(len(arms), 1)
        low, high = 1e-6, 1e15
        for _ in range(30):
            self._price.value = sqrt(low * high)
            spans = (self._span(arm, now, now) for arm in sample)
            too_cheap = sum(1 / span for span in spans) > budget
            low, high = (self._price.value, high) if too_cheap else (low, self._price.value)
        for arm in arms:
            self._schedule(arm, now)
