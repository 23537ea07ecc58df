"""The connections of an open archive: the one that writes, a turn at a time, and those that only read.

What is saved and asked by them is the business of `store`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine

from thrawl.archive.connect import is_postgres, shown_location, sqlite_engine
from thrawl.archive.faults import faults
from thrawl.archive.opening import Manner
from thrawl.archive.reckoned import FORGET
from thrawl.archive.storable import key_url
from thrawl.errors import ArchiveError


class Access:
    """How an archive is reached. Faults of the database become sentences that name the archive."""

    def __init__(
        self, location: str, engine: Engine, connection: Connection, closing: ExitStack, manner: Manner
    ) -> None:
        self.location = shown_location(location)
        self.file = None if is_postgres(location) else Path(location).absolute()
        self.manner = manner
        self.connection = connection
        self._engine = engine
        self._closing = closing
        self._turn = threading.RLock()
        self._reader_engine: Engine | None = None

    @contextmanager
    def telling(self) -> Iterator[Connection]:
        """A transaction that changes nothing which figures are drawn from."""
        if self.manner.readonly:
            raise ArchiveError(f"the archive {self.location} was opened only for reading")
        with self._turn, faults(self.location), self.connection.begin():
            self.manner.check(self.connection)
            yield self.connection

    @contextmanager
    def transaction(self, forget: str = FORGET) -> Iterator[Connection]:
        with self.telling() as connection:
            with closing(connection.connection.cursor()) as cursor:
                cursor.execute(forget)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._turn, faults(self.location), self.connection.begin() as transaction:
            yield self.connection
            transaction.rollback()

    def answer(self, statement: str, url: str) -> tuple[Any, ...] | None:
        """The one row that a compiled query for a URL gives, asked of the driver itself."""
        with self._turn, faults(self.location):
            driver = self.connection.connection
            cursor = driver.cursor()
            cursor.execute(statement, {"url": key_url(url)})
            row: tuple[Any, ...] | None = cursor.fetchone()
            cursor.close()
            driver.rollback()
        return row

    @contextmanager
    def reader(self) -> Iterator[Connection]:
        """A connection of its own that reads; many may do so at once."""
        with faults(self.location), self._readers().connect() as connection:
            yield connection

    @contextmanager
    def streaming(self) -> Iterator[tuple[Connection, Connection]]:
        """Two connections of their own that see one moment each: a long export does not hold up the writer."""
        with faults(self.location), ExitStack() as stack:
            engine = self._readers()
            rows = stack.enter_context(engine.connect())
            lookup = stack.enter_context(engine.connect())
            yield rows, lookup

    @contextmanager
    def ending(self) -> Iterator[Connection | None]:
        """Close all connections. The one that writes a file is given once more; then everything is in that file."""
        with self._turn, faults(self.location), self._closing:
            if self.manner.readonly or self.file is None or self.connection.closed:
                yield None
                return
            self.connection.rollback()
            yield self.connection
            driver = self.connection.connection.driver_connection
            assert driver is not None
            driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _readers(self) -> Engine:
        if self.manner.readonly or self.file is None:
            return self._engine
        if self._reader_engine is None:
            self._reader_engine = sqlite_engine(self.file, readonly=True, frugal=self.manner.frugal)
            self._closing.callback(self._reader_engine.dispose)
        return self._reader_engine
