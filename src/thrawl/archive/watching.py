"""What a watch reads from an archive when it begins and after each page, and what it leaves there: its schedule.

A watch that is killed begins again from these figures: what is held, what rows showed, what waits in the frontier, when
each list was looked at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, update

from thrawl.archive.statements import insert_for
from thrawl.archive.storable import key_url, storable
from thrawl.archive.store import Archive
from thrawl.archive.tables import board_rows, boards, pages, posts, schedule, thread_urls, threads, visits, watches
from thrawl.archive.values import (
    FailureClass,
    FailureKind,
    PageState,
    StoredPost,
    from_seconds,
    from_shown,
)
from thrawl.page.pagekind import PageKind

HOUR: Final = 3600
UPDATE_MARK: Final = "update: "  # how the reason begins of every page that was asked for to find what is new
_THREAD_PAGES: Final = (PageKind.THREAD.value, PageKind.THREAD_FLIP.value)
_INDEX_PAGES: Final = (PageKind.ENTRY.value, PageKind.INDEX.value, PageKind.INDEX_FLIP.value)
_FOR_GOOD: Final = [kind.value for kind in FailureKind if kind.failure_class is FailureClass.FOR_GOOD]
_AUDIT_STEP: Final = 5000  # pages among which one is looked for at a time: a table may have gaps of other kinds


@dataclass(frozen=True, slots=True)
class IndexList:
    """A list of threads: its address, when its head was fetched last, how many threads that showed, and its rank."""

    url: str
    fetched: float
    threads: int
    priority: int
    is_entry: bool


@dataclass(frozen=True, slots=True)
class HeldPost:
    """A post as a schedule needs it. `board` is the address of its thread's board; times are seconds."""

    board: str | None
    thread: int
    time: int


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A thread, and what rows told of it when they were last read."""

    thread: int
    url: str
    posts: int | None
    last_time: int | None
    fetched: float


@dataclass(frozen=True, slots=True)
class Planned:
    """A list's next visit."""

    kind: str
    url: str
    looked: float
    due: float | None
    why: str


@dataclass(frozen=True, slots=True)
class Spent:
    """The requests of an hour for one kind of page, those that brought something, and the posts that they brought."""

    hour: int
    kind: str
    requests: int
    useful: int
    posts: int


