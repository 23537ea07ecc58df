"""Mirrors of whole sites as a fetcher: every experiment and many tests run on them, without a network.

A mirror is a folder with `pages.jsonl.xz` (or the same unpacked): a page a line, `{"url", "status", "type",
"location", "body"}`. URLs are found as a real server would find them, whatever the order of their parameters. A URL
that the mirror does not hold is a 404, as it was to the visitor who made the mirror.
"""

from __future__ import annotations

import json
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import parse_qsl, unquote, urldefrag, urlsplit

from thrawl.errors import InputError
from thrawl.net.message import Request, Response
from thrawl.net.stored import StoredPage, replayed

_MISSING = b"<html><body><h1>Not Found</h1></body></html>"
_HTML = "text/html; charset=utf-8"
# A broken mirror has pages without a status; a gateway would say this.
_NO_STATUS = 502


@dataclass(frozen=True, slots=True)
class _Packed:
    """A page in memory; bodies stay compressed, so a mirror takes about the room that its file does."""

    url: str
    status: int
    kind: str
    location: str | None
    body: bytes


class MirrorReplay:
    """Implements Fetcher on one or more mirrors."""

    def __init__(self, *folders: Path | str) -> None:
        self._pages: dict[str, _Packed] = {}
        self._loosely: dict[tuple[object, ...], _Packed] = {}
        self._opened = datetime.now(UTC)
        for folder in folders:
            for page in _read_mirror(Path(folder)):
                self._pages[page.url] = page
                self._loosely.setdefault(_loose(page.url), page)

    def __len__(self) -> int:
        return len(self._pages)

    def urls(self) -> Iterator[str]:
        """All URLs of the mirrors, in the order of their files."""
        return iter(self._pages)

    def shown(self) -> Iterator[str]:
        """Those that show a page, and neither send on to another one nor fail."""
        return (url for url, page in self._pages.items() if page.status == HTTPStatus.OK)

    async def fetch(self, request: Request) -> Response:
        return replayed(request, self._find)

    async def close(self) -> None:
        """Nothing is held open."""

    def _find(self, url: str) -> StoredPage:
        page = self._pages.get(url) or self._loosely.get(_loose(url))
        if page is None:
            return StoredPage(url, 404, (("Content-Type", _HTML),), _MISSING, self._opened)
        headers = [("Content-Type", page.kind)]
        if page.location:
            headers.append(("Location", page.location))
        return StoredPage(url, page.status, tuple(headers), zlib.decompress(page.body), self._opened)


def is_mirror(folder: Path) -> bool:
    return any((folder / name).is_file() for name in ("pages.jsonl.xz", "pages.jsonl"))


def _loose(url: str) -> tuple[object, ...]:
    """A key that ignores what servers ignore: order of parameters, percent-encoding, default port, last slash."""
    parts = urlsplit(url)
    query = tuple(sorted(parse_qsl(parts.query, keep_blank_values=True))) or unquote(parts.query)
    return parts.netloc.lower().removesuffix(":80"), unquote(parts.path).rstrip("/"), query


def _read_mirror(folder: Path) -> Iterator[_Packed]:
    file = _mirror_file(folder)
    number = 0
    try:
        with _open_text(file) as lines:
            for line in lines:
                number += 1
                if line.strip():
                    yield _packed(json.loads(line))
    except (lzma.LZMAError, EOFError, OSError) as problem:
        raise InputError(f"The mirror {file} cannot be read after line {number}: {problem}.") from None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InputError(f"Line {number} of the mirror {file} is not a page ({problem!r}).") from None


def _mirror_file(folder: Path) -> Path:
    if folder.is_file():
        raise InputError(f"{folder} is a file, but a mirror is a folder that holds pages.jsonl.xz.")
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}.")
    for name in ("pages.jsonl.xz", "pages.jsonl"):
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"The folder {folder} is not a mirror: it holds no pages.jsonl.xz.")


def _open_text(file: Path) -> TextIO:
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8")
    return file.open(encoding="utf-8")


def _packed(page: dict[str, Any]) -> _Packed:
    kind = page.get("type") or _HTML
    if "html" in kind or "xml" in kind:
        # The body of a mirror is text, so it is UTF-8 here whatever it was on the site.
        kind = f"{kind.partition(';')[0]}; charset=utf-8"
    body = (page["body"] or "").encode("utf-8", "surrogatepass")
    status = int(page["status"] or _NO_STATUS)
    url = urldefrag(page["url"])[0]
    return _Packed(url, status, kind, page.get("location"), zlib.compress(body, 1))
