"""What a site answered while it is being learned, kept until it is: whatever ends a run, the next one learns on."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import delete, insert, select

from thrawl.archive.connect import Transaction
from thrawl.archive.storable import key_url, storable
from thrawl.archive.tables import answers


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

    def get(self, start: str, url: str, *, cookies: bool) -> KeptAnswer | None:
        """What is kept of a page."""
        wanted = answers.c.start == key_url(start), answers.c.url == storable(url), answers.c.cookies == int(cookies)
        with self._reading() as connection:
            row = connection.execute(select(answers).where(*wanted).order_by(answers.c.id.desc())).first()
        return None if row is None else KeptAnswer(row.url, bool(row.cookies), row.answer, row.body)

    def put(self, start: str, kept: KeptAnswer) -> None:
        """Keep an answer; it outlives whatever happens to the one who learns."""
        with self._transaction() as connection:
            connection.execute(insert(answers), {**asdict(kept), "start": key_url(start), "url": storable(kept.url)})

    def forget(self, start: str) -> None:
        """The site is learned, or cannot be."""
        if self:
            with self._transaction() as connection:
                connection.execute(delete(answers).where(answers.c.start == key_url(start)))
