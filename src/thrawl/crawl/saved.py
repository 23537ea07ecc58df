"""Saved pages as a fetcher: WARC files, mirrors, folders of HTML files, single files, or all of them together.

A saved file knows its address from the user, from the comment that browsers leave when they save a page, from its place
in a mirror that wget made (a folder named after the host), or from what it says itself (`rel=canonical`, `og:url`);
otherwise its place on the disk is its address, and its relative links lead nowhere.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urljoin

from thrawl.crawl.places import SavedFolder, folders_of_hosts, is_page, start_of
from thrawl.errors import FetchError, InputError, LimitExceeded, NotInReplay
from thrawl.limits import MAX_BODY_BYTES
from thrawl.net.charset import charset_of
from thrawl.net.message import Request, Response
from thrawl.net.replay import MirrorReplay, is_mirror
from thrawl.net.url import BadUrl, normal_url
from thrawl.net.warc_replay import WarcReplay

_WARC_ENDS: Final = (".warc", ".warc.gz")
_HEAD_BYTES: Final = 64 * 1024
_SAVED_FROM: Final = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
_OWN_ADDRESS: Final = (
    re.compile(rb"<link\b[^>]*\brel=[\"']?canonical\b[^>]*\bhref=[\"']?([^\"'\s>]+)", re.IGNORECASE),
    re.compile(rb"<link\b[^>]*\bhref=[\"']?([^\"'\s>]+)[^>]*\brel=[\"']?canonical\b", re.IGNORECASE),
    re.compile(rb"<meta\b[^>]*\bproperty=[\"']?og:url\b[^>]*\bcontent=[\"']?([^\"'\s>]+)", re.IGNORECASE),
)


class Saved(Protocol):
    """A fetcher that can list what it holds."""

    def urls(self) -> Iterator[str]: ...

    async def fetch(self, request: Request) -> Response: ...

    async def close(self) -> None: ...


def open_saved(paths: Sequence[Path], url: str | None = None) -> Saved:
    """What some paths hold. `url` is the address of a single file, or of the folder that files stand in."""
    try:
        return _open(paths, url)
    except OSError as error:
        where = error.filename or ", ".join(map(str, paths))
        raise InputError(f"The saved pages cannot be read: {error.strerror or error} ({where}).") from None


def _open(paths: Sequence[Path], url: str | None) -> Saved:
    warcs = [path for path in paths if _is_warc(path)]
    mirrors = [path for path in paths if path.is_dir() and is_mirror(path)]
    rest = [path for path in paths if path not in warcs and path not in mirrors]
    parts: list[Saved] = []
    if warcs:
        parts.append(WarcReplay(*warcs))
    if mirrors:
        parts.append(MirrorReplay(*mirrors))
    if rest:
        parts.append(SavedFiles(rest, url))
    return parts[0] if len(parts) == 1 else Together(parts)


def _is_warc(path: Path) -> bool:
    if path.is_dir():
        return any(file.name.endswith(_WARC_ENDS) for file in path.iterdir())
    return path.name.endswith(_WARC_ENDS)


class Together:
    """Several stores as one; the first that holds a URL answers."""

    def __init__(self, parts: Sequence[Saved]) -> None:
        self._parts = parts
        self.skipped = sum(map(skipped_of, parts), Counter[str]())
        self._owner: dict[str, Saved] = {}
        for part in parts:
            for url in part.urls():
                self._owner.setdefault(url, part)

    def urls(self) -> Iterator[str]:
        return iter(self._owner)

    async def fetch(self, request: Request) -> Response:
        owner = self._owner.get(request.url)
        if owner is None:
            raise NotInReplay(request.url, "no saved file holds it")
        return await owner.fetch(request)

    async def close(self) -> None:
        for part in self._parts:
            await part.close()


def skipped_of(saved: Saved) -> Counter[str]:
    """How many files were no pages, by their ending; mirrors and WARC files hold what they say."""
    return saved.skipped if isinstance(saved, SavedFiles | Together) else Counter()


class SavedFiles:
    """HTML files on disk, in the order of their names. `skipped` counts the files that are no pages."""

    def __init__(self, paths: Iterable[Path], url: str | None = None) -> None:
        self._files: dict[str, Path] = {}
        self.skipped: Counter[str] = Counter()
        known: set[Path] = set()
        for path in itertools.chain.from_iterable(map(folders_of_hosts, paths)):
            files = [(file, inside) for file, inside in _files_of(path) if file not in known]
            known.update(file for file, _ in files)
            pages = [(file, inside) for file, inside in files if self._is_page(file, inside)]
            place = SavedFolder.of(path, [file for file, _ in pages])
            for file, inside in pages:
                self._files.setdefault(_address(file, inside, url, place), file)
        if not self._files:
            raise InputError(f"There are no HTML files in {', '.join(map(str, paths))}.")

    def urls(self) -> Iterator[str]:
        return iter(self._files)

    async def fetch(self, request: Request) -> Response:
        file = self._files.get(request.url)
        if file is None:
            raise NotInReplay(request.url, "no saved file holds it")
        try:
            body = start_of(file, MAX_BODY_BYTES + 1)
            saved = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        except OSError as error:
            raise FetchError(request.url, f"the file cannot be read: {error.strerror or error}") from None
        if len(body) > MAX_BODY_BYTES:
            raise LimitExceeded(request.url, f"the file is larger than {MAX_BODY_BYTES:,} bytes")
        headers = (("Content-Type", "text/html"),)
        return Response(request.url, request.url, 200, headers, body, charset_of(body, None), saved)

    async def close(self) -> None:
        """Nothing is held open."""

    def _is_page(self, file: Path, inside: str) -> bool:
        if not inside or is_page(file):  # a file that the user names is read whatever it is called
            return True
        self.skipped[file.suffix.partition("?")[0].lower() or "no ending"] += 1
        return False


def _files_of(path: Path) -> Iterator[tuple[Path, str]]:
    """The files that a path means, each with its place inside a folder."""
    if path.is_file():
        yield path, ""
    elif path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file():
                yield file, file.relative_to(path).as_posix()
    else:
        raise InputError(f"There is no file or folder {path}.")


def _address(file: Path, inside: str, url: str | None, place: SavedFolder) -> str:
    if url is not None:
        return urljoin(url if not inside or url.endswith("/") else f"{url}/", place.path_of(inside))
    try:
        head = start_of(file, _HEAD_BYTES)
    except OSError:
        head = b""  # what is wrong with the file is told where its page is asked for
    own = (_found(mark, head) for mark in _OWN_ADDRESS)
    candidates = (_found(_SAVED_FROM, head), place.url_of(inside), *own)
    return next((found for found in candidates if found is not None), file.absolute().as_uri())


def _found(mark: re.Pattern[bytes], head: bytes) -> str | None:
    found = mark.search(head)
    if found is None:
        return None
    try:
        return normal_url(found[1].decode("ascii", "ignore").replace("&amp;", "&"))
    except BadUrl:
        return None
