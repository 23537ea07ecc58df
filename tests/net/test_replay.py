"""Mirrors as a fetcher."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from thrawl.errors import InputError, LimitExceeded, UrlRefused
from thrawl.net.message import Request
from thrawl.net.replay import MirrorReplay, is_mirror

PAGES = [
    {"url": "http://m.test/", "status": 200, "type": "text/html; charset=iso-8859-1", "location": None, "body": "grün"},
    {"url": "http://m.test/t?id=1&page=2", "status": 200, "type": None, "location": None, "body": "page two"},
    {"url": "http://m.test/go", "status": 302, "type": "text/html", "location": "t?page=2&id=1", "body": ""},
    {"url": "http://m.test/loop", "status": 301, "type": "text/html", "location": "/loop", "body": ""},
    {"url": "http://m.test/away", "status": 301, "type": "text/html", "location": "ftp://m.test/", "body": ""},
    {"url": "http://m.test/feed", "status": 200, "type": "application/rss+xml", "location": None, "body": "<rss/>"},
    {"url": "http://m.test/broken", "status": None, "type": None, "location": None, "body": None},
]


@pytest.fixture
def folder(tmp_path):
    with lzma.open(tmp_path / "pages.jsonl.xz", "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(page) + "\n" for page in PAGES)
    return tmp_path


@pytest.fixture
def get(folder):
    mirror = MirrorReplay(folder)
    return lambda url: mirror.fetch(Request(url))


async def test_a_page_comes_as_text_of_its_own(get):
    response = await get("http://m.test/#top")
    assert (response.status, response.text, response.url) == (200, "grün", "http://m.test/")


@pytest.mark.parametrize("query", ["id=1&page=2", "page=2&id=1", "id=%31&page=2"])
async def test_a_url_is_found_as_a_server_would_find_it(get, query):
    assert (await get(f"http://m.test/t?{query}")).text == "page two"


async def test_redirects_are_followed_and_recorded(get):
    response = await get("http://m.test/go")
    assert response.text == "page two"
    assert [(hop.status, hop.location) for hop in response.hops] == [(302, "http://m.test/t?page=2&id=1")]


async def test_an_unknown_url_is_a_404(get):
    assert (await get("http://m.test/none")).status == 404
    assert (await get("http://elsewhere.test/")).status == 404


async def test_a_page_without_a_status_is_a_bad_gateway(get):
    assert (await get("http://m.test/broken")).status == 502


async def test_endless_and_wrong_redirects_are_errors(get):
    with pytest.raises(LimitExceeded):
        await get("http://m.test/loop")
    with pytest.raises(UrlRefused):
        await get("http://m.test/away")


def test_all_urls_can_be_listed(folder):
    mirror = MirrorReplay(folder)
    assert list(mirror.urls()) == [page["url"] for page in PAGES]
    assert len(mirror) == len(PAGES)
    assert is_mirror(folder)


def test_what_is_no_mirror_is_told(tmp_path, folder):
    with pytest.raises(InputError, match="is a file, but a mirror is a folder"):
        MirrorReplay(folder / "pages.jsonl.xz")
    with pytest.raises(InputError, match="There is no folder"):
        MirrorReplay(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no pages"):
        MirrorReplay(tmp_path / "empty")


@pytest.mark.parametrize("line", ["{", "[]", '{"url": 1}', '{"url": "http://a.test/", "body": "x"}', "\udcff"])
def test_a_damaged_line_is_named(tmp_path, line):
    good = json.dumps(PAGES[0]) + "\n"
    (tmp_path / "pages.jsonl").write_bytes((good + line + "\n").encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"pages\.jsonl"):
        MirrorReplay(tmp_path)


def test_a_mirror_that_is_cut_short_is_told(folder):
    file = folder / "pages.jsonl.xz"
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(InputError, match="cannot be read after line"):
        MirrorReplay(folder)


async def test_a_real_mirror_replays_whole():
    folder = Path(__file__).parents[3] / "shared" / "corpus" / "xmb"
    if not folder.is_dir():
        pytest.skip("the shared corpus is not here")
    mirror = MirrorReplay(folder)
    statuses = {(await mirror.fetch(Request(url))).status for url in list(mirror.urls())[:500]}
    assert statuses <= {200, 404}
