"""Where the bytes of pictures and attachments are kept: once each, under their SHA-256.

A folder beside the archive, a folder that the user names, or a bucket (`s3://…`, whatever fsspec knows). In a folder a
file is whole and on disk before its name exists, in a bucket an object appears whole; and a name never changes its
content, so that a process killed at any moment leaves at most a temporary file.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

from thrawl.archive.connect import is_postgres
from thrawl.errors import ArchiveError, UsageError

FOLDER_SUFFIX: Final = ".media"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_UNFINISHED: Final = ".tmp"


class MediaStore(Protocol):
    """Keeps bytes by their digests. Reading what is not there gives None."""

    def put(self, content: bytes) -> str:
        """Keep these bytes; the name to find them by."""

    def read(self, digest: str) -> bytes | None:
        """The bytes of that name."""

    def has(self, digest: str) -> bool:
        """Whether there is a file of that name."""

    def copy(self, digest: str, target: Path) -> bool:
        """Put a copy of a file there; False where it is missing."""

    def digests(self) -> Iterator[str]:
        """The names of all that is kept."""

    def tidy(self) -> None:
        """Take away what a killed process left unfinished."""


class FolderStore:
    """A folder of files named by their content; made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, content: bytes) -> str:
        digest = sha256(content).hexdigest()
        path = self.folder / digest[:2] / digest
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

    def read(self, digest: str) -> bytes | None:
        path = self._path(digest)
        return None if path is None else path.read_bytes()

    def has(self, digest: str) -> bool:
        return self._path(digest) is not None

    def copy(self, digest: str, target: Path) -> bool:
        path = self._path(digest)
        if path is None:
            return False
        with suppress(OSError):  # the same bytes twice on one disk need no room; on two disks they are copied
            os.link(path, target)
            return True
        shutil.copyfile(path, target)
        return True

    def digests(self) -> Iterator[str]:
        for path in sorted(self.folder.glob("??/*")):
            if _DIGEST.fullmatch(path.name):
                yield path.name

    def tidy(self) -> None:
        for path in self.folder.glob(f"??/*{_UNFINISHED}"):
            path.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path | None:
        if not _DIGEST.fullmatch(digest):
            return None
        path = self.folder / digest[:2] / digest
        return path if path.is_file() else None


class BucketStore:
    """A bucket, or a part of one, through fsspec and the package that knows its kind (s3fs, gcsfs …)."""

    def __init__(self, address: str) -> None:
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise UsageError(f"{address} needs fsspec: pip install 'thrawl[bucket]'") from error
        try:
            files, root = url_to_fs(address)
        except (ImportError, ValueError) as error:
            raise UsageError(f"{address} cannot be used as a place for pictures: {error}") from error
        self._files: Any = files
        self._root = str(root).rstrip("/")

    def put(self, content: bytes) -> str:
        digest = sha256(content).hexdigest()
        name = self._name(digest)
        try:
            if not self._files.exists(name):
                self._files.pipe_file(name, content)
        except OSError as error:
            raise ArchiveError(f"{name} could not be written ({error}); crawl with --media none") from error
        return digest

    def read(self, digest: str) -> bytes | None:
        if not _DIGEST.fullmatch(digest):
            return None
        try:
            content: bytes = self._files.cat_file(self._name(digest))
        except FileNotFoundError:
            return None
        return content

    def has(self, digest: str) -> bool:
        return bool(_DIGEST.fullmatch(digest)) and bool(self._files.exists(self._name(digest)))

    def copy(self, digest: str, target: Path) -> bool:
        content = self.read(digest)
        if content is not None:
            target.write_bytes(content)
        return content is not None

    def digests(self) -> Iterator[str]:
        for name in sorted(self._files.find(self._root)):
            last = str(name).rpartition("/")[2]
            if _DIGEST.fullmatch(last):
                yield last

    def tidy(self) -> None:
        """Objects appear whole."""

    def _name(self, digest: str) -> str:
        return f"{self._root}/{digest[:2]}/{digest}"


def store_for(location: str, place: str | Path | None = None) -> MediaStore | None:
    """The store of an archive: what was named, else a folder beside its file; none for a database server."""
    if place is not None and "://" in str(place):
        return BucketStore(str(place))
    if place is not None:
        return FolderStore(Path(place))
    return None if is_postgres(location) else FolderStore(Path(f"{location}{FOLDER_SUFFIX}"))
