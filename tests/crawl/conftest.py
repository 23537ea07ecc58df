"""The small forum and a crawl of it, for every test of this folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import event
from tests.crawl.tinyforum import Crawl, TinyForum

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import CrawlOptions, Finished
from thrawl.errors import LearnError
from thrawl.learn.learner import Learned
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.profile.profile import Profile


@pytest.fixture
async def forum() -> AsyncIterator[TinyForum]:
    """A small forum; nothing is on it until a test fills it."""
    tiny = TinyForum()
    await tiny.start()
    yield tiny
    await tiny.stop()


class Killed(BaseException):
    """Nothing that happens afterwards reaches the archive."""


def kill_after(commits: int, archive: Archive) -> None:
    """After so many commits whoever writes is as good as killed."""
    left = commits

    def commit(_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed

    event.listen(archive.access._engine, "commit", commit)


async def cannot_learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
    raise LearnError(f"{start} is not to be learned in this test")


@pytest.fixture
def location(tmp_path: Path) -> Path:
    return tmp_path / "forum.db"


@pytest.fixture
def crawl(location: Path) -> Crawl:
    """Crawl a small forum into the archive at `location`, by its profile."""

    async def run(
        forum: TinyForum,
        profile: Profile | None = None,
        *,
        learn=cannot_learn,
        say=lambda _: None,
        watch=lambda _: None,
        stop=None,
        store=None,
        commits: int | None = None,
        **options,
    ) -> Finished:
        limits = FetchLimits(backoff_seconds=0.01, retry_after_seconds=0.1)
        client = Client(ClientOptions(start_url=f"{forum.origin}/", delay=0, concurrency=4, limits=limits))
        known = None if options.pop("learns", False) else profile or forum.profile()
        chosen = CrawlOptions(**{"concurrency": 4, "workers": 0, "retry_seconds": 0.05, **options})
        with ExitStack() as closing:
            archive = Archive.open(location, create=True)
            closing.callback(archive.access._closing.close if commits is not None else archive.close)
            if commits is not None:
                kill_after(commits, archive)
            try:
                return await ForumCrawl(
                    f"{forum.origin}/",
                    archive,
                    client,
                    learn,
                    chosen,
                    known,
                    watch=watch,
                    say=say,
                    stop=stop or asyncio.Event(),
                    store=store,
                ).run()
            finally:
                await client.close()

    return run
