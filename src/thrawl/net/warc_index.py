"""Where each answer is in a WARC file, found in one pass that keeps no bodies.

The framing is read here rather than by warcio, whose iterator takes a file that is no WARC for an empty one and cannot
tell a last record that is cut short (a killed crawl leaves one; it is passed over) from damage in the middle (which is
told with its place).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from thrawl.errors import InputError
from thrawl.net.url import BadUrl, normal_url

_BLOCK: Final = 64 * 1024
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})\b")
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class WarcPlace:
    """Where a response or revisit record is, and what it is."""

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

    def beats(self, other: WarcPlace | None) -> bool:
        """Later is better, but an error of the server does not hide a page."""
        if other is None or other.is_error != self.is_error:
            return other is None or other.is_error
        return self.date >= other.date


@dataclass(frozen=True, slots=True)
class _Framed:
    """One record as it stands in a file: its first bytes and the length of all of it."""

    offset: int
    start: bytes
    length: int


class _Damage(Exception):
    def __init__(self, offset: int, why: str) -> None:
        super().__init__(why)
        self.offset = offset


def places(file: Path) -> Iterator[WarcPlace]:
    """The responses of a file, in its order; raises InputError where it is damaged."""
    try:
        with file.open("rb") as opened:
            begins = opened.read(2)
            if not begins:
                raise _Damage(0, "it is empty")
            framed = _members if begins == _GZIP else _plain_records
            opened.seek(0)
            for record in framed(opened):
                place = _place(file, record)
                if place is not None:
                    yield place
    except _Damage as damage:
        raise damaged(file, damage.offset, str(damage)) from None
    except OSError as problem:
        raise InputError(f"The WARC file {file} cannot be read: {problem.strerror}.") from None


def damaged(file: Path, offset: int, why: str) -> InputError:
    return InputError(f"The WARC file {file} is damaged at byte {offset} ({why}); use an intact copy of it.")


def _members(opened: BinaryIO) -> Iterator[_Framed]:
    begin, data = 0, opened.read(_BLOCK)
    while data:
        member = zlib.decompressobj(31)
        start, length = b"", 0
        while data and not member.eof:
            try:
                out = member.decompress(data, _BLOCK)
            except zlib.error as error:
                raise _Damage(begin, str(error)) from None
            start += out[: _BLOCK - len(start)]
            length += len(out)
            data = member.unconsumed_tail or (b"" if member.eof else opened.read(_BLOCK))
        if not member.eof:
            _tolerate_cut(begin)
            return
        yield _Framed(begin, start, length)
        begin = opened.tell() - len(member.unused_data)
        data = member.unused_data or opened.read(_BLOCK)


def _plain_records(opened: BinaryIO) -> Iterator[_Framed]:
    size = opened.seek(0, 2)
    begin = 0
    while begin < size:
        opened.seek(begin)
        start = opened.read(_BLOCK)
        if not start.strip():
            return
        begin += len(start) - len(start.lstrip(b"\r\n"))
        start = start.lstrip(b"\r\n")
        if len(start) < _BLOCK and b"\r\n\r\n" not in start and start[:5] == b"WARC/"[: len(start)]:
            _tolerate_cut(begin)
            return
        header, fields = _fields(begin, start)
        length = header + _content_length(begin, fields)
        if begin + length > size:
            _tolerate_cut(begin)
            return
        yield _Framed(begin, start, length)
        begin += length


def _tolerate_cut(begin: int) -> None:
    if begin == 0:
        raise _Damage(0, "it ends inside its first record")


def _place(file: Path, record: _Framed) -> WarcPlace | None:
    header, fields = _fields(record.offset, record.start)
    body = _content_length(record.offset, fields)
    if record.length > header + body + 4:
        raise _Damage(record.offset, "records are not compressed one by one; run 'warcio recompress' on it")
    kind = fields.get("warc-type", "")
    if kind not in ("response", "revisit") or record.length < header + body:
        return None
    try:
        url = normal_url(fields.get("warc-target-uri", "").strip("<>"))
    except BadUrl:
        return None
    found = _STATUS.match(record.start, header)
    status = int(found[1]) if found else 0
    if not status and kind == "response":
        return None
    date = _date(fields.get("warc-date", ""))
    return WarcPlace(file, record.offset, url, date, status, fields.get("warc-payload-digest"), kind == "revisit")


def _fields(offset: int, start: bytes) -> tuple[int, dict[str, str]]:
    """The length of a record's own header, and its fields by their lower-case names."""
    end = start.find(b"\r\n\r\n")
    if not start.startswith(b"WARC/") or end < 0:
        raise _Damage(offset, "no WARC record begins here")
    fields: dict[str, str] = {}
    for line in start[:end].decode("utf-8", errors="replace").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    return end + 4, fields


def _content_length(offset: int, fields: dict[str, str]) -> int:
    text = fields.get("content-length", "")
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise _Damage(offset, "a record has no Content-Length")
    return int(text)


def _date(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
