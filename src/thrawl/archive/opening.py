"""Opening an archive: its engine, its place, and its tables brought up to this program's version."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine

from thrawl.archive import frontier, search
from thrawl.archive.connect import (
    WriterLock,
    forget_if_lost,
    is_postgres,
    lock_postgres,
    postgres_engine,
    shown_location,
    sqlite_engine,
)
from thrawl.archive.faults import faults
from thrawl.archive.reckoned import FORGET
from thrawl.archive.schema import is_older, require_version, upgrade, version_of
from thrawl.errors import ArchiveError

# Called within every transaction that writes, before anything else: it raises where this writer may write no more.
Fence = Callable[[Connection], None]


@dataclass(frozen=True, slots=True)
class Manner:
    """How an archive is opened: see `Archive.open`."""

    create: bool
    readonly: bool
    fence: Fence | None
    frugal: bool

    def check(self, connection: Connection) -> None:
        """Raises where this writer may write no more."""
        if self.fence is not None:
            self.fence(connection)


def connected(location: str, closing: ExitStack, manner: Manner) -> tuple[Engine, Connection]:
    """The engine of an archive, and the connection of its one writer, at this program's version."""
    engine = engine_for(location, closing, create=manner.create, readonly=manner.readonly, frugal=manner.frugal)
    closing.callback(engine.dispose)
    connection = closing.enter_context(engine.connect())
    if is_postgres(location):
        closing.callback(forget_if_lost, connection)
    if not manner.readonly and is_postgres(location):
        lock_postgres(connection, location, shared=manner.fence is not None)
    bring_up(connection, shown_location(location), manner)
    return engine, connection


def engine_for(location: str, closing: ExitStack, *, create: bool, readonly: bool, frugal: bool = False) -> Engine:
    if is_postgres(location):
        return postgres_engine(location, readonly=readonly)
    path = Path(location)
    try:
        _require_place(path, create=create and not readonly)
    except OSError as error:
        raise ArchiveError(f"the archive {path} cannot be opened ({error.strerror}); check its permissions") from error
    if not readonly:
        closing.callback(WriterLock(path).release)
    return sqlite_engine(path, readonly=readonly, frugal=frugal)


def _require_place(path: Path, *, create: bool) -> None:
    if not path.exists() and not create:
        raise ArchiveError(f"there is no archive at {path}; make one with: thrawl crawl URL --archive {path}")
    if not path.parent.is_dir():
        raise ArchiveError(f"there is no folder {path.parent} to put the archive into; create it first")
    if path.is_dir():
        raise ArchiveError(f"{path} is a folder; name a file for the archive, as {path / 'forum.db'}")


def is_old(location: str) -> bool:
    """Whether an archive was written by an older Thrawl, whose tables this one would not understand."""
    if not is_postgres(location) and not Path(location).is_file():
        return False
    with ExitStack() as closing, faults(shown_location(location)):
        engine = engine_for(location, closing, create=False, readonly=True)
        closing.callback(engine.dispose)
        return is_older(version_of(closing.enter_context(engine.connect())))


def bring_up(connection: Connection, location: str, manner: Manner) -> None:
    """Leave the archive at this program's version, with no lease of a process that died."""
    with connection.begin():
        manner.check(connection)
        found = version_of(connection)
        if found is not None or not manner.create:
            require_version(found, location)
        if manner.readonly:
            return
        upgrade(connection)
        if frontier.end_leases(connection):
            connection.exec_driver_sql(FORGET)
        search.index_posts(connection)
