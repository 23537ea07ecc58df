"""Reading an archive in streams: rows come from the database as they are asked for, so size costs no memory.

The posts of a thread are stitched from its pages here: in the order of pages and of places on them, each identity
once, positions counted from 1 through the whole thread.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, literal_column, select

from thrawl.archive.boards import BoardPaths
from thrawl.archive.identity import unique_id
from thrawl.archive.selection import EVERYTHING, Chosen, Selection, among, choose, wants
from thrawl.archive.storable import key_url
from thrawl.archive.tables import authors, boards, forums, pages, post_revisions, posts, thread_urls, threads
from thrawl.archive.values import (
    FailureKind,
    PageState,
    PostRevision,
    StoredBoard,
    StoredForum,
    StoredPage,
    StoredPost,
    StoredThread,
    from_seconds,
    from_shown,
)
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import Quote

_IN_UTC: Final = "+00:00"  # how the archive writes a time whose zone is known
BATCH: Final = 500  # rows held at a time


def stream(connection: Connection, query: Select[Any]) -> Iterator[Any]:
    """The rows of a query, in batches, through a cursor on the server's side where there is a server."""
    result = connection.execution_options(stream_results=True, max_row_buffer=BATCH).execute(query)
    try:
        for batch in result.partitions(BATCH):
            yield from batch
    finally:
        result.close()


def iter_forums(connection: Connection) -> Iterator[StoredForum]:
    for row in connection.execute(select(forums).order_by(forums.c.id)):
        yield StoredForum(row.id, row.entry_url, row.host, row.profile)


def iter_boards(connection: Connection, lookup: Connection, selection: Selection = EVERYTHING) -> Iterator[StoredBoard]:
    paths = BoardPaths(lookup)
    chosen = choose(lookup, selection)
    parent = boards.alias("parent")
    query = (
        select(boards, forums.c.entry_url, parent.c.url.label("parent_url"))
        .join(forums, forums.c.id == boards.c.forum_id)
        .outerjoin(parent, parent.c.id == boards.c.parent_id)
        .where(*among(boards.c.forum_id, chosen.forums), *among(boards.c.id, chosen.boards))
        .order_by(boards.c.id)
    )
    for row in stream(connection, query):
        path, _ = paths.of(row.id)
        yield StoredBoard(row.id, row.entry_url, row.url, row.title, path, row.parent_url)


def iter_threads(
    connection: Connection,
    lookup: Connection,
    *,
    board_id: int | None,
    with_vanished: bool,
    selection: Selection = EVERYTHING,
) -> Iterator[StoredThread]:
    chosen = choose(lookup, selection)
    query = threads_query().where(chosen.of_threads()).order_by(threads.c.id)
    if selection.of_posts:
        query = query.where(threads.c.id.in_(select(posts.c.thread_id).where(chosen.of_posts())))
    if board_id is not None:
        query = query.where(threads.c.board_id == (board_id or None))
    if not with_vanished:
        query = query.where(threads.c.vanished.is_(None))
    paths = BoardPaths(lookup)
    for row in stream(connection, query):
        yield thread_from(row, paths)


def thread_at(connection: Connection, url: str) -> StoredThread | None:
    """The thread known under that URL."""
    row = connection.execute(_thread_query(), {"url": key_url(url)}).one_or_none()
    return None if row is None else thread_from(row, BoardPaths(connection))


@cache
def _thread_query() -> Select[Any]:
    query = threads_query().join(thread_urls, thread_urls.c.thread_id == threads.c.id)
    return query.where(thread_urls.c.url == bindparam("url"))


def threads_query() -> Select[Any]:
    return select(threads, forums.c.entry_url).join(forums, forums.c.id == threads.c.forum_id)


def thread_from(row: Any, paths: BoardPaths) -> StoredThread:
    board, board_url = paths.of(row.board_id)
    return StoredThread(
        id=row.id,
        forum=row.entry_url,
        board=board,
        board_url=board_url,
        url=row.url,
        title=row.title,
        replies=row.replies,
        views=row.views,
        author=row.author,
        last_time=from_shown(row.last_time),
        last_time_text=row.last_time_text,
        last_author=row.last_author,
        sticky=bool(row.sticky),
        first_seen=from_seconds(row.first_seen),
        last_seen=from_seconds(row.last_seen),
        vanished=None if row.vanished is None else from_seconds(row.vanished),
    )


def iter_posts(
    connection: Connection,
    lookup: Connection,
    *,
    thread_id: int | None,
    with_vanished: bool,
    selection: Selection = EVERYTHING,
) -> Iterator[StoredPost]:
    """Posts, thread after thread, each with its position.

    Threads come in the order in which they were begun, not in that of the crawl: two crawls of a forum give the same
    export.
    """
    paths = BoardPaths(lookup)
    chosen = choose(lookup, selection)
    wanted = _threads_by_age(connection, chosen) if thread_id is None else iter([thread_id])
    query = _posts_query(with_vanished)
    for thread in wanted:
        rows = lookup.execute(query, {"thread": thread}).yield_per(BATCH)
        for position, row in enumerate(rows, start=1):
            post = post_from(row, position, paths)
            if wants(selection, post):
                yield post


def _threads_by_age(connection: Connection, chosen: Chosen) -> Iterator[int]:
    begun = func.min(posts.c.published).nulls_last()
    query = select(posts.c.thread_id).group_by(posts.c.thread_id).order_by(begun, posts.c.thread_id)
    if chosen != Chosen():
        query = query.join(threads, threads.c.id == posts.c.thread_id).where(chosen.of_threads(), chosen.of_posts())
    return (row.thread_id for row in stream(connection, query))


