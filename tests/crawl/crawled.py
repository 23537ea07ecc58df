"""Crawls of a forum on loopback, each in a process of its own that a test can kill.

Lines come in on stdin: URL ARCHIVE PROFILE. For each, a child is forked (importing anew would take most of the test's
time); its process id and then its end go to stdout.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import CrawlOptions
from thrawl.errors import LearnError
from thrawl.learn.learner import Learned
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.profile.profile import Profile


async def never_learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
    raise LearnError(start)


async def crawl(url: str, location: str, profile: str) -> None:
    limits = FetchLimits(backoff_seconds=0.01, retry_after_seconds=0.02)
    client = Client(ClientOptions(start_url=url, delay=0, concurrency=4, limits=limits))
    options = CrawlOptions(concurrency=4, workers=0, retry_seconds=0.2)
    with Archive.open(location, create=True) as archive:
        await ForumCrawl(url, archive, client, never_learn, options, Profile.load(Path(profile))).run()
    await client.close()


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if not child:
            asyncio.run(crawl(*line.split()))
            os._exit(0)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print("killed" if os.WIFSIGNALED(status) else f"ended {os.waitstatus_to_exitcode(status)}", flush=True)


if __name__ == "__main__":
    main()
