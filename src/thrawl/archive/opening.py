"""Opening an archive: its place, its one writer, its version."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import Connection, Engine

from thrawl.archive import frontier, search
from thrawl.archive.connect import WriterLock, is_postgres, postgres_engine, sqlite_engine
from thrawl.archive.schema import STEPS, require_version, upgrade, version_of
from thrawl.errors import ArchiveError


def is_outdated(location: str) -> bool:
    """Whether an archive was written by an older version, so that only a writer can bring it up."""
    if not is_postgres(location) and not Path(location).is_file():
        return False
    engine = (
        postgres_engine(location, readonly=True)
        if is_postgres(location)
        else sqlite_engine(Path(location), readonly=True)
    )
    try:
        with engine.connect() as connection:
            found = version_of(connection)
    finally:
        engine.dispose()
    return found is not None and found < len(STEPS)


def engine_for(location: str, closing: ExitStack, *, create: bool, readonly: bool) -> Engine:
    if is_postgres(location):
        return postgres_engine(location, readonly=readonly)
    path = Path(location)
    try:
        _require_place(path, create=create and not readonly)
    except OSError as error:
        raise ArchiveError(f"the archive {path} cannot be opened ({error.strerror}); check its permissions") from error
    if not readonly:
        closing.callback(WriterLock(path).release)
    return sqlite_engine(path, readonly=readonly)


def _require_place(path: Path, *, create: bool) -> None:
    if not path.exists() and not create:
        raise ArchiveError(f"there is no archive at {path}; make one with: thrawl crawl URL --archive {path}")
    if not path.parent.is_dir():
        raise ArchiveError(f"there is no folder {path.parent} to put the archive into; create it first")
    if path.is_dir():
        raise ArchiveError(f"{path} is a folder; name a file for the archive, as {path / 'forum.db'}")


def bring_up(connection: Connection, location: str, *, create: bool, readonly: bool) -> None:
    """Leave the archive at this program's version, with no lease of a process that died."""
    with connection.begin():
        found = version_of(connection)
        if found is not None or not create:
            require_version(found, location)
        if readonly:
            return
        upgrade(connection)
        frontier.end_leases(connection)
        search.index_posts(connection)
