"""A forum's content over time, without looks.

A world keeps when and by whom something was posted, as a few numpy columns; the words are computed when asked for.
So a million threads take some 100 MB in the server's process, and both made-up worlds (`generate`) and real
timelines (`from_timeline`) are the same thing. `World.at(moment)` gives the forum as it stood then: only posts up to
that moment, threads by their last reply, stickies first, as section 4 of the list-wise paper asks of a simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.errors import InputError
from thrawl.lab.content import Block, Writer, own_text, slug
from thrawl.lab.words import VOCABULARIES, user_name

Column = npt.NDArray[np.int64]

# --- standings kept for moments asked for lately; a running clock needs one, tests that jump a few
KEPT_STANDINGS: Final = 4
# --- one reply in so many quotes the post that it answers
QUOTE_SHARE: Final = 0.3
EDIT_SHARE: Final = 0.04
# --- seconds before the forum's first post that its oldest members may have joined
LONGEST_MEMBERSHIP: Final = 30_000_000


@dataclass(frozen=True, slots=True)
class Board:
    id: int
    title: str
    about: str
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class User:
    id: int
    name: str
    joined: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    id: int
    board: int
    title: str
    author: User
    created: datetime
    sticky: bool

    @property
    def slug(self) -> str:
        return slug(self.title) or "thread"


@dataclass(frozen=True, slots=True)
class Post:
    """`position` counts from 1 through the thread; `reply_to` is the id of an earlier post of it."""

    id: int
    thread: int
    position: int
    author: User
    time: datetime
    body: tuple[Block, ...]
    reply_to: int | None = None
    edited: datetime | None = None

    @property
    def text(self) -> str:
        return own_text(self.body)


@dataclass(frozen=True, slots=True)
class Columns:
    """Who posted what when. Threads ascend by id; posts stand thread by thread, each thread's by time."""

    thread_ids: Column
    thread_boards: Column
    sticky: npt.NDArray[np.bool_]
    starts: Column  # of each thread's posts, and the number of all posts at the end
    post_ids: Column
    times: Column  # unix seconds
    authors: Column


class World:
    """The content of one forum, for all moments."""

    def __init__(self, seed: int, language: str, boards: Sequence[Board], columns: Columns) -> None:
        if not len(columns.post_ids):
            raise InputError("a world needs at least one post; give a timeline or a number of threads above 0.")
        self.seed = seed
        self.language = language
        self.boards = tuple(boards)
        self.columns = columns
        self._writer = Writer(seed, VOCABULARIES[language])
        self._standings: dict[int, Standing] = {}

    @cached_property
    def start(self) -> datetime:
        return _moment(int(self.columns.times.min()))

    @cached_property
    def end(self) -> datetime:
        """The moment of the last post; `at(end)` shows everything."""
        return _moment(int(self.columns.times.max()))

    @cached_property
    def sorted_times(self) -> Column:
        return np.sort(self.columns.times)

    @cached_property
    def posts_by_id(self) -> Column:
        """Places in the post columns, ascending by post id."""
        return np.argsort(self.columns.post_ids, kind="stable")

    def at(self, moment: datetime) -> View:
        """The forum as a visitor finds it at that moment."""
        visible = int(np.searchsorted(self.sorted_times, int(moment.timestamp()), side="right"))
        standing = self._standings.get(visible)
        if standing is None:
            if len(self._standings) >= KEPT_STANDINGS:
                del self._standings[next(iter(self._standings))]
            standing = self._standings[visible] = Standing(self.columns, int(moment.timestamp()))
        return View(self, moment, standing)

    def user(self, number: int) -> User:
        before = (number * 48_271 + self.seed) * 9_973 % LONGEST_MEMBERSHIP
        return User(number, user_name(number), self.start - timedelta(seconds=before))

    def signature(self, user: User) -> str:
        """What stands below each post of a user; most have none. It is no part of any post."""
        return self._writer.about(-user.id) if user.id % 3 == 0 else ""

    def thread_at(self, place: int) -> Thread:
        columns = self.columns
        first = int(columns.starts[place])
        return Thread(
            id=int(columns.thread_ids[place]),
            board=int(columns.thread_boards[place]),
            title=self._writer.title(int(columns.thread_ids[place])),
            author=self.user(int(columns.authors[first])),
            created=_moment(int(columns.times[first])),
            sticky=bool(columns.sticky[place]),
        )

    def post_at(self, place: int, *, words: bool = True) -> Post:
        """The post at a place of the columns; without its words it costs a tenth."""
        columns = self.columns
        thread = int(np.searchsorted(columns.starts, place, side="right")) - 1
        post = Post(
            id=int(columns.post_ids[place]),
            thread=int(columns.thread_ids[thread]),
            position=place - int(columns.starts[thread]) + 1,
            author=self.user(int(columns.authors[place])),
            time=_moment(int(columns.times[place])),
            body=self._writer.own_words(int(columns.post_ids[place])) if words else (),
        )
        return self._with_ties(post, place)

    def _with_ties(self, post: Post, place: int) -> Post:
        """Whom the post answers, whether it quotes, whether it was edited later."""
        random = Random(f"{self.seed}/ties/{post.id}")
        edited = post.time + timedelta(minutes=random.randint(3, 600)) if random.random() < EDIT_SHARE else None
        if post.position == 1:
            return replace(post, edited=edited)
        back = post.position - 1 if random.random() < 0.4 else min(post.position - 1, random.choice((1, 1, 2, 3)))
        answered = place - back
        reply_to = int(self.columns.post_ids[answered])
        body = post.body
        if body and random.random() < QUOTE_SHARE:
            author = user_name(int(self.columns.authors[answered]))
            body = (self._writer.quotation(author, reply_to), *body)
        return replace(post, edited=edited, reply_to=reply_to, body=body)


