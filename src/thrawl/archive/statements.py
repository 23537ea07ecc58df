"""The statements of saving a page, written in SQLAlchemy Core and compiled once for each database.

Running Core statements costs more than SQLite itself does for a page, so the hot path hands the compiled text with
plain values to the driver. All of them take named parameters on both databases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Dialect, Integer, and_, bindparam, case, delete, func, literal_column, or_, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.sql import ClauseElement, ColumnElement

from thrawl.archive.tables import (
    authors,
    counters,
    pages,
    post_media,
    post_revisions,
    posts,
    promises,
    refusals,
    strays,
    thread_urls,
    threads,
)


@dataclass(frozen=True, slots=True)
class Statements:
    """Each is the SQL text of one step, in the order in which a page is saved."""

    page: str
    also: str
    found: str
    found_again: str
    refused: str
    count: str
    thread_id: str
    new_thread: str
    thread_url: str
    seen_thread: str
    seen_row: str
    author: str
    first_page: str
    permalink: str
    unnumbered: str
    numbered: str
    revision: str
    post: str
    displaced: str
    merge: tuple[str, ...]
    read_since: str
    forget: tuple[str, ...]
    promise: str
    stray: str
    knows: str
    promised: str
    address: str


def insert_for(name: str) -> Any:
    """The INSERT of that database, which knows ON CONFLICT."""
    if name == "sqlite":
        return sqlite.insert
    from sqlalchemy.dialects import postgresql  # most archives are files, and open faster without

    return postgresql.insert


@cache
def dialect_for(name: str) -> Dialect:
    # Any: SQLAlchemy leaves the constructors of its dialects untyped.
    made: Any = SQLiteDialect_pysqlite
    if name != "sqlite":
        from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg as made
    dialect: Dialect = made(paramstyle="named" if name == "sqlite" else "pyformat")
    return dialect


@cache
def statements_for(name: str) -> Statements:
    """The statements for the database of that name."""
    insert, dialect = insert_for(name), dialect_for(name)

    def sql(statement: ClauseElement, *names: str) -> str:
        return str(statement.compile(dialect=dialect, column_keys=list(names) or None))

    return Statements(
        page=_page(insert, sql),
        also=_also(insert, sql),
        found=_found(insert, sql),
        found_again=_found_again(insert, sql),
        refused=sql(insert(refusals).on_conflict_do_nothing(), "pattern", "reason", "sample", "found_on"),
        count=_count(insert, sql),
        thread_id=sql(select(thread_urls.c.thread_id).where(thread_urls.c.url == bindparam("url"))),
        new_thread=sql(insert(threads).returning(threads.c.id), *_NEW_THREAD),
        thread_url=_thread_url(insert, sql),
        seen_thread=_seen_thread(sql),
        seen_row=_seen_row(sql),
        author=sql(insert(authors).on_conflict_do_nothing(), "forum_id", "name", "url"),
        first_page=sql(select(func.min(posts.c.page_number)).where(posts.c.thread_id == bindparam("thread_id"))),
        permalink=sql(select(posts.c.post_url).where(_this_post())),
        unnumbered=_unnumbered(sql),
        numbered=_numbered(sql),
        revision=_revision(insert, sql),
        post=_post(insert, sql),
        displaced=_displaced(sql),
        merge=_merge(sql),
        read_since=_read_since(sql),
        forget=tuple(str(sql(step)) for step in _without([bindparam("id")])),
        promise=_promise(insert, sql),
        stray=sql(insert(strays).on_conflict_do_nothing(), "forum_id", "url", "list_url", "title"),
        knows=sql(select(pages.c.id).where(pages.c.url == bindparam("url"), pages.c.kind != literal_column("'other'"))),
        promised=sql(
            select(threads.c.replies)
            .join(thread_urls, thread_urls.c.thread_id == threads.c.id)
            .where(thread_urls.c.url == bindparam("url"))
        ),
        address=sql(
            select(threads.c.url)
            .join(thread_urls, thread_urls.c.thread_id == threads.c.id)
            .where(thread_urls.c.url == bindparam("url"))
        ),
    )


_PAGE = (
    *("forum_id", "url", "kind", "state", "list_url", "page_number", "priority", "reason", "status"),
    *("etag", "last_modified", "body_hash", "fetched", "failure", "failure_kind", "tries", "due"),
    *("records", "digest", "last_page", "unfollowed"),
)
_FOUND = ("forum_id", "url", "kind", "state", "list_url", "page_number", "priority", "reason", "found_on")
_NEW_THREAD = ("forum_id", "url", "title", "board_id", "first_seen", "last_seen")
_POST_CONTENT = ("post_url", "edited", "text", "html", "quotes", "reply_to", "depth", "content_hash")
POST = (
    *("thread_id", "identity", "page_number", "index_on_page", "post_id", "published", "published_text"),
    *(*_POST_CONTENT, "first_seen", "fetched"),
)


def _page(insert: Any, sql: Any) -> str:
    new = insert(pages)
    kept = {name: func.coalesce(new.excluded[name], pages.c[name]) for name in _KEPT}
    names = ("kind", "state", "status", "fetched", "failure", "failure_kind", "due")
    taken = {name: new.excluded[name] for name in names}
    # why a page is followed is what first led to it; of one that is not followed, what came of the last look
    first, last = pages.c.reason, new.excluded.reason
    is_other = pages.c.kind == literal_column("'other'")
    reason = case((is_other, func.coalesce(last, first)), else_=func.coalesce(first, last))
    statement = new.on_conflict_do_update(
        index_elements=["url"],
        set_={
            **taken,
            **kept,
            "reason": reason,
            "tries": pages.c.tries + literal_column("1"),
        },
    )
    return str(sql(statement.returning(pages.c.id), *_PAGE))


# What an answer may leave out without taking it back: a 304 repeats few headers and has no body.
_KEPT = ("etag", "last_modified", "body_hash", "list_url", "records", "digest", "last_page", "unfollowed")


def _also(insert: Any, sql: Any) -> str:
    new = insert(pages)
    statement = new.on_conflict_do_update(
        index_elements=["url"],
        set_={"state": new.excluded.state, "status": new.excluded.status, "fetched": new.excluded.fetched},
        where=pages.c.state != new.excluded.state,
    )
    return str(sql(statement, *_FOUND, "status", "fetched"))


def _found(insert: Any, sql: Any) -> str:
    """A page that was only looked at while learning is one to fetch once something leads to it.

    One that was fetched and waits to be fetched again keeps its reason, which says how it is to be read.
    """
    new = insert(pages)
    first = and_(pages.c.state == literal_column("'pending'"), pages.c.body_hash.is_(None))
    sooner = and_(first, new.excluded.priority < pages.c.priority)
    only_seen = and_(pages.c.kind == literal_column("'other'"), pages.c.state == literal_column("'done'"))
    statement = new.on_conflict_do_update(
        index_elements=["url"],
        set_={name: new.excluded[name] for name in ("kind", "state", "priority", "reason", "list_url", "page_number")},
        where=or_(sooner, only_seen),
    )
    return str(sql(statement, *_FOUND))


def _found_again(insert: Any, sql: Any) -> str:
    new = insert(pages)
    # what was fetched for something else may be a thread's, and what failed as that a list: nothing else turns
    empty = and_(pages.c.kind == literal_column("'thread'"), pages.c.state == literal_column("'failed'"))
    turns = or_(new.excluded.kind == literal_column("'thread'"), empty)
    statement = new.on_conflict_do_update(
        index_elements=["url"],
        set_={
            **{name: new.excluded[name] for name in ("state", "priority", "reason")},
            **{
                name: case((turns, new.excluded[name]), else_=pages.c[name])
                for name in ("kind", "list_url", "page_number")
            },
            "due": literal_column("0"),
            "tries": literal_column("0"),
            "failure": literal_column("NULL"),
            "failure_kind": literal_column("NULL"),
        },
        where=pages.c.state.in_([literal_column("'done'"), literal_column("'failed'")]),
    )
    return str(sql(statement, *_FOUND))


def _count(insert: Any, sql: Any) -> str:
    new = insert(counters)
    statement = new.on_conflict_do_update(
        index_elements=["forum_id", "name"], set_={"value": counters.c.value + new.excluded.value}
    )
    return str(sql(statement, "forum_id", "name", "value"))


def _promise(insert: Any, sql: Any) -> str:
    new = insert(promises)
    statement = new.on_conflict_do_update(
        index_elements=["forum_id", "subject", "place"],
        set_={"words": new.excluded.words, "number": new.excluded.number},
    )
    return str(sql(statement, "forum_id", "subject", "place", "words", "number"))


def _thread_url(insert: Any, sql: Any) -> str:
    new = insert(thread_urls)
    statement = new.on_conflict_do_update(index_elements=["url"], set_={"thread_id": new.excluded.thread_id})
    return str(sql(statement, "url", "thread_id"))


def _seen_thread(sql: Any) -> str:
    statement = (
        update(threads)
        .where(threads.c.id == bindparam("thread_id"))
        .values(
            url=bindparam("url"),
            title=func.coalesce(bindparam("title"), threads.c.title, bindparam("spare_title")),
            board_id=func.coalesce(bindparam("board_id", type_=Integer), threads.c.board_id),
            last_seen=bindparam("last_seen"),
            vanished=literal_column("NULL"),
        )
    )
    return str(sql(statement))


_ROW_FACTS = ("replies", "views", "last_time", "last_time_text", "last_author")


def _seen_row(sql: Any) -> str:
    """A row tells what is new in a thread; its title may be cut short, so the thread page's own one stays."""
    statement = (
        update(threads)
        .where(threads.c.id == bindparam("thread_id"))
        .values(
            title=func.coalesce(threads.c.title, bindparam("title")),
            author=func.coalesce(threads.c.author, bindparam("author")),
            board_id=func.coalesce(threads.c.board_id, bindparam("board_id", type_=Integer)),
            sticky=bindparam("sticky"),
            last_seen=bindparam("last_seen"),
            vanished=literal_column("NULL"),
            **{
                name: func.coalesce(bindparam(name, type_=threads.c[name].type), threads.c[name]) for name in _ROW_FACTS
            },
        )
    )
    return str(sql(statement))


