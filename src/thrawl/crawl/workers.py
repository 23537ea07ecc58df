"""Pages are read in processes of their own, which can be killed: no page can hang or starve the crawl.

A worker (`worker`) bounds its own CPU and memory; a watch on the clock here ends what neither bound catches. A worker
that died is replaced, and its page is given to a fresh one by itself: only if that one dies, too, is the page at fault
and recorded as unreadable. Workers are programs of their own and not forks, so they hold nothing of the crawl: no
database, no sockets; and Ctrl-C, which is sent to all processes of a terminal, does not reach them.

Pages that wait while all workers are busy go to the next free one together: each waking of a process costs as much as
a tenth of a page. If it dies over them, each is given to a worker by itself.

Pages of sites that are not known yet (learning, `classify`) are read as wholes by the same processes.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol, cast

from thrawl import limits
from thrawl.crawl.values import LookJob, Misfit, PageJob, Reading, Unread, UseProfile
from thrawl.crawl.wire import LENGTH, OUT_OF_MEMORY, framed, register
from thrawl.errors import PageError
from thrawl.profile.profile import Profile

if TYPE_CHECKING:  # a crawl by a known profile needs no whole pages, and starts faster without
    from thrawl.page.reading import Page

# Pages that each worker has read before another is started: a start costs as much as reading a hundred pages, and a
# small crawl would never get that back.
_WORTH_A_START: Final = 1000
# All that importing makes stays: looking for garbage in between would take a tenth of a worker's start.
# Workers that may die over one page before it is at fault; one ended by the bounds that a page has counts twice.
_DEATHS: Final = 3
_TOGETHER: Final = 4  # pages that a worker is given at once at the most: what one that dies has to read again
_PROGRAM: Final = "import gc; gc.disable(); from thrawl.crawl.worker import run; run()"


class Readers(Protocol):
    """Whatever reads pages for a crawl, `size` of them at a time."""

    @property
    def size(self) -> int: ...

    async def read(self, job: PageJob) -> Reading: ...

    def change(self, profile: Profile) -> None:
        """Read by another profile from now on."""

    async def close(self) -> None: ...


class WorkerPool:
    """Reads pages in worker processes, up to one a core unless told otherwise, each started when pages wait for it.

    Belongs to the event loop that uses it.
    """

    def __init__(
        self,
        profile: Profile | None = None,
        workers: int | None = None,
        *,
        cpu_seconds: float = limits.PAGE_CPU_SECONDS,
        clock_seconds: float = limits.PAGE_CLOCK_SECONDS,
    ) -> None:
        register()
        self.size = workers or os.cpu_count() or 1
        self._profile = profile
        self._cpu_seconds = cpu_seconds
        self._clock_seconds = clock_seconds
        self._workers = [_Worker(cpu_seconds)]
        self._idle = deque(self._workers)
        self._read = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._queued: deque[tuple[PageJob, asyncio.Future[object]]] = deque()
        self._batches: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()

    async def read(self, job: PageJob, profile: Profile | None = None) -> Reading:
        """What a page says by the pool's profile, or by another one."""
        if profile is not None or self._idle or self._pays_to_start():
            reading = await self._ask(job, profile or self._profile)
        else:
            answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
            self._queued.append((job, answer))
            reading = await answer
        if reading is None:
            return Reading(misfit=Misfit.KILLED, detail=self._too_long)
        assert isinstance(reading, Reading)
        return reading

    async def page(self, html: str, url: str, reference: datetime | None = None) -> Page:
        """A whole page. Raises PageError for one that cannot be read."""
        found = await self._ask(LookJob(html, url, reference))
        if found is None or isinstance(found, Unread):
            raise PageError(found.reason if found is not None else f"reading it takes {self._too_long}")
        return cast("Page", found)

    @property
    def _too_long(self) -> str:
        return f"more than {self._cpu_seconds:g} s of CPU, too much memory or a crash"

    async def _ask(self, job: PageJob | LookJob, profile: Profile | None = None) -> object:
        """The answer to a job; None where the page is at fault."""
        worker = await self._free_worker()
        tries = 0
        try:
            while True:
                try:
                    return await worker.ask(job, profile, self._clock_seconds)
                except asyncio.CancelledError:
                    if not worker.is_open:  # it was to be asked for the first time, and its pipe is in between
                        worker = self._replace(worker)
                    raise
                except OSError:  # it is gone, or was too long about it
                    tries += 2 if worker.was_stopped_by_a_bound() else 1
                    worker = self._replace(worker)
                    if tries > _DEATHS:
                        return None
        finally:
            self._release(worker)

    async def _read_together(self, worker: _Worker, batch: Sequence[tuple[PageJob, asyncio.Future[object]]]) -> None:
        """Have one worker read several pages; those of a worker that died are read one by one."""
        jobs = [job for job, _ in batch]
        answers: list[object] | None = None
        try:
            found = await worker.ask(jobs, self._profile, self._clock_seconds * len(jobs))
            answers = cast(list[object], found)
        except OSError:
            worker = self._replace(worker)
        finally:
            self._release(worker)
        for place, (job, answer) in enumerate(batch):
            if not answer.done():
                reading = await self._ask(job, self._profile) if answers is None else answers[place]
                if not answer.done():
                    answer.set_result(reading)

    def change(self, profile: Profile) -> None:
        self._profile = profile

    def pids(self) -> list[int]:
        """The processes that read pages now."""
        return sorted(worker.pid for worker in self._workers)

    async def close(self) -> None:
        self._queued.clear()
        for batch in tuple(self._batches):
            batch.cancel()
        await asyncio.gather(*self._batches, return_exceptions=True)
        await asyncio.gather(*self._ending)
        for worker in self._workers:
            await worker.stop()
        self._workers.clear()

    async def _free_worker(self) -> _Worker:
        while not self._idle:
            if self._pays_to_start():
                self._workers.append(_Worker(self._cpu_seconds))
                return self._workers[-1]
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if not turn.cancelled():  # it was given the turn in the same moment: the next one has it
                    self._hand_out()
                raise
        return self._idle.popleft()

    def _pays_to_start(self) -> bool:
        """A page waits: whether to start another worker for it. A crawl at a polite pace never needs a second one."""
        started = len(self._workers)
        return started < self.size and self._read >= started * _WORTH_A_START

    def _release(self, worker: _Worker) -> None:
        self._read += 1
        self._idle.append(worker)
        self._hand_out()

    def _hand_out(self) -> None:
        """Give a free worker to whoever waits for one."""
        while self._waiting and self._idle:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        if self._queued and self._idle:
            batch = [self._queued.popleft() for _ in range(min(_TOGETHER, len(self._queued)))]
            task = asyncio.create_task(self._read_together(self._idle.popleft(), batch))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    def _replace(self, worker: _Worker) -> _Worker:
        """A fresh worker in its place. The old one ends by itself: whoever is given up meanwhile leaves a whole one."""
        task = asyncio.create_task(worker.stop(at_once=True))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        fresh = _Worker(self._cpu_seconds)
        self._workers[self._workers.index(worker)] = fresh
        return fresh