class Standing:
    """How many posts each thread has at a moment, and the order of threads; shared until the next post."""

    def __init__(self, columns: Columns, seconds: int) -> None:
        self._columns = columns
        seen = np.concatenate(([0], np.cumsum(columns.times <= seconds)))
        self.counts: Column = seen[columns.starts[1:]] - seen[columns.starts[:-1]]
        last = np.maximum(columns.starts[:-1] + self.counts - 1, 0)
        self.last_times: Column = np.where(self.counts > 0, columns.times[last], -1)
        self._orders: dict[int, Column] = {}
        self._ids: dict[int | None, Column] = {}

    def ids(self, board_id: int | None) -> Column:
        """Threads in the order of their board, or of the whole site."""
        if board_id not in self._ids:
            places = self.whole if board_id is None else self.order(board_id)
            self._ids[board_id] = self._columns.thread_ids[places]
        return self._ids[board_id]

    def order(self, board_id: int) -> Column:
        """Places of a board's threads: stickies first, then by last reply."""
        if board_id not in self._orders:
            columns = self._columns
            places = np.flatnonzero((columns.thread_boards == board_id) & (self.counts > 0))
            keys = (-columns.thread_ids[places], -self.last_times[places], ~columns.sticky[places])
            self._orders[board_id] = places[np.lexsort(keys)]
        return self._orders[board_id]

    @cached_property
    def whole(self) -> Column:
        """Places of all threads by last reply."""
        places = np.flatnonzero(self.counts > 0)
        return places[np.lexsort((-self._columns.thread_ids[places], -self.last_times[places]))]

    def latest(self, board_id: int) -> int | None:
        """The place of the board's thread with the latest post."""
        order = self.order(board_id)
        return int(order[np.argmax(self.last_times[order])]) if len(order) else None


