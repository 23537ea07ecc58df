"""An archive for a crawl that may not come to anything: a mistyped address leaves no file behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thrawl.archive.connect import LOCK_SUFFIX, is_postgres
from thrawl.archive.opening import Fence
from thrawl.archive.store import Archive


@contextmanager
def opened_for(location: str, *, fence: Fence | None = None, frugal: bool = False) -> Iterator[Archive]:
    """The archive, made if there is none; one that was made here and got nothing is taken away again."""
    is_new = not is_postgres(location) and not Path(location).exists()
    empty = True
    try:
        with Archive.open(location, create=True, fence=fence, frugal=frugal) as archive:
            try:
                yield archive
            finally:
                empty = not archive.forums() and not archive.answers
    finally:
        if is_new and empty:
            for beside in ("", "-wal", "-shm", LOCK_SUFFIX):
                Path(f"{location}{beside}").unlink(missing_ok=True)
