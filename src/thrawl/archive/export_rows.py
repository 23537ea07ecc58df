"""What is exported: for posts, threads, boards and pages, the columns in their order and the rows as plain values.

The columns of posts are the contract of the design; their names follow schema.org's DiscussionForumPosting where it
has one. A field that the site does not show is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Any, Final

from thrawl.archive.selection import EVERYTHING, Selection
from thrawl.archive.store import Archive
from thrawl.archive.values import StoredBoard, StoredPage, StoredPost, StoredThread

Row = tuple[Any, ...]


class What(StrEnum):
    POSTS = "posts"
    THREADS = "threads"
    BOARDS = "boards"
    PAGES = "pages"


class ColumnType(StrEnum):
    """What a column holds; every format has its own way to write it."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "truth"
    TIME = "time"
    LOCAL_TIME = "local time"
    TEXTS = "texts"
    QUOTES = "quotes"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: ColumnType = ColumnType.TEXT


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of an archive is exported, and the zone of times whose own is not known (none: they stay without)."""

    selection: Selection = EVERYTHING
    with_vanished: bool = True
    zone: tzinfo | None = None

    def posts(self, archive: Archive) -> Iterator[StoredPost]:
        found = archive.posts(with_vanished=self.with_vanished, selection=self.selection)
        if self.zone is None:
            return found
        return (replace(one, published=self.time(one.published), edited=self.time(one.edited)) for one in found)

    def threads(self, archive: Archive, board_id: int | None = None) -> Iterator[StoredThread]:
        found = archive.threads(board_id=board_id, with_vanished=self.with_vanished, selection=self.selection)
        return (replace(one, last_time=self.time(one.last_time)) for one in found)

    def time(self, moment: datetime | None) -> datetime | None:
        """A time in the zone that was named, where the site does not tell its own."""
        return moment.replace(tzinfo=self.zone) if moment is not None and moment.tzinfo is None else moment


@dataclass(frozen=True, slots=True)
class Rows:
    """One sort of rows: its columns, and how to read them from an archive."""

    columns: tuple[Column, ...]
    read: Callable[[Archive, Wanted], Iterator[Row]]

    def with_zones(self, zones: Mapping[str, frozenset[bool]]) -> Rows:
        """The same rows, their columns of times according to whether the zones of their times are known."""
        kinds = {frozenset({False}): ColumnType.LOCAL_TIME, frozenset({True, False}): ColumnType.TEXT}
        columns = (replace(one, type=kinds.get(zones.get(one.name, frozenset()), one.type)) for one in self.columns)
        return replace(self, columns=tuple(columns))


def iso(moment: datetime | None) -> str | None:
    """A time to the second: in UTC, in the zone that a user named, or without one if none is known."""
    return None if moment is None else moment.isoformat(timespec="seconds")


def quote_objects(post: StoredPost) -> list[dict[str, str | None]]:
    return [{"author": quote.author, "text": quote.text, "post_id": quote.post_id} for quote in post.quotes]


def _columns(names: str, **types: ColumnType) -> tuple[Column, ...]:
    return tuple(Column(name, types.get(name, ColumnType.TEXT)) for name in names.split())


def post_row(post: StoredPost) -> Row:
    return (
        *(post.forum, list(post.board), post.board_url, post.thread_url, post.thread_title),
        *(post.post_id, post.post_url, post.position, post.author, post.author_url),
        *(post.published, post.published_text, post.edited),
        *(post.text, post.html, quote_objects(post), post.reply_to, post.depth),
        *(post.first_seen, post.vanished, post.revision, post.fetched),
    )


def thread_row(thread: StoredThread) -> Row:
    return (
        *(thread.forum, list(thread.board), thread.board_url, thread.url, thread.title, thread.author),
        *(thread.replies, thread.views, thread.last_time, thread.last_time_text, thread.last_author),
        *(thread.sticky, thread.first_seen, thread.last_seen, thread.vanished),
    )


def _board(board: StoredBoard) -> Row:
    return board.forum, board.url, board.title, list(board.path), board.parent_url


def _page(page: StoredPage) -> Row:
    return (
        *(page.url, page.kind.value, page.state.value, page.list_url, page.page_number, page.reason),
        *(page.found_on, page.status, page.etag, page.last_modified, page.body_hash, page.fetched),
        *(page.failure, page.tries),
    )


_TIME, _NUMBER, _TEXTS = ColumnType.TIME, ColumnType.NUMBER, ColumnType.TEXTS
EXPORTS: Final = {
    What.POSTS: Rows(
        _columns(
            "forum board board_url thread_url thread_title post_id post_url position author author_url published "
            "published_text edited text html quotes reply_to depth first_seen vanished revision fetched",
            board=_TEXTS,
            position=_NUMBER,
            published=_TIME,
            edited=_TIME,
            quotes=ColumnType.QUOTES,
            depth=_NUMBER,
            first_seen=_TIME,
            vanished=_TIME,
            revision=_NUMBER,
            fetched=_TIME,
        ),
        lambda archive, wanted: map(post_row, wanted.posts(archive)),
    ),
    What.THREADS: Rows(
        _columns(
            "forum board board_url url title author replies views last_time last_time_text last_author sticky "
            "first_seen last_seen vanished",
            board=_TEXTS,
            replies=_NUMBER,
            views=_NUMBER,
            last_time=_TIME,
            sticky=ColumnType.TRUTH,
            first_seen=_TIME,
            last_seen=_TIME,
            vanished=_TIME,
        ),
        lambda archive, wanted: map(thread_row, wanted.threads(archive)),
    ),
    What.BOARDS: Rows(
        _columns("forum url title path parent_url", path=_TEXTS),
        lambda archive, wanted: map(_board, archive.boards(selection=wanted.selection)),
    ),
    What.PAGES: Rows(
        _columns(
            "url kind state list_url page_number reason found_on status etag last_modified body_hash fetched "
            "failure tries",
            page_number=_NUMBER,
            status=_NUMBER,
            fetched=_TIME,
            tries=_NUMBER,
        ),
        lambda archive, wanted: map(_page, archive.pages(selection=wanted.selection)),
    ),
}
