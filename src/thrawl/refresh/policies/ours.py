"""Our own policy: ask the page that tells most, descend where something changed, fetch just what is new.

Nothing in the papers: it replaces LWS's polling of every thread by reading the layers in which forum software tells of
its changes. A thread known to have new posts is fetched before anything is polled, since polling first would only
make it wait (see `waiting` for the order). Else the page is polled whose look is worth most (see `activity`): the
feed or the entry page for the whole site where there is one that can be believed (`trust`), else the arms (`arms`).

An entry row tells a board's number of posts and links to its last one. The linked thread is fetched at once; only if
the board's number is still ahead of what is known, its index page is polled too. So one quiet-hour post costs two
requests, as with a newest-posts page. A feed whose last item is new may have dropped others: the boards are read then,
each until its rows are known. Whatever the signal, each index head is looked at once a day.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

from thrawl.refresh.activity import Activity
from thrawl.refresh.agenda import Price
from thrawl.refresh.arms import PRICE_MEMORY, Arms, thread_arm
from thrawl.refresh.aside import Aside
from thrawl.refresh.boards import BoardCounts
from thrawl.refresh.entrylinks import EntryLinks
from thrawl.refresh.holdings import Holdings, RowsRead, threads_by_age
from thrawl.refresh.overdue import Overdue
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
from thrawl.refresh.rhythm import DAY
from thrawl.refresh.trust import LATENESS, Beliefs, Trust
from thrawl.refresh.waiting import WaitingThreads
from thrawl.refresh.walks import Walks

# Each index head is looked at once a day, if a tenth of the requests is enough for that.
HEAD_SECONDS: Final = float(DAY)
HEAD_SHARE: Final = 0.1
# Seconds by which a look is put back so that another is overdue.
LONG_AGO: Final = 365.0 * DAY


class Ours:
    """`once` makes a round of it: every board is looked at, or known unchanged, and what is new is fetched."""

    def __init__(self, *, once: bool = False) -> None:
        self._once = once

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        self._site = site
        self._holdings = Holdings(history, site.posts_per_page)
        self._activity = Activity(history, site.boards, now)
        self._counts = BoardCounts(self._holdings, history.board_rows)
        self._links = EntryLinks()
        self._waiting = WaitingThreads()
        self._flips: list[PageRef] = []
        self._walks = Walks(history.walks, site.rows_per_page)
        self._last_rows: dict[PageRef, RowsShown] = {}
        self._catching_up: deque[int] = deque()
        self._aside = Aside(site.seconds_per_request)
        self._beliefs = Beliefs()
        self._boards = dict.fromkeys(site.boards)
        sizes = Counter(entry.board for entry in self._holdings.threads.values())
        self._pages = {board: -(-size // site.rows_per_page) for board, size in sizes.items()}
        self._heads: Overdue[int] = Overdue(HEAD_SECONDS, site.seconds_per_request, HEAD_SHARE)
        ago = LONG_AGO if history.uncertain else 0.0  # what was told and not fetched is told by the boards alone
        self._heads.begin((board, looked.get((Layer.INDEX, board), 0.0) - ago) for board in site.boards)
        self._site_looked = max(looked.values(), default=now) if self._once else now
        self._arms = self._make_arms()
        self._has_arms = False
        self._heads_looked = {board: looked.get((Layer.INDEX, board), now) for board in site.boards}
        self._round = deque(site.boards) if self._once else deque[int]()
        self._entry_read = False
        for thread in history.told:
            self._queue(thread)
        if self._whole_site_page() is None and not self._once:
            self._start_arms(looked, now)

    def choose(self, now: float) -> PageRef | None:
        for ref in self._aside.back(now):
            self._bring_back(ref)
        if self._flips:
            return self._flips.pop()
        thread = self._waiting.first()
        if thread is not None:
            return self._holdings.next_page(thread)
        board = self._counts.most_behind()
        if board is not None and PageRef(Layer.INDEX, board, 1) not in self._aside:
            return PageRef(Layer.INDEX, board, 1)
        return self._next_of_round() if self._once else self._poll(now)

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        self._aside.answered(ref, now)
        if isinstance(shown, PostsShown):
            self._read_posts(now, ref, shown)
        elif isinstance(shown, RowsShown):
            if ref.kind is Layer.INDEX and self._last_rows.get(ref) is shown and ref.list not in self._walks:
                self._read_nothing(now, ref)
            else:
                self._read_rows(now, ref, shown)
        elif isinstance(shown, EntryShown):
            self._read_entry(now, shown)
        else:
            self._read_nothing(now, ref)

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        if gone:
            self._aside.answered(ref, now)
            self._gone(now, ref)
            return
        self._aside.put(ref, now)
        if ref.kind is Layer.POSTS:
            self._waiting.put(ref.list, 0, 0.0)
        elif ref.kind is Layer.INDEX:
            self._heads.look(ref.list, now)
        self._look(ref, now)

    def due(self, ref: PageRef) -> float | None:
        """When the next look at a list is expected."""
        if ref.kind is Layer.POSTS and ref.list in self._waiting:
            return 0.0
        arm = thread_arm(ref.list) if ref.kind is Layer.POSTS else ref
        times = (self._arms.due(arm), self._heads.due(ref.list) if ref.kind is Layer.INDEX else None)
        return min((time for time in times if time is not None), default=None)

    def is_walking(self, board: int) -> bool:
        return board in self._walks

    def belief(self, kind: Layer) -> Trust:
        """How far a page that tells of the whole site can be believed."""
        return self._beliefs[kind]

    def is_dropped(self, kind: Layer) -> bool:
        return self._beliefs.is_dropped(kind)

    def renew(self, kind: Layer, trust: Trust) -> None:
        self._beliefs.renew(kind, trust)
        if kind is Layer.FEED:
            self._last_rows.pop(FEED_HEAD, None)
            self._holdings.forget_feed()

    def _make_arms(self) -> Arms:
        return Arms(self._site, self._activity, Price(1.0, PRICE_MEMORY))

    def _whole_site_page(self) -> PageRef | None:
        """The page that tells of the whole site, the best that can be had and believed."""
        if not (self._site.has_feed or self._site.has_entry_rows):
            return None
        for ref, shown in (
            (FEED_HEAD, self._site.has_feed),
            (ENTRY_PAGE, self._site.has_entry_rows and len(self._boards) > 1),
        ):
            if shown and ref not in self._aside and not self._beliefs.is_dropped(ref.kind):
                return ref
        return None

    def _next_of_round(self) -> PageRef | None:
        if self._site.has_entry_rows and not self._entry_read and ENTRY_PAGE not in self._aside:
            return ENTRY_PAGE
        while self._round:
            ref = PageRef(Layer.INDEX, self._round[0], 1)
            if ref in self._aside or self._counts.is_unchanged(self._round[0]):
                self._round.popleft()
            else:
                return ref
        return None

    def _poll(self, now: float) -> PageRef | None:
        while self._catching_up:
            ref = PageRef(Layer.INDEX, self._catching_up[0], 1)
            if ref in self._aside:
                self._catching_up.popleft()
            else:
                return ref
        head = self._heads.first(now)
        if head is not None:
            return PageRef(Layer.INDEX, head, 1)
        self._beliefs.try_again(now)
        page = self._whole_site_page()
        return self._poll_arm(now) if page is None else self._poll_site(page, now)

    def _poll_site(self, page: PageRef, now: float) -> PageRef:
        if page.kind is Layer.FEED:
            return FEED_HEAD
        looked = (self._site_looked, self._heads_looked)
        board = self._counts.worth_more(self._activity, self._boards, *looked, now)
        head = PageRef(Layer.INDEX, board or 0, 1)
        return ENTRY_PAGE if board is None or head in self._aside else head

    def _poll_arm(self, now: float) -> PageRef | None:
        if not self._has_arms:
            self._start_arms({}, now)
        arm = self._arms.best(now)
        if arm is None:
            return ENTRY_PAGE
        return self._holdings.next_page(arm.list) if arm.kind is Layer.POSTS else arm

    def _read_entry(self, now: float, shown: EntryShown) -> None:
        self._entry_read = True
        self._beliefs.look(Layer.ENTRY, now)
        for board in shown.boards:
            if board not in self._boards:
                self._meet_board(board, now)
        self._site_looked = now
        for place in self._counts.read_entry(shown):
            self._beliefs[Layer.ENTRY].tell(1)
            named, board = self._links.named(shown, place), shown.boards[place]
            if named is not None and self._holdings.tell(named[0], board, named[1]):
                self._links.follow(named[0])
                self._counts.correct(board)
                self._tell(named[0], 1, named[1])

    def _read_rows(self, now: float, ref: PageRef, shown: RowsShown) -> None:
        if ref.kind is Layer.INDEX and ref.list not in self._boards:
            self._meet_board(ref.list, now)
        before = self._last_rows.get(ref)
        unchanged = before is shown or before == shown
        self._last_rows[ref] = shown
        known = self._pages.get(ref.list, 1)
        if ref.kind is Layer.INDEX and not self._site.sorted_rows and self._has_arms:
            # a board that grew by a page: the threads that moved there are to be found there from now on
            self._flips.extend(ref._replace(page=page) for page in range(known + 1, shown.pages + 1))
        self._pages[ref.list] = max(known, shown.pages)
        walked = self._walks.read(ref)
        if unchanged:
            read = RowsRead(goes_on=bool(walked) and all(map(walked.__contains__, shown.threads[shown.sticky :])))
        else:
            read = self._holdings.read_rows(ref, shown, now=now, walked=walked)
        self._measure(ref, read, now)
        for row in read.news:
            self._tell(row.thread, row.posts, row.time)
        goes_on = bool(read.news or walked) and read.goes_on
        # a round leaves no page out where news may stand on any
        everywhere = self._once and not self._site.sorted_rows and ref.kind is Layer.INDEX
        goes_on = goes_on and (self._site.sorted_rows or read.new_threads[-1:] == list(shown.threads[-1:]))
        if (goes_on or everywhere) and ref.page < shown.pages:
            self._flips.append(self._walks.go_on(ref, shown.threads))
        elif ref.kind is Layer.FEED and goes_on:  # the last item is new: others may have fallen off
            self._catching_up.extend(() if self._catching_up else self._boards)
        elif ref.kind is Layer.INDEX:
            self._counts.settle(ref.list)
            self._walks.end(ref.list)
        self._seen_page(ref, shown, now, moved=not unchanged)

    def _read_nothing(self, now: float, ref: PageRef) -> None:
        """A page is as it was when it was read last."""
        if ref.kind is Layer.POSTS:
            entry = self._holdings.threads.get(ref.list)
            if entry is not None:
                self._links.looked(ref.list, is_new=False)
                told = entry.told
                self._holdings.unchanged(ref)
                self._counts.know(entry.board, entry.told - told, 0)
                self._queue(ref.list)
        elif ref.kind is Layer.INDEX:
            self._counts.settle(ref.list)
            goes_on = self._walks.goes_past(ref) or (self._once and not self._site.sorted_rows)
            if goes_on and ref.page < self._pages.get(ref.list, 1):
                self._flips.append(self._walks.go_on(ref, ()))
            else:
                self._walks.end(ref.list)
            self._seen_page(ref, None, now, moved=False)
            return
        else:
            self._entry_read |= ref.kind is Layer.ENTRY
            self._site_looked = now
        self._look(ref, now)

    def _seen_page(self, ref: PageRef, shown: RowsShown | None, now: float, *, moved: bool) -> None:
        if ref.kind is Layer.INDEX and ref.page == 1:
            self._heads.look(ref.list, now)
            for queue in (self._catching_up, self._round):
                if queue and queue[0] == ref.list:
                    queue.popleft()
        if not self._site.sorted_rows and self._site.has_index_rows and moved and shown is not None:
            base = self._activity.boards[ref.list].base if ref.page == 1 else 0.0
            self._arms.sum_up(ref, shown.threads, base, now)
        self._look(ref, now)

    def _read_posts(self, now: float, ref: PageRef, shown: PostsShown) -> None:
        entry = self._holdings.threads.get(ref.list)
        told, told_time = (0, 0) if entry is None else (entry.told, entry.told_time)
        new = self._holdings.read_posts(ref, shown)
        self._links.looked(ref.list, is_new=bool(new))
        entry = self._holdings.threads[ref.list]
        self._read_times(ref.list, new, now)
        if entry.told != told or entry.told_time != told_time:
            self._counts.know(entry.board, entry.told - told, entry.told_time)
        if entry.told > told and self._site.has_index_rows:
            self._activity.told(entry.board, entry.told - told, entry.told_time)
        self._queue(ref.list)
        self._look(ref, now)

    def _read_times(self, thread: int, times: list[int], now: float) -> None:
        self._activity.read(thread, times, now)

    def _measure(self, ref: PageRef, read: RowsRead, now: float) -> None:
        """What a feed tells, and what it should have told of the news that an index page shows."""
        if ref.kind is Layer.FEED:
            self._beliefs.look(Layer.FEED, now)
            self._beliefs[Layer.FEED].tell(sum(row.posts for row in read.news))
            self._site_looked = now
            return
        page = self._whole_site_page()
        if page is None or not read.news or self._catching_up:
            return
        since, before = self._beliefs.since(page.kind, now), self._site_looked - LATENESS
        missed = sum(row.posts for row in read.news if since < row.time < before)
        if missed and (page.kind is Layer.FEED or self._counts.is_unchanged(ref.list)):
            self._beliefs.miss(page.kind, missed, now)

    def _tell(self, thread: int, posts: int, time: int) -> None:
        board = self._holdings.threads[thread].board
        self._counts.know(board, posts, time)
        if self._site.has_index_rows:
            self._activity.told(board, posts, time)
        self._queue(thread)

    def _queue(self, thread: int) -> None:
        entry = self._holdings.threads[thread]
        waits = entry.told > entry.held and self._holdings.next_page(thread) not in self._aside
        self._waiting.put(thread, self._holdings.waiting_on_next_page(thread) if waits else 0, entry.told_time)

    def _bring_back(self, ref: PageRef) -> None:
        if ref.kind is Layer.POSTS:
            self._queue(ref.list)
        elif ref.page > 1 and ref.list in self._walks:
            self._flips.append(ref)

    def _gone(self, now: float, ref: PageRef) -> None:
        """The site has a page no more: of a thread the pages before it are left, of a board nothing."""
        if ref.kind is Layer.POSTS:
            self._holdings.gone(ref)
            self._queue(ref.list)
            if ref.page == 1:
                self._arms.remove(thread_arm(ref.list))
        elif ref.kind is Layer.INDEX:
            self._arms.remove(ref)
            self._walks.end(ref.list)
            if ref.page == 1:
                self._boards.pop(ref.list, None)
                self._heads.remove(ref.list)
                self._counts.settle(ref.list)
                self._round = deque(board for board in self._round if board != ref.list)
                self._catching_up = deque(board for board in self._catching_up if board != ref.list)
        else:
            self._aside.put(ref, now)

    def _meet_board(self, board: int, now: float) -> None:
        self._boards[board] = None
        self._activity.meet(board, now)
        self._heads.look(board, now)
        (self._round if self._once else self._catching_up).append(board)
        if self._has_arms:
            self._arms.look(PageRef(Layer.INDEX, board, 1), now)

    def _look(self, ref: PageRef, now: float) -> None:
        """A list was looked at: it is due again when that is worth its price."""
        if ref.kind is Layer.POSTS and self._has_arms and not self._site.has_index_rows:
            self._arms.look_at_thread(ref.list, now)
        if ref.kind is not Layer.INDEX:
            return
        if ref.page == 1:
            self._heads_looked[ref.list] = now
            if self._whole_site_page() is not None:
                self._site_looked += self._counts.share(self._activity, ref.list, now) * (now - self._site_looked)
        elif self._site.sorted_rows or not self._site.has_index_rows:
            return
        if self._has_arms:
            self._arms.look(ref, now)

    def _start_arms(self, looked: Looked, now: float) -> None:
        self._has_arms = True
        arms: dict[PageRef, float] = {}
        for board in self._boards:
            self._heads_looked[board] = looked.get((Layer.INDEX, board), now)
            arms[PageRef(Layer.INDEX, board, 1)] = self._heads_looked[board]
        if not self._site.has_index_rows:
            for thread in self._holdings.threads:
                arms[thread_arm(thread)] = looked.get((Layer.POSTS, thread), now)
            for board in self._boards:
                self._activity.boards[board].still()
        elif not self._site.sorted_rows:
            for board in self._boards:
                threads = list(threads_by_age(self._holdings, board))
                pages = self._arms.sum_up_board(board, threads, now)
                arms.update(dict.fromkeys(pages, self._heads_looked[board]))
        self._arms.begin(arms.items(), now)
