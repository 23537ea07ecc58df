"""Whatever ends a run, at any request: going on ends in the archive of an undisturbed run."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from tests.crawl.tinyforum import Crawl, TinyForum

from thrawl.archive import Archive
from thrawl.crawl.allowance import Allowance, Bounded
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions, Finished, Tally
from thrawl.errors import LearnError
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named
from thrawl.learn.learner import Learned
from thrawl.net.client import Client
from thrawl.net.message import Request, Response
from thrawl.net.options import ClientOptions
from thrawl.profile.profile import Profile

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


def profile(location: Path) -> Profile:
    with Archive.open(location, readonly=True) as archive:
        (forum,) = archive.forums()
    return Profile.from_json(forum.profile or "", str(location))


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


async def test_whoever_watches_is_told_of_each_page_of_learning(tmp_path: Path) -> None:
    shown: list[int] = []
    skin = skin_named("rows")
    async with ForumServer(generate(THREADS, seed=11, language=skin.language.code), skin) as server:
        client = Client(ClientOptions(start_url=server.url, delay=0, concurrency=1))
        with Archive.open(tmp_path / "forum.db", create=True) as archive:
            crawl = ForumCrawl(
                server.url, archive, client, learner(client, lambda _: None), CrawlOptions(workers=0),
                watch=lambda tally: shown.append(tally.learning),
            )  # fmt: skip
            done = await crawl.run()
        await client.close()
    learning = done.tally.learning_pages
    assert learning > 0
    assert shown[:learning] == list(range(1, learning + 1))
    assert set(shown[learning:]) == {0}


def pages_asked(server: ForumServer) -> int:
    """How many pages the server was asked for, redirects being part of the same question."""
    answers = [one.status for one in server.requests if not one.url.endswith("/robots.txt")]
    return sum(not 300 <= status < 400 for status in answers)


def pages_shown(server: ForumServer) -> int:
    """How many pages the server showed."""
    return sum(one.status == 200 for one in server.requests)


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


class Killed(BaseException):
    """Nothing that happens afterwards reaches the archive."""


class KillingClient(Client):
    """Whoever asks it for one page more than so many is killed."""

    def __init__(self, url: str, pages: int) -> None:
        super().__init__(ClientOptions(start_url=url, delay=0))
        self.left = pages

    async def fetch(self, request: Request) -> Response:
        if not self.left:
            raise Killed
        self.left -= 1
        return await super().fetch(request)


async def crawl_killed(url: str, location: Path, pages: int, *, with_cookies: bool = False) -> None:
    """A run that is killed at a request. It closes nothing in the archive but the file."""
    client = KillingClient(url, pages)
    archive = Archive.open(location, create=True)
    options = CrawlOptions(workers=0, with_cookies=with_cookies)
    try:
        with pytest.raises(Killed):
            await ForumCrawl(url, archive, client, learner(client, lambda _: None), options).run()
    finally:
        archive.access._closing.close()
        await client.close()


@pytest.mark.parametrize("name", ["rows", "tables"])
async def test_learning_that_is_killed_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    skin = skin_named(name)
    world = generate(THREADS, seed=11, language=skin.language.code)
    async with ForumServer(world, skin) as server:
        whole = await crawl_once(server.url, tmp_path / "whole.db")
        needed = pages_shown(server)
        moments = (1, 3, whole.tally.learning_pages // 2)
        for pages in moments:
            await crawl_killed(server.url, tmp_path / "killed.db", pages)
        await crawl_once(server.url, tmp_path / "killed.db")
        # what was refused is asked for once more, and each run comes in by the start page, where it gets a cookie
        assert pages_shown(server) == 2 * needed + len(moments)
    assert content(tmp_path / "killed.db") == content(tmp_path / "whole.db")
    assert profile(tmp_path / "killed.db") == profile(tmp_path / "whole.db")
    with Archive.open(tmp_path / "killed.db", readonly=True) as archive:
        assert not archive.answers  # they are of no use any more


async def test_answers_to_a_stranger_are_none_to_who_has_logged_in(tmp_path: Path) -> None:
    skin = skin_named("rows")
    world = generate(THREADS, seed=11, language=skin.language.code)
    async with ForumServer(world, skin) as server:
        await crawl_killed(server.url, tmp_path / "a.db", 3)
        before = pages_asked(server)
        await crawl_killed(server.url, tmp_path / "a.db", 2, with_cookies=True)
        assert pages_asked(server) == before + 2


async def test_what_could_not_be_learned_is_asked_for_anew_and_leaves_nothing(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    client = Client(ClientOptions(start_url=forum.origin, delay=0))

    async def learn(start: str, allowance: Allowance, known: object = (), also: object = ()) -> Learned:
        await Bounded(client, allowance).fetch(Request(start))
        raise LearnError(f"{start} shows a wall")

    for times in (1, 2):
        with pytest.raises(LearnError):
            await crawl(forum, learn=learn, learns=True)
        assert forum.asked["/"] == times
    await client.close()
    with Archive.open(location, readonly=True) as archive:
        assert not archive.answers


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
