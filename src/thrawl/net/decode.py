"""Bodies unpacked while they stream in, with the limits inside: a bomb never gets to unfold.

Each decoder is asked for one byte more than is still allowed; if that byte comes, the limit is broken, and nothing
beyond it was ever made. The allowance is the smaller of the body limit and the ratio times what came in so far.
"""

from __future__ import annotations

import io
import sys
import zlib
from typing import Final, Protocol

import brotli

from thrawl.errors import FetchError, LimitExceeded
from thrawl.net.options import FetchLimits

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPT_ENCODING: Final = "gzip, deflate, br, zstd"
# RFC 9659: HTTP needs no window above 8 MiB.
_ZSTD_OPTIONS: Final[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}
# One response is one stream; a file of a thousand empty ones is an attack on our time.
_MAX_MEMBERS: Final = 64
# The first bytes of a further stream: gzip's magic; zstd's, and those of its frames that are to be skipped.
_MEMBER_BEGINS: Final = {"gzip": b"\x1f", "x-gzip": b"\x1f", "zstd": bytes((0x28, *range(0x50, 0x60)))}
# Bytes that it takes to tell zlib's form from raw deflate, and gzip from plain text.
_TELLING_BYTES: Final = 2
# Encodings that exist and were not asked for. Other words there ("utf-8", "none") are mistakes, and mean plain.
_UNREADABLE: Final = frozenset(
    ("compress", "x-compress", "exi", "pack200-gzip", "aes128gcm", "dcb", "dcz", "lzma", "xz")
)
_DAMAGED: Final = (zlib.error, brotli.error, zstd.ZstdError, EOFError)


class _Stream(Protocol):
    """One compressed stream of any kind."""

    def feed(self, data: bytes, limit: int) -> bytes:
        """At most `limit` bytes of output (a little more from brotli, which counts in buffers)."""

    def rest(self) -> bytes | None:
        """What came after the end of the stream; None while it goes on."""


class _Zlib:
    def __init__(self, window: int) -> None:
        self._stream = zlib.decompressobj(window)

    def feed(self, data: bytes, limit: int) -> bytes:
        return self._stream.decompress(data, limit)

    def rest(self) -> bytes | None:
        return self._stream.unused_data if self._stream.eof else None


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def feed(self, data: bytes, limit: int) -> bytes:
        return bytes(self._stream.process(data, output_buffer_limit=limit))

    def rest(self) -> bytes | None:
        return b"" if self._stream.is_finished() else None


class _Zstd:
    def __init__(self) -> None:
        self._stream = zstd.ZstdDecompressor(options=_ZSTD_OPTIONS)

    def feed(self, data: bytes, limit: int) -> bytes:
        return self._stream.decompress(data, max_length=limit)

    def rest(self) -> bytes | None:
        return self._stream.unused_data if self._stream.eof else None


class BodyReader:
    """Takes the bytes of one body as they arrive and gives the decoded ones, within the limits."""

    def __init__(self, url: str, encoding: str, limits: FetchLimits, *, cut: bool = False) -> None:
        self._url = url
        self._encoding = encoding
        self._limits = limits
        self._cut = cut
        self._stream: _Stream | None = None
        self._body = io.BytesIO()
        self._taken = 0
        self._given = 0
        self._members = 0
        self._held = b""
        self._begun = not encoding
        self.full = False

    def take(self, data: bytes) -> None:
        """Raises LimitExceeded, or with `cut` becomes full at the limit."""
        self._taken += len(data)
        if self._begun:
            self._go_on(data)
        elif len(self._held) + len(data) < _TELLING_BYTES:
            self._held += data
        else:
            self._begin(self._held + data)

    def body(self) -> bytes:
        """All that was decoded; a stream that stops before its end raises EOFError."""
        if self._held and not self._begun:
            self._begin(self._held)
        if self._stream is not None and not self.full and self._stream.rest() is None:
            raise EOFError(f"the {self._encoding} body ends too early")
        return self._body.getvalue()

    def _begin(self, data: bytes) -> None:
        self._begun = True
        self._stream = _open_stream(self._url, self._encoding, data)
        self._go_on(data)

    def _go_on(self, data: bytes) -> None:
        if self._stream is None:
            self._keep(data)
        while self._stream is not None and data and not self.full:
            if self._stream.rest() is not None and not self._next_member(data):
                return
            try:
                self._keep(self._stream.feed(data, self._allowance() + 1))
            except _DAMAGED as damage:
                raise FetchError(self._url, f"the {self._encoding} body is damaged ({damage})") from None
            data = self._stream.rest() or b""

    def _next_member(self, data: bytes) -> bool:
        """Begin another stream where one ended; what is no stream there is padding, and ignored as browsers do."""
        if data[0] not in _MEMBER_BEGINS.get(self._encoding, b""):
            return False
        self._members += 1
        if self._members >= _MAX_MEMBERS:
            raise LimitExceeded(self._url, f"the body has more than {_MAX_MEMBERS} {self._encoding} streams")
        self._stream = _open_stream(self._url, self._encoding, data)
        return True

    def _allowance(self) -> int:
        limits = self._limits
        by_ratio = max(limits.ratio_free_bytes, limits.ratio * self._taken)
        return min(limits.body_bytes, by_ratio) - self._given

    def _keep(self, data: bytes) -> None:
        allowance = self._allowance() if self._stream is not None else self._limits.body_bytes - self._given
        if len(data) > allowance:
            if not self._cut:
                raise LimitExceeded(self._url, self._broken_limit(len(data)))
            data, self.full = data[:allowance], True
        self._given += len(data)
        self._body.write(data)

    def _broken_limit(self, more: int) -> str:
        if self._given + more > self._limits.body_bytes:
            return f"the body is larger than {self._limits.body_bytes} bytes"
        return f"the body unpacks to more than {self._limits.ratio} times its size"


def _open_stream(url: str, encoding: str, start: bytes) -> _Stream | None:
    """The stream for a Content-Encoding; None where the body is plain, whatever the server calls it."""
    if encoding in ("gzip", "x-gzip"):
        return _Zlib(31) if start[:1] == b"\x1f" else None
    if encoding == "deflate":
        # Half of all servers send the raw form that the standard does not mean.
        zlib_form = len(start) > 1 and start[0] & 15 == 8 and (start[0] << 8 | start[1]) % 31 == 0
        return _Zlib(15 if zlib_form else -15)
    if encoding == "br":
        return _Brotli()
    if encoding == "zstd":
        return _Zstd()
    if encoding in _UNREADABLE or "," in encoding:
        raise FetchError(url, f"the server sent the content encoding {encoding[:40]!r}, which was not asked for")
    return None