def _this_post() -> ColumnElement[bool]:
    return and_(posts.c.thread_id == bindparam("thread_id"), posts.c.identity == bindparam("identity"))


def _read_since(sql: Any) -> str:
    """What was taken for posts of a page since some moment."""
    of_page = posts.c.thread_id == bindparam("thread_id"), posts.c.page_number == bindparam("page_number")
    return str(sql(select(posts.c.id, posts.c.identity).where(*of_page, posts.c.first_seen >= bindparam("since"))))


def _unnumbered(sql: Any) -> str:
    """Whether posts of a page were read without their ids."""
    of_page = posts.c.thread_id == bindparam("thread_id"), posts.c.page_number == bindparam("page_number")
    return str(sql(select(posts.c.id).where(*of_page, posts.c.post_id.is_(None))))


def _numbered(sql: Any) -> str:
    """Name a post by its id from now on that was kept under its words."""
    kept = posts.alias()
    held = select(kept.c.id).where(kept.c.thread_id == bindparam("thread_id"), kept.c.identity == bindparam("identity"))
    words = posts.c.thread_id == bindparam("thread_id"), posts.c.identity == bindparam("words")
    return str(
        sql(
            update(posts)
            .where(*words, ~held.exists())
            .values(identity=bindparam("identity"), post_id=bindparam("post_id"))
        )
    )


