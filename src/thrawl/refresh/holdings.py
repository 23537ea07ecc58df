"""What the archive holds of each thread, and what pages told beyond that.

Threads are held from their first post on without gaps: when a thread grew by several pages they are fetched in
order, so one number a thread says what is held, and the next page to fetch follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from thrawl.refresh.pages import History, PageKind, PageRef, PostsShown, RowsShown


@dataclass(slots=True)
class HeldThread:
    """`held` posts are in the archive, `told` exist as far as any page said; times are of the last of them.

    `opened` is the time of the first post, or of the moment the thread was first shown until that is held.
    """

    board: int
    opened: int
    held: int = 0
    told: int = 0
    held_time: int = 0
    told_time: int = 0

    @property
    def waiting(self) -> int:
        return self.told - self.held


@dataclass(frozen=True, slots=True)
class RowNews:
    """A row that tells of posts that no page told of before."""

    thread: int
    posts: int
    time: int


class Holdings:
    """All threads that any page has shown."""

    def __init__(self, history: History, posts_per_page: int) -> None:
        self.posts_per_page = posts_per_page
        self.threads: dict[int, HeldThread] = {}
        columns = (history.board.tolist(), history.thread.tolist(), history.time.tolist())
        for board, thread, time in zip(*columns, strict=True):
            entry = self.threads.get(thread)
            if entry is None:
                entry = self.threads[thread] = HeldThread(board, time)
            entry.held += 1
            entry.held_time = time
        for entry in self.threads.values():
            entry.told, entry.told_time = entry.held, entry.held_time

    def next_page(self, thread: int) -> PageRef:
        """The first page that can show a post not held yet."""
        return PageRef(PageKind.POSTS, thread, self.threads[thread].held // self.posts_per_page + 1)

    def waiting_on_next_page(self, thread: int) -> int:
        entry = self.threads[thread]
        return min(entry.waiting, self.posts_per_page - entry.held % self.posts_per_page)

    def read_rows(self, board: int, shown: RowsShown, *, now: float) -> Iterator[RowNews]:
        """Take in a page of rows; yields the rows that told something new."""
        for place, thread in enumerate(shown.threads):
            entry = self.threads.get(thread)
            time = int(now) if shown.last_times is None else shown.last_times[place]
            if entry is None:
                its_board = board if shown.boards is None else shown.boards[place]
                entry = self.threads[thread] = HeldThread(its_board, time)
            told = _told(entry, time, shown, place)
            if told > entry.told:
                news = RowNews(thread, told - entry.told, time)
                entry.told, entry.told_time = told, time
                yield news

    def note_thread(self, thread: int, board: int, now: int) -> None:
        """A thread was shown for the first time; nothing of it is held."""
        self.threads[thread] = HeldThread(board, now)

    def tell(self, thread: int, board: int, time: int) -> bool:
        """A link says that the thread's last post is of this time; true if that was not known."""
        entry = self.threads.setdefault(thread, HeldThread(board, time))
        if time <= entry.told_time:
            return False
        entry.told, entry.told_time = entry.told + 1, time
        return True

    def read_posts(self, ref: PageRef, shown: PostsShown) -> list[int]:
        """Take in a thread page; returns the times of the posts that were not held."""
        entry = self.threads[ref.list]
        before = (shown.page - 1) * self.posts_per_page
        if before > entry.held:
            return []
        new = list(shown.times[entry.held - before :])
        if new:
            entry.opened = min(entry.opened, new[0])
            entry.held += len(new)
            entry.held_time = new[-1]
        if new and shown.pages > shown.page:
            entry.told = max(entry.told, shown.page * self.posts_per_page + 1)
        elif not new or ceil(entry.held / self.posts_per_page) >= shown.pages:
            _settle(entry)
        return new


def _settle(entry: HeldThread) -> None:
    """What was told but is not there (a link's guess, a deleted post, a page cut short) is not waited for."""
    entry.told = entry.held
    entry.told_time = max(entry.told_time, entry.held_time)


def _told(entry: HeldThread, time: int, shown: RowsShown, place: int) -> int:
    if shown.posts is not None:
        return shown.posts[place]
    if shown.last_times is not None and time > entry.told_time:
        return entry.told + 1
    return max(entry.told, 1)
