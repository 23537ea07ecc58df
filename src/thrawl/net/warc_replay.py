"""WARC files as a fetcher: ours or anybody's, gzipped or not.

An index of places is kept in memory, bodies stay on disk. The latest record of a URL wins, but an error of the server
does not hide a page that was fetched before. Revisit records lead to the payload that they name.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader
from warcio.exceptions import ArchiveLoadFailed

from thrawl.errors import InputError, NotInReplay
from thrawl.net.decode import BodyReader
from thrawl.net.message import TRAVEL_HEADERS, Request, Response
from thrawl.net.options import FetchLimits
from thrawl.net.stored import StoredPage, replayed
from thrawl.net.warc_index import WarcPlace, damaged, places

_DAMAGE = (ArchiveLoadFailed, zlib.error, EOFError, ValueError, OSError, StopIteration)
_READ_BYTES = 64 * 1024


class WarcReplay:
    """Implements Fetcher on WARC files; a folder stands for all WARC files in it."""

    def __init__(self, *paths: Path | str, limits: FetchLimits | None = None) -> None:
        self._limits = limits or FetchLimits()
        self._latest: dict[str, WarcPlace] = {}
        self._payloads: dict[str, WarcPlace] = {}
        self._full: dict[str, WarcPlace] = {}
        for file in warc_files(*paths):
            for place in places(file):
                self._add(place)

    def __len__(self) -> int:
        return len(self._latest)

    def urls(self) -> Iterator[str]:
        """All URLs that have a record, in the order of their first one."""
        return iter(self._latest)

    async def fetch(self, request: Request) -> Response:
        return replayed(request, self._find)

    async def close(self) -> None:
        """Nothing is held open."""

    def _add(self, place: WarcPlace) -> None:
        if place.status == 304 and not place.revisit:
            return
        if place.beats(self._latest.get(place.url)):
            self._latest[place.url] = place
        if not place.revisit:
            if place.digest:
                self._payloads[place.digest] = place
            if place.beats(self._full.get(place.url)):
                self._full[place.url] = place

    def _find(self, url: str) -> StoredPage:
        place = self._latest.get(url)
        if place is None:
            raise NotInReplay(url, "the WARC files do not hold it")
        if not place.revisit:
            return self._read(place, place)
        source = self._payloads.get(place.digest or "") or self._full.get(url)
        if source is None:
            raise NotInReplay(url, "the WARC files hold only a revisit record, without the page it refers to")
        return self._read(place, source)

    def _read(self, place: WarcPlace, source: WarcPlace) -> StoredPage:
        """The page at a place; for a revisit, the payload of its source under the headers of the later answer."""
        with _record_at(source) as record:
            headers = _headers(record)
            body = self._body(source, record)
        status = source.status
        if place is not source and place.status not in (0, 304):
            with _record_at(place) as record:
                headers, status = _headers(record), place.status
        kept = tuple(pair for pair in headers if pair[0].lower() not in TRAVEL_HEADERS)
        return StoredPage(place.url, status, kept, body, place.date)

    def _body(self, place: WarcPlace, record: Any) -> bytes:
        headers = record.http_headers
        stream = record.raw_stream
        if (headers.get_header("transfer-encoding") or "").lower() == "chunked":
            stream = ChunkedDataReader(stream)
        encoding = (headers.get_header("content-encoding") or "").strip().lower()
        reader = BodyReader(place.url, encoding, self._limits)
        while data := stream.read(_READ_BYTES):
            reader.take(data)
        return reader.body()


def warc_files(*paths: Path | str) -> list[Path]:
    """The WARC files that some paths mean, in the order of their names."""
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.name.endswith((".warc", ".warc.gz")))
            # A crawl that was killed at once leaves an empty file; in a folder that is no news.
            found = [file for file in found if file.stat().st_size]
            if not found:
                raise InputError(f"The folder {path} holds no WARC files (.warc or .warc.gz).")
            files += found
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"There is no WARC file {path}.")
    return files


def _headers(record: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in record.http_headers.headers)


@contextmanager
def _record_at(place: WarcPlace) -> Iterator[Any]:
    try:
        with place.file.open("rb") as opened:
            opened.seek(place.offset)
            yield next(ArchiveIterator(opened))
    except _DAMAGE as damage:
        why = (str(damage).strip() or type(damage).__name__).splitlines()[0][:100]
        raise damaged(place.file, place.offset, why) from None