def _revision(insert: Any, sql: Any) -> str:
    """Before a post takes new words, its old ones go to the revisions."""
    old = select(
        posts.c.id,
        *(posts.c.text, posts.c.html, posts.c.edited, posts.c.content_hash, posts.c.fetched),
        bindparam("fetched", type_=posts.c.fetched.type),
    ).where(
        _this_post(),
        posts.c.content_hash != bindparam("content_hash"),
        posts.c.fetched <= bindparam("fetched", type_=posts.c.fetched.type),
    )
    columns = ["post", "text", "html", "edited", "content_hash", "last_seen", "replaced"]
    statement = insert(post_revisions).from_select(columns, old, include_defaults=False)
    return str(sql(statement))


def _post(insert: Any, sql: Any) -> str:
    """Upsert by identity: the newest words win; the place moves to an earlier page, or when its own page lost it.

    Outcomes may be saved in another order than they were fetched in, so every column asks which one is newer.
    """
    author = (
        select(authors.c.id)
        .where(
            authors.c.forum_id == bindparam("forum_id"),
            authors.c.name == bindparam("author_name"),
            authors.c.url == bindparam("author_url"),
        )
        .scalar_subquery()
    )
    new = insert(posts).values(
        {name: bindparam(name, type_=posts.c[name].type) for name in POST} | {"author_id": author}
    )
    newer = new.excluded.fetched >= posts.c.fetched
    earlier_page = new.excluded.page_number < posts.c.page_number
    same_page = and_(new.excluded.page_number == posts.c.page_number, newer)
    moves = or_(earlier_page, same_page, posts.c.displaced == literal_column("1"))
    # A relative time ("an hour ago") is most exact the first time it is read.
    again = and_(newer, bindparam("absolute", type_=Integer) == literal_column("1"))

    def latest(name: str) -> ColumnElement[Any]:
        return case((newer, new.excluded[name]), else_=posts.c[name])

    def settled(name: str) -> ColumnElement[Any]:
        old = func.coalesce(posts.c[name], new.excluded[name])
        return case((again, func.coalesce(new.excluded[name], posts.c[name])), else_=old)

    statement = new.on_conflict_do_update(
        index_elements=["thread_id", "identity"],
        set_={
            **{name: latest(name) for name in (*_POST_CONTENT, "fetched")},
            "author_id": case(
                (newer, func.coalesce(new.excluded.author_id, posts.c.author_id)), else_=posts.c.author_id
            ),
            **{name: settled(name) for name in ("published", "published_text")},
            **{
                name: case((moves, new.excluded[name]), else_=posts.c[name])
                for name in ("page_number", "index_on_page")
            },
            "displaced": case((moves, literal_column("0")), else_=posts.c.displaced),
            "vanished": literal_column("NULL"),
        },
    )
    return str(sql(statement))


