"""Connections to an archive: exactly one that writes, any number that only read.

SQLite before 3.51.3 can lose a commit when two connections write and checkpoint at the same instant, so an archive
has one writer connection in one process, which also does the checkpoints; readers open the file read-only.
The writer holds a lock as long as it lives: on SQLite an exclusive transaction on an empty file next to the archive
(released by the system when the process dies, whatever the system), on PostgreSQL an advisory lock of its session.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from sqlalchemy import Connection, Engine, NullPool, QueuePool, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from thrawl.archive.dialects import COMPILED, POSTGRES, SQLITE
from thrawl.archive.faults import faults
from thrawl.errors import ArchiveBusy, ArchiveError, UsageError

Transaction = Callable[[], AbstractContextManager[Connection]]
"""What opens a connection for some statements: those that write are committed together."""
POSTGRES_SCHEMES: Final = ("postgresql", "postgres")
LOCK_SUFFIX: Final = "-writer"
_BUSY_SECONDS: Final = 30.0
_CACHE_KIB: Final = 32_000
_FRUGAL_KIB: Final = 400  # what a transaction touches beyond it is still in the memory of the kernel: no CPU was lost
_ADVISORY_CLASS: Final = 0x746872  # "thr": the archive's own corner of the server's advisory locks


def is_postgres(location: str) -> bool:
    return urlsplit(location).scheme.split("+")[0] in POSTGRES_SCHEMES


def default_archive(start: str) -> str:
    """Where a crawl of this URL is kept unless told otherwise: ./<host>.db"""
    host = urlsplit(start).hostname
    if not host:
        raise UsageError(f"{start} names no host to call the archive by; name an archive.")
    return f"{host.replace(':', '-')}.db"


def shown_location(location: str) -> str:
    """The location as it may be printed: without a password."""
    if not is_postgres(location):
        return location
    parts = urlsplit(location)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"


class WriterLock:
    """Held while an archive in a file is open for writing."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(
            f"{path}{LOCK_SUFFIX}", timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._connection.execute("PRAGMA journal_mode = MEMORY")  # nothing is written, so nothing to roll back
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise ArchiveBusy(being_written(str(path))) from error

    def release(self) -> None:
        self._connection.close()


def being_written(location: str) -> str:
    return (
        f"the archive {location} is being written by another Thrawl process; "
        "wait until that one has finished, or stop it, and try again"
    )


def sqlite_engine(path: Path, *, readonly: bool, frugal: bool = False) -> Engine:
    """An engine whose every connection is set up for its part: the writer, or a reader.

    A `frugal` one keeps less in memory, for those who have hundreds of archives open.
    """
    mode = "ro" if readonly else "rwc"
    if readonly and _is_at_rest(path):
        mode += "&immutable=1"
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        _prepare_sqlite(connection, readonly=readonly, frugal=frugal)
        return connection

    # Readers are kept for the next reading; there is one writer, and it is never opened twice.
    pool = QueuePool if readonly else NullPool
    engine = create_engine(
        f"{SQLITE}://", creator=connect, poolclass=pool, paramstyle="named", execution_options=COMPILED
    )
    begin = "BEGIN" if readonly else "BEGIN IMMEDIATE"

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _is_at_rest(path: Path) -> bool:
    """Whether nobody can be writing: on a medium that is read-only, SQLite cannot even note that it reads."""
    return not os.access(path.absolute().parent, os.W_OK) and not Path(f"{path}-wal").exists()


def _prepare_sqlite(connection: sqlite3.Connection, *, readonly: bool, frugal: bool) -> None:
    try:
        if readonly:
            connection.execute("PRAGMA query_only = 1")
            if frugal:
                connection.execute(f"PRAGMA cache_size = -{_FRUGAL_KIB // 4}")
            return
        connection.execute("PRAGMA journal_mode = WAL")
        # A commit survives the death of the process; only a power cut may take back the last ones, whole.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA cache_size = -{_FRUGAL_KIB if frugal else _CACHE_KIB}")
        # Pages of the index change again and again: bringing them home less often writes each less often.
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        connection.execute("PRAGMA journal_size_limit = 67108864")
    except sqlite3.Error:
        connection.close()
        raise


def postgres_engine(location: str, *, readonly: bool, keep: bool = False) -> Engine:
    """An engine that opens a connection each time it is asked, or keeps a few (`keep`) as long as they live."""
    pool: dict[str, Any] = {"poolclass": NullPool}
    if keep:
        pool = {"poolclass": QueuePool, "pool_size": 2, "max_overflow": 2, "pool_pre_ping": True}
    try:
        url = make_url(location).set(drivername=POSTGRES)
        options: dict[str, Any] = {"postgresql_readonly": True} if readonly else {}
        return create_engine(url, execution_options={**COMPILED, **options}, **pool)
    except ImportError as error:
        raise ArchiveError("an archive on PostgreSQL needs psycopg: pip install 'thrawl[postgres]'") from error
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise ArchiveError(f"{shown_location(location)} is no address of a PostgreSQL database") from error


def forget_if_lost(connection: Connection) -> None:
    """Let a connection go whose server hung up while the driver itself was asked: to end its transaction would fail,
    which SQLAlchemy tells with a traceback where the caller was told in a sentence already."""
    if not connection.closed and not connection.invalidated:
        driver: Any = connection.connection.driver_connection
        if driver.closed:
            connection.invalidate()


def lock_postgres(connection: Connection, location: str, *, shared: bool = False) -> None:
    """Take the archive's advisory lock for this session, or say that another process has it.

    A writer behind a fence shares it with others of its kind: the fence tells which of them may write.
    """
    kind = "_shared" if shared else ""
    statement = text(f"SELECT pg_try_advisory_lock{kind}(:space, hashtext(current_schema()))")
    with faults(shown_location(location)):
        granted = connection.execute(statement, {"space": _ADVISORY_CLASS}).scalar_one()
        connection.commit()
    if not granted:
        raise ArchiveBusy(being_written(shown_location(location)))
