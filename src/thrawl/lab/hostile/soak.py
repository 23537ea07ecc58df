"""A long crawl of a server that fails now and then: memory, open files and CPU a page stay where they were.

One process crawls a forum again and again, each time into a new archive, until the time is over. The first tenth is
warming up; then the first quarter of the rest is compared with the last. What else the machine does makes the same work
take half as long again or twice as long, so the CPU of a page is told in that of a fixed piece of work at its moment.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions, Tally
from thrawl.errors import ThrawlError
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.server import running_forum
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions, FetchLimits

_THREADS: Final = 300
_EVERY: Final = 20  # pages between two looks
_WORDS: Final = 2_000  # a few milliseconds
_WARM: Final = 0.1
_MORE_MEMORY: Final = 1.2  # the last quarter's memory in the first one's: caches fill, leaks grow without end
_MORE_FILES: Final = 4
_MORE_CPU: Final = 1.3


@dataclass(frozen=True, slots=True)
class Look:
    """The process at a moment: megabytes, open files, CPU seconds since the look before, by page, and those in the
    CPU seconds of a fixed piece of work."""

    megabytes: float
    files: int
    cpu: float
    work: float


@dataclass(slots=True)
class Watched:
    """Looks at this process while it crawls."""

    looks: list[Look] = field(default_factory=list)
    pages: int = 0
    _cpu: float = field(default_factory=time.process_time)

    def see(self, _: Tally) -> None:
        self.pages += 1
        if self.pages % _EVERY == 0:
            now = time.process_time()
            cpu = (now - self._cpu) / _EVERY
            self.looks.append(Look(_megabytes(), len(os.listdir("/proc/self/fd")), cpu, cpu / _fixed_work()))
            self._cpu = time.process_time()


def _fixed_work() -> float:
    """The CPU seconds that some words and numbers take just now."""
    began = time.process_time()
    for number in range(_WORDS):
        sorted(str(number) * 5)
    return time.process_time() - began


def _megabytes() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _soak(url: str, seconds: float, watched: Watched) -> tuple[int, int]:
    """Crawl until the time is over; how many crawls ended, and how many of these were not complete."""
    until = time.monotonic() + seconds
    ended = short = 0
    limits = FetchLimits(backoff_seconds=0.02, retry_after_seconds=0.05)
    while time.monotonic() < until:
        with tempfile.TemporaryDirectory(prefix="thrawl-soak-") as folder:
            async with Client(ClientOptions(start_url=url, delay=0, concurrency=4, limits=limits)) as client:
                with Archive.open(f"{folder}/a.db", create=True) as archive:
                    options = CrawlOptions(concurrency=4, retry_seconds=0.2)
                    learn = learner(client, lambda _: None)
                    run = ForumCrawl(url, archive, client, learn, options, watch=watched.see)
                    asyncio.get_running_loop().call_later(max(0.0, until - time.monotonic()), run.stop.set)
                    try:
                        finished = await run.run()
                    except ThrawlError:
                        short += 1
                        continue
                    ended += not finished.interrupted
                    short += not finished.interrupted and not finished.complete
    return ended, short


def soak(seconds: float, seed: int = 1) -> Finding:
    """Crawl for so long, with 5 % of faults."""
    watched = Watched()
    with running_forum("rows", _THREADS, seed, "--fault=refusals=0.03", "--fault=resets=0.02") as url:
        ended, short = asyncio.run(_soak(url, seconds, watched))
    looks = watched.looks[int(_WARM * len(watched.looks)) :]
    quarter = len(looks) // 4
    if not quarter:
        return Finding("soak", f"{seconds:g} s with 5 % faults", watched.pages, False, "too short to tell anything")
    first, last = looks[:quarter], looks[-quarter:]
    memory = [median(one.megabytes for one in part) for part in (first, last)]
    files = [median(one.files for one in part) for part in (first, last)]
    cpu = [1000 * median(one.cpu for one in part) for part in (first, last)]
    work = [median(one.work for one in part) for part in (first, last)]
    flat = memory[1] <= _MORE_MEMORY * memory[0] and files[1] <= files[0] + _MORE_FILES
    flat = flat and work[1] <= _MORE_CPU * work[0]
    seen = (
        f"{ended} crawls ended, {short} not complete; memory {memory[0]:.0f} to {memory[1]:.0f} MB, open files "
        f"{files[0]:.0f} to {files[1]:.0f}, CPU a page {cpu[0]:.1f} to {cpu[1]:.1f} ms "
        f"({work[0]:.2f} to {work[1]:.2f} of a fixed work)"
    )
    return Finding("soak", f"{seconds:g} s with 5 % faults", watched.pages, flat and not short, seen)
