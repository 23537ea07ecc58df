"""Misbehaving servers, one named class a fault.

A fault sees each request before the forum does and either answers in its own way or lets it pass; it also sees what
the forum answered and may spoil it. Shares are drawn from a seed, so that a run can be repeated.
Faults that break the protocol write to the connection themselves.
"""

from __future__ import annotations

import asyncio
import zlib
from random import Random
from typing import ClassVar

from aiohttp import web

from thrawl.errors import UsageError

CHUNK = 64 * 1024


class Fault:
    """Does nothing; strikes a share of the requests whose path contains `where`."""

    name: ClassVar[str]

    def __init__(self, share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        self.share = share
        self.where = where
        self._random = Random(seed)

    def hits(self, request: web.Request) -> bool:
        return self.where in request.path_qs and self._random.random() < self.share

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        """An answer instead of the forum's, or None."""
        return None

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        """The forum's answer, changed."""
        return response


class Latency(Fault):
    """Every answer comes late."""

    name = "latency"

    def __init__(self, seconds: float = 0.2, share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        super().__init__(share, seed=seed, where=where)
        self.seconds = seconds

    async def strike(self, request: web.Request) -> None:
        await asyncio.sleep(self.seconds)


class Refusals(Fault):
    """429 or 503, with a Retry-After where one is given."""

    name = "refusals"

    def __init__(
        self,
        status: int = 503,
        share: float = 0.1,
        *,
        retry_after: str | None = "1",
        seed: int = 1,
        where: str = "",
    ) -> None:
        super().__init__(share, seed=seed, where=where)
        self.status = status
        self.retry_after = retry_after

    async def strike(self, request: web.Request) -> web.StreamResponse:
        headers = {"Retry-After": self.retry_after} if self.retry_after is not None else {}
        return web.Response(status=self.status, text="Too busy.", headers=headers)


class Resets(Fault):
    """The connection is cut before anything was answered."""

    name = "resets"

    async def strike(self, request: web.Request) -> web.StreamResponse:
        _abort(request)
        return web.Response()


class Truncation(Fault):
    """The headers promise the whole page, half of it comes, then the connection is cut."""

    name = "truncation"

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        body = response.body if isinstance(response.body, bytes) else b""
        stream = web.StreamResponse(status=response.status, headers={"Content-Length": str(len(body))})
        stream.content_type = response.content_type
        await stream.prepare(request)
        await stream.write(body[: len(body) // 2])
        _abort(request)
        return stream


class WrongCharset(Fault):
    """The header names a charset that the page is not in."""

    name = "wrong-charset"

    def __init__(self, charset: str = "iso-8859-1", share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        super().__init__(share, seed=seed, where=where)
        self.charset = charset

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        response.headers["Content-Type"] = f"{response.content_type}; charset={self.charset}"
        return response


class RedirectLoop(Fault):
    """Every page says that it has moved, to itself with one letter more, for ever."""

    name = "redirect-loop"

    async def strike(self, request: web.Request) -> web.StreamResponse:
        mark = "&" if request.query_string else "?"
        target = request.path_qs if len(request.path_qs) > 200 else f"{request.path_qs}{mark}again"
        return web.Response(status=302, headers={"Location": target})


class Bomb(Fault):
    """A small compressed body that unpacks to many megabytes."""

    name = "bomb"

    def __init__(self, mebibytes: int = 64, share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        super().__init__(share, seed=seed, where=where)
        self.mebibytes = mebibytes

    async def strike(self, request: web.Request) -> web.StreamResponse:
        packer = zlib.compressobj(9, wbits=31)
        block = b"<p>" + b" " * (1024 * 1024 - 3)
        body = b"".join(packer.compress(block) for _ in range(self.mebibytes)) + packer.flush()
        return web.Response(body=body, content_type="text/html", headers={"Content-Encoding": "gzip"})


class HeaderFlood(Fault):
    """More header lines than any honest answer has."""

    name = "header-flood"

    def __init__(self, kibibytes: int = 256, share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        super().__init__(share, seed=seed, where=where)
        self.kibibytes = kibibytes

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        for number in range(self.kibibytes):
            response.headers[f"X-Flood-{number}"] = "x" * 1000
        return response


class Drip(Fault):
    """One byte at a time, never ending soon."""

    name = "drip"

    def __init__(self, pause: float = 0.05, share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        super().__init__(share, seed=seed, where=where)
        self.pause = pause

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        body = response.body if isinstance(response.body, bytes) else b""
        stream = web.StreamResponse(status=response.status)
        stream.content_type = response.content_type
        await stream.prepare(request)
        for number in range(len(body)):
            await stream.write(body[number : number + 1])
            await asyncio.sleep(self.pause)
        await stream.write_eof()
        return stream


class Flood(Fault):
    """A body without an end, as fast as it is read."""

    name = "flood"

    def __init__(self, mebibytes: int = 64, share: float = 1.0, *, seed: int = 1, where: str = "") -> None:
        super().__init__(share, seed=seed, where=where)
        self.mebibytes = mebibytes

    async def strike(self, request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/html"})
        await stream.prepare(request)
        for _ in range(self.mebibytes * 16):
            await stream.write(b"<p>more</p>".ljust(CHUNK))
        await stream.write_eof()
        return stream


FAULTS: dict[str, type[Fault]] = {
    fault.name: fault
    for fault in (
        Latency,
        Refusals,
        Resets,
        Truncation,
        WrongCharset,
        RedirectLoop,
        Bomb,
        HeaderFlood,
        Drip,
        Flood,
    )
}


def fault_named(text: str) -> Fault:
    """A fault from `NAME` or `NAME=SHARE`, as the command line gives it."""
    name, _, share = text.partition("=")
    if name not in FAULTS:
        raise UsageError(f"There is no fault {name!r}; choose one of {', '.join(FAULTS)}.")
    try:
        return FAULTS[name](share=float(share)) if share else FAULTS[name]()
    except ValueError:
        raise UsageError(f"The share of {text!r} is no number; write for example {name}=0.1.") from None


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
