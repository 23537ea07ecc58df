"""What posts show and attach, as the archive knows it: which post which file, its address, type and size, or why not.

Posts are looked through after they were saved, so that nothing of it weighs on the crawl; two counters tell how far,
one over posts and one over their earlier wordings (an edited post gets one). They move in the transaction that writes
what was found: killed at any moment, no post is passed over. An edit that changes a picture and no word is not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, or_, select, update

from thrawl.archive.connect import Transaction
from thrawl.archive.statements import insert_for
from thrawl.archive.storable import fits, key_url, storable, storable_or_none
from thrawl.archive.tables import counters, media, post_media, post_revisions, posts, threads

_BATCH: Final = 1000  # posts looked through in one transaction
_POSTS: Final = "media:posts"
_REVISIONS: Final = "media:revisions"


class MediaRole(StrEnum):
    """What a file is to a post."""

    SHOWN = "shown"  # a picture in its text
    FULL = "full"  # the whole picture behind a smaller one
    ATTACHED = "attached"


class MediaState(StrEnum):
    PENDING = "pending"
    KEPT = "kept"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file that a post shows or attaches."""

    url: str
    role: MediaRole
    name: str | None = None


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file to fetch."""

    id: int
    url: str
    host: str
    shown: bool
    tries: int


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that was fetched and stands in the store."""

    sha256: str
    type: str
    bytes: int


@dataclass(frozen=True, slots=True)
class PostFile:
    """A file of a post as a reader shows it; without a digest it is missing, and `failure` says why."""

    post: int
    url: str
    role: MediaRole
    name: str | None
    state: MediaState
    sha256: str | None
    type: str | None
    bytes: int | None
    failure: str | None


Finder = Callable[[str, str], Iterable[Embedded]]


class Media:
    """The part of an archive that knows its files. Made by the archive itself."""

    def __init__(self, transaction: Transaction, reading: Transaction) -> None:
        self._transaction = transaction
        self._reading = reading

    def find(self, forum_id: int, finder: Finder) -> int:
        """Look the posts through that came or changed since the last time; how many were."""
        total = 0
        while True:
            with self._transaction() as connection:
                seen = _find_some(connection, forum_id, finder)
            total += seen
            if not seen:
                return total

    def wanted(self, forum_id: int, count: int, now: float, *, after: int, attachments: bool) -> list[WantedFile]:
        """The next files to ask for, in the order in which they were found."""
        due = and_(media.c.state != MediaState.KEPT.value, media.c.due <= now)
        tried = or_(media.c.state == MediaState.PENDING.value, media.c.due > 0)
        sorts = () if attachments else (media.c.shown == 1,)
        query = (
            select(media.c.id, media.c.url, media.c.host, media.c.shown, media.c.tries)
            .where(media.c.forum_id == forum_id, media.c.id > after, due, tried, *sorts)
            .order_by(media.c.id)
            .limit(count)
        )
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [WantedFile(row.id, row.url, row.host, bool(row.shown), row.tries) for row in rows]

    def keep(self, wanted: WantedFile, kept: KeptFile, moment: float, status: int) -> None:
        """A file was fetched; its bytes are in the store already."""
        values = {"state": MediaState.KEPT.value, "sha256": kept.sha256, "type": kept.type, "bytes": kept.bytes}
        self._settle(wanted, {**values, "status": status, "failure": None, "fetched": moment, "due": 0})

    def miss(self, wanted: WantedFile, failure: str, moment: float, *, status: int | None, due: float) -> None:
        """A file was asked for in vain; with a `due` time it is asked for again after it."""
        values = {"state": MediaState.MISSING.value, "failure": storable(failure), "status": status}
        self._settle(wanted, {**values, "fetched": moment, "due": due})

    def retry(self, forum_id: int) -> int:
        """Have all files asked for again that are missing; their number."""
        gone = (media.c.forum_id == forum_id, media.c.state == MediaState.MISSING.value)
        again = update(media).where(*gone).values(state=MediaState.PENDING.value, due=0, tries=0)
        with self._transaction() as connection:
            return connection.execute(again).rowcount

    def kept_bytes(self, forum_id: int) -> int:
        """Bytes of all files of a forum, each content once."""
        files = select(media.c.sha256, func.max(media.c.bytes).label("size")).where(media.c.forum_id == forum_id)
        each = files.where(media.c.sha256.is_not(None)).group_by(media.c.sha256).subquery()
        with self._reading() as connection:
            return int(connection.execute(select(func.coalesce(func.sum(each.c.size), 0))).scalar_one())

    def counts(self) -> dict[MediaState, int]:
        with self._reading() as connection:
            rows = connection.execute(select(media.c.state, func.count()).group_by(media.c.state))
            return {MediaState(state): number for state, number in rows}

    def failures(self, limit: int = 10) -> list[tuple[str, int]]:
        """The commonest reasons why files are missing."""
        gone = media.c.state == MediaState.MISSING.value
        number = func.count()
        query = select(media.c.failure, number).where(gone).group_by(media.c.failure).order_by(number.desc())
        with self._reading() as connection:
            return [(row[0], int(row[1])) for row in connection.execute(query.limit(limit))]

    def _settle(self, wanted: WantedFile, values: dict[str, Any]) -> None:
        with self._transaction() as connection:
            row = update(media).where(media.c.id == wanted.id)
            connection.execute(row.values(tries=media.c.tries + 1, **values))


