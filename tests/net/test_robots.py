"""robots.txt after RFC 9309, against a real server."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from thrawl.errors import FetchError, RobotsDenied
from thrawl.limits import MAX_ROBOTS_BYTES, ROBOTS_CACHE_SECONDS, ROBOTS_RETRY_SECONDS
from thrawl.net.message import Request, Response
from thrawl.net.options import FetchLimits
from thrawl.net.robots import Robots, parse_robots

RULES = b"User-agent: *\nDisallow: /private\nAllow: /private/faq\n\nUser-agent: thrawl\nDisallow: /members\n"


@pytest.fixture
def polite(make_client):
    return make_client(obey_robots=True, limits=FetchLimits(backoff_seconds=0.001, retries=1))


@pytest.fixture
def page(server, net):
    return server.on("/page", net.reply(b"page"))


async def test_what_is_forbidden_to_us_is_not_asked_for(server, net, polite, page):
    server.on("/robots.txt", net.reply(RULES, "Content-Type: text/plain"))
    assert (await polite.fetch(Request(page))).status == 200
    with pytest.raises(RobotsDenied, match="forbids"):
        await polite.fetch(Request(server.url + "/members"))
    assert server.targets() == ["/page"]


async def test_a_redirect_into_what_is_forbidden_is_not_followed(server, net, polite):
    server.on("/robots.txt", net.reply(RULES))
    with pytest.raises(RobotsDenied):
        await polite.fetch(Request(server.on("/a", net.reply(b"", "Location: /members", status="302 Found"))))


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden", "401 Unauthorized", "410 Gone"])
async def test_a_site_without_robots_txt_allows_all(server, net, polite, page, status):
    server.on("/robots.txt", net.reply(b"User-agent: *\nDisallow: /", status=status))
    assert (await polite.fetch(Request(page))).status == 200


@pytest.mark.parametrize("status", ["500 Oops", "503 Busy"])
async def test_a_server_error_for_robots_txt_forbids_all(server, net, polite, page, status):
    server.on("/robots.txt", net.reply(b"", status=status))
    with pytest.raises(RobotsDenied, match=r"robots.txt answers 50"):
        await polite.fetch(Request(page))
    assert server.targets() == []


async def test_a_robots_txt_that_breaks_off_forbids_the_page_with_the_reason(server, net, polite, page):
    server.on("/robots.txt", net.cut)
    with pytest.raises(FetchError, match="broke off"):
        await polite.fetch(Request(page))
    assert server.targets() == []


async def test_five_redirects_are_followed_and_six_count_as_no_file(server, net, make_client, page):
    for n in range(5):
        server.on(f"/r{n}", net.reply(b"", f"Location: /r{n + 1}", status="302 Found"))
    server.on("/r5", net.reply(RULES.replace(b"members", b"page")))
    server.on("/robots.txt", net.reply(b"", "Location: /r1", status="302 Found"))
    with pytest.raises(RobotsDenied):
        await make_client(obey_robots=True).fetch(Request(page))
    server.on("/robots.txt", net.reply(b"", "Location: /r0", status="302 Found"))
    assert (await make_client(obey_robots=True).fetch(Request(page))).status == 200


async def test_only_the_first_500_kib_count(server, net, polite, page):
    filler = b"# " + b"x" * 100 + b"\n"
    late = b"User-agent: *\nAllow: /\n" + filler * (MAX_ROBOTS_BYTES // len(filler) + 1) + b"Disallow: /page\n"
    server.on("/robots.txt", net.reply(late))
    assert (await polite.fetch(Request(page))).status == 200


async def test_one_origin_is_asked_once_however_many_wait(server, net, polite, page):
    server.on("/robots.txt", net.reply(RULES))
    await asyncio.gather(*(polite.fetch(Request(page)) for _ in range(10)))
    assert [asked.target for asked in server.asked].count("/robots.txt") == 1


async def test_one_waiter_that_gives_up_does_not_take_the_others_along(server, net, polite, page):
    async def slow(asked, writer):
        await asyncio.sleep(0.1)
        writer.write(net.reply(RULES))

    server.on("/robots.txt", slow)
    first = asyncio.create_task(polite.fetch(Request(page)))
    second = asyncio.create_task(polite.fetch(Request(page)))
    await asyncio.sleep(0.03)
    first.cancel()
    assert (await second).status == 200


async def test_a_crawl_delay_sets_the_pace(server, net, polite, page):
    server.on("/robots.txt", net.reply(b"User-agent: *\nCrawl-delay: 0.3\n"))
    await polite.fetch(Request(page))
    assert polite.pace_states()[-1].delay == 0.3


async def test_robots_txt_can_be_switched_off(server, net, make_client, page):
    server.on("/robots.txt", net.reply(b"User-agent: *\nDisallow: /"))
    assert (await make_client(obey_robots=False).fetch(Request(page))).status == 200
    assert [asked.target for asked in server.asked] == ["/page"]


async def test_robots_txt_is_asked_for_without_cookies(server, net, polite):
    def welcome(asked):
        if "cookie" in asked.headers:
            return net.reply(b"x")
        return net.reply(b"", "Set-Cookie: sid=1", "Location: /", status="302 Found")

    page = server.on("/", welcome)
    server.on("/robots.txt", net.reply(b"", "Set-Cookie: robot=1"))
    await polite.fetch(Request(page))
    await polite.fetch(Request(page))
    assert [asked.headers.get("cookie") for asked in server.asked] == [None, None, "sid=1", "sid=1"]


def answer(status: int, body: bytes = b"") -> Response:
    return Response("", "", status, (), body, "utf-8", datetime.now(UTC))


async def test_rules_are_believed_for_a_day_and_survive_an_outage():
    now = 0.0
    answers = [answer(200, RULES), answer(503), answer(404)]
    asked = []

    async def get(url):
        asked.append(url)
        return answers[len(asked) - 1]

    robots = Robots(get, clock=lambda: now)
    for moment, requests in ((0, 1), (ROBOTS_CACHE_SECONDS - 1, 1), (ROBOTS_CACHE_SECONDS, 2)):
        now = moment
        with pytest.raises(RobotsDenied, match="forbids"):
            await robots.check("http://a.test/members", "http://a.test")
        assert len(asked) == requests
    now += ROBOTS_RETRY_SECONDS
    await robots.check("http://a.test/members", "http://a.test")
    assert asked == ["http://a.test/robots.txt"] * 3


def test_a_hostile_robots_txt_costs_little():
    rules = parse_robots(b"User-agent: *\nDisallow: /" + b"*a" * 200 + b"*b\n" + b"\xff\xfe\x00Disallow: /x\n" * 1000)
    assert rules.can_fetch("http://a.test/" + "a" * 4000, "Thrawl")