def _displaced(sql: Any) -> str:
    statement = (
        update(posts)
        .where(
            posts.c.thread_id == bindparam("thread_id"),
            posts.c.page_number == bindparam("page_number"),
            posts.c.fetched < bindparam("fetched"),
            posts.c.displaced == literal_column("0"),
        )
        .values(displaced=literal_column("1"))
    )
    return str(sql(statement))


def _without(ids: Any) -> tuple[Any, ...]:
    """The steps that take posts away, with all that hangs on them."""
    return (
        delete(post_revisions).where(post_revisions.c.post.in_(ids)),
        delete(post_media).where(post_media.c.post.in_(ids)),
        delete(posts).where(posts.c.id.in_(ids)),
    )


def _merge(sql: Any) -> tuple[str, ...]:
    """Move the posts that are not there yet, all URLs and what index pages told; then the other thread goes. The places
    of posts there say nothing of theirs here."""
    other, known = bindparam("other", type_=threads.c.id.type), bindparam("known", type_=threads.c.id.type)
    gone = threads.alias("gone")
    there = select(posts.c.identity).where(posts.c.thread_id == known)
    doubled = select(posts.c.id).where(posts.c.thread_id == other)
    told = {
        name: func.coalesce(threads.c[name], select(gone.c[name]).where(gone.c.id == other).scalar_subquery())
        for name in ("board_id", "title", "author", *_ROW_FACTS)
    }
    moved = update(posts).where(posts.c.thread_id == other, posts.c.identity.not_in(there))
    steps = (
        moved.values(thread_id=known, displaced=literal_column("1")),
        *_without(doubled),
        update(thread_urls).where(thread_urls.c.thread_id == other).values(thread_id=known),
        update(threads).where(threads.c.id == known).values(told),
        delete(threads).where(threads.c.id == other),
    )
    return tuple(str(sql(step)) for step in steps)
