"""A random forum on loopback answers as its choices say: sessions, charsets, redirects, tokens, robots.txt."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime
from html import unescape

import aiohttp
import pytest

from thrawl.lab.random import Site, forum
from thrawl.lab.random.serving import RandomServer
from thrawl.lab.skins.routes import SitePage


async def asked(site: Site, *targets: str, cookies: bool = False) -> list[tuple[aiohttp.ClientResponse, bytes]]:
    jar = aiohttp.CookieJar(unsafe=True) if cookies else aiohttp.DummyCookieJar()
    answers = []
    async with RandomServer(site) as server, aiohttp.ClientSession(cookie_jar=jar) as client:
        for target in targets:
            async with client.get(server.origin + target, allow_redirects=False) as response:
                answers.append((response, await response.read()))
    return answers


@pytest.mark.parametrize("session", ["query", "path"])
async def test_links_carry_a_session_until_the_cookie_comes_back(session: str) -> None:
    site = forum(3, session=session)
    name = site.addresses.spelling.short["session"]
    (_, first), (_, second) = await asked(site, site.entry_path, site.entry_path, cookies=True)
    assert f"{name}=".encode() in first
    assert f"{name}=".encode() not in second


async def test_a_session_in_the_address_changes_nothing_on_the_page() -> None:
    site = forum(3, session="path", board_pager="numbers", thread_pager="numbers")
    plain = next(url for url, kind in site.canonical_urls("") if kind == "thread")
    ((_, one), (_, other)) = await asked(site, site.addresses.with_session(plain, "abc"), plain, cookies=True)
    assert one.replace(f";{site.addresses.spelling.short['session']}=abc".encode(), b"") == other


@pytest.mark.parametrize(
    ("charset", "said", "meta"),
    [
        ("utf-8", "charset=utf-8", b'charset="utf-8"'),
        ("legacy", "charset=windows-1252", b"charset=windows-1252"),
        ("wrong", "text/html", b'charset="iso-8859-1"'),
        ("undeclared", "text/html", b"<html"),
    ],
)
async def test_a_charset_is_declared_as_chosen(charset: str, said: str, meta: bytes) -> None:
    site = forum(5, charset=charset, language="de")
    ((response, body),) = await asked(site, site.entry_path)
    assert said in response.headers["Content-Type"]
    assert ("charset" in response.headers["Content-Type"]) == (charset in ("utf-8", "legacy"))
    assert meta in body


async def test_a_form_that_redirects_leads_to_the_thread() -> None:
    site = forum(8, forms="redirect", markup="divs", from_end="no")
    number = site.plan.thread_ids[0]
    thread = site.addresses.path(SitePage("thread", number))
    ((response, _),) = await asked(site, site.addresses.path(SitePage("go", number)))
    assert (response.status, response.headers["Location"]) == (301, thread)


async def test_opaque_tokens_change_with_every_answer_and_lead_to_the_same_page() -> None:
    site = forum(8, structure="single", landing="none", board_pager="opaque", board_page=4, from_end="no", threads=20)
    second = site.addresses.path(SitePage("entry", page=2))
    (_, one), (_, other) = await asked(site, site.entry_path, site.entry_path)
    tokens = [_token(site, unescape(body.decode(site.charset))) for body in (one, other)]
    assert tokens[0] != tokens[1]
    base = second[: -len(tokens[0])]
    assert [site.place(base + token) for token in tokens] == [SitePage("entry", page=2)] * 2


def _token(site: Site, body: str) -> str:
    name = site.addresses.spelling.short["token"]
    return body.partition(f"{name}=")[2][:10]


async def test_answers_are_dated_an_hour_after_the_last_post() -> None:
    site = forum(2)
    ((response, _),) = await asked(site, site.entry_path)
    told = parsedate_to_datetime(response.headers["Date"]).astimezone(UTC)
    assert abs((told - site.world.end).total_seconds() - 3600) < 1


async def test_robots_txt_is_there_only_by_choice() -> None:
    for robots, status in (("none", 404), ("open", 200), ("noise", 200)):
        ((response, body),) = await asked(forum(4, robots=robots, start="entry"), "/robots.txt")
        assert response.status == status
        assert (b"Disallow: /" in body) == (robots == "noise")


async def test_what_was_asked_is_remembered() -> None:
    site = forum(2)
    async with RandomServer(site) as server, aiohttp.ClientSession() as client:
        async with client.get(f"{server.origin}/nowhere") as response:
            assert response.status == 404
        assert [(one.url, one.status) for one in server.requests] == [(f"{server.origin}/nowhere", 404)]
