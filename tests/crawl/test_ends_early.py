"""Whatever ends a run, at any request: going on ends in the archive of an undisturbed run."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from tests.crawl.tinyforum import Crawl, TinyForum

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions, Finished, Tally
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions

THREADS = 24
SKINS = ["tables", "rows", "cards", "leaves", "tree", "answers", "journal", "lounge"]
Content = list[tuple[str, str | None, str]]


async def crawl_once(
    url: str, location: Path, *, max_pages: int | None = None, interrupt_at: int | None = None
) -> Finished:
    """One run, ended after that many requests, learning included, or by an interrupt at that page of the crawl."""
    client = Client(ClientOptions(start_url=url, delay=0, concurrency=4))
    stop = asyncio.Event()

    def watch(tally: Tally) -> None:
        if interrupt_at is not None and tally.pages >= interrupt_at:
            stop.set()

    options = CrawlOptions(concurrency=4, workers=0, retry_seconds=0.05, max_pages=max_pages)
    with Archive.open(location, create=True) as archive:
        try:
            say = learner(client, lambda _: None)
            return await ForumCrawl(url, archive, client, say, options, watch=watch, stop=stop).run()
        finally:
            await client.close()


def content(location: Path) -> Content:
    with Archive.open(location, readonly=True) as archive:
        return sorted((post.thread_url, post.thread_title, post.text) for post in archive.posts())


@pytest.mark.parametrize("name", SKINS)
async def test_going_on_ends_in_the_archive_of_an_undisturbed_run(name: str, tmp_path: Path) -> None:
    skin = skin_named(name)
    world = generate(THREADS, seed=11, language=skin.language.code)
    chance = random.Random(name)
    async with ForumServer(world, skin) as server:
        whole = await crawl_once(server.url, tmp_path / "whole.db")
        learned, all_pages = whole.tally.learning_pages, whole.tally.pages
        few = learned + chance.randrange(max(whole.tally.asked, 1))
        await crawl_once(server.url, tmp_path / "few.db", max_pages=few)
        await crawl_once(server.url, tmp_path / "few.db")
        await crawl_once(server.url, tmp_path / "fewer.db", max_pages=chance.randrange(1, learned))
        await crawl_once(server.url, tmp_path / "fewer.db")
        await crawl_once(server.url, tmp_path / "cut.db", interrupt_at=chance.randrange(all_pages))
        last = await crawl_once(server.url, tmp_path / "cut.db")
    assert content(tmp_path / "few.db") == content(tmp_path / "whole.db")
    assert content(tmp_path / "fewer.db") == content(tmp_path / "whole.db")
    assert content(tmp_path / "cut.db") == content(tmp_path / "whole.db")
    assert last.waiting == 0


def pages_asked(server: ForumServer) -> int:
    """How many pages the server was asked for, redirects being part of the same question."""
    answers = [one.status for one in server.requests if not one.url.endswith("/robots.txt")]
    return sum(not 300 <= status < 400 for status in answers)


@pytest.mark.parametrize("most", [1, 3, 15, 40])
async def test_a_limit_counts_every_page_that_is_asked_for_learning_included(most: int, tmp_path: Path) -> None:
    skin = skin_named("rows")
    world = generate(THREADS, seed=11, language=skin.language.code)
    async with ForumServer(world, skin) as server:
        finished = await crawl_once(server.url, tmp_path / "a.db", max_pages=most)
        assert pages_asked(server) == most
    assert not finished.fetched_all


async def test_many_short_runs_ask_for_hardly_more_than_one_long_run(tmp_path: Path) -> None:
    skin = skin_named("rows")
    world = generate(THREADS, seed=11, language=skin.language.code)
    async with ForumServer(world, skin) as server:
        await crawl_once(server.url, tmp_path / "whole.db")
        needed = pages_asked(server)
        runs = 1
        while not (await crawl_once(server.url, tmp_path / "short.db", max_pages=6)).fetched_all:
            runs += 1
        asked = pages_asked(server) - needed
    assert content(tmp_path / "short.db") == content(tmp_path / "whole.db")
    assert runs <= asked / 6 + 1
    assert asked < 2 * needed  # what learning fetched and the first run did not reach is asked for again


@pytest.mark.parametrize("pages", [1, 2, 5, 9, 14, 20, 27, 33])
async def test_a_small_forum_is_the_same_wherever_a_run_ended(
    forum: TinyForum, crawl: Crawl, location: Path, pages: int
) -> None:
    forum.fill()
    await crawl(forum, max_pages=pages)
    await crawl(forum)
    with Archive.open(location, readonly=True) as archive:
        assert {post.text for post in archive.posts()} == {
            post.text for posts in forum.threads.values() for post in posts
        }
