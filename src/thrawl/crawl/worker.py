"""The program of a worker process: pages in, readings out, until the pipe closes (also when its crawl was killed).

Before each page it asks the system to end it after some more seconds of CPU, so even a parser stuck in C stops;
memory has a bound of its own.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys

from thrawl import limits
from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.reader import PageReader
from thrawl.crawl.values import Misfit, PageJob, Reading
from thrawl.crawl.wire import WorkerEnd, register
from thrawl.profile.profile import Profile

try:
    import resource
except ImportError:  # a system without such bounds still has the watch on the clock
    resource = None  # type: ignore[assignment]  # absent there


def run() -> None:
    """The program, as `workers` starts it: the pipe's descriptor and the CPU seconds of a page are its arguments."""
    main(WorkerEnd(int(sys.argv[1])), float(sys.argv[2]))


def main(pipe: WorkerEnd, cpu_seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    register()
    with contextlib.suppress(EOFError, OSError):
        reader = PageReader(Profile.from_json(pipe.receive()))
        bound_memory()
        with collecting_rarely():
            gc.enable()  # off while the program was loaded: see `workers`
            while True:
                job = pipe.receive()
                bound_cpu(cpu_seconds)
                pipe.send(_read(reader, job))


def _read(reader: PageReader, job: PageJob) -> Reading:
    try:
        return reader.read(job)
    except MemoryError:
        return Reading(misfit=Misfit.KILLED, detail="more memory than a page may take")
    except RecursionError:
        return Reading(misfit=Misfit.UNREADABLE, detail="it nests too deeply")


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
