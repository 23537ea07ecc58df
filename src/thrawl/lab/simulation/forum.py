"""A timeline as a forum that answers any page as of any moment (list-wise paper, section 4.1).

The clock only runs forward, so the forum keeps one state and moves it: threads wait in the order of their last
reply, and a post moves its thread to the head in constant time. This is the fast mode, which answers with
records; `html` renders the same records through a skin.

Index pages list stickies first, then threads by last reply. With `Layers.COUNTS` they list threads by creation and
tell their number of posts, as question sites do; with `Layers.NONE` they tell nothing of replies, as blogs do.

A forum need not be tidy: `Looks` can have it delete posts, miscount rows, show minutes, cut its feed and go down.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from math import ceil
from random import Random
from typing import Final, TypeAlias

import numpy as np

from thrawl.lab.timeline import Timeline
from thrawl.refresh.pages import EntryShown, History, Layer, Looked, PageRef, RowsShown, Site

MINUTE: Final = 60
DAY: Final = 86_400
# A deleted post was there for a day at least, so that a crawler which is not idle can have seen it; a month at most.
DELETED_AFTER: Final = (DAY, 30 * DAY)
SEED: Final = 20


class Layers(StrEnum):
    """How much of its changes a forum tells above its thread pages; each includes the ones before it."""

    NONE = "none"
    COUNTS = "counts"
    ROWS = "rows"
    ENTRY_PLAIN = "entry-plain"
    ENTRY = "entry"
    FEED = "feed"


@dataclass(frozen=True, slots=True)
class Looks:
    """The switches of a simulated forum: its layers, and the page sizes of common software.

    `deleted` of the posts vanish after a while, `miscounted` of the rows count one post too many or too few, times are
    shown in `minutes`, a feed of `feed_items` has no further pages and no counts, entry rows count posts only with
    `entry_counts`, and from `down` to `up` nothing answers.
    """

    layers: Layers = Layers.ROWS
    rows_per_page: int = 25
    posts_per_page: int = 15
    stickies: int = 2
    deleted: float = 0.0
    miscounted: float = 0.0
    minutes: bool = False
    feed_items: int | None = None
    entry_counts: bool = True
    down: float = 0.0
    up: float = 0.0

    @property
    def has_counts(self) -> bool:
        return self.layers is not Layers.NONE

    @property
    def has_rows(self) -> bool:
        """Whether rows tell times and stand in their order."""
        return self.layers not in (Layers.NONE, Layers.COUNTS)

    @property
    def has_entry(self) -> bool:
        return self.layers in (Layers.ENTRY_PLAIN, Layers.ENTRY, Layers.FEED)

    @property
    def has_links(self) -> bool:
        return self.layers in (Layers.ENTRY, Layers.FEED)

    @property
    def has_feed(self) -> bool:
        return self.layers is Layers.FEED

    def is_down(self, now: float) -> bool:
        return self.down <= now < self.up


@dataclass(frozen=True, slots=True)
class PostsPage:
    """A thread page as it stands: its posts (by their places in the timeline) with their times, and its pager."""

    posts: list[int]
    times: list[int]
    page: int
    pages: int


Page: TypeAlias = RowsShown | EntryShown | PostsPage

NO_ENTRY_ROWS: Final = EntryShown((), (), (), None)
NO_ROWS: Final = RowsShown((), None, None, None, 0, 1)


class Forum:
    """The forum of a timeline, at a moment that `advance` moves forward."""

    def __init__(self, timeline: Timeline, looks: Looks) -> None:
        self.looks = looks
        self.times: list[int] = timeline.time.tolist()
        self.threads: list[int] = timeline.thread.tolist()
        self.boards: list[int] = timeline.board.tolist()
        self.next_post = 0
        self.next_time: float = self.times[0] if self.times else float("inf")
        self.posts: dict[int, list[int]] = {}
        self.board_of: dict[int, int] = {}
        self._all_boards = tuple(sorted(set(self.boards)))
        self._stickies: dict[int, list[int]] = {board: [] for board in self._all_boards}
        self._sticky: set[int] = set()
        self._order: dict[int, OrderedDict[int, None]] = {board: OrderedDict() for board in self._all_boards}
        self._created: dict[int, list[int]] = {board: [] for board in self._all_boards}
        self._created_place: dict[int, int] = {}
        self._created_counts: dict[int, list[int]] = {board: [] for board in self._all_boards}
        self._site_order: OrderedDict[int, None] = OrderedDict()
        self._board_posts: dict[int, int] = dict.fromkeys(self._all_boards, 0)
        self._board_last: dict[int, int] = {}
        self._board_version: dict[int, int] = defaultdict(int)
        self._cache: dict[PageRef, tuple[int, Page]] = {}
        self._wrong: dict[int, int] = {}
        self._posts_pages: dict[int, dict[int, PostsPage]] = {}
        # The times as pages show them.
        self._shown = [time - time % MINUTE for time in self.times] if looks.minutes else self.times
        self._changes = 0
        self._draw = Random(SEED)
        self._deletions: list[tuple[int, int]] = []

    def advance(self, now: float) -> range:
        """Let every post up to `now` appear; returns which ones did."""
        first = self.next_post
        if now < self.next_time and not self._deletions:
            return range(first, first)
        while self.next_post < len(self.times) and self.times[self.next_post] <= now:
            self._delete_until(self.times[self.next_post])
            self._appear(self.next_post)
            self.next_post += 1
        self.next_time = self.times[self.next_post] if self.next_post < len(self.times) else float("inf")
        self._delete_until(now)
        return range(first, self.next_post)

    def site(self, seconds_per_request: float) -> Site:
        return Site(
            boards=self._all_boards,
            rows_per_page=self.looks.rows_per_page,
            posts_per_page=self.looks.posts_per_page,
            has_feed=self.looks.has_feed,
            has_entry_rows=self.looks.has_entry,
            has_index_rows=self.looks.has_counts,
            seconds_per_request=seconds_per_request,
            sorted_rows=self.looks.has_rows or not self.looks.has_counts,
        )

    def history(self) -> History:
        """Every post so far that is still there: what a complete archive holds."""
        kept = sorted(post for posts in self.posts.values() for post in posts)
        columns = (self.boards, self.threads, self.times)
        board, thread_of, time = (np.array([column[post] for post in kept], dtype=np.int64) for column in columns)
        rows: dict[int, tuple[int | None, int | None]] = {
            thread: (count, self._shown[posts[-1]] if self.looks.has_rows else None)
            for (thread, posts), count in zip(self.posts.items(), self._counts(self.posts), strict=True)
        }
        return History(board, thread_of, time, rows)

    def looked(self, now: float) -> Looked:
        """Every list, as looked at this moment."""
        lists = {(Layer.INDEX, board): now for board in self._all_boards}
        return lists | {(Layer.POSTS, thread): now for thread in self.posts}

    def show(self, ref: PageRef) -> Page:
        """The page as of now; a page number beyond the list's end shows its last page."""
        if ref.kind is Layer.POSTS:
            return self._posts_page(ref)
        version = self._board_version[ref.list] if ref.kind is Layer.INDEX else self._changes
        cached = self._cache.get(ref)
        if cached is not None and cached[0] == version:
            return cached[1]
        shown = self._rows_or_entry(ref)
        self._cache[ref] = (version, shown)
        return shown

    def posts_on(self, ref: PageRef) -> list[int]:
        """Which posts (by their place in the timeline) a thread page shows now."""
        return self._posts_page(ref).posts

    def _appear(self, post: int) -> None:
        thread, board = self.threads[post], self.boards[post]
        if thread in self.posts:
            self.posts[thread].append(post)
            if self.looks.has_rows and thread not in self._sticky:
                self._order[board].move_to_end(thread)
        else:
            self._open_thread(thread, board, post)
        self._site_order[thread] = None
        self._site_order.move_to_end(thread)
        self._board_posts[board] += 1
        self._board_last[board] = post
        self._change(thread, board)
        if self.looks.deleted and self._draw.random() < self.looks.deleted:
            moment = self.times[post] + self._draw.randrange(*DELETED_AFTER)
            heapq.heappush(self._deletions, (moment, post))

    def _change(self, thread: int, board: int) -> None:
        """A post came or went: the pages that tell of it are not what they were."""
        self._posts_pages.pop(thread, None)
        self._changes += 1
        if self.looks.has_rows:  # the thread moves, and others with it
            self._board_version[board] += 1
        elif self.looks.has_counts:
            self._cache.pop(PageRef(Layer.INDEX, board, self._page_of(thread, board)), None)
            if thread in self._created_place:
                (self._created_counts[board][self._created_place[thread]],) = self._counts((thread,))

    def _page_of(self, thread: int, board: int) -> int:
        """The index page on which a thread stands where the order is that of creation."""
        place = self._created_place.get(thread)
        behind = 0 if place is None else len(self._stickies[board]) + len(self._created[board]) - 1 - place
        return behind // self.looks.rows_per_page + 1

    def _delete_until(self, now: float) -> None:
        while self._deletions and self._deletions[0][0] <= now:
            self._delete(heapq.heappop(self._deletions)[1])

    def _delete(self, post: int) -> None:
        """A reply vanishes; the first post stays, for with it the thread would go."""
        thread, board = self.threads[post], self.boards[post]
        if self.posts[thread][0] != post:
            self.posts[thread].remove(post)
            self._board_posts[board] -= 1
            self._change(thread, board)

    def _counts(self, threads: Iterable[int]) -> list[int]:
        """The posts of threads as their rows count them."""
        posts = self.posts
        if self.looks.miscounted:
            return [len(posts[thread]) + self._miscount(thread) for thread in threads]
        return [len(posts[thread]) for thread in threads]

    def _miscount(self, thread: int) -> int:
        wrong = self._wrong.get(thread)
        if wrong is None:
            drawn = Random(thread).random() < self.looks.miscounted
            wrong = self._wrong[thread] = (1 if thread % 2 else -1) if drawn else 0
        return wrong

    def _last_times(self, threads: Iterable[int]) -> list[int]:
        posts, shown = self.posts, self._shown
        return [shown[posts[thread][-1]] for thread in threads]

    def _open_thread(self, thread: int, board: int, post: int) -> None:
        self.posts[thread] = [post]
        self.board_of[thread] = board
        self._board_version[board] += 1
        if len(self._stickies[board]) < self.looks.stickies:
            self._stickies[board].append(thread)
            self._sticky.add(thread)
        elif self.looks.has_rows:
            self._order[board][thread] = None
        else:
            self._created_place[thread] = len(self._created[board])
            self._created[board].append(thread)
            self._created_counts[board].append(0)

    def _posts_page(self, ref: PageRef) -> PostsPage:
        made = self._posts_pages.get(ref.list)
        if made is None:
            made = self._posts_pages[ref.list] = {}
        page = made.get(ref.page)
        if page is None:
            page = made[ref.page] = self._make_posts_page(ref)
        return page

    def _make_posts_page(self, ref: PageRef) -> PostsPage:
        posts, size = self.posts.get(ref.list, []), self.looks.posts_per_page
        pages = max(1, -(-len(posts) // size))
        page = min(ref.page, pages)
        posts = posts[(page - 1) * size : page * size]
        return PostsPage(posts, [self._shown[post] for post in posts], page, pages)

    def _rows_or_entry(self, ref: PageRef) -> Page:
        if ref.kind is Layer.ENTRY:
            return self._entry_page() if self.looks.has_entry else NO_ENTRY_ROWS
        if ref.kind is Layer.FEED:
            if not self.looks.has_feed:
                return NO_ROWS
            return self._feed_page(ref)
        return self._index_page(ref)

    def _feed_page(self, ref: PageRef) -> RowsShown:
        size = self.looks.rows_per_page
        if self.looks.feed_items is not None:
            threads = list(islice(reversed(self._site_order), self.looks.feed_items))
            return RowsShown(
                threads, self._last_times(threads), None, [self.board_of[thread] for thread in threads], 0, 1
            )
        threads = list(islice(reversed(self._site_order), (ref.page - 1) * size, ref.page * size))
        return self._rows(threads, 0, ceil(len(self._site_order) / size), with_boards=True)

    def _index_page(self, ref: PageRef) -> RowsShown:
        size = self.looks.rows_per_page
        stickies, order = self._stickies.get(ref.list, []), self._order.get(ref.list, OrderedDict())
        created = self._created.get(ref.list, [])
        pages = max(1, ceil((len(stickies) + len(order) + len(created)) / size))
        page = min(ref.page, pages)
        start, stop = (page - 1) * size, page * size
        head = stickies[start:stop]
        first, last = max(0, start - len(stickies)), max(0, stop - len(stickies))
        if self.looks.has_rows:
            tail = list(islice(reversed(order), first, last))
            return self._rows([*head, *tail], len(head), pages, with_boards=False)
        # the order never changes: a page is cut out, however deep it is
        cut = slice(max(0, len(created) - last), max(0, len(created) - first))
        counts = None
        if self.looks.has_counts:
            counts = [*self._counts(head), *self._created_counts[ref.list][cut][::-1]]
        return RowsShown([*head, *created[cut][::-1]], None, counts, None, len(head), pages)

    def _rows(self, threads: list[int], sticky: int, pages: int, *, with_boards: bool) -> RowsShown:
        boards = [self.board_of[thread] for thread in threads] if with_boards else None
        return RowsShown(threads, self._last_times(threads), self._counts(threads), boards, sticky, pages)

    def _entry_page(self) -> EntryShown:
        boards = list(self._board_last)
        last = list(self._board_last.values())
        links = [self.threads[post] for post in last] if self.looks.has_links else None
        posts = [self._board_posts[board] for board in boards] if self.looks.entry_counts else None
        return EntryShown(boards, posts, [self._shown[post] for post in last], links)