@asynccontextmanager
async def worker_pool(profile: Profile | None = None, workers: int | None = None) -> AsyncIterator[WorkerPool]:
    """Workers for a `with` block."""
    pool = WorkerPool(profile, workers)
    try:
        yield pool
    finally:
        await pool.close()


class _Worker:
    """One process, and the pipe to it. It is asked one thing at a time."""

    def __init__(self, cpu_seconds: float) -> None:
        self._profile: Profile | None = None
        self._known: OrderedDict[int, Profile] = OrderedDict()
        self._socket, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-c", _PROGRAM, str(theirs.fileno()), str(cpu_seconds)]
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, process_group=0
            )
        self.pid = self._process.pid
        self._pipe: _Pipe | None = None

    async def ask(self, job: PageJob | LookJob | list[PageJob], profile: Profile | None, seconds: float) -> object:
        """The answer to a job or to several, by a profile, which is sent only if it is another than before."""
        if self._pipe is None:
            _, self._pipe = await asyncio.get_running_loop().create_unix_connection(_Pipe, sock=self._socket)
        if profile is not None and profile is not self._profile:
            self._pipe.send(self._use(profile))
            self._profile = profile
        async with asyncio.timeout(seconds):
            return await self._pipe.ask(job)

    def _use(self, profile: Profile) -> UseProfile:
        """What has the worker read by a profile: the whole of it, unless the worker has it still."""
        number = id(profile)  # nobody else's as long as it is known here
        if number in self._known:
            self._known.move_to_end(number)
            return UseProfile(number)
        forget: tuple[int, ...] = ()
        if len(self._known) >= limits.FLEET_READERS:
            forget = (self._known.popitem(last=False)[0],)
        self._known[number] = profile
        return UseProfile(number, profile.to_json(), forget)

    @property
    def is_open(self) -> bool:
        return self._pipe is not None

    def was_stopped_by_a_bound(self) -> bool:
        """Whether the page's own bounds ended the process or have to; else somebody else did, or it crashed."""
        return self._process.poll() in (None, -signal.SIGXCPU, OUT_OF_MEMORY)

    async def stop(self, *, at_once: bool = False) -> None:
        """Close the pipe; a worker that has nothing to read leaves by itself."""
        if self._pipe is None:
            self._socket.close()
        else:
            self._pipe.close()
            self._pipe = None
        if at_once:
            self._process.kill()
        try:
            await asyncio.to_thread(self._process.wait, 2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            await asyncio.to_thread(self._process.wait)


class _Pipe(asyncio.Protocol):
    """Messages to and from a worker, at the end of the event loop."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._asked: deque[asyncio.Future[object]] = deque()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._transport = None
        for answer in self._asked:
            if not answer.done():
                answer.set_exception(ConnectionResetError("the worker is gone"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._received)
            if len(self._received) < LENGTH.size + length:
                return
            message = bytes(self._received[LENGTH.size : LENGTH.size + length])
            del self._received[: LENGTH.size + length]
            answer = self._asked.popleft()
            if not answer.done():
                answer.set_result(pickle.loads(message))

    def send(self, message: object) -> None:
        if self._transport is None:
            raise ConnectionResetError("the worker is gone")
        self._transport.write(framed(message))

    async def ask(self, job: PageJob | LookJob | list[PageJob]) -> object:
        """The answer to a job. One that nobody waits for any more comes all the same, and is its own job's."""
        self.send(job)
        answer = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        return await answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
