"""The one place where a database's errors become sentences for a person.

Both drivers report what went wrong by a code: SQLite by its result code, PostgreSQL by its SQLSTATE class.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from thrawl.errors import ArchiveAway, ArchiveError

# Explicit numbers, since Python 3.11 gives an error's code but older builds do not name all of them.
_SQLITE: Final = {
    5: "is locked by another process; wait until that one has finished and try again",
    6: "is locked by another process; wait until that one has finished and try again",
    8: "cannot be written to; check the permissions of the file and its folder",
    10: "cannot be read or written (the disk reports an error); check the disk, then run 'thrawl status --check'",
    11: "is damaged; restore it from a copy, or save what can still be read with: sqlite3 FILE .recover",
    13: "cannot grow because the disk is full; free some space and run the same command again, nothing is lost",
    14: "cannot be opened; check that the folder exists and may be written to",
    23: "may not be used; check the permissions of the file",
    26: "is not a Thrawl archive; name another file",
}

_SQLSTATE: Final = {
    "08": "cannot be reached; check that the database server runs and the address is right",
    "28": "refuses the login; check the user name and the password in the address",
    "3D": "names a database that does not exist; create it with createdb first",
    "42": "cannot be used by this user or is not a Thrawl archive; check the rights on the database",
    "53": "cannot grow because the server has no room; free some and run the command again, nothing is lost",
    "55": "is locked by another process; wait until that one has finished and try again",
    "57": "was shut down by its server; start it and run the same command again, nothing is lost",
    "XX": "is damaged; let the database's administrator check it",
}

# The connection failed, or the server shuts down, starts up or has no connection to spare.
_AWAY: Final = ("08", "57", "53")


@contextmanager
def faults(location: str) -> Iterator[None]:
    """Raise every error of the database below as an ArchiveError that names the archive."""
    try:
        yield
    except _database_errors() as error:
        kind = ArchiveAway if _is_away(error) else ArchiveError
        raise kind(sentence(location, error)) from error


def _database_errors() -> tuple[type[Exception], ...]:
    return (sqlite3.Error, SQLAlchemyError, *_postgres_errors())


def _postgres_errors() -> tuple[type[Exception], ...]:
    """Asked for only when something failed: an archive in a file needs no driver, and starts faster without."""
    driver = sys.modules.get("psycopg")
    return () if driver is None else (driver.Error,)


def _is_away(error: Exception) -> bool:
    """Whether the database's server is gone or going, and may come back: nothing is wrong with the archive."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if not isinstance(cause, _postgres_errors()):
        return False
    state = getattr(cause, "sqlstate", None)
    driver = sys.modules["psycopg"]
    return state[:2] in _AWAY if state else isinstance(cause, driver.OperationalError)


def sentence(location: str, error: Exception) -> str:
    """What happened to the archive at that location, and what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return f"the archive {location} {_happened(cause)}"


def _happened(cause: BaseException) -> str:
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int) and code & 0xFF in _SQLITE:
        return _SQLITE[code & 0xFF]
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str) and state[:2] in _SQLSTATE:
        return _SQLSTATE[state[:2]]
    if isinstance(cause, _postgres_errors()) and state is None:
        # A connection that never stood has no SQLSTATE; the server's own words come last.
        words = " ".join(str(cause).rpartition("failed: ")[2].split())
        return f"cannot be reached ({words}); check that the database server runs and the address is right"
    return f"failed: {' '.join(str(cause).split())}"
