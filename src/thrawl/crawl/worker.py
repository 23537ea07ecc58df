"""The program of a worker process: pages in, readings out, until the pipe closes (also when its crawl was killed).

Before each page it asks the system to end it after some more seconds of CPU, so even a parser stuck in C stops;
memory has a bound of its own. A profile that comes through the pipe is the one to read by from then on, until another
one is named; pages of sites that are still being learned are read as wholes, and need none.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from typing import Final

from thrawl import limits
from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import LookJob, Misfit, PageJob, Reading, Unread, UseProfile
from thrawl.crawl.wire import OUT_OF_MEMORY, WorkerEnd, register
from thrawl.errors import PageError
from thrawl.profile.profile import Profile

try:
    import resource
except ImportError:  # a system without such bounds still has the watch on the clock
    resource = None  # type: ignore[assignment]  # absent there

_TOO_DEEP: Final = "it nests too deeply"


def run() -> None:
    """The program, as `workers` starts it: the pipe's descriptor and the CPU seconds of a page are its arguments."""
    try:
        main(WorkerEnd(int(sys.argv[1])), float(sys.argv[2]))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    os._exit(0)  # nothing is open that had to be closed, and to take all apart costs a twentieth of a start


def main(pipe: WorkerEnd, cpu_seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    register()
    reader: SiteReader | None = None
    readers = _Shelf()
    with contextlib.suppress(EOFError, OSError):
        bound_memory()
        with collecting_rarely():
            gc.enable()  # off while the program was loaded: see `workers`
            while True:
                message = pipe.receive()
                bound_cpu(cpu_seconds)
                if isinstance(message, UseProfile):
                    reader = readers.use(message)
                elif isinstance(message, LookJob):
                    pipe.send(_look(message))
                else:
                    assert reader is not None
                    pipe.send(
                        _read(reader, message)
                        if isinstance(message, PageJob)
                        else _read_all(reader, message, cpu_seconds)
                    )


def _read_all(reader: SiteReader, jobs: list[PageJob], cpu_seconds: float) -> list[Reading]:
    """Several pages, each within its own bound."""
    readings = []
    for job in jobs:
        bound_cpu(cpu_seconds)
        readings.append(_read(reader, job))
    return readings


class _Shelf:
    """The readers of all profiles that may be asked for again; which those are, the other end decides."""

    def __init__(self) -> None:
        self._readers: dict[int, SiteReader] = {}

    def use(self, wanted: UseProfile) -> SiteReader:
        for number in wanted.forget:
            self._readers.pop(number, None)
        if wanted.profile is not None:
            self._readers[wanted.number] = SiteReader(Profile.from_json(wanted.profile))
        return self._readers[wanted.number]


def _read(reader: SiteReader, job: PageJob) -> Reading:
    try:
        return reader.read(job)
    except RecursionError:
        return Reading(misfit=Misfit.UNREADABLE, detail=_TOO_DEEP)


def _look(job: LookJob) -> object:
    from thrawl.page.reading import read_page  # all that learning needs, which pages that fit never do

    try:
        return read_page(job.html, job.url, reference=job.reference)
    except RecursionError:
        return Unread(_TOO_DEEP)
    except PageError as error:
        return Unread(str(error))


def bound_memory() -> None:
    if resource is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (limits.WORKER_MEMORY_BYTES, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def bound_cpu(seconds: float) -> None:
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))
