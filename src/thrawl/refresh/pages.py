"""What a policy asks for and what it is shown: pages and their records, without looks.

A policy knows boards and threads by integer keys and pages by `PageRef`. The simulation and the live watcher
both translate these to whatever they fetch, so a policy cannot tell which of them it drives.

The layers in which forum software tells of its changes are three kinds of page above the thread's own: the feed or
newest-posts page (FEED), the entry page (ENTRY) and a board's index pages (INDEX). A column that the site does not show
is None. What is new on a thread page is told by identity: whoever fetched it knows what the archive holds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]


class Layer(IntEnum):
    """The kinds of page that a policy asks for: three that tell of changes, and those with the posts."""

    FEED = 0
    ENTRY = 1
    INDEX = 2
    POSTS = 3


class PageRef(NamedTuple):
    """One page: its kind, its list (board for INDEX, thread for POSTS, else 0) and its number from 1.

    A tuple because policies make and look up millions of them.
    """

    kind: Layer
    list: int
    page: int


FEED_HEAD = PageRef(Layer.FEED, 0, 1)
ENTRY_PAGE = PageRef(Layer.ENTRY, 0, 1)


@dataclass(frozen=True, slots=True)
class RowsShown:
    """An index or newest-posts page: its threads in shown order, and what their rows tell.

    `posts` counts a thread's posts (replies plus one); `boards` is told by newest-posts pages only;
    `sticky` is how many rows at the head stand there out of order; `pages` is the pager's last number.
    """

    threads: Sequence[int]
    last_times: Sequence[int] | None
    posts: Sequence[int] | None
    boards: Sequence[int] | None
    sticky: int
    pages: int


@dataclass(frozen=True, slots=True)
class EntryShown:
    """The entry page: one row a board; `last_threads` where rows link to the board's last post."""

    boards: Sequence[int]
    posts: Sequence[int] | None
    last_times: Sequence[int] | None
    last_threads: Sequence[int | None] | None


@dataclass(frozen=True, slots=True)
class PostsShown:
    """A thread page: the times of the posts that the archive did not hold, in order, and how many stand there in all.

    Asked for a page beyond the last, a forum shows the last: `page` is the one that was shown, `pages` the pager's
    last number.
    """

    new: Sequence[int]
    posts: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The site says (by 304), or the bytes do, that the page is as it was when it was last fetched."""


UNCHANGED: Final = Unchanged()

Shown: TypeAlias = RowsShown | EntryShown | PostsShown | Unchanged


@dataclass(frozen=True, slots=True)
class Site:
    """What the profile and the archive tell of a site before watching begins, and the budget.

    `sorted_rows`: index pages list threads by their last reply, so that their head tells of all that is new. Elsewhere
    `has_index_rows` says that rows tell of replies (by counts or times), wherever their thread stands.
    """

    boards: tuple[int, ...]
    rows_per_page: int
    posts_per_page: int
    has_feed: bool
    has_entry_rows: bool
    has_index_rows: bool
    seconds_per_request: float
    sorted_rows: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The archive when watching begins: its posts by time, as parallel columns, and what rows last showed of threads.

    `rows` are threads with the count of posts and the time of the last one that their row showed, `board_rows` the same
    of boards and the entry page; `told` are threads that are known to have posts which the archive lacks: what a watch
    that was killed had found out and not fetched. `uncertain`: there was a watch before, which may have known of more.
    `walks` are boards whose index pages it was reading, with the threads whose rows it had read by then.
    """

    board: IntArray
    thread: IntArray
    time: IntArray
    rows: Mapping[int, tuple[int | None, int | None]] = field(default_factory=dict)
    board_rows: Mapping[int, tuple[int | None, int | None]] = field(default_factory=dict)
    told: Sequence[int] = ()
    uncertain: bool = False
    walks: Mapping[int, Collection[int]] = field(default_factory=dict)


ListKey: TypeAlias = tuple[Layer, int]
Looked: TypeAlias = Mapping[ListKey, float]
