"""An archive in numbers, as `thrawl status` tells it."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Select, exists, func, select

from thrawl.archive import frontier
from thrawl.archive.tables import (
    authors,
    boards,
    counters,
    forums,
    media,
    pages,
    post_revisions,
    posts,
    refusals,
    threads,
)
from thrawl.archive.values import PageState, Summary
from thrawl.page.pagekind import PageKind

_SHOWN: Final = 10  # reasons of each sort; the commonest tell the story


def summary(connection: Connection) -> Summary:
    def count(table: Any, *wanted: Any) -> int:
        return int(connection.execute(select(func.count()).select_from(table).where(*wanted)).scalar_one())

    shown = threads.c.replies.is_not(None)
    read = exists().where(posts.c.thread_id == threads.c.id)
    promised = select(func.coalesce(func.sum(threads.c.replies + 1), 0)).where(shown)
    return Summary(
        forums=count(forums),
        boards=count(boards),
        threads=count(threads),
        threads_with_posts=count(threads, read),
        threads_vanished=count(threads, threads.c.vanished.is_not(None)),
        posts=count(posts),
        posts_vanished=count(posts, posts.c.vanished.is_not(None)),
        posts_promised=int(connection.execute(promised).scalar_one()),
        posts_kept=count(posts.join(threads, threads.c.id == posts.c.thread_id), shown),
        revisions=count(post_revisions),
        authors=count(authors),
        pages=frontier.counts(connection),
        requests=tuple((name.partition(":")[2], number) for name, number in _pairs(connection, _requests())),
        failures=_pairs(connection, _failures()),
        refusals=_pairs(connection, _refusals()),
        media=_pairs(connection, select(media.c.state, func.count()).group_by(media.c.state).order_by(media.c.state)),
    )


def _pairs(connection: Connection, query: Select[Any]) -> tuple[tuple[str, int], ...]:
    return tuple((name, int(number)) for name, number in connection.execute(query))


def _requests() -> Select[Any]:
    total = func.sum(counters.c.value)
    named = counters.c.name.like("requests:%")
    return select(counters.c.name, total).where(named).group_by(counters.c.name).order_by(counters.c.name)


def _failures() -> Select[Any]:
    # All kinds are named so that the index of kinds and states finds the few that failed.
    failed = (pages.c.kind.in_([kind.value for kind in PageKind]), pages.c.state == PageState.FAILED.value)
    query = select(pages.c.failure, func.count()).where(*failed).group_by(pages.c.failure)
    return query.order_by(func.count().desc(), pages.c.failure).limit(_SHOWN)


def _refusals() -> Select[Any]:
    query = select(refusals.c.reason, func.count()).group_by(refusals.c.reason)
    return query.order_by(func.count().desc(), refusals.c.reason).limit(_SHOWN)
