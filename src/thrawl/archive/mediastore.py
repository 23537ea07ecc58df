"""Where the bytes of pictures and attachments are kept: once each, under their SHA-256.

A folder beside the archive, or one that the user names. A file is whole and on disk before its name exists, and a name
never changes its content, so that a process killed at any moment leaves at most a temporary file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from thrawl.archive.connect import is_postgres
from thrawl.errors import ArchiveError

FOLDER_SUFFIX: Final = ".media"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_UNFINISHED: Final = ".tmp"


class MediaStore:
    """A folder of files named by their content; made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, content: bytes) -> str:
        """Keep these bytes; the name to find them by."""
        digest = sha256(content).hexdigest()
        path = self._path(digest)
        if path.exists():
            return digest
        unfinished = path.with_name(f"{path.name}.{os.getpid()}{_UNFINISHED}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise ArchiveError(
                f"{path} could not be written ({error.strerror}); make room, or crawl with --media none"
            ) from error
        return digest

    def path(self, digest: str) -> Path | None:
        """Where the bytes of that name stand; None where they are missing."""
        if not _DIGEST.fullmatch(digest):
            return None
        path = self._path(digest)
        return path if path.is_file() else None

    def digests(self) -> Iterator[str]:
        """The names of all that is kept."""
        for path in sorted(self.folder.glob("??/*")):
            if _DIGEST.fullmatch(path.name):
                yield path.name

    def tidy(self) -> None:
        """Take away what a killed process left unfinished."""
        for path in self.folder.glob(f"??/*{_UNFINISHED}"):
            path.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest


def store_for(location: str, folder: Path | None = None) -> MediaStore | None:
    """The store of an archive: the folder that was named, else one beside its file; none for a database server."""
    if folder is not None:
        return MediaStore(folder)
    return None if is_postgres(location) else MediaStore(Path(f"{location}{FOLDER_SUFFIX}"))
