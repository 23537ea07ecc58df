"""What a policy asks for and what it is shown: pages and their records, without looks.

A policy knows boards and threads by integer keys and pages by `PageRef`. The simulation and the live watcher
both translate these to whatever they fetch, so a policy cannot tell which of them it drives.

The layers in which forum software tells of its changes (issue: staying fresh) are three kinds of page above the
thread's own: the newest-posts page (FEED), the entry page (ENTRY) and a board's index pages (INDEX). A column
that the site does not show is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]


class PageKind(IntEnum):
    FEED = 0
    ENTRY = 1
    INDEX = 2
    POSTS = 3


class PageRef(NamedTuple):
    """One page: its kind, its list (board for INDEX, thread for POSTS, else 0) and its number from 1.

    A tuple because policies make and look up millions of them.
    """

    kind: PageKind
    list: int
    page: int


FEED_HEAD = PageRef(PageKind.FEED, 0, 1)
ENTRY_PAGE = PageRef(PageKind.ENTRY, 0, 1)


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
    """The entry page: one row a board; `last_threads` where a row links to the board's last post."""

    boards: Sequence[int]
    posts: Sequence[int]
    last_times: Sequence[int]
    last_threads: Sequence[int] | None


@dataclass(frozen=True, slots=True)
class PostsShown:
    """A thread page: the times of its posts in order, its own number, and the pager's last number.

    Asked for a page beyond the last, a forum shows the last: `page` is the one that was shown.
    """

    times: Sequence[int]
    page: int
    pages: int


Shown: TypeAlias = RowsShown | EntryShown | PostsShown


@dataclass(frozen=True, slots=True)
class Site:
    """What the profile tells of a site before watching begins, and the budget."""

    boards: tuple[int, ...]
    rows_per_page: int
    posts_per_page: int
    has_feed: bool
    has_entry_rows: bool
    has_index_rows: bool
    seconds_per_request: float


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The archive's posts when watching begins, by time: parallel columns."""

    board: IntArray
    thread: IntArray
    time: IntArray