def files_of(connection: Connection, post_ids: Sequence[int]) -> list[PostFile]:
    """The files of these posts."""
    return [
        PostFile(
            row.post, row.url, MediaRole(row.role), row.name, MediaState(row.state),
            row.sha256, row.type, row.bytes, row.failure,
        )
        for row in connection.execute(_of_posts(), {"posts": list(post_ids)})
    ]  # fmt: skip


@cache
def _of_posts() -> Select[Any]:
    return (
        select(
            *(post_media.c.post, media.c.url, post_media.c.role, post_media.c.name, media.c.state, media.c.sha256),
            *(media.c.type, media.c.bytes, media.c.failure),
        )
        .join(media, media.c.id == post_media.c.media_id)
        .where(post_media.c.post.in_(bindparam("posts", expanding=True)))
        .order_by(post_media.c.post, media.c.id)
    )


def file_named(connection: Connection, digest: str) -> tuple[str | None, str | None]:
    """The type of a kept file, and a name that some post gives it."""
    query = (
        select(media.c.type, post_media.c.name)
        .outerjoin(post_media, post_media.c.media_id == media.c.id)
        .where(media.c.sha256 == digest)
        .order_by(post_media.c.name.nulls_last())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return (None, None) if row is None else (row.type, row.name)


def _find_some(connection: Connection, forum_id: int, finder: Finder) -> int:
    """Look through the next posts and the next edits; their number."""
    new, newest = _next(connection, forum_id, _POSTS, posts.c.id, posts.c.id)
    edited, latest = _next(connection, forum_id, _REVISIONS, post_revisions.c.id, post_revisions.c.post)
    ids = {*new, *edited}
    if not ids:
        return 0
    rows = (
        select(posts.c.id, posts.c.html, threads.c.url, threads.c.forum_id)
        .join(threads, threads.c.id == posts.c.thread_id)
        .order_by(posts.c.id)
    )
    # the new ones are a range: to name a thousand of them takes longer than to read them
    fresh = connection.execute(rows.where(posts.c.id.between(new[0], new[-1]))).all() if new else []
    others = sorted(ids.difference(new))
    again = connection.execute(rows.where(posts.c.id.in_(others))).all() if others else []
    found = [
        (number, one)
        for number, html, url, forum in (*again, *fresh)
        if forum == forum_id
        for one in finder(html, url)
        if fits(one.url)
    ]
    if edited:
        connection.execute(delete(post_media).where(post_media.c.post.in_(edited)))
    _write(connection, forum_id, found)
    _move(connection, forum_id, _POSTS, newest)
    _move(connection, forum_id, _REVISIONS, latest)
    return len(ids)


def _next(connection: Connection, forum_id: int, counter: str, mark: Any, post: Any) -> tuple[list[int], int | None]:
    """The posts after a counter, and where it stands then."""
    stands = select(counters.c.value).where(counters.c.forum_id == forum_id, counters.c.name == counter)
    before = connection.execute(stands).scalar_one_or_none() or 0
    rows = connection.execute(select(mark, post).where(mark > before).order_by(mark).limit(_BATCH)).all()
    return [row[1] for row in rows], (rows[-1][0] if rows else None)


def _move(connection: Connection, forum_id: int, counter: str, value: int | None) -> None:
    if value is None:
        return
    new = insert_for(connection.dialect.name)(counters).values(forum_id=forum_id, name=counter, value=value)
    connection.execute(
        new.on_conflict_do_update(index_elements=["forum_id", "name"], set_={"value": new.excluded.value})
    )


def _write(connection: Connection, forum_id: int, found: Sequence[tuple[int, Embedded]]) -> None:
    insert = insert_for(connection.dialect.name)
    shown = {key_url(one.url) for _, one in found if one.role is not MediaRole.ATTACHED}
    files: list[dict[str, Any]] = [
        {
            "forum_id": forum_id,
            "url": url,
            "host": storable(urlsplit(url).hostname or ""),
            "shown": int(url in shown),
            "state": MediaState.PENDING.value,
        }
        for url in dict.fromkeys(key_url(one.url) for _, one in found)
    ]
    if not files:
        return
    new = insert(media)
    seen = new.on_conflict_do_update(
        index_elements=["url"], set_={"shown": new.excluded.shown}, where=new.excluded.shown > media.c.shown
    )
    connection.execute(seen, files)
    ids = dict(_ids(connection, [file["url"] for file in files]))
    links = [
        {"post": post, "media_id": ids[key_url(one.url)], "role": one.role.value, "name": storable_or_none(one.name)}
        for post, one in found
    ]
    connection.execute(insert(post_media).on_conflict_do_nothing(), links)


def _ids(connection: Connection, urls: Sequence[str]) -> Iterator[tuple[str, int]]:
    for begin in range(0, len(urls), _BATCH):
        query = select(media.c.url, media.c.id).where(media.c.url.in_(urls[begin : begin + _BATCH]))
        yield from ((row.url, row.id) for row in connection.execute(query))
