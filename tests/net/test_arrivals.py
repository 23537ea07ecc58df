"""What a server sees of a host's pace: every request counts, whatever it is for and however its connection came about.

Time is the test's own, for client and server alike: it passes only when somebody waits, or when a test lets it pass.
"""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from thrawl.errors import FetchError
from thrawl.net.message import Request
from thrawl.net.pace import Pace

DELAY = 1.0


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.alarm = 1000.0
        self.rings = asyncio.Event()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0.01)  # what was written by then has arrived
        self.now = max(self.now, until)
        if self.now >= self.alarm:
            self.rings.set()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def clocked(server, clock):
    server.clock = clock
    return server


@pytest.fixture
def polite(make_client, clock):
    """A client on the test's clock."""

    def make(concurrency=1, **given):
        return make_client(pace=Pace(DELAY, concurrency, clock=clock, sleep=clock.sleep), **given)

    return make


def gaps(server):
    return [later.moment - first.moment for first, later in pairwise(server.asked)]


async def test_a_connection_that_breaks_off_is_no_reason_to_ask_again_at_once(clocked, polite, net):
    url = clocked.on("/thread", [net.cut, net.cut, net.reply(b"a thread")])
    response = await polite().fetch(Request(url))
    assert response.body == b"a thread"
    assert len(clocked.asked) == 3
    assert min(gaps(clocked)) >= DELAY


async def test_a_kept_connection_that_the_server_closes_is_no_reason_to_ask_again_at_once(clocked, polite, net):
    async def last_words(asked, writer):
        writer.write(net.reply(b"first"))
        await writer.drain()
        await asyncio.sleep(0)
        writer.transport.abort()

    first, second = clocked.on("/first", last_words), clocked.on("/second", [net.cut, net.reply(b"second")])
    client = polite()
    assert (await client.fetch(Request(first))).body == b"first"
    assert (await client.fetch(Request(second))).body == b"second"
    assert min(gaps(clocked)) >= DELAY


async def test_a_broken_connection_costs_no_more_requests_than_there_are_tries(clocked, polite, net):
    url = clocked.on("/thread", net.cut)
    with pytest.raises(FetchError, match="tries"):
        await polite().fetch(Request(url))
    assert len(clocked.asked) == net.quick.retries + 1
    assert min(gaps(clocked)) >= DELAY


async def test_the_pace_counts_from_the_moment_a_request_is_written(clocked, polite, net, clock):
    """The first one waits for its connection; the second, which has one, must not come close behind it."""

    class SlowNames(net.resolver):
        async def resolve(self, *given):
            clock.now += 0.7
            return await super().resolve(*given)

    clocked.on("/1", net.reply(b"one"))
    clocked.on("/2", net.reply(b"two"))
    names = SlowNames({"forum.test": [["127.0.0.1"]]})
    client = polite(resolver=names, allow_private=True)
    for path in ("/1", "/2", "/1"):
        await client.fetch(Request(f"http://forum.test:{clocked.port}{path}"))
    assert clocked.connections == 1
    assert min(gaps(clocked)) >= DELAY


async def test_requests_whose_connections_come_late_do_not_arrive_together(clocked, polite, net, clock):
    """Four at once: all of them have had their turn when the first connection stands."""
    clock.alarm = clock.now + 3 * DELAY

    class LateNames(net.resolver):
        async def resolve(self, *given):
            await clock.rings.wait()
            return await super().resolve(*given)

    urls = [f"http://forum.test:{clocked.port}/{number}" for number in range(4)]
    for number in range(4):
        clocked.on(f"/{number}", net.reply(b"page"))
    client = polite(4, resolver=LateNames({"forum.test": [["127.0.0.1"]]}), allow_private=True)
    await asyncio.gather(*(client.fetch(Request(url)) for url in urls))
    assert len(clocked.asked) == 4
    assert min(gaps(clocked)) >= DELAY


async def test_robots_redirects_and_retries_are_requests_like_any_other(clocked, polite, net):
    clocked.on("/robots.txt", net.reply(b"User-agent: *\nDisallow: /private", "Content-Type: text/plain"))
    busy = net.reply(b"busy", status="503 Service Unavailable")
    clocked.on("/moved", net.reply(b"", "Location: /thread", status="302 Found"))
    clocked.on("/thread", [busy, net.cut, net.reply(b"", "Location: /thread/1", status="301 Moved"), net.reply(b"end")])
    clocked.on("/thread/1", [net.cut, net.reply(b"page")])
    client = polite(2, obey_robots=True)
    pages = await asyncio.gather(*(client.fetch(Request(clocked.url + path)) for path in ("/moved", "/thread/1")))
    assert all(page.status == 200 for page in pages)
    assert len(clocked.asked) >= 7
    assert min(gaps(clocked)) >= DELAY
