"""A small forum, a crawl of it, and a watch of what was crawled, for the tests of watching."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.crawl.conftest import Killed, crawl, forum, kill_after, location
from tests.crawl.tinyforum import TinyForum

from thrawl.archive import Archive
from thrawl.net.client import Client
from thrawl.net.message import Fetcher, Request, Response
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.refresh.budget import Budget
from thrawl.refresh.registry import make_policy
from thrawl.refresh.watcher import Watcher
from thrawl.refresh.watchvalues import WatchOptions, WatchTally

__all__ = ["Killed", "crawl", "forum", "location"]

Watch = Callable[..., Awaitable[WatchTally]]


class VirtualClock:
    """Waiting takes no time: the clock is set to where it would have got."""

    def __init__(self, moment: float) -> None:
        self.moment = moment
        self.slept: list[float] = []

    def now(self) -> float:
        return self.moment

    async def sleep_until(self, moment: float, stop: asyncio.Event) -> bool:
        self.moment = max(self.moment, moment)
        self.slept.append(self.moment)
        await asyncio.sleep(0)
        return not stop.is_set()


class VirtualFetcher:
    """A client whose answers are dated by a virtual clock."""

    def __init__(self, client: Fetcher, clock: VirtualClock, before: Callable[[str], None]) -> None:
        self._client = client
        self._clock = clock
        self._before = before
        self.asked: list[tuple[float, str]] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append((self._clock.now(), request.url))
        self._before(request.url)
        response = await self._client.fetch(request)
        return replace(response, fetched=datetime.fromtimestamp(self._clock.now(), UTC))

    async def close(self) -> None:
        await self._client.close()


@pytest.fixture
def watch(location: Path) -> Watch:
    """Watch a small forum that was crawled into the archive at `location`; time flies."""

    async def run(
        forum: TinyForum,
        *,
        hours: float = 24.0,
        budget: str = "240/day",
        policy: str = "ours",
        once: bool = False,
        audit_share: float = 0.02,
        with_cookies: bool = False,
        clock: VirtualClock | None = None,
        before: Callable[[str], None] = lambda _: None,
        commits: int | None = None,
        **options: object,
    ) -> WatchTally:
        """After so many `commits` the watch is as good as killed."""
        clock = clock or VirtualClock(datetime.now(UTC).timestamp())
        limits = FetchLimits(retries=0)
        client = Client(ClientOptions(start_url=f"{forum.origin}/", delay=0, limits=limits))
        fetcher = VirtualFetcher(client, clock, before)
        seconds = None if once else hours * 3600
        chosen = WatchOptions(
            Budget.parse(budget),
            seconds,
            once=once,
            workers=0,
            audit_share=audit_share,
            with_cookies=with_cookies,
        )
        with ExitStack() as closing:
            archive = Archive.open(location)
            closing.callback(archive.access._closing.close if commits is not None else archive.close)
            if commits is not None:
                kill_after(commits, archive)
            watcher = Watcher(
                archive, archive.forums()[0], fetcher, make_policy(policy, once=once), chosen, clock, seed=1, **options
            )
            try:
                return await watcher.run()
            finally:
                await client.close()

    return run
