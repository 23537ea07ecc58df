"""Reading WARC files as a fetcher: ours or anybody's, gzipped or not.

One pass builds an index of places; bodies stay on disk. The latest record of a URL wins, but an error of the server
does not hide a page that was fetched before. Revisit records lead to the payload that they name. A last record that is
cut short, as a killed crawl leaves it, is passed over; damage anywhere else is told with its place.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader
from warcio.exceptions import ArchiveLoadFailed

from thrawl.errors import InputError, NotInReplay
from thrawl.net.decode import BodyReader
from thrawl.net.message import Request, Response
from thrawl.net.options import FetchLimits
from thrawl.net.stored import StoredPage, replayed
from thrawl.net.url import BadUrl, normal_url

_DAMAGE = (ArchiveLoadFailed, zlib.error, EOFError, ValueError, KeyError, IndexError, OSError)
_TRAVEL = frozenset(("content-encoding", "transfer-encoding", "content-length"))
_READ_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a record is, and what it is."""

    file: Path
    offset: int
    url: str
    date: datetime
    status: int
    digest: str | None
    revisit: bool

    @property
    def is_error(self) -> bool:
        return self.status == 429 or self.status >= 500

    def beats(self, other: _Place | None) -> bool:
        if other is None or other.is_error != self.is_error:
            return other is None or other.is_error
        return self.date >= other.date


class WarcReplay:
    """Implements Fetcher on WARC files; a folder stands for all WARC files in it."""

    def __init__(self, *paths: Path | str, limits: FetchLimits | None = None) -> None:
        self._limits = limits or FetchLimits()
        self._latest: dict[str, _Place] = {}
        self._payloads: dict[str, _Place] = {}
        self._full: dict[str, _Place] = {}
        for file in warc_files(*paths):
            for place in _index(file):
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

    def _add(self, place: _Place) -> None:
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

    def _read(self, place: _Place, source: _Place) -> StoredPage:
        """The page at a place; for a revisit, the payload of its source under the headers of the later answer."""
        with _record_at(source) as record:
            headers = _headers(record)
            body = self._body(source, record)
        status = source.status
        if place is not source and place.status not in (0, 304):
            with _record_at(place) as record:
                headers, status = _headers(record), place.status
        kept = tuple(pair for pair in headers if pair[0].lower() not in _TRAVEL)
        return StoredPage(place.url, status, kept, body, place.date)

    def _body(self, place: _Place, record: Any) -> bytes:
        headers = record.http_headers
        stream = record.raw_stream
        if (headers.get_header("transfer-encoding") or "").lower() == "chunked":
            stream = ChunkedDataReader(stream)
        encoding = (headers.get_header("content-encoding") or "").strip().lower()
        reader = BodyReader(place.url, "" if encoding == "identity" else encoding, self._limits)
        while data := stream.read(_READ_BYTES):
            reader.take(data)
        return reader.body()


def warc_files(*paths: Path | str) -> list[Path]:
    """The WARC files that some paths mean, in the order of their names."""
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.name.endswith((".warc", ".warc.gz")))
            if not found:
                raise InputError(f"The folder {path} holds no WARC files (.warc or .warc.gz).")
            files += found
        elif path.is_file():
            files.append(path)
        else:
            raise InputError(f"There is no WARC file {path}.")
    return files


def _index(file: Path) -> Iterator[_Place]:
    begin = 0
    try:
        with file.open("rb") as opened:
            records = ArchiveIterator(opened)
            for record in records:
                begin = records.offset
                records.read_to_end()
                place = _place(file, begin, record) if _is_whole(record) else None
                begin = records.offset
                if place is not None:
                    yield place
    except _DAMAGE as damage:
        if not _is_cut_short(file, begin):
            raise _damaged(file, begin, damage) from None


def _is_cut_short(file: Path, begin: int) -> bool:
    """Whether the record that begins there is sound as far as it goes, and only lacks its end."""
    with file.open("rb") as opened:
        opened.seek(begin)
        start = opened.read(_READ_BYTES)
        if start.startswith(b"WARC/"):
            return begin > 0 and b"\r\n\r\n" not in start
        member = zlib.decompressobj(31)
        try:
            while start and not member.eof:
                member.decompress(start, _READ_BYTES)
                start = member.unconsumed_tail or opened.read(_READ_BYTES)
        except zlib.error:
            return False
        return begin > 0 and not member.eof


def _place(file: Path, offset: int, record: Any) -> _Place | None:
    if record.rec_type not in ("response", "revisit"):
        return None
    get = record.rec_headers.get_header
    try:
        url = normal_url((get("WARC-Target-URI") or "").strip("<>"))
    except BadUrl:
        return None
    revisit = record.rec_type == "revisit"
    status = _status(record)
    if not status and not revisit:
        return None
    return _Place(file, offset, url, _date(get("WARC-Date")), status, get("WARC-Payload-Digest"), revisit)


def _status(record: Any) -> int:
    code = record.http_headers.get_statuscode() if record.http_headers else ""
    return int(code) if code and code.isascii() and code.isdigit() else 0


def _date(text: str | None) -> datetime:
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _is_whole(record: Any) -> bool:
    return not getattr(record.raw_stream, "limit", 0)


def _headers(record: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in record.http_headers.headers)


@contextmanager
def _record_at(place: _Place) -> Iterator[Any]:
    try:
        with place.file.open("rb") as opened:
            opened.seek(place.offset)
            yield next(ArchiveIterator(opened))
    except (*_DAMAGE, StopIteration) as damage:
        raise _damaged(place.file, place.offset, damage) from None


def _damaged(file: Path, offset: int, damage: BaseException) -> InputError:
    why = (str(damage).strip() or type(damage).__name__).splitlines()[0][:100]
    return InputError(f"The WARC file {file} is damaged at byte {offset} ({why}); use an intact copy of it.")
