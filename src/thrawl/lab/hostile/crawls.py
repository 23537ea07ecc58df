"""Crawls in processes of their own that can be killed at any moment.

    python -m thrawl.lab.hostile.crawls

Lines come in on stdin: URL and ARCHIVE. For each a child is forked (importing anew would take most of the time), which
learns the forum and crawls it as the command line does; its process id goes to stdout, and how it ended when it did.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.errors import ThrawlError
from thrawl.lab.hostile.processes import children_of, is_running
from thrawl.learn import learner as _loaded  # noqa: F401 - loaded once, not in every child
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions, FetchLimits

_DONE, _FAILED = 0, 3


async def crawl(url: str, location: str) -> int:
    """One crawl; 0 where it says that all is there."""
    limits = FetchLimits(backoff_seconds=0.02, retry_after_seconds=0.05)
    async with Client(ClientOptions(start_url=url, delay=0, concurrency=2, limits=limits)) as client:
        with Archive.open(location, create=True) as archive:
            learn = learner(client, lambda _: None)
            options = CrawlOptions(concurrency=2, workers=1, retry_seconds=0.2)
            finished = await ForumCrawl(url, archive, client, learn, options).run()
    return _DONE if finished.complete else _FAILED


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if not child:
            try:
                os._exit(asyncio.run(crawl(*line.split())))
            except ThrawlError as error:
                print(error, file=sys.stderr)
                os._exit(_FAILED)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print("killed" if os.WIFSIGNALED(status) else f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


class Crawls:
    """Starts crawls, one at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    def begin(self, url: str, location: object) -> int:
        """The process id of a new crawl."""
        print(url, location, file=self._in, flush=True)
        return int(self._out.readline())

    def end(self) -> str:
        """How the crawl that was begun ended: `killed`, or `ended` with its status."""
        return self._out.readline().strip()


@contextmanager
def crawls() -> Iterator[Crawls]:
    command = [sys.executable, "-m", "thrawl.lab.hostile.crawls"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Crawls(process)


def kill(process: int, what: str) -> bool:
    """Kill a crawl, or one of the workers that read its pages; False where there was nothing left to kill."""
    target: int | None = process
    if what == "worker":
        target = next(iter(children_of(process)), None)
    try:
        if target is None or not is_running(process):
            return False
        os.kill(target, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
