"""The program of a process that learns forums, many at a time, for a fleet: no forum's pages can hold up the others.

It has no network: what a forum is to be asked for goes through the pipe, and the answer comes back. It says that it
lives; where it does not, it is ended from outside (`learning`).
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import urlsplit

from thrawl.crawl.kept import AskedBefore
from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import PageJob, Role
from thrawl.crawl.wire import LENGTH, OUT_OF_MEMORY, framed
from thrawl.crawl.worker import bound_memory
from thrawl.errors import FetchError, LearnError, ThrawlError
from thrawl.learn.learner import Learned, learn
from thrawl.net.message import Request, Response
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

_ALIVE_SECONDS: Final = 1.0
_MOST_MARKS: Final = 200  # rows of lists: one long list is enough to know a forum again


@dataclass(frozen=True, slots=True)
class Order:
    """Learn a forum. `known` pages need not be asked for; `also` are URLs that the profile must explain."""

    start: str
    known: tuple[Response, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What was learned, all pages that were asked for, and the marks by which the forum is known again."""

    learned: Learned
    asked: tuple[Response, ...]
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Alive:
    """A sign of life."""


def marks_of(profile: Profile, pages: Sequence[Response]) -> tuple[int, ...]:
    """Numbers for the threads that a forum's lists show: their paths and titles, whatever name the host has."""
    reader, types = SiteReader(profile), UrlTypes(profile)
    found: dict[int, None] = {}
    for page in pages:
        is_entry = page.url == profile.entry
        typed = types.type(page.url)
        if page.status != 200 or not page.is_html or (not is_entry and (typed is None or typed.kind != "index")):
            continue
        role = Role.ENTRY if is_entry else Role.INDEX
        job = PageJob(page.url, role, page.url, page.body, page.charset, page.moment)
        for row in reader.read(job).rows:
            parts = urlsplit(row.url)
            words = "\0".join((parts.path, parts.query, row.title))
            digest = blake2b(words.encode("utf-8", "replace"), digest_size=8).digest()
            found[int.from_bytes(digest, signed=True)] = None
    return tuple(found)[:_MOST_MARKS]


class _Asking:
    """Implements Fetcher by asking through the pipe."""

    def __init__(self, number: int, send: Any) -> None:
        self._number = number
        self._send = send
        self.answers: asyncio.Queue[Response | FetchError] = asyncio.Queue()
        self._turn = asyncio.Lock()

    async def fetch(self, request: Request) -> Response:
        async with self._turn:
            self._send(self._number, request)
            answer = await self.answers.get()
        if isinstance(answer, FetchError):
            raise answer
        return answer

    async def close(self) -> None:
        """The pipe is not this forum's to close."""


class _Process:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._under_way: dict[int, tuple[_Asking, asyncio.Task[None]]] = {}

    async def run(self) -> None:
        beating = asyncio.create_task(self._beat())
        try:
            while True:
                (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
                self._take(*pickle.loads(await self._reader.readexactly(length)))
        except asyncio.IncompleteReadError:
            beating.cancel()

    def _take(self, number: int, message: object) -> None:
        if isinstance(message, Order):
            asking = _Asking(number, self._send)
            self._under_way[number] = asking, asyncio.create_task(self._learn(number, message, asking))
        elif number in self._under_way:
            asking, task = self._under_way[number]
            if message is None:
                task.cancel()
                del self._under_way[number]
            elif isinstance(message, Response | FetchError):
                asking.answers.put_nowait(message)

    async def _learn(self, number: int, order: Order, asking: _Asking) -> None:
        result: Found | ThrawlError
        try:
            asked = AskedBefore(asking)
            learned = await learn(
                order.start, asked, known=order.known, also=order.also, progress=lambda text: self._send(number, text)
            )
            learned = replace(learned, forbidden=asked.denied)
            result = Found(learned, asked.pages, marks_of(learned.profile, learned.pages))
        except ThrawlError as error:
            result = error
        except RecursionError:
            result = LearnError(f"{order.start} nests too deeply to be learned")
        self._send(number, result)
        self._under_way.pop(number, None)

    def _send(self, number: int, message: object) -> None:
        self._writer.write(framed((number, message)))

    async def _beat(self) -> None:
        while True:
            self._send(0, Alive())
            await asyncio.sleep(_ALIVE_SECONDS)


async def _main(pipe: socket.socket) -> None:
    reader, writer = await asyncio.open_unix_connection(sock=pipe)
    await _Process(reader, writer).run()


def run() -> None:
    """The program: the pipe's descriptor is its argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory()
    try:
        asyncio.run(_main(socket.socket(fileno=int(sys.argv[1]))))
    except (ConnectionError, BrokenPipeError):
        pass
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
