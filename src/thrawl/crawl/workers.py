"""Pages are read in processes of their own, which can be killed: no page can hang or starve the crawl.

A worker (`worker`) bounds its own CPU and memory; a watch on the clock here ends what neither bound catches. A worker
that died is replaced, and its page is recorded as unreadable. Workers are programs of their own and not forks, so
they hold nothing of the crawl: no database, no sockets.

Workers are fed by one thread each, which waits in the pipe with the interpreter's lock released.
"""

from __future__ import annotations

import asyncio
import os
import queue
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Protocol

from thrawl import limits
from thrawl.crawl.reader import PageReader
from thrawl.crawl.values import Misfit, PageJob, Reading
from thrawl.learn.profile import Profile


class Readers(Protocol):
    """Whatever reads pages for a crawl, `size` of them at a time."""

    @property
    def size(self) -> int: ...

    async def read(self, job: PageJob) -> Reading: ...

    def change(self, profile: Profile) -> None:
        """Read by another profile from now on."""

    async def close(self) -> None: ...


class InProcess:
    """Reads pages right here; for small crawls of pages that are trusted, as tests and saved files are."""

    size = 1

    def __init__(self, profile: Profile) -> None:
        self._reader = PageReader(profile)

    async def read(self, job: PageJob) -> Reading:
        return self._reader.read(job)

    def change(self, profile: Profile) -> None:
        self._reader = PageReader(profile)

    async def close(self) -> None:
        """Nothing is held open."""


class WorkerPool:
    """Reads pages in worker processes, one a core unless told otherwise."""

    def __init__(
        self,
        profile: Profile,
        workers: int | None = None,
        *,
        cpu_seconds: float = limits.PAGE_CPU_SECONDS,
        clock_seconds: float = limits.PAGE_CLOCK_SECONDS,
    ) -> None:
        self.size = workers or os.cpu_count() or 1
        self._profile = profile
        self._cpu_seconds = cpu_seconds
        self._clock_seconds = clock_seconds
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._alive: set[int] = set()
        for _ in range(self.size):
            self._idle.put(self._new_worker())
        self._threads = ThreadPoolExecutor(self.size, thread_name_prefix="thrawl-worker")

    async def read(self, job: PageJob) -> Reading:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, job)

    def change(self, profile: Profile) -> None:
        self._profile = profile

    def pids(self) -> list[int]:
        """The processes that read pages now."""
        return sorted(self._alive)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        while not self._idle.empty():
            self._retire(self._idle.get())

    def _new_worker(self) -> _Worker:
        worker = _Worker(self._profile, self._cpu_seconds)
        self._alive.add(worker.pid)
        return worker

    def _retire(self, worker: _Worker) -> None:
        worker.stop()
        self._alive.discard(worker.pid)

    def _read(self, job: PageJob) -> Reading:
        worker = self._idle.get()
        if worker.profile is not self._profile:
            self._retire(worker)
            worker = self._new_worker()
        try:
            reading = worker.read(job, self._clock_seconds)
        except (EOFError, OSError, TimeoutError):
            worker.kill()
            self._retire(worker)
            worker = self._new_worker()
            reading = Reading(misfit=Misfit.KILLED, detail=f"more than {self._cpu_seconds:g} s of CPU or a crash")
        finally:
            self._idle.put(worker)
        return reading


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, profile: Profile, cpu_seconds: float) -> None:
        self.profile = profile
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "thrawl.crawl.worker", str(theirs.fileno()), str(cpu_seconds)]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        self.pid = self._process.pid
        self._pipe = Connection(ours.detach())
        self._pipe.send(profile.to_json())

    def read(self, job: PageJob, seconds: float) -> Reading:
        self._pipe.send(job)
        if not self._pipe.poll(seconds):
            raise TimeoutError
        reading = self._pipe.recv()
        assert isinstance(reading, Reading)
        return reading

    def stop(self) -> None:
        """Close the pipe; a worker that has nothing to read leaves by itself."""
        self._pipe.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.wait()