class View:
    """A world as of one moment."""

    def __init__(self, world: World, moment: datetime, standing: Standing) -> None:
        self.world = world
        self.moment = moment
        self._standing = standing

    @property
    def boards(self) -> tuple[Board, ...]:
        return self.world.boards

    @property
    def thread_count(self) -> int:
        return len(self._standing.whole)

    @property
    def post_count(self) -> int:
        return int(self._standing.counts.sum())

    @property
    def latest_time(self) -> datetime:
        """When the last visible post was made."""
        whole = self._standing.whole
        return _moment(int(self._standing.last_times[whole[0]])) if len(whole) else self.moment

    def board(self, board_id: int) -> Board | None:
        return self._boards_by_id.get(board_id)

    def children(self, board_id: int | None) -> tuple[Board, ...]:
        return tuple(board for board in self.boards if board.parent == board_id)

    def path(self, board_id: int) -> tuple[Board, ...]:
        """From the topmost board down to this one."""
        board = self._boards_by_id[board_id]
        return (*self.path(board.parent), board) if board.parent is not None else (board,)

    def thread_ids(self, board_id: int | None = None) -> Column:
        """A board's threads, stickies first, then by last reply; without a board, the whole site's by last reply."""
        return self._standing.ids(board_id)

    def all_thread_ids(self) -> list[int]:
        """Every thread, by last reply."""
        return [int(number) for number in self.thread_ids()]

    def sticky_count(self, board_id: int) -> int:
        return int(self.world.columns.sticky[self._standing.order(board_id)].sum())

    def thread(self, thread_id: int) -> Thread | None:
        place = self._place(thread_id)
        return None if place is None else self.world.thread_at(place)

    def size(self, thread_id: int) -> int:
        """Visible posts of a thread; 0 where there is none."""
        place = self._place(thread_id)
        return 0 if place is None else int(self._standing.counts[place])

    def posts(self, thread_id: int, start: int = 0, stop: int | None = None, *, words: bool = True) -> list[Post]:
        """Posts of a thread by position from 0; without `words` their bodies are left empty, which is quick."""
        place = self._place(thread_id)
        if place is None:
            return []
        first = int(self.world.columns.starts[place])
        numbers = range(int(self._standing.counts[place]))[start:stop]
        return [self._as_of(self.world.post_at(first + number, words=words)) for number in numbers]

    def post_id(self, thread_id: int, position: int) -> int | None:
        """The id of a thread's post at a position, from 0."""
        place = self._place(thread_id)
        if place is None or position >= self._standing.counts[place]:
            return None
        return int(self.world.columns.post_ids[int(self.world.columns.starts[place]) + position])

    def last_post(self, thread_id: int) -> Post:
        """A thread's latest post, without its words."""
        return self.posts(thread_id, self.size(thread_id) - 1, words=False)[0]

    def board_totals(self, board_id: int) -> tuple[int, int]:
        """Threads and posts of a board, sub-boards not counted."""
        order = self._standing.order(board_id)
        return len(order), int(self._standing.counts[order].sum())

    def board_last(self, board_id: int) -> Post | None:
        """The latest post of a board, sub-boards not counted."""
        place = self._standing.latest(board_id)
        return None if place is None else self.last_post(int(self.world.columns.thread_ids[place]))

    def post(self, post_id: int, *, words: bool = True) -> Post | None:
        columns = self.world.columns
        order = self.world.posts_by_id
        rank = int(np.searchsorted(columns.post_ids, post_id, sorter=order))
        if rank == len(order) or columns.post_ids[order[rank]] != post_id:
            return None
        place = int(order[rank])
        hidden = columns.times[place] > int(self.moment.timestamp())
        return None if hidden else self._as_of(self.world.post_at(place, words=words))

    def _as_of(self, post: Post) -> Post:
        later = post.edited is not None and post.edited > self.moment
        return replace(post, edited=None) if later else post

    def _place(self, thread_id: int) -> int | None:
        ids = self.world.columns.thread_ids
        place = int(np.searchsorted(ids, thread_id))
        if place == len(ids) or ids[place] != thread_id or not self._standing.counts[place]:
            return None
        return place

    @cached_property
    def _boards_by_id(self) -> dict[int, Board]:
        return {board.id: board for board in self.boards}


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
