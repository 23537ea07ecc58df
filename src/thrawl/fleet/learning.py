"""Learning for a fleet, in processes of its own: inference over one site's pages must not hold up all the others.

Each process learns many forums at a time, for most of a polite learning is waiting. One that dies, or gives no sign of
life, is replaced, and each of its forums is learned once more by a process of its own: only if that one ends, too, is
the forum at fault. Pages that were asked for are kept on disk until the forum's turn is over, in case that the crawl
has it learned again.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from itertools import count
from typing import IO, Final

from thrawl.crawl.allowance import Allowance, Bounded
from thrawl.crawl.wire import LENGTH, framed
from thrawl.errors import FetchError, LearnError
from thrawl.fleet.learnprocess import Found, Order
from thrawl.learn.learner import Learned
from thrawl.limits import FLEET_LEARN_SECONDS
from thrawl.net.message import Fetcher, Request, Response

_PROGRAM: Final = "import gc; gc.disable(); from thrawl.fleet.learnprocess import run; gc.enable(); run()"
Say = Callable[[str], None]
NewForum = Callable[[Learned, Sequence[int]], None]


class Learners:
    """Processes that learn forums, up to one a core; each is started when there is something to learn."""

    def __init__(self, size: int | None = None, stall_seconds: float = FLEET_LEARN_SECONDS) -> None:
        self._size = size or os.cpu_count() or 1
        self._stall_seconds = stall_seconds
        self._processes: list[_Process] = []

    async def learn(self, order: Order, fetcher: Fetcher, say: Say) -> Found:
        """Learn a forum. Raises LearnError where it cannot be learned."""
        for alone in (False, True):
            process = self._start() if alone else self._least_busy()
            try:
                return await process.learn(order, fetcher, say)
            except ConnectionError:
                await process.close()
            finally:
                if alone:
                    await process.close()
        raise LearnError(f"{order.start} could not be learned: its pages take too much time or memory")

    def pids(self) -> list[int]:
        return [process.pid for process in self._processes if not process.is_over]

    async def close(self) -> None:
        for process in self._processes:
            await process.close()
        self._processes.clear()

    def _least_busy(self) -> _Process:
        self._processes = [process for process in self._processes if not process.is_closed]
        alive = [process for process in self._processes if not process.is_over]
        if len(alive) < self._size and all(process.busy for process in alive):
            alive.append(self._start())
            self._processes.append(alive[-1])
        return min(alive, key=lambda process: process.busy)

    def _start(self) -> _Process:
        return _Process(self._stall_seconds)


class ForumLearner:
    """Implements Learn for one forum. `on_new` is told of the profile before anything is archived by it."""

    def __init__(self, learners: Learners, fetcher: Fetcher, say: Say, on_new: NewForum) -> None:
        self._learners = learners
        self._fetcher = fetcher
        self._say = say
        self._on_new = on_new
        self._asked: IO[bytes] | None = None

    async def __call__(
        self, start: str, allowance: Allowance, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned:
        kept = (*(self._before() if known else ()), *known)
        found = await self._learners.learn(
            Order(start, kept, tuple(also)), Bounded(self._fetcher, allowance), self._say
        )
        self._keep((*(kept if known else ()), *found.asked))
        self._on_new(found.learned, found.marks)
        return found.learned

    def close(self) -> None:
        if self._asked is not None:
            self._asked.close()

    def _keep(self, pages: Sequence[Response]) -> None:
        self.close()
        self._asked = tempfile.TemporaryFile()  # noqa: SIM115 - until the forum's turn is over
        self._asked.write(zlib.compress(pickle.dumps(tuple(pages)), 1))

    def _before(self) -> tuple[Response, ...]:
        if self._asked is None:
            return ()
        self._asked.seek(0)
        pages: tuple[Response, ...] = pickle.loads(zlib.decompress(self._asked.read()))
        return pages


class _Process:
    """One process that learns, and the pipe to it."""

    def __init__(self, stall_seconds: float) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-c", _PROGRAM, str(theirs.fileno())]
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, process_group=0
            )
        self.pid = self._process.pid
        self.is_over = False
        self.is_closed = False
        self._stall_seconds = stall_seconds
        self._numbers = count(1)
        self._inboxes: dict[int, asyncio.Queue[object]] = {}
        self._heard = time.monotonic()
        self._writer: asyncio.StreamWriter | None = None
        self._opening: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def busy(self) -> int:
        return len(self._inboxes)

    async def learn(self, order: Order, fetcher: Fetcher, say: Say) -> Found:
        number = next(self._numbers)
        inbox = self._inboxes[number] = asyncio.Queue()
        try:
            await self._open()
            self._send(number, order)
            return await self._converse(number, inbox, fetcher, say)
        finally:
            del self._inboxes[number]
            if not self.is_over and self._writer is not None:
                self._send(number, None)

    async def close(self) -> None:
        if self._opening is not None:
            await self._opening
        self._end()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._process.wait)
        self.is_closed = True

    async def _converse(self, number: int, inbox: asyncio.Queue[object], fetcher: Fetcher, say: Say) -> Found:
        while True:
            match await inbox.get():
                case Request() as request:
                    self._send(number, await _answer(fetcher, request))
                case str() as sentence:
                    say(sentence)
                case Found() as found:
                    return found
                case Exception() as error:
                    raise error

    async def _open(self) -> None:
        """Many forums wait for it, and one of them that is given up must not take it from the others."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._connect())
        await asyncio.shield(self._opening)

    async def _connect(self) -> None:
        if not self.is_over:
            reader, self._writer = await asyncio.open_unix_connection(sock=self._socket)
            self._heard = time.monotonic()
            self._tasks = [asyncio.create_task(self._receive(reader)), asyncio.create_task(self._watch())]

    def _send(self, number: int, message: object) -> None:
        if self._writer is None or self.is_over:
            raise ConnectionResetError("the process is gone")
        self._writer.write(framed((number, message)))

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
                number, message = pickle.loads(await reader.readexactly(length))
                self._heard = time.monotonic()
                if number in self._inboxes:
                    self._inboxes[number].put_nowait(message)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._end()

    async def _watch(self) -> None:
        """A process that says nothing for long is stuck in some forum's pages."""
        left = self._stall_seconds
        while left > 0:
            await asyncio.sleep(left)
            left = self._heard + self._stall_seconds - time.monotonic()
        self._end()

    def _end(self) -> None:
        if not self.is_over:
            self.is_over = True
            self._process.kill()
            if self._writer is not None:
                self._writer.close()
            else:
                self._socket.close()
        for inbox in self._inboxes.values():
            inbox.put_nowait(ConnectionResetError("the process is gone"))


async def _answer(fetcher: Fetcher, request: Request) -> Response | FetchError:
    try:
        return await fetcher.fetch(request)
    except FetchError as error:
        return error
