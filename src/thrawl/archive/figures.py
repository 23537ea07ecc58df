"""An archive in numbers that take a look at all of it: by board, by time, and how much is still to fetch.

Too slow for every page on a large archive, so that the server takes them now and then (web/cached.py). What is still to
fetch is estimated from promises: the pages that pagers name, and the posts that rows tell of.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, and_, case, func, literal_column, select

from thrawl.archive.tables import pages, posts, refusals, threads
from thrawl.archive.values import PageState, from_seconds, from_shown, to_seconds, to_shown
from thrawl.page.pagekind import PageKind

_EXAMPLES: Final = 3
_REASONS: Final = 20
_INDEX: Final = (PageKind.ENTRY.value, PageKind.INDEX.value, PageKind.INDEX_FLIP.value)
_THREAD: Final = (PageKind.THREAD.value, PageKind.THREAD_FLIP.value)
_OPEN: Final = (PageState.PENDING.value, PageState.LEASED.value)


@dataclass(frozen=True, slots=True)
class BoardFigures:
    """Of one board: its threads, how many of them have posts, its posts, and what rows promise of which kept."""

    threads: int
    read: int
    posts: int
    promised: int
    kept: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why pages were not fetched, how many, and some of them."""

    reason: str
    number: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Activity:
    """Posts by month, by hour of the day and by weekday (Monday is 0), as the site shows its times."""

    months: tuple[tuple[str, int], ...]
    hours: tuple[int, ...]
    weekdays: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Delays:
    """Seconds from a post's own time to its archiving, of the posts that came after the crawl had begun."""

    posts: int
    median: float
    p90: float


def by_board(connection: Connection) -> dict[int | None, BoardFigures]:
    """Of every board; None stands for threads whose board is not known."""
    kept = select(posts.c.thread_id, func.count().label("kept")).group_by(posts.c.thread_id).subquery()
    number = func.coalesce(kept.c.kept, 0)
    shown = threads.c.replies.is_not(None)
    query = (
        select(
            threads.c.board_id,
            func.count(),
            func.sum(case((number > 0, 1), else_=0)),
            func.sum(number),
            func.sum(case((shown, threads.c.replies + 1), else_=0)),
            func.sum(case((shown, number), else_=0)),
        )
        .outerjoin(kept, kept.c.thread_id == threads.c.id)
        .group_by(threads.c.board_id)
    )
    return {row[0]: BoardFigures(*(int(value or 0) for value in row[1:])) for row in connection.execute(query)}


def failures(connection: Connection) -> list[Reason]:
    """Why pages failed, the commonest reason first."""
    failed = and_(pages.c.kind.in_([kind.value for kind in PageKind]), pages.c.state == PageState.FAILED.value)
    number = func.count()
    query = select(pages.c.failure, number).where(failed).group_by(pages.c.failure).order_by(number.desc())
    found = connection.execute(query.limit(_REASONS)).all()
    return [
        Reason(
            reason or "no reason on record",
            int(count),
            tuple(
                row.url
                for row in connection.execute(
                    select(pages.c.url).where(failed, pages.c.failure == reason).limit(_EXAMPLES)
                )
            ),
        )
        for reason, count in found
    ]


def refused(connection: Connection) -> list[Reason]:
    """Why addresses were not followed, the commonest reason first; each line stands for one pattern."""
    number = func.count()
    query = select(refusals.c.reason, number).group_by(refusals.c.reason).order_by(number.desc()).limit(_REASONS)
    return [
        Reason(
            reason,
            int(count),
            tuple(
                row.sample
                for row in connection.execute(
                    select(refusals.c.sample).where(refusals.c.reason == reason).limit(_EXAMPLES)
                )
            ),
        )
        for reason, count in connection.execute(query).all()
    ]


def pages_left(connection: Connection, forum_id: int) -> int:
    """How many pages are still to fetch, those included that nothing links yet: an estimate.

    Where nothing waits the crawl is over: what it left out, it left out on purpose.
    """
    ours = pages.c.forum_id == forum_id
    waiting = _count(connection, pages, ours, pages.c.state.in_(_OPEN))
    if not waiting:
        return 0
    index_pages = max(_count(connection, pages, ours, pages.c.kind.in_(_INDEX), pages.c.state == "done"), 1)
    rows = _count(connection, threads, threads.c.forum_id == forum_id)
    unread = func.max(pages.c.last_page) - func.count()
    lists = (
        select(unread.label("unread"))
        .where(ours, pages.c.kind.in_(_INDEX), pages.c.list_url.is_not(None))
        .group_by(pages.c.list_url)
        .having(unread > 0)
        .subquery()
    )
    unseen = int(connection.execute(select(func.coalesce(func.sum(lists.c.unread), 0))).scalar_one())
    further = _further_pages(connection, forum_id)
    new_threads = unseen * rows / index_pages
    return round(waiting + further + unseen + new_threads * (1 + further / max(rows, 1)))


def _further_pages(connection: Connection, forum_id: int) -> int:
    """Pages of threads of which nothing was fetched yet, beyond the first page of each."""
    thread_page = and_(pages.c.forum_id == forum_id, pages.c.kind.in_(_THREAD), pages.c.state == "done")
    size = connection.execute(select(func.max(pages.c.records)).where(thread_page)).scalar_one()
    if not size:
        return 0
    unread = ~select(posts.c.id).where(posts.c.thread_id == threads.c.id).exists()
    more = func.sum(threads.c.replies / literal_column(str(int(size))))
    query = select(more).where(threads.c.forum_id == forum_id, threads.c.replies >= size, unread)
    return int(connection.execute(query).scalar_one() or 0)


def activity(connection: Connection) -> Activity:
    """When people wrote."""
    month = func.substr(posts.c.published, 1, 7)
    day = func.substr(posts.c.published, 1, 10)
    shown = posts.c.published.is_not(None)
    months = connection.execute(select(month, func.count()).where(shown).group_by(month).order_by(month)).all()
    hour = func.substr(posts.c.published, 12, 2)
    hours = dict(_pairs(connection, select(hour, func.count()).where(shown).group_by(hour)))
    weekdays = [0] * 7
    for text, number in _pairs(connection, select(day, func.count()).where(shown).group_by(day)):
        weekdays[_weekday(text)] += number
    found = tuple((str(name), int(number)) for name, number in months)
    return Activity(found, tuple(hours.get(f"{number:02}", 0) for number in range(24)), tuple(weekdays))


def delays(connection: Connection, *, most: int = 20_000) -> Delays | None:
    """How long new posts waited; None where none came since the crawl began."""
    began = connection.execute(select(func.min(pages.c.fetched))).scalar_one()
    if began is None:
        return None
    later = posts.c.published > to_shown(from_seconds(began))
    query = select(posts.c.published, posts.c.first_seen).where(later).order_by(posts.c.published.desc()).limit(most)
    waited = sorted(
        row.first_seen - to_seconds(moment)
        for row in connection.execute(query)
        if (moment := from_shown(row.published)) is not None and moment.tzinfo is not None
    )
    if not waited:
        return None
    return Delays(len(waited), waited[len(waited) // 2], waited[len(waited) * 9 // 10])


def _count(connection: Connection, table: Any, *wanted: Any) -> int:
    return int(connection.execute(select(func.count()).select_from(table).where(*wanted)).scalar_one())


def _pairs(connection: Connection, query: Any) -> list[tuple[str, int]]:
    return [(str(name), int(number)) for name, number in connection.execute(query)]


def _weekday(day: str) -> int:
    return date.fromisoformat(day).weekday()
