"""What the archive holds of each thread, and what pages told beyond that.

Threads are held from their first post on without gaps: when a thread grew by several pages they are fetched in
order, so one number a thread says what is held, and the next page to fetch follows from it. That number is the site's:
posts that were deleted there do not count, and the last page that was read says how many there are.

Rows are compared with the row that was read before (`crawl.changes`). A row that counts more or fewer posts than the
thread's pages show (deleted ones, one too many) is right about how many were added: the surplus is kept and taken off.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final

from thrawl.crawl.changes import RowFacts, row_changed
from thrawl.refresh.pages import History, Layer, PageRef, PostsShown, RowsShown

NOTHING_TOLD: Final = RowFacts(None, None)
# In place of what a row said: the thread is not known.
NEVER_SHOWN: Final = object()


@dataclass(slots=True)
class HeldThread:
    """`held` posts of the site's are in the archive, `told` exist as far as any page said; times are of the last one.

    `opened` is the time of the first post, or of the moment the thread was first shown until that is held; `surplus`
    is by how many posts its rows count too many; `resume` is where to go on after a look back at an earlier page;
    `next_page` is the page that was asked for last, made once.
    """

    board: int
    opened: int
    held: int = 0
    told: int = 0
    held_time: int = 0
    told_time: int = 0
    surplus: int = 0
    resume: int = 0
    next_page: PageRef | None = None

    @property
    def waiting(self) -> int:
        return self.told - self.held


@dataclass(frozen=True, slots=True)
class RowNews:
    """A row that tells of posts that no page told of before."""

    thread: int
    posts: int
    time: int


@dataclass(slots=True)
class RowsRead:
    """What a page of rows told; `goes_on`: its last row was not as before, so that the next page may have news, too."""

    news: list[RowNews] = field(default_factory=list)
    goes_on: bool = False
    new_threads: list[int] = field(default_factory=list)


class Holdings:
    """All threads that any page has shown."""

    def __init__(self, history: History, posts_per_page: int) -> None:
        self.posts_per_page = posts_per_page
        self.threads: dict[int, HeldThread] = {}
        self.deletes = False
        # What rows of index pages said last of all threads, by columns: a whole page is compared at once.
        self._row_posts: dict[int, int | None] = {}
        self._row_times: dict[int, int | str | None] = {}
        self._homeless = set[int]()  # threads whose board no page has shown yet
        self._feed_rows: dict[int, RowFacts] = {}
        self._unread = set[int]()  # threads that came by other ways than rows, where rows are known
        columns = (history.board.tolist(), history.thread.tolist(), history.time.tolist())
        for board, thread, time in zip(*columns, strict=True):
            entry = self.threads.get(thread)
            if entry is None:
                entry = self._hold(thread, HeldThread(board, time))
            entry.held += 1
            entry.held_time = time
        for thread, entry in self.threads.items():
            entry.told, entry.told_time = entry.held, entry.held_time
            self._take_row(thread, entry, history.rows.get(thread))
            if history.rows and thread not in history.rows:
                self._unread.add(thread)
        for thread in history.told:
            entry = self.threads.get(thread) or self._hold(thread, HeldThread(0, 0))
            entry.told = max(entry.told, entry.held + 1)

    def next_page(self, thread: int) -> PageRef:
        """The first page that can show a post not held yet."""
        entry = self.threads[thread]
        page, known = entry.held // self.posts_per_page + 1, entry.next_page
        if known is None or known.page != page:
            known = entry.next_page = PageRef(Layer.POSTS, thread, page)
        return known

    def waiting_on_next_page(self, thread: int) -> int:
        entry = self.threads[thread]
        return min(entry.waiting, self.posts_per_page - entry.held % self.posts_per_page)

    def read_rows(self, ref: PageRef, shown: RowsShown, *, now: float, walked: Collection[int] = ()) -> RowsRead:
        """Take in a page of rows; that one of the threads `walked` is as before says nothing of what stands below."""
        read = RowsRead()
        in_feed = ref.kind is Layer.FEED
        news: set[int] = set()
        silent = self._unread.intersection(shown.threads) if self._unread else set[int]()
        listed = set(shown.threads) if in_feed else set[int]()
        if in_feed and self._feed_rows:
            listed &= self._feed_rows.keys()
        if not in_feed:
            self._bring_home(shown.threads, ref.list)
        for place in range(len(shown.threads)) if in_feed else self._other_rows(shown):
            thread, entry = shown.threads[place], self.threads.get(shown.threads[place])
            facts = RowFacts(
                None if shown.posts is None else shown.posts[place],
                None if shown.last_times is None else shown.last_times[place],
            )
            if entry is None:
                board = ref.list if shown.boards is None else shown.boards[place]
                self._open(read, thread, board, facts, now)
                news.add(thread)
                if in_feed:
                    self._feed_rows[thread] = facts
                continue
            before = self._row(thread)
            if in_feed:
                before = self._feed_rows.get(thread, before)
            changed = False if facts == before else row_changed(before, facts)
            if not changed:
                if in_feed:
                    self._feed_rows[thread] = facts
                if changed is None and facts != NOTHING_TOLD:
                    silent.add(thread)
                    self._first_row(read, thread, entry, facts, in_feed=in_feed)
                continue
            self._keep_row(thread, facts, in_feed=in_feed)
            self._changed(read, thread, entry, before, facts, in_feed=in_feed)
            news.add(thread)
        if in_feed:
            # an item as before says that nothing fell off since the last look only if it was there
            read.goes_on = bool(shown.threads) and not listed - news - silent
        else:
            self._unread -= silent
            read.goes_on = _goes_on(shown, news, silent, walked)
        return read

    def note_thread(self, thread: int, board: int, now: int) -> None:
        """A thread was shown for the first time; nothing of it is held."""
        self._hold(thread, HeldThread(board, now))

    def tell(self, thread: int, board: int, time: int) -> bool:
        """A link says that the thread's last post is of this time; true if that was not known."""
        entry = self.threads.get(thread) or self._hold(thread, HeldThread(board, time))
        if time <= entry.told_time:
            return False
        entry.told, entry.told_time = entry.told + 1, time
        return True

    def forget_feed(self) -> None:
        """Another feed is read from now on: its rows have nothing to be compared with."""
        self._feed_rows.clear()

    def read_posts(self, ref: PageRef, shown: PostsShown) -> list[int]:
        """Take in a thread page; returns the times of the posts that were not held."""
        entry = self.threads.get(ref.list)
        new = list(shown.new)
        if entry is None:
            entry = self._hold(ref.list, HeldThread(0, new[0] if new else 0))
        before = (shown.page - 1) * self.posts_per_page
        reached = before + shown.posts
        if new:
            entry.opened = min(entry.opened, new[0])
            entry.held_time = max(entry.held_time, new[-1])
        if entry.resume:
            entry.held, entry.resume = max(entry.resume, reached), 0
        elif before <= entry.held or shown.page > ref.page:
            unlinked = len(new) == shown.posts > 0 and shown.page > 1 and entry.held == before
            last = shown.page >= shown.pages
            self.deletes |= last and reached < entry.held
            entry.held = reached if last else max(entry.held, shown.page * self.posts_per_page)
            if unlinked and self.deletes:
                # Where posts are deleted the others move up: a new one may stand on the page before, as its last.
                entry.resume, entry.held = entry.held, before - 1
                entry.told = max(entry.told, entry.resume)
                return new
        if shown.page < shown.pages:
            entry.told = max(entry.told, shown.page * self.posts_per_page + 1)
        else:
            self._settle(ref.list, entry)
        return new

    def unchanged(self, ref: PageRef) -> None:
        """A thread page is as it was: nothing of what was told is there, unless it stands further on."""
        entry = self.threads[ref.list]
        if ref.page < self.next_page(ref.list).page:
            return
        if entry.resume:
            entry.held, entry.resume = entry.resume, 0
        else:
            self._settle(ref.list, entry)

    def gone(self, ref: PageRef) -> None:
        """A thread has no such page: its last one is an earlier one; without a first page, it is gone."""
        entry = self.threads[ref.list]
        if ref.page > 1:
            self.deletes = True
            entry.held = min(entry.held, (ref.page - 1) * self.posts_per_page - 1)
            entry.told = max(entry.told, entry.held + 1)
        else:
            entry.resume = 0
            self._settle(ref.list, entry)

    def _hold(self, thread: int, entry: HeldThread) -> HeldThread:
        self.threads[thread] = entry
        self._set_row(thread, NOTHING_TOLD)
        if not entry.board:
            self._homeless.add(thread)
        return entry

    def _bring_home(self, threads: Sequence[int], board: int) -> None:
        """An index page shows in which board threads stand."""
        found = self._homeless.intersection(threads) if self._homeless else ()
        for thread in found:
            self.threads[thread].board = board
        self._homeless.difference_update(found)

    def _other_rows(self, shown: RowsShown) -> Sequence[int]:
        """The places of rows that are not as they were: none on most pages, and this is asked of every page."""
        if shown.posts is None and shown.last_times is None:
            return [place for place, thread in enumerate(shown.threads) if thread not in self.threads]
        places = set[int]()
        for told, known in ((shown.posts, self._row_posts), (shown.last_times, self._row_times)):
            if told is None:
                continue
            before = list(map(known.get, shown.threads, repeat(NEVER_SHOWN)))
            if before != told:
                places.update(place for place, row in enumerate(zip(told, before, strict=True)) if row[0] != row[1])
        return sorted(places)

    def _row(self, thread: int) -> RowFacts:
        return RowFacts(self._row_posts[thread], self._row_times[thread])

    def _set_row(self, thread: int, facts: RowFacts) -> None:
        self._row_posts[thread], self._row_times[thread] = facts

    def _open(self, read: RowsRead, thread: int, board: int, facts: RowFacts, now: float) -> None:
        time = int(now) if not isinstance(facts.time, int) else facts.time
        told = max(1, facts.posts or 1)
        self._hold(thread, HeldThread(board, time, told=told, told_time=time))
        self._set_row(thread, facts)
        read.news.append(RowNews(thread, told, time))
        read.new_threads.append(thread)

    def _keep_row(self, thread: int, facts: RowFacts, *, in_feed: bool) -> None:
        if in_feed:
            self._feed_rows[thread] = facts
        else:
            self._set_row(thread, facts)

    def _first_row(self, read: RowsRead, thread: int, entry: HeldThread, facts: RowFacts, *, in_feed: bool) -> None:
        """A row that there is nothing to compare with: only a later time than that of any post known is news."""
        self._keep_row(thread, facts, in_feed=in_feed)
        if isinstance(facts.time, int) and facts.time > entry.told_time:
            self._add(read, thread, entry, entry.told + 1, facts)
        elif facts.posts is not None:
            entry.surplus = facts.posts - entry.told

    def _changed(
        self, read: RowsRead, thread: int, entry: HeldThread, before: RowFacts, facts: RowFacts, *, in_feed: bool
    ) -> None:
        told = entry.told if facts.posts is None else facts.posts - entry.surplus
        if facts.posts is not None and before.posts is not None and facts.posts < before.posts:
            self._shrink(entry, told)
        later = isinstance(facts.time, int) and facts.time > entry.told_time
        # Where nothing is counted, a time that went back is a deleted post, or one made in the hour that clocks repeat.
        back = facts.posts is None and not in_feed and facts.time != before.time
        if (later or back) and told <= entry.told:
            told = entry.told + 1
        if told > entry.told:
            self._add(read, thread, entry, told, facts)

    def _add(self, read: RowsRead, thread: int, entry: HeldThread, told: int, facts: RowFacts) -> None:
        time = facts.time if isinstance(facts.time, int) else entry.told_time
        read.news.append(RowNews(thread, told - entry.told, time))
        entry.told, entry.told_time = told, max(entry.told_time, time)
        if facts.posts is not None:
            entry.surplus = facts.posts - told

    def _shrink(self, entry: HeldThread, told: int) -> None:
        """Posts were deleted: what is held of the site's own counting shrinks with it."""
        self.deletes = True
        lost = max(0, entry.told - told)
        entry.told = max(entry.told - lost, 0)
        entry.held = max(entry.held - lost, 0)

    def _settle(self, thread: int, entry: HeldThread) -> None:
        """What was told but is not there (a link's guess, a deleted post, a page cut short) is not waited for."""
        entry.told = entry.held
        entry.told_time = max(entry.told_time, entry.held_time)
        posts = self._row_posts[thread]
        if posts is None:
            return
        time = self._row_times[thread]
        if posts > entry.held or not isinstance(time, int) or time >= entry.held_time:
            entry.surplus = posts - entry.held

    def _take_row(self, thread: int, entry: HeldThread, row: tuple[int | None, int | None] | None) -> None:
        """A row that the archive remembers, and by how much it counts otherwise than the archive holds."""
        if row is None:
            self._set_row(thread, RowFacts(entry.held, entry.held_time))
            return
        self._set_row(thread, RowFacts(*row))
        if row[0] is not None:
            entry.surplus = row[0] - entry.held


def _goes_on(shown: RowsShown, news: Collection[int], silent: Collection[int], walked: Collection[int]) -> bool:
    """Whether a list is to be read on: by the last of its rows that says whether those below it can have news.

    One that is as before stands above a changed one only if it is pinned, or came there while the list was read.
    """
    if not (news or silent or walked):
        return False
    for thread in reversed(shown.threads[shown.sticky :]):
        if thread in news:
            return True
        if thread not in silent and thread not in walked:
            return False
    return bool(walked or news)


def threads_by_age(holdings: Holdings, board: int) -> Iterator[int]:
    """A board's threads, the youngest first."""
    own = ((entry.opened, thread) for thread, entry in holdings.threads.items() if entry.board == board)
    yield from (thread for _, thread in sorted(own, reverse=True))
