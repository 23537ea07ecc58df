"""A glance at an archive in a file: what it says of itself without anything having to be reckoned.

Reads with Python's own sqlite3 alone: loading what writes an archive takes longer than all that is to be read here.
An archive that is being written, was not closed or is none has nothing kept, and is to be opened (`store`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from thrawl.archive.facts import Facts
from thrawl.archive.reckoned import KEPT, SUMMARY, facts_from, facts_name, summary_from
from thrawl.archive.storable import key_url
from thrawl.archive.values import KnownPage, PageState, StoredForum, Summary
from thrawl.page.pagekind import PageKind

_BUSY_SECONDS: Final = 1.0
# No archive, one of another version, a damaged one: who opens it says what is wrong.
_UNTOLD: Final = (sqlite3.Error, LookupError, TypeError, ValueError)


class NotKept(Exception):
    """What is asked for has to be reckoned, by one who opens the archive. Told to nobody."""


class Glance:
    """An archive as it was closed."""

    def __init__(self, connection: sqlite3.Connection, location: str, summary: Summary) -> None:
        self._connection = connection
        self.location = location
        self._summary = summary

    def summary(self) -> Summary:
        return self._summary

    def forums(self) -> list[StoredForum]:
        rows = self._connection.execute("SELECT id, entry_url, host, profile FROM forums ORDER BY id")
        return [StoredForum(*row) for row in rows]

    def facts(self, forum_id: int) -> Facts:
        """What was promised and what was got. Raises NotKept."""
        try:
            kept = _kept(self._connection, facts_name(forum_id))
            if kept is not None:
                return facts_from(kept)
        except _UNTOLD as error:
            raise NotKept from error
        raise NotKept

    def page(self, url: str) -> KnownPage | None:
        query = "SELECT kind, state, reason FROM pages WHERE url = ?"
        row = self._connection.execute(query, (key_url(url),)).fetchone()
        return None if row is None else KnownPage(PageKind(row[0]), PageState(row[1]), row[2])


@contextmanager
def glance(location: str) -> Iterator[Glance | None]:
    """A look at the archive in a file; None where nothing is kept that can be told at once."""
    if not Path(location).is_file():
        yield None
        return
    address = f"file:{quote(str(Path(location).absolute()))}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
        summary = _summary(connection)
        yield None if summary is None else Glance(connection, location, summary)


def _summary(connection: sqlite3.Connection) -> Summary | None:
    try:
        connection.execute("BEGIN")  # all that is read from here on is of one moment
        kept = _kept(connection, SUMMARY)
        return None if kept is None else summary_from(kept)
    except _UNTOLD:
        return None


def _kept(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute(f"{KEPT}?", (name,)).fetchone()
    return None if row is None else row[0]
