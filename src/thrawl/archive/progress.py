"""How the crawl that writes an archive is doing: it says so now and then, and whoever reads the archive can look."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from thrawl.archive.connect import Transaction
from thrawl.archive.statements import insert_for
from thrawl.archive.storable import storable
from thrawl.archive.tables import progress


@dataclass(frozen=True, slots=True)
class Progress:
    """A crawl at one moment, times in seconds since 1970; `pace` says in words how fast it may go, and who decided."""

    forum_id: int
    started: float
    updated: float
    phase: str
    requests: int
    speed: float
    delay: float
    pace: str
    url: str


def tell(transaction: Transaction, now: Progress) -> None:
    """Write down how a crawl is doing, in place of what it said before."""
    values = {name: storable(value) if isinstance(value, str) else value for name, value in asdict(now).items()}
    with transaction() as connection:
        new = insert_for(connection.dialect.name)(progress).values(**values)
        changed = {name: new.excluded[name] for name in values if name != "forum_id"}
        connection.execute(new.on_conflict_do_update(index_elements=["forum_id"], set_=changed))


def told(connection: Connection) -> list[Progress]:
    """What the crawls of all forums said last."""
    rows = connection.execute(select(progress).order_by(progress.c.forum_id)).mappings()
    return [Progress(**row) for row in rows]
