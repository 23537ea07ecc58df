"""What a site answered while it was being learned, kept where a run ended before it was learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, select

from thrawl.archive.storable import key_url, storable
from thrawl.archive.tables import answers

Transaction = Callable[[], AbstractContextManager[Connection]]


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer: what was asked for, with cookies or as a stranger, the head as JSON, and the body."""

    url: str
    cookies: bool
    answer: str
    body: bytes


class Answers:
    """The part of an archive that keeps answers, by the URL with which learning began. Made by the archive itself."""

    def __init__(self, transaction: Transaction, reading: Transaction) -> None:
        self._transaction = transaction
        self._reading = reading

    def __bool__(self) -> bool:
        with self._reading() as connection:
            return connection.execute(select(answers.c.id).limit(1)).first() is not None

    def taken(self, start: str) -> list[KeptAnswer]:
        """What is kept of a site, in the order in which it was asked for; it is forgotten then."""
        query = select(answers).where(answers.c.start == key_url(start)).order_by(answers.c.id)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        if rows:
            self.keep(start, ())
        return [KeptAnswer(row.url, bool(row.cookies), row.answer, row.body) for row in rows]

    def keep(self, start: str, kept: Iterable[KeptAnswer]) -> None:
        """Keep these in place of what was kept."""
        rows = [{**asdict(one), "start": key_url(start), "url": storable(one.url)} for one in kept]
        with self._transaction() as connection:
            connection.execute(delete(answers).where(answers.c.start == key_url(start)))
            if rows:
                connection.execute(insert(answers), rows)
