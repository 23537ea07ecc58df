"""An archive in numbers."""

from __future__ import annotations

from sqlalchemy import Connection, Table, exists, func, select

from thrawl.archive import frontier
from thrawl.archive.tables import authors, boards, counters, forums, post_revisions, posts, threads
from thrawl.archive.values import Summary


def summary(connection: Connection) -> Summary:
    def count(table: Table) -> int:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()

    read = select(func.count()).select_from(threads).where(exists().where(posts.c.thread_id == threads.c.id))
    vanished = select(func.count()).select_from(posts).where(posts.c.vanished.is_not(None))
    requests = select(counters.c.name, func.sum(counters.c.value)).group_by(counters.c.name).order_by(counters.c.name)
    return Summary(
        forums=count(forums),
        boards=count(boards),
        threads=count(threads),
        threads_with_posts=connection.execute(read).scalar_one(),
        posts=count(posts),
        revisions=count(post_revisions),
        vanished_posts=connection.execute(vanished).scalar_one(),
        authors=count(authors),
        pages=frontier.counts(connection),
        requests=tuple((name.partition(":")[2], int(value)) for name, value in connection.execute(requests)),
    )
