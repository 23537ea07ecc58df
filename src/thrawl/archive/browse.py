"""Looking into an archive page by page, as its reader does: a board's threads, a thread's posts, where a post stands.

Every question is answered through an index, so that a page costs the same whatever the size of the archive; only the
number of a very late page costs a walk along its index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, func, or_, select

from thrawl.archive.boards import BoardPaths
from thrawl.archive.reading import post_from, posts_query, thread_from, threads_query
from thrawl.archive.tables import boards, forums, posts, thread_urls, threads
from thrawl.archive.values import StoredPost, StoredThread

_ORDER = (posts.c.page_number, posts.c.index_on_page, posts.c.id)


@dataclass(frozen=True, slots=True)
class BoardNode:
    """A board with its place in the tree; `depth` counts from 0 at the root."""

    id: int
    forum_id: int
    url: str | None
    title: str
    parent_id: int | None
    depth: int


@dataclass(frozen=True, slots=True)
class PostPlace:
    """Where a post stands: in which thread, and how many posts stand before it."""

    id: int
    thread_id: int
    before: int


def board_tree(connection: Connection) -> list[BoardNode]:
    """All boards, each below its parent, as the site lists them."""
    rows = connection.execute(select(boards).order_by(boards.c.forum_id, boards.c.id)).all()
    below: dict[int | None, list[Any]] = {}
    known = {row.id for row in rows}
    for row in rows:
        below.setdefault(row.parent_id if row.parent_id in known else None, []).append(row)
    listed: list[BoardNode] = []
    waiting = [(row, 0) for row in reversed(below.get(None, []))]
    while waiting:
        row, depth = waiting.pop()
        listed.append(BoardNode(row.id, row.forum_id, row.url, row.title, row.parent_id, depth))
        waiting.extend((child, depth + 1) for child in reversed(below.get(row.id, [])))
    return listed


def thread_count(connection: Connection, board_id: int, *wanted: ColumnElement[bool]) -> int:
    """The threads of a board; board 0 stands for those whose board is not known."""
    query = select(func.count()).select_from(threads).where(threads.c.board_id == (board_id or None), *wanted)
    return int(connection.execute(query).scalar_one())


def threads_of(
    connection: Connection, board_id: int, offset: int, limit: int, *wanted: ColumnElement[bool]
) -> list[StoredThread]:
    """Some threads of a board, those with the newest posts first."""
    newest = (threads.c.last_time.desc(), threads.c.id.desc())
    if connection.dialect.name != "sqlite":  # where nothing comes first unless told
        newest = (threads.c.last_time.desc().nulls_last(), threads.c.id.desc())
    page = select(threads.c.id).where(threads.c.board_id == (board_id or None), *wanted).order_by(*newest)
    ids = [row.id for row in connection.execute(page.offset(offset).limit(limit))]
    paths = BoardPaths(connection)
    rows = connection.execute(threads_query().where(threads.c.id.in_(ids))).all()
    found = {row.id: thread_from(row, paths) for row in rows}
    return [found[number] for number in ids if number in found]


def thread_by_id(
    connection: Connection, thread_id: int, paths: BoardPaths | None = None
) -> tuple[StoredThread, int | None] | None:
    """A thread, and the id of its board."""
    row = connection.execute(_one_thread(), {"thread": thread_id}).one_or_none()
    return None if row is None else (thread_from(row, paths or BoardPaths(connection)), row.board_id)


@cache
def _one_thread() -> Select[Any]:
    return threads_query().where(threads.c.id == bindparam("thread"))


def post_counts(connection: Connection, thread_ids: Sequence[int], *wanted: ColumnElement[bool]) -> dict[int, int]:
    """How many posts of these threads are archived."""
    query = _counted() if not wanted else _counted().where(*wanted)
    return {row[0]: int(row[1]) for row in connection.execute(query, {"threads": list(thread_ids)})}


@cache
def _counted() -> Select[Any]:
    of_threads = posts.c.thread_id.in_(bindparam("threads", expanding=True))
    return select(posts.c.thread_id, func.count()).where(of_threads).group_by(posts.c.thread_id)


def posts_of(connection: Connection, thread_id: int, offset: int, limit: int) -> list[StoredPost]:
    """Some posts of a thread, in its order."""
    ids = [row.id for row in connection.execute(_page(), {"thread": thread_id, "skip": offset, "most": limit})]
    rows = connection.execute(_posts_named(), {"ids": ids})
    paths = BoardPaths(connection)
    return [post_from(row, position, paths) for position, row in enumerate(rows, start=offset + 1)]


@cache
def _posts_named() -> Select[Any]:
    return posts_query().where(posts.c.id.in_(bindparam("ids", expanding=True))).order_by(*_ORDER)


@cache
def _page() -> Select[Any]:
    ordered = select(posts.c.id).where(posts.c.thread_id == bindparam("thread")).order_by(*_ORDER)
    return ordered.offset(bindparam("skip")).limit(bindparam("most"))


def place_of(connection: Connection, post: int) -> PostPlace | None:
    """Where a post stands."""
    row = connection.execute(select(posts.c.thread_id, *_ORDER).where(posts.c.id == post)).one_or_none()
    return None if row is None else _place(connection, row)


def place_named(connection: Connection, thread_id: int, post_id: str) -> PostPlace | None:
    """Where the post of a thread stands that the site calls by this id."""
    query = select(posts.c.thread_id, *_ORDER).where(posts.c.thread_id == thread_id, posts.c.post_id == post_id)
    row = connection.execute(query.limit(1)).one_or_none()
    return None if row is None else _place(connection, row)


def _place(connection: Connection, row: Any) -> PostPlace:
    page, index, number = posts.c.page_number, posts.c.index_on_page, posts.c.id
    earlier = or_(
        page < row.page_number,
        and_(page == row.page_number, index < row.index_on_page),
        and_(page == row.page_number, index == row.index_on_page, number < row.id),
    )
    query = select(func.count()).select_from(posts).where(posts.c.thread_id == row.thread_id, earlier)
    return PostPlace(row.id, row.thread_id, int(connection.execute(query).scalar_one()))


def newest_posts(connection: Connection, limit: int) -> list[StoredPost]:
    """The newest posts by the times that the site shows; their positions are not told."""
    shown = posts.c.published.is_not(None)
    newest = select(posts.c.id).where(shown).order_by(posts.c.published.desc(), posts.c.id.desc()).limit(limit)
    ids = [row.id for row in connection.execute(newest)]
    paths = BoardPaths(connection)
    found = {row.id: post_from(row, 0, paths) for row in connection.execute(posts_query().where(posts.c.id.in_(ids)))}
    return [found[number] for number in ids if number in found]


def threads_at(connection: Connection, urls: Sequence[str]) -> dict[str, int]:
    """The threads that are known under these URLs."""
    return {row.url: row.thread_id for row in connection.execute(_urls(), {"urls": list(urls)})}


@cache
def _urls() -> Select[Any]:
    return select(thread_urls).where(thread_urls.c.url.in_(bindparam("urls", expanding=True)))


def forum_hosts(connection: Connection) -> list[tuple[int, str, str]]:
    """Id, entry URL and host of every forum."""
    query = select(forums.c.id, forums.c.entry_url, forums.c.host).order_by(forums.c.id)
    return [(row.id, row.entry_url, row.host) for row in connection.execute(query)]
