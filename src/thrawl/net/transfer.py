"""One hop: a request goes out, an answer comes back whole and within the limits, or it is an error with a reason.

One deadline stands around the whole hop, since a timeout for each read does not stop a server that drips. A request is
written once: where a connection breaks off, aiohttp would ask again at once, which is no host's pace (`sending`).
"""

from __future__ import annotations

import asyncio
import io
import os
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Protocol

import aiohttp
from yarl import URL

from thrawl.errors import FetchError, LimitExceeded, UrlRefused
from thrawl.net.decode import BodyReader
from thrawl.net.guard import AddressRefused
from thrawl.net.options import FetchLimits
from thrawl.net.retry import TooSlow, Transient

Headers = tuple[tuple[str, str], ...]
Go = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer. Headers are Latin-1 text, so their bytes are not lost; `raw` is the body as it
    came (Content-Encoding still on), kept only for a recorder."""

    url: str
    request_headers: Headers
    status: int
    reason: str
    headers: Headers
    body: bytes
    raw: bytes
    fetched: datetime
    elapsed: float

    def header(self, name: str) -> str | None:
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    def all_headers(self, name: str) -> list[str]:
        wanted = name.lower()
        return [value for key, value in self.headers if key.lower() == wanted]


class Recorder(Protocol):
    """Whatever keeps exchanges as they were; `record` comes back once the exchange is safe on disk."""

    async def record(self, exchange: Exchange) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Order:
    """How one hop is to be made."""

    url: str
    headers: Mapping[str, str]
    limits: FetchLimits
    proxy: str | None = None
    keep_raw: bool = False
    cut: bool = False


@dataclass(slots=True)
class _Sending:
    """A request on its way to be written: what it waits for then, and the deadline, which does not run meanwhile."""

    go: Go
    deadline: asyncio.Timeout
    written: bool = False


def sending() -> aiohttp.TraceConfig:
    """What a session needs for `transfer`: has every request wait for its `go`, and written once."""
    config = aiohttp.TraceConfig()
    config.on_request_headers_sent.append(_before_writing)
    return config


async def _before_writing(
    _: aiohttp.ClientSession, context: SimpleNamespace, __: aiohttp.TraceRequestHeadersSentParams
) -> None:
    """aiohttp calls this when the connection stands, right before it writes."""
    request: _Sending = context.trace_request_ctx
    if request.written:
        raise aiohttp.ServerDisconnectedError
    request.written = True
    deadline = request.deadline.when()
    assert deadline is not None
    loop = asyncio.get_running_loop()
    left = deadline - loop.time()
    request.deadline.reschedule(None)
    await request.go()
    request.deadline.reschedule(loop.time() + left)


async def transfer(session: aiohttp.ClientSession, order: Order, go: Go) -> Exchange:
    """Carry out one order, on a session with `sending`; its request is written when `go` has come back."""
    limits = order.limits
    try:
        async with asyncio.timeout(limits.total_seconds) as deadline:
            return await _ask(session, order, _Sending(go, deadline))
    except aiohttp.ClientError as error:
        raise _explained(order.url, error, limits) from error
    except EOFError as error:
        raise Transient(order.url, str(error)) from error
    except TimeoutError:
        raise TooSlow(order.url, f"no whole answer within {limits.total_seconds:g} s") from None


async def _ask(session: aiohttp.ClientSession, order: Order, request: _Sending) -> Exchange:
    began = time.perf_counter()
    async with session.get(
        URL(order.url, encoded=True),
        headers=order.headers,
        proxy=order.proxy,
        allow_redirects=False,
        trace_request_ctx=request,
    ) as answer:
        headers = _checked_headers(order, answer)
        reader, raw = await _read(order, answer)
        return Exchange(
            url=order.url,
            request_headers=tuple(answer.request_info.headers.items()) if order.keep_raw else (),
            status=answer.status,
            reason=answer.reason or "",
            headers=headers,
            body=reader.body(),
            raw=raw,
            fetched=datetime.now(UTC),
            elapsed=time.perf_counter() - began,
        )


def _checked_headers(order: Order, answer: aiohttp.ClientResponse) -> Headers:
    raw = answer.raw_headers
    if sum([len(name) + len(value) + 4 for name, value in raw]) > order.limits.header_bytes:
        raise _too_many_headers(order.url, order.limits)
    return tuple([(name.decode("latin-1"), value.decode("latin-1")) for name, value in raw])


async def _read(order: Order, answer: aiohttp.ClientResponse) -> tuple[BodyReader, bytes]:
    encoding = answer.headers.get("Content-Encoding", "").strip().lower()
    reader = BodyReader(order.url, encoding, order.limits, cut=order.cut)
    if (answer.content_length or 0) > order.limits.body_bytes and not order.cut:
        raise LimitExceeded(order.url, f"the body is larger than {order.limits.body_bytes} bytes")
    raw = io.BytesIO()
    content = answer.content
    size = 0
    while data := await content.readany():
        size += len(data)
        if size > order.limits.body_bytes and not order.cut:
            raise LimitExceeded(order.url, f"the body is larger than {order.limits.body_bytes} bytes")
        if order.keep_raw:
            raw.write(data)
        reader.take(data)
        if reader.full:
            break
    return reader, raw.getvalue()


def _too_many_headers(url: str, limits: FetchLimits) -> LimitExceeded:
    return LimitExceeded(url, f"the answer has more than {limits.header_bytes} bytes of headers")


def _explained(url: str, error: aiohttp.ClientError, limits: FetchLimits) -> FetchError:
    """aiohttp's error as one of ours, in words."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return _no_connection(url, error)
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        reason = f"no connection within {limits.connect_seconds:g} s"
        return Transient(url, reason, few=True, slows=True)
    if isinstance(error, aiohttp.ServerTimeoutError):
        reason = f"the server sent nothing for {limits.first_byte_seconds:g} s"
        return Transient(url, reason, few=True, slows=True)
    if isinstance(error, aiohttp.ClientPayloadError):
        return Transient(url, "the body broke off before its end")
    if isinstance(error, aiohttp.ClientConnectionError):
        return Transient(url, "the connection broke off before the answer")
    return _no_http(url, error, limits)


def _no_connection(url: str, error: aiohttp.ClientConnectorError) -> FetchError:
    cause = error.os_error
    if isinstance(cause, AddressRefused):
        return UrlRefused(url, str(cause))
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return FetchError(url, f"its TLS certificate is not valid ({error.certificate_error})")
    if isinstance(error, aiohttp.ClientSSLError):
        return FetchError(url, f"no TLS connection could be made ({cause.strerror or cause})")
    if isinstance(cause, socket.gaierror):
        if cause.errno == socket.EAI_NONAME:
            return FetchError(url, f"the host name {error.host} is unknown")
        return Transient(url, f"the host name {error.host} could not be looked up", few=True)
    what = "the proxy" if isinstance(error, aiohttp.ClientProxyConnectionError) else "the server"
    why = os.strerror(cause.errno) if cause.errno else str(cause)
    return Transient(url, f"{what} {error.host}:{error.port} cannot be reached ({why})", few=True)


def _no_http(url: str, error: aiohttp.ClientError, limits: FetchLimits) -> FetchError:
    if isinstance(error, aiohttp.InvalidURL):
        return UrlRefused(url, "it cannot be read as a URL")
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return Transient(url, f"the proxy answered {error.status} instead of connecting", few=True)
    message = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
    if "Too many headers" in message or "Got more than" in message:
        return _too_many_headers(url, limits)
    first_line = message.strip().partition("\n")[0][:100]
    return Transient(url, f"the answer is not proper HTTP ({first_line})", few=True)
