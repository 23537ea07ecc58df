"""Writing WARC files: every exchange as it was, for those who come after us and for our own second reading.

Response and request records, one gzip member each; a page that did not change becomes a revisit record. Bodies are
the bytes as received, Content-Encoding included (a chunked transfer is joined, and its header renamed). Cookies and
passwords that we sent are left out: archives get shared. A record is on disk before `record` comes back; records that
are ready together share one sync.
"""

from __future__ import annotations

import asyncio
import io
import os
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter as RecordWriter

from thrawl._version import __version__
from thrawl.errors import ArchiveError, InputError
from thrawl.limits import MAX_WARC_BYTES, MAX_WARC_DIGESTS
from thrawl.net.transfer import Exchange, Headers

_SECRET = frozenset(("cookie", "authorization", "proxy-authorization"))
_NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


@dataclass(frozen=True, slots=True)
class _Seen:
    """A payload that is in some record already."""

    url: str
    date: str
    digest: str


class _RawHeaders(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """HTTP headers that are written byte for byte; warcio would percent-encode what is not ASCII."""

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        lines = [f"{self.protocol} {self.statusline}".strip()]
        lines += [f"{name}: {value}" for name, value in self.headers]
        self.headers_buff = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


class WarcWriter:
    """Implements Recorder: a folder of WARC files, a new one for each run and each gigabyte."""

    def __init__(self, folder: Path | str, *, max_bytes: int = MAX_WARC_BYTES) -> None:
        self._folder = Path(folder)
        self._max_bytes = max_bytes
        self._file: BinaryIO | None = None
        self._serial = 0
        self._by_digest: OrderedDict[str, _Seen] = OrderedDict()
        self._by_url: OrderedDict[str, _Seen] = OrderedDict()
        self._pending: list[tuple[Exchange, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise InputError(f"{self._folder} is a file, but WARC files need a folder.") from None
        except OSError as problem:
            raise InputError(f"The folder {self._folder} cannot be made: {problem.strerror}.") from None

    async def record(self, exchange: Exchange) -> None:
        """Comes back once the exchange is on disk."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((exchange, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_pending())
        await done

    async def close(self) -> None:
        if self._writing is not None:
            await self._writing
        if self._file is not None:
            self._file.close()
            self._file = None

    async def _write_pending(self) -> None:
        while self._pending:
            batch, self._pending = self._pending, []
            problem: ArchiveError | None = None
            try:
                await asyncio.to_thread(self._write, [exchange for exchange, _ in batch])
            except OSError as error:
                problem = ArchiveError(f"The WARC files in {self._folder} cannot be written: {error}.")
            for _, done in batch:
                if not done.done():
                    done.set_exception(problem) if problem else done.set_result(None)

    def _write(self, exchanges: list[Exchange]) -> None:
        for exchange in exchanges:
            file = self._room()
            before = file.tell()
            try:
                self._write_pair(RecordWriter(file, gzip=True, warc_version="WARC/1.1"), exchange)
            except OSError:
                # Half a record would hide all that is appended after it.
                file.truncate(before)
                file.seek(before)
                raise
            file.flush()
        if self._file is not None:
            os.fsync(self._file.fileno())

    def _write_pair(self, writer: Any, exchange: Exchange) -> None:
        now = _Seen(exchange.url, _warc_date(exchange.fetched), payload_digest(exchange.raw))
        before = self._seen(exchange, now.digest)
        make = _response_record if before is None else _revisit_record
        response = make(writer, exchange, before or now)
        response.rec_headers.replace_header("WARC-Date", now.date)
        writer.write_request_response_pair(_request_record(writer, exchange), response)
        if before is None and exchange.status == 200:
            self._remember(now)

    def _seen(self, exchange: Exchange, digest: str) -> _Seen | None:
        if exchange.status == 304:
            return self._by_url.get(exchange.url)
        # Two redirects can have one body and lead to different places; only pages are compared.
        return self._by_digest.get(digest) if exchange.status == 200 and exchange.raw else None

    def _remember(self, seen: _Seen) -> None:
        for memory, key in ((self._by_digest, seen.digest), (self._by_url, seen.url)):
            memory[key] = seen
            if len(memory) > MAX_WARC_DIGESTS:
                memory.popitem(last=False)

    def _room(self) -> BinaryIO:
        if self._file is not None and self._file.tell() >= self._max_bytes:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
        if self._file is None:
            self._file = self._new_file()
        return self._file

    def _new_file(self) -> BinaryIO:
        moment = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        while True:
            self._serial += 1
            name = f"thrawl-{moment}-{os.getpid()}-{self._serial:05}.warc.gz"
            try:
                file = (self._folder / name).open("xb")
            except FileExistsError:
                continue
            writer = RecordWriter(file, gzip=True, warc_version="WARC/1.1")
            facts = {"software": f"Thrawl/{__version__}", "format": "WARC File Format 1.1"}
            writer.write_record(writer.create_warcinfo_record(name, facts))
            self._sync_folder()
            return file

    def _sync_folder(self) -> None:
        """A new file is safe only when its name is."""
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def payload_digest(raw: bytes) -> str:
    return "sha1:" + b32encode(sha1(raw, usedforsecurity=False).digest()).decode("ascii")


def _response_record(writer: Any, exchange: Exchange, now: _Seen) -> Any:
    return writer.create_warc_record(
        exchange.url,
        "response",
        payload=io.BytesIO(exchange.raw),
        length=len(exchange.raw),
        http_headers=_response_headers(exchange),
        warc_headers_dict={"WARC-Payload-Digest": now.digest},
    )


def _revisit_record(writer: Any, exchange: Exchange, before: _Seen) -> Any:
    headers = _response_headers(exchange)
    record = writer.create_revisit_record(exchange.url, before.digest, before.url, before.date, headers)
    if exchange.status == 304:
        record.rec_headers.replace_header("WARC-Profile", _NOT_MODIFIED)
    return record


def _response_headers(exchange: Exchange) -> _RawHeaders:
    return _RawHeaders(f"{exchange.status} {exchange.reason}", list(_joined(exchange.headers)), "HTTP/1.1")


def _request_record(writer: Any, exchange: Exchange) -> Any:
    parts = urlsplit(exchange.url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    sent = [(name, value) for name, value in exchange.request_headers if name.lower() not in _SECRET]
    headers = _RawHeaders(f"{target} HTTP/1.1", sent, "GET")
    return writer.create_warc_record(exchange.url, "request", http_headers=headers)


def _joined(headers: Headers) -> Iterator[tuple[str, str]]:
    for name, value in headers:
        yield ("X-Archive-Orig-Transfer-Encoding" if name.lower() == "transfer-encoding" else name), value


def _warc_date(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
