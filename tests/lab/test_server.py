"""The forum on loopback: its clock, its validators, its sessions, its log."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from datetime import timedelta
from email.utils import parsedate_to_datetime
from urllib.error import HTTPError
from urllib.request import urlopen

import aiohttp
import pytest

from thrawl.errors import InputError
from thrawl.lab.generate import generate
from thrawl.lab.server import Clock, ForumServer, main, running_forum
from thrawl.lab.skins import Layers, skin_named
from thrawl.lab.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return generate(60, seed=5)


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    """Keeps cookies of bare addresses too, as a browser does."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


async def test_the_entry_page_is_served_and_the_request_is_logged(world: World, client: aiohttp.ClientSession) -> None:
    async with ForumServer(world, skin_named("rows")) as forum, client.get(forum.url) as response:
        assert response.status == 200
        assert world.boards[0].title in await response.text()
        assert [(served.url, served.status) for served in forum.requests] == [(forum.url, 200)]


async def test_the_clock_decides_what_is_shown_and_what_date_it_is(world: World, client: aiohttp.ClientSession) -> None:
    clock = Clock(world.start)
    skin = skin_named("rows")
    newest = world.at(world.end).all_thread_ids()[0]
    path = skin.canonical_place_url("thread", newest, world.at(world.end))
    async with ForumServer(world, skin, clock=clock) as forum:
        async with client.get(forum.origin + path) as early:
            assert early.status == 404
            assert parsedate_to_datetime(early.headers["Date"]) == world.start
        clock.set(world.end)
        async with client.get(forum.origin + path) as late:
            assert late.status == 200


async def test_an_unchanged_page_is_answered_304_until_somebody_posts(
    world: World, client: aiohttp.ClientSession
) -> None:
    moment = world.end - timedelta(seconds=1)
    async with ForumServer(world, skin_named("lounge", Layers()), clock=Clock(moment)) as forum:
        async with client.get(forum.origin + "/lounge/just-now"):
            pass  # brings the cookie, without which every page has new session ids
        async with client.get(forum.origin + "/lounge/just-now") as settled:
            headers = {"If-None-Match": settled.headers["ETag"]}
            since = {"If-Modified-Since": settled.headers["Last-Modified"]}
        for validator in (headers, since):
            async with client.get(forum.origin + "/lounge/just-now", headers=validator) as again:
                assert again.status == 304
                assert await again.read() == b""
        forum.clock.advance(timedelta(seconds=1))
        for validator in (headers, since):
            async with client.get(forum.origin + "/lounge/just-now", headers=validator) as changed:
                assert changed.status == 200


async def test_links_carry_a_session_until_the_cookie_comes_back(world: World, client: aiohttp.ClientSession) -> None:
    async with ForumServer(world, skin_named("tables")) as forum:
        pages = []
        for _ in range(2):
            async with client.get(forum.url) as response:
                pages.append(await response.text())
        assert "zid=" in pages[0]
        assert "zid=" not in pages[1]


async def test_every_visitor_without_cookies_gets_another_session(world: World) -> None:
    async with ForumServer(world, skin_named("tables")) as forum:
        pages = []
        for _ in range(2):
            async with aiohttp.ClientSession() as stranger, stranger.get(forum.url) as response:
                pages.append(await response.text())
        assert pages[0] != pages[1]


async def test_a_legacy_charset_is_served_as_bytes_of_that_charset(client: aiohttp.ClientSession) -> None:
    world = generate(20, seed=1, language="ja")
    async with ForumServer(world, skin_named("leaves")) as forum, client.get(forum.url) as response:
        assert response.charset == "shift_jis"
        assert "道具の広場" in (await response.read()).decode("shift_jis")


async def test_robots_are_absent_unless_given(world: World, client: aiohttp.ClientSession) -> None:
    async with ForumServer(world, skin_named("rows")) as forum, client.get(forum.origin + "/robots.txt") as response:
        assert response.status == 404
    rules = "User-agent: *\nDisallow: /leute/\n"
    strict = ForumServer(world, skin_named("rows"), robots=rules)
    async with strict as forum, client.get(forum.origin + "/robots.txt") as response:
        assert await response.text() == rules


@pytest.mark.parametrize(
    "path", ["/%00", "/%FF%FE", "/" + "a" * 5000, "/bench/talk.cgi?item=99999999999999999999", "/?%"]
)
async def test_strange_addresses_are_missing_not_broken(world: World, client: aiohttp.ClientSession, path: str) -> None:
    async with ForumServer(world, skin_named("tables")) as forum, client.get(forum.origin + path) as response:
        assert response.status == 404


def test_a_forum_runs_in_a_process_of_its_own() -> None:
    with running_forum("journal", threads=12) as url, urlopen(url, timeout=10) as response:
        assert b"Bench notes" in response.read()


def test_a_running_clock_passes_at_its_speed(world: World) -> None:
    clock = Clock(world.start, speed=86400 * 365)
    time.sleep(0.01)
    assert clock.now() - world.start > timedelta(days=3)


def test_a_forum_that_cannot_start_is_an_error() -> None:
    with pytest.raises(InputError, match="did not start"), running_forum("rows", threads=0):
        pass


def test_faults_can_be_asked_for_by_name() -> None:
    with (
        running_forum("rows", 12, 1, "--fault=refusals=1") as url,
        pytest.raises(HTTPError, match="503"),
    ):
        urlopen(url, timeout=10)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--skin=nothing", "There is no skin 'nothing'"),
        ("--fault=nothing", "There is no fault 'nothing'"),
        ("--fault=drip=much", "The share of 'drip=much' is no number"),
    ],
)
def test_what_the_server_does_not_know_is_one_sentence_and_status_2(
    option: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([option]) == 2
    assert capsys.readouterr().err.startswith(sentence)