class Watching:
    """The part of an archive that belongs to the watch of one forum."""

    def __init__(self, archive: Archive, forum_id: int) -> None:
        self._archive = archive
        self._forum_id = forum_id

    # --- when a watch begins

    def index_lists(self) -> list[IndexList]:
        """All lists of threads, in the order in which they were found."""
        heads = (
            pages.c.kind.in_([PageKind.ENTRY.value, PageKind.INDEX.value]),
            # one that failed for the moment, or for a wall, is a board all the same
            or_(pages.c.state != PageState.FAILED.value, pages.c.failure_kind.not_in(_FOR_GOOD)),
            pages.c.forum_id == self._forum_id,
            pages.c.fetched.is_not(None),
        )
        columns = (pages.c.url, pages.c.list_url, pages.c.fetched, pages.c.records, pages.c.priority, pages.c.kind)
        query = select(*columns).where(*heads).order_by(pages.c.id)
        with self._archive.access.reading() as connection:
            rows = connection.execute(query).all()
        return [
            IndexList(row.list_url or row.url, row.fetched, row.records or 0, row.priority, row.kind == PageKind.ENTRY)
            for row in rows
        ]

    def held_posts(self) -> list[HeldPost]:
        """Every post by time; one that shows none is taken to be as old as the first look at it."""
        query = (
            select(boards.c.url, posts.c.thread_id, posts.c.published, posts.c.first_seen)
            .join(threads, threads.c.id == posts.c.thread_id)
            .outerjoin(boards, boards.c.id == threads.c.board_id)
            .where(threads.c.forum_id == self._forum_id, posts.c.vanished.is_(None))
        )
        with self._archive.access.streaming() as (connection, _):
            held = [HeldPost(url, thread, _time(shown, seen)) for url, thread, shown, seen in connection.execute(query)]
        return sorted(held, key=lambda post: post.time)

    def held_rows(self) -> list[HeldRow]:
        """Every thread with what its row showed last."""
        fetched = (
            select(pages.c.list_url, func.max(pages.c.fetched).label("fetched"))
            .where(pages.c.kind.in_(_THREAD_PAGES), pages.c.forum_id == self._forum_id)
            .group_by(pages.c.list_url)
            .subquery()
        )
        query = (
            select(threads.c.id, threads.c.url, threads.c.replies, threads.c.last_time, fetched.c.fetched)
            .outerjoin(fetched, fetched.c.list_url == threads.c.url)
            .where(threads.c.forum_id == self._forum_id, threads.c.vanished.is_(None))
        )
        with self._archive.access.streaming() as (connection, _):
            return [_held_row(*row) for row in connection.execute(query)]

    def waiting(self, now: float) -> list[tuple[PageKind, str, int]]:
        """What the frontier holds: kind, list and page of every page that is still to fetch.

        Those count that an update asked for and that showed a wall or the like: it is time to look at them again.
        """
        still_open = pages.c.state.in_([PageState.PENDING.value, PageState.LEASED.value])
        failed = (pages.c.state == PageState.FAILED.value, pages.c.due > 0, pages.c.due <= now)
        asked = pages.c.reason.startswith(UPDATE_MARK, autoescape=True)
        query = select(pages.c.kind, pages.c.list_url, pages.c.url, pages.c.page_number).where(
            or_(still_open, and_(*failed, asked)), pages.c.forum_id == self._forum_id
        )
        with self._archive.access.reading() as connection:
            found = connection.execute(query).all()
        return [(PageKind(row.kind), row.list_url or row.url, row.page_number) for row in found]

    def seen_since(self, moment: float) -> list[int]:
        """Threads of which a row or a page was read at this moment or later."""
        query = select(threads.c.id).where(threads.c.forum_id == self._forum_id, threads.c.last_seen >= moment)
        with self._archive.access.reading() as connection:
            return [row.id for row in connection.execute(query)]

    def page_sizes(self) -> tuple[int | None, int | None]:
        """How many threads and how many posts a full page has: what pages that are not the last have most often."""
        with self._archive.access.reading() as connection:
            return self._size(connection, _INDEX_PAGES), self._size(connection, _THREAD_PAGES)

    def _size(self, connection: Connection, kinds: Iterable[str]) -> int | None:
        full = (pages.c.kind.in_(tuple(kinds)), pages.c.last_page > pages.c.page_number, pages.c.records > 0)
        query = select(pages.c.records, func.count()).where(*full, pages.c.forum_id == self._forum_id)
        found = Counter({row[0]: row[1] for row in connection.execute(query.group_by(pages.c.records))})
        return found.most_common(1)[0][0] if found else None

    # --- what a watch remembers

    def state(self) -> dict[str, Any]:
        with self._archive.access.reading() as connection:
            found = connection.execute(select(watches.c.state).where(watches.c.forum_id == self._forum_id)).scalar()
        known = json.loads(found) if found else {}
        return known if isinstance(known, dict) else {}

    def remember(
        self,
        state: Mapping[str, Any],
        planned: Iterable[Planned] = (),
        spent: Spent | None = None,
        rows: Mapping[str, tuple[int | None, int | None]] | None = None,
    ) -> None:
        """Keep the state, the next visits, what was spent and what the entry page showed, in one transaction."""
        insert = insert_for(self._archive.access.connection.dialect.name)
        mine = {"forum_id": self._forum_id}
        with self._archive.access.transaction() as connection:
            _put(connection, insert, watches, ("forum_id",), [{**mine, "state": json.dumps(state)}])
            plans = [
                {**mine, "kind": one.kind, "url": key_url(one.url), "looked": one.looked, "due": one.due,
                 "why": storable(one.why)}
                for one in planned
            ]  # fmt: skip
            _put(connection, insert, schedule, ("forum_id", "kind", "url"), plans)
            shown = [
                {**mine, "url": key_url(url), "posts": number, "last_time": time}
                for url, (number, time) in (rows or {}).items()
            ]
            _put(connection, insert, board_rows, ("forum_id", "url"), shown)
            if spent is not None:
                _add(connection, insert, {**mine, "hour": spent.hour, "kind": spent.kind}, spent)

    def board_rows(self) -> dict[str, tuple[int | None, int | None]]:
        query = select(board_rows).where(board_rows.c.forum_id == self._forum_id)
        with self._archive.access.reading() as connection:
            return {row.url: (row.posts, row.last_time) for row in connection.execute(query)}

    def planned(self) -> list[Planned]:
        """The next visits, the soonest first."""
        query = select(schedule).where(schedule.c.forum_id == self._forum_id).order_by(schedule.c.due, schedule.c.url)
        with self._archive.access.reading() as connection:
            return [Planned(row.kind, row.url, row.looked, row.due, row.why) for row in connection.execute(query)]

    def spent(self, since: float) -> list[Spent]:
        query = select(visits).where(visits.c.forum_id == self._forum_id, visits.c.hour >= int(since) // HOUR)
        with self._archive.access.reading() as connection:
            found = connection.execute(query.order_by(visits.c.hour, visits.c.kind))
            return [Spent(row.hour, row.kind, row.requests, row.useful, row.posts) for row in found]

    def arrivals(self, since: float) -> list[tuple[float, float | None]]:
        """Posts seen first since then: when, and when they were made as far as that is known."""
        query = (
            select(posts.c.first_seen, posts.c.published)
            .join(threads, threads.c.id == posts.c.thread_id)
            .where(threads.c.forum_id == self._forum_id, posts.c.first_seen >= since)
            .order_by(posts.c.first_seen)
        )
        with self._archive.access.streaming() as (connection, _):
            return [
                (row.first_seen, _time(row.published, row.first_seen) if row.published else None)
                for row in connection.execute(query)
            ]

    def threads_since(self, since: float) -> int:
        """How many threads were seen first since then."""
        new = (threads.c.forum_id == self._forum_id, threads.c.first_seen >= since)
        with self._archive.access.reading() as connection:
            return connection.execute(select(func.count()).where(*new)).scalar() or 0

    def posts_by_board(self, since: float) -> list[tuple[str, int]]:
        """How many posts each board got since then, the busiest first; to the day, as times may lack a zone."""
        number = func.count().label("number")
        query = (
            select(boards.c.url, number)
            .join(threads, threads.c.board_id == boards.c.id)
            .join(posts, posts.c.thread_id == threads.c.id)
            .where(threads.c.forum_id == self._forum_id, posts.c.vanished.is_(None))
            .where(posts.c.published >= from_seconds(since).date().isoformat())
            .group_by(boards.c.url)
            .order_by(number.desc(), boards.c.url)
        )
        with self._archive.access.reading() as connection:
            return [(row.url, row.number) for row in connection.execute(query)]

    # --- after a page

    def thread_id(self, url: str) -> int | None:
        found = self._archive.access.answer(self._archive._statements.thread_id, url)
        return None if found is None else int(found[0])

    def new_posts(self, thread: int, fetched: datetime) -> list[tuple[int, int]]:
        """The posts of a thread that were first seen on the page fetched at this very moment: their ids and times."""
        query = (
            select(posts.c.id, posts.c.published, posts.c.first_seen)
            .where(posts.c.thread_id == thread, posts.c.first_seen == self._archive.clock.seconds(fetched))
            .order_by(posts.c.page_number, posts.c.index_on_page)
        )
        with self._archive.access.reading() as connection:
            return [(row.id, _time(row.published, row.first_seen)) for row in connection.execute(query)]

    def end_thread(self, list_url: str, reasons: Iterable[str]) -> None:
        """The last page of a thread was read: pages of it that wait for these reasons and were had before are done."""
        self._end(pages.c.list_url == key_url(list_url), reasons)

    def end_held(self, ids: Iterable[int], reasons: Iterable[str]) -> None:
        """The same of those threads of which the archive holds all posts that their rows count."""
        held = select(func.count()).where(posts.c.thread_id == threads.c.id, posts.c.vanished.is_(None))
        whole = select(threads.c.url).where(
            threads.c.id.in_(list(ids)), func.coalesce(threads.c.replies, 0) < held.scalar_subquery()
        )
        self._end(pages.c.list_url.in_(whole), reasons)

    def _end(self, which: ColumnElement[bool], reasons: Iterable[str]) -> None:
        waiting = (pages.c.state == PageState.PENDING.value, pages.c.reason.in_(list(reasons)))
        with self._archive.access.transaction() as connection:
            done = update(pages).where(which, *waiting, pages.c.body_hash.is_not(None))
            connection.execute(done.values(state=PageState.DONE.value))

    def stored(self, thread: int, ids: Iterable[int]) -> list[StoredPost]:
        """These posts of a thread, as the archive tells them."""
        wanted = set(ids)
        return [post for post in self._archive.posts(thread_id=thread) if post.id in wanted]

    def lost_posts(self, thread: int, page: int) -> bool:
        """Whether a page was fetched again without a post that it had."""
        query = select(posts.c.id).where(
            posts.c.thread_id == thread,
            posts.c.page_number == page,
            posts.c.displaced == 1,
            posts.c.vanished.is_(None),
        )
        with self._archive.access.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def any_thread_page(self, draw: Random) -> tuple[str, str, int, PageKind] | None:
        """A thread page that was fetched, drawn at random: its address, its list, its number and its kind."""
        with self._archive.access.reading() as connection:
            most = connection.execute(select(func.max(pages.c.id))).scalar() or 0
            start = draw.randint(1, max(most, 1))
            fetched = (
                pages.c.forum_id == self._forum_id,
                pages.c.kind.in_(_THREAD_PAGES),
                pages.c.state == PageState.DONE.value,
            )
            near = pages.c.id.between(start, start + _AUDIT_STEP)
            query = select(pages.c.url, pages.c.list_url, pages.c.page_number, pages.c.kind).where(*fetched, near)
            row = connection.execute(query.order_by(pages.c.id).limit(1)).one_or_none()
        return None if row is None else (row.url, row.list_url or row.url, row.page_number, PageKind(row.kind))

    def thread_urls(self, ids: Iterable[int]) -> dict[int, str]:
        query = select(threads.c.id, threads.c.url).where(threads.c.id.in_(list(ids)))
        with self._archive.access.reading() as connection:
            return {row.id: row.url for row in connection.execute(query)}

    def thread_ids(self, urls: Iterable[str]) -> dict[str, int]:
        named = {key_url(url): url for url in urls}
        query = select(thread_urls.c.url, thread_urls.c.thread_id).where(thread_urls.c.url.in_(list(named)))
        with self._archive.access.reading() as connection:
            return {named[row.url]: row.thread_id for row in connection.execute(query)}


def _put(connection: Connection, insert: Any, table: Any, keys: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    new = insert(table)
    taken = {column.name: new.excluded[column.name] for column in table.c if column.name not in keys}
    connection.execute(new.on_conflict_do_update(index_elements=list(keys), set_=taken), rows)


def _add(connection: Connection, insert: Any, key: dict[str, Any], spent: Spent) -> None:
    figures = {"requests": spent.requests, "useful": spent.useful, "posts": spent.posts}
    new = insert(visits)
    added = {name: visits.c[name] + new.excluded[name] for name in figures}
    statement = new.on_conflict_do_update(index_elements=["forum_id", "hour", "kind"], set_=added)
    connection.execute(statement, [{**key, **figures}])


def _held_row(thread: int, url: str, replies: int | None, last_time: str | None, fetched: float | None) -> HeldRow:
    posts_told = None if replies is None else replies + 1
    return HeldRow(thread, url, posts_told, None if last_time is None else _time(last_time, 0.0), fetched or 0.0)


def _time(shown: str | None, seen: float) -> int:
    """Seconds of a shown time; without a zone it is taken as UTC, as everywhere in a schedule."""
    moment = from_shown(shown)
    if moment is None:
        return int(seen)
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
