"""The frontier: which page comes next. It lives in the `pages` table, so no crawl is too large for memory.

Pages are given out by priority (what lists more comes first) and then in the order of finding: breadth first.
A page given out is leased; a lease that is not answered ends, and none outlives its process.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields
from functools import cache
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, and_, func, literal_column, or_, select, text, update

from thrawl.archive.identity import content_hash
from thrawl.archive.statements import dialect_for
from thrawl.archive.storable import key_url, pattern_of, storable
from thrawl.archive.tables import pages, posts, refusals, thread_urls, threads
from thrawl.archive.values import FailureKind, PageState, PendingPage, to_shown
from thrawl.limits import LEASE_SECONDS, LOOK_AGAIN_SECONDS
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import PostRecord

# Written out, since the index of pending pages serves no query whose state is a parameter.
_PENDING = pages.c.state == literal_column("'pending'")
_MOST_REFUSED: Final = 500  # addresses that are named
_LEASED: Final = tuple(field.name for field in fields(PendingPage))
_urgency = itemgetter(_LEASED.index("priority"), -1)


def lease(connection: Connection, count: int, now: float, forum_id: int | None) -> list[PendingPage]:
    """Take up to that many pages that are due, the most urgent first."""
    statement = lease_statement(connection.dialect.name, one_forum=forum_id is not None)
    values = {"count": count, "now": now, "until": now + LEASE_SECONDS, "forum_id": forum_id}
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(statement, values)
        rows = sorted(cursor.fetchall(), key=_urgency)
    return [_pending(row) for row in rows]


def lease_one(connection: Connection, url: str, now: float) -> PendingPage | None:
    """Take this very page, whatever else waits."""
    columns = [pages.c[name] for name in _LEASED]
    taken = (
        update(pages).where(pages.c.url == key_url(url)).values(state=PageState.LEASED.value, due=now + LEASE_SECONDS)
    )
    row = connection.execute(taken.returning(*columns, pages.c.id)).one_or_none()
    return None if row is None else _pending(tuple(row))


@cache
def lease_statement(database: str, *, one_forum: bool) -> str:
    """Asked for after every few pages, so the driver gets it as it stands."""
    ours = "AND forum_id = :forum_id" if one_forum else ""
    statement = f"""UPDATE pages SET state = 'leased', due = :until WHERE id IN (
        SELECT id FROM pages WHERE state = 'pending' AND due <= :now {ours} ORDER BY priority, id LIMIT :count
    ) RETURNING {", ".join(_LEASED)}, id"""
    return str(text(statement).compile(dialect=dialect_for(database)))


def end_leases(connection: Connection, now: float | None = None) -> int:
    """Make leased pages pending again: those whose time is over, or all of them after a crash."""
    over = [pages.c.kind.in_([kind.value for kind in PageKind]), pages.c.state == PageState.LEASED.value]
    if now is not None:
        over.append(pages.c.due < now)
    return connection.execute(update(pages).where(*over).values(state=PageState.PENDING.value, due=0)).rowcount


def release(connection: Connection, urls: Sequence[str]) -> None:
    """Give leased pages back unfetched, as an interrupted crawl does."""
    held = and_(pages.c.url.in_([key_url(url) for url in urls]), pages.c.state == PageState.LEASED.value)
    connection.execute(update(pages).where(held).values(state=PageState.PENDING.value, due=0))


def mark_failed(connection: Connection, url: str, reason: str, retry_at: float | None) -> None:
    state = PageState.FAILED if retry_at is None else PageState.PENDING
    values = {"state": state.value, "failure": storable(reason), "due": retry_at or 0, "tries": pages.c.tries + 1}
    connection.execute(update(pages).where(pages.c.url == key_url(url)).values(values))


def retry_failed(connection: Connection, forum_id: int, now: float, kinds: Sequence[FailureKind]) -> int:
    """Make failed pages pending again: those whose time has come, and all of these kinds.

    A time later than any that is ever set comes from a clock that was set back since: such pages are due, too.
    """
    never = now + LOOK_AGAIN_SECONDS + LEASE_SECONDS
    known = (pages.c.kind.in_([kind.value for kind in PageKind]), pages.c.forum_id == forum_id, pages.c.due > never)
    connection.execute(update(pages).where(*known, pages.c.state == PageState.PENDING.value).values(due=0))
    named = pages.c.failure_kind.in_([kind.value for kind in kinds])
    due = or_(and_(pages.c.due > 0, pages.c.due <= now), pages.c.due > never)
    failed = (pages.c.kind.in_([kind.value for kind in PageKind]), pages.c.state == PageState.FAILED.value)
    again = update(pages).where(*failed, pages.c.forum_id == forum_id, or_(due, named))
    return connection.execute(again.values(state=PageState.PENDING.value, due=0, tries=0)).rowcount


def waiting(connection: Connection, forum_id: int) -> int:
    """How many pages of a forum are still to fetch."""
    open_states = pages.c.state.in_([PageState.PENDING.value, PageState.LEASED.value])
    named = pages.c.kind.in_([kind.value for kind in PageKind])
    query = select(func.count()).select_from(pages).where(named, open_states, pages.c.forum_id == forum_id)
    return int(connection.execute(query).scalar_one())


def next_due(connection: Connection, forum_id: int | None = None) -> float | None:
    """When the earliest pending page may be fetched; None when nothing is pending."""
    ours = (_PENDING,) if forum_id is None else (_PENDING, pages.c.forum_id == forum_id)
    # Most often the first page in the queue waits for nothing, and the rest need not be looked at.
    if connection.execute(select(pages.c.id).where(*ours, pages.c.due == 0).limit(1)).one_or_none():
        return 0.0
    query = select(func.min(pages.c.due)).where(*ours)
    found: float | None = connection.execute(query).scalar_one()
    return found


def counts(connection: Connection) -> tuple[tuple[PageKind, PageState, int], ...]:
    query = select(pages.c.kind, pages.c.state, func.count()).group_by(pages.c.kind, pages.c.state)
    found = ((PageKind(kind), PageState(state), number) for kind, state, number in connection.execute(query))
    return tuple(sorted(found, key=lambda item: (item[0].priority, item[1])))


def forum_of(connection: Connection, url: str) -> int | None:
    """The forum that a page belongs to."""
    found = connection.execute(select(pages.c.forum_id).where(pages.c.url == key_url(url))).scalar_one_or_none()
    return None if found is None else int(found)


def has_digest(connection: Connection, digest: str) -> bool:
    """Whether some page has this digest of its posts."""
    return connection.execute(select(pages.c.id).where(pages.c.digest == digest).limit(1)).first() is not None


def other_holder(
    connection: Connection, forum_id: int, url: str, title: str | None, shown: Sequence[PostRecord]
) -> str | None:
    """Another thread than that of a URL that holds all of some posts, by their times and words, under their title."""
    own = connection.execute(select(thread_urls.c.thread_id).where(thread_urls.c.url == key_url(url))).scalar()
    found: dict[int, str] | None = None
    for post in shown:
        same = and_(posts.c.published == to_shown(post.published), posts.c.content_hash == content_hash(post))
        query = select(threads.c.id, threads.c.url).join(posts, posts.c.thread_id == threads.c.id)
        named = [threads.c.title == storable(title)] if title else []
        rows = connection.execute(query.where(same, threads.c.forum_id == forum_id, *named))
        held = {int(number): str(address) for number, address in rows if number != own}
        found = held if found is None else {number: at for number, at in found.items() if number in held}
    return next(iter(found.values()), None) if found else None


def why(connection: Connection, url: str) -> str | None:
    """The reason on record for following or refusing a URL; None when it was never met."""
    return _why_followed(connection, url) or _why_refused(connection, url)


def _why_followed(connection: Connection, url: str) -> str | None:
    finder = pages.alias("finder")
    query = (
        select(pages, finder.c.url.label("finder"))
        .outerjoin(finder, finder.c.id == pages.c.found_on)
        .where(pages.c.url == key_url(url))
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    where = f", found on {row.finder}" if row.finder else ""
    return f"followed as {row.kind}: {row.reason or 'it was asked for'}{where}; {_became(row)}"


def _became(row: Any) -> str:
    match row.state:
        case PageState.DONE:
            return "fetched" + (f" with status {row.status}" if row.status else "")
        case PageState.FAILED:
            return f"given up after {row.tries} tries: {row.failure}"
        case PageState.PENDING if row.failure:
            return f"to be tried again after {row.tries} tries: {row.failure}"
        case PageState.LEASED:
            return "being fetched"
        case _:
            return "not fetched yet"


def _why_refused(connection: Connection, url: str) -> str | None:
    exact = refusals.c.sample == key_url(url)
    query = select(refusals).where(or_(refusals.c.pattern == pattern_of(url), exact)).order_by(exact.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    like = "" if row.sample == key_url(url) else f" (as {row.sample})"
    return f"refused: {row.reason}{like}"


def refused_as(connection: Connection, reason: str) -> list[str]:
    """Addresses that were refused for a reason, one of each sort."""
    query = select(refusals.c.sample).where(refusals.c.reason == reason)
    return list(connection.scalars(query.order_by(refusals.c.sample).limit(_MOST_REFUSED)))


def _pending(row: tuple[Any, ...]) -> PendingPage:
    url, forum_id, kind, *rest = row[:-1]
    return PendingPage(url, forum_id, PageKind(kind), *rest)