@cache
def _posts_query(with_vanished: bool) -> Select[Any]:
    query = posts_query().where(posts.c.thread_id == bindparam("thread"))
    query = query.order_by(posts.c.page_number, posts.c.index_on_page, posts.c.id)
    return query if with_vanished else query.where(posts.c.vanished.is_(None))


def posts_query() -> Select[Any]:
    # Outer joins keep the database from starting at another table and sorting all posts in memory.
    return (
        select(
            posts,
            threads.c.url.label("thread_url"),
            threads.c.title.label("thread_title"),
            threads.c.board_id,
            forums.c.entry_url,
            authors.c.name.label("author"),
            authors.c.url.label("author_url"),
            (_earlier_wordings() + literal_column("1")).label("revision"),
        )
        .outerjoin(threads, threads.c.id == posts.c.thread_id)
        .outerjoin(forums, forums.c.id == threads.c.forum_id)
        .outerjoin(authors, authors.c.id == posts.c.author_id)
    )


def _earlier_wordings() -> ColumnElement[int]:
    of_post = post_revisions.c.post == posts.c.id
    return select(func.count()).select_from(post_revisions).where(of_post).scalar_subquery()


@cache
def _post_names() -> tuple[str, ...]:
    return tuple(posts_query().selected_columns.keys())


def post_from(row: Any, position: int, paths: BoardPaths) -> StoredPost:
    told = dict(zip(_post_names(), row, strict=True))  # by name from the row itself takes three times as long
    board, board_url = paths.of(told["board_id"])
    return StoredPost(
        forum=told["entry_url"],
        board=board,
        board_url=board_url,
        thread_url=told["thread_url"],
        thread_title=told["thread_title"],
        post_id=unique_id(told["post_id"], told["identity"]),
        post_url=told["post_url"],
        position=position,
        author=told["author"],
        author_url=told["author_url"] or None,
        published=from_shown(told["published"]),
        published_text=told["published_text"],
        edited=from_shown(told["edited"]),
        text=told["text"],
        html=told["html"],
        quotes=_quotes(told["quotes"]),
        reply_to=told["reply_to"],
        depth=told["depth"],
        first_seen=from_seconds(told["first_seen"]),
        fetched=from_seconds(told["fetched"]),
        revision=told["revision"],
        vanished=None if told["vanished"] is None else from_seconds(told["vanished"]),
        id=told["id"],
        thread_id=told["thread_id"],
        identity=told["identity"],
    )


def _quotes(stored: str | None) -> tuple[Quote, ...]:
    if stored is None:
        return ()
    return tuple(Quote(item["author"], item["text"], item["post_id"]) for item in json.loads(stored))


def iter_pages(connection: Connection, lookup: Connection, selection: Selection = EVERYTHING) -> Iterator[StoredPage]:
    wanted = among(pages.c.forum_id, choose(lookup, selection).forums)
    for row in stream(connection, _pages().where(*wanted).order_by(pages.c.id)):
        yield _page(row)


def page_at(connection: Connection, url: str) -> StoredPage | None:
    row = connection.execute(_page_query(), {"url": key_url(url)}).one_or_none()
    return None if row is None else _page(row)


def iter_list(connection: Connection, list_url: str) -> Iterator[StoredPage]:
    """The pages of one list (a thread or a board) that the frontier knows, in order."""
    of_list = _pages().where(pages.c.list_url == key_url(list_url))
    for row in stream(connection, of_list.order_by(pages.c.page_number, pages.c.id)):
        yield _page(row)


@cache
def _page_query() -> Select[Any]:
    return _pages().where(pages.c.url == bindparam("url"))


def _pages() -> Select[Any]:
    finder = pages.alias("finder")
    return select(pages, finder.c.url.label("finder")).outerjoin(finder, finder.c.id == pages.c.found_on)


def _page(row: Any) -> StoredPage:
    return StoredPage(
        url=row.url,
        kind=PageKind(row.kind),
        state=PageState(row.state),
        list_url=row.list_url,
        page_number=row.page_number,
        priority=row.priority,
        reason=row.reason,
        found_on=row.finder,
        status=row.status,
        etag=row.etag,
        last_modified=row.last_modified,
        body_hash=row.body_hash,
        fetched=None if row.fetched is None else from_seconds(row.fetched),
        failure=row.failure,
        failure_kind=None if row.failure_kind is None else FailureKind(row.failure_kind),
        tries=row.tries,
        due=from_seconds(row.due) if row.due else None,
    )


def zones(connection: Connection) -> dict[str, frozenset[bool]]:
    """Whether the shown times of each column have a zone; both where some do and some do not."""
    columns = (posts.c.published, posts.c.edited, threads.c.last_time)
    known = {column: column.like(f"%{_IN_UTC}") for column in columns}
    queries = {
        column.name: select(known[column]).where(column.is_not(None)).group_by(known[column]) for column in columns
    }
    return {name: frozenset(bool(row[0]) for row in connection.execute(query)) for name, query in queries.items()}


def revisions_of(connection: Connection, post: int) -> list[PostRevision]:
    """Earlier wordings of a post, oldest first."""
    query = select(post_revisions).where(post_revisions.c.post == post).order_by(post_revisions.c.id)
    return [
        PostRevision(
            row.text, row.html, from_shown(row.edited), from_seconds(row.last_seen), from_seconds(row.replaced)
        )
        for row in connection.execute(query)
    ]
