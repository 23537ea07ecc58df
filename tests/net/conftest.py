"""A server on loopback that answers with whatever bytes a test gives it, however wrong they are."""

from __future__ import annotations

import asyncio
import inspect
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver

from thrawl.net.client import Client
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions, FetchLimits

QUICK = FetchLimits(
    total_seconds=20.0, connect_seconds=10.0, first_byte_seconds=10.0, backoff_seconds=0.001, retry_after_seconds=0.05
)


@dataclass(frozen=True)
class Asked:
    """One request as it arrived: the target of its first line, its headers, and when it came by the server's clock."""

    target: str
    headers: dict[str, str]
    moment: float


@dataclass
class FaultServer:
    """`on(path, answer)`: bytes to send, a list of them to send in turn (the last one for ever), or a function of
    the request (and, for a coroutine function, the writer)."""

    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    clock: Callable[[], float] = time.monotonic
    _answers: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def on(self, path: str, answer: Any) -> str:
        self._answers[path] = answer
        return self.url + path

    def targets(self) -> list[str]:
        return [asked.target for asked in self.asked if not asked.target.endswith("/robots.txt")]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = dict(line.split(": ", 1) for line in head[1:] if line)
                named = {name.lower(): value for name, value in headers.items()}
                asked = Asked(head[0].split(" ")[1], named, self.clock())
                self.asked.append(asked)
                await self._answer(asked, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        path = "/" + asked.target.split("://")[-1].partition("/")[2] if "://" in asked.target else asked.target
        answer = self._answers.get(path, reply(b"nothing here", status="404 Not Found"))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if inspect.iscoroutinefunction(answer):
            await answer(asked, writer)
            return
        data = answer(asked) if callable(answer) else answer
        writer.write(data.removesuffix(CUT))
        if data.endswith(CUT):
            await writer.drain()
            writer.transport.abort()
            raise ConnectionError


CUT = b"\x00cut here\x00"


def reply(body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    kind = [] if any(header.lower().startswith("content-type") for header in headers) else ["Content-Type: text/html"]
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {size}", *kind, *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class FixedResolver(AbstractResolver):
    """Names to addresses, as a test says; a list of lists gives another answer at each lookup."""

    def __init__(self, names: dict[str, list[list[str]]]) -> None:
        self.names = names

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_INET) -> list[Any]:
        answers = self.names.get(host)
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [
            {
                "hostname": host,
                "host": address,
                "port": port,
                "family": socket.AF_INET6 if ":" in address else socket.AF_INET,
                "proto": 0,
                "flags": 0,
            }
            for address in addresses
        ]

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class Net:
    """What the tests of this folder use: names to build answers and clients with."""

    reply: Callable[..., bytes]
    cut: bytes
    resolver: Callable[[dict[str, list[list[str]]]], FixedResolver]
    quick: FetchLimits


@pytest.fixture
def net() -> Net:
    return Net(reply, CUT, FixedResolver, QUICK)


@pytest.fixture
async def start_server() -> AsyncIterator[Callable[[], Any]]:
    servers = []

    async def start() -> FaultServer:
        fault = FaultServer()
        server = await asyncio.start_server(fault.serve, "127.0.0.1", 0)
        fault.port = server.sockets[0].getsockname()[1]
        servers.append(server)
        return fault

    yield start
    for server in servers:
        server.close()


@pytest.fixture
async def server(start_server: Callable[[], Any]) -> FaultServer:
    return await start_server()


@pytest.fixture
async def make_client() -> AsyncIterator[Callable[..., Client]]:
    """A client without delay, with quick limits, that may go to 127.0.0.1 and nowhere else on this machine."""
    clients: list[Client] = []

    def make(*, recorder: Any = None, resolver: Any = None, pace: Any = None, **options: Any) -> Client:
        given = {
            "delay": 0,
            "concurrency": 8,
            "limits": QUICK,
            "start_url": "http://127.0.0.1/",
            "obey_robots": False,
            "use_environment_proxies": False,
        }
        client = Client(ClientOptions(**(given | options)), recorder=recorder, resolver=resolver, pace=pace)
        clients.append(client)
        return client

    yield make
    for client in clients:
        await client.close()


@pytest.fixture
async def client(make_client: Callable[..., Client]) -> Client:
    return make_client()


@pytest.fixture
def get(client: Client) -> Callable[..., Any]:
    async def fetch(url: str, **request: Any) -> Any:
        return await client.fetch(Request(url, **request))

    return fetch
