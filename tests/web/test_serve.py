"""The server as programs see it: who may come in, what the API tells, and that bad input is answered with a page."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from tests.web.conftest import Serve
from tests.web.samples import SITE, SVG, fill, post, thread

from thrawl.archive import Archive
from thrawl.archive.export_rows import EXPORTS, What
from thrawl.archive.progress import Progress
from thrawl.web.cached import take
from thrawl.web.dashboard import crawls
from thrawl.web.guard import COOKIE, is_loopback


def ask(address: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=30)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection.request(method, target, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def told(address: str) -> dict[str, object]:
    answer, body = ask(address)
    assert answer.status == 200, body
    found: dict[str, object] = json.loads(body)
    return found


def api(site: str, path: str) -> str:
    parts = urlsplit(site)
    return f"http://{parts.netloc}/api{parts.path}/{path}"


# --- closed by default


@pytest.mark.parametrize("host", ["evil.example", "forum.example:80", "", "127.0.0.1.evil.example", "localhost.evil"])
def test_a_name_that_is_not_this_machines_is_refused(site: str, host: str) -> None:
    answer, _ = ask(f"{site}/", Host=host)
    assert answer.status in (400, 421)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1234", "LOCALHOST", "[::1]:80"])
def test_names_of_this_machine_are_its_own(site: str, host: str) -> None:
    assert ask(f"{site}/", Host=host)[0].status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(site: str, method: str) -> None:
    assert ask(f"{site}/", method)[0].status == 405


def test_every_answer_carries_a_strict_policy(site: str) -> None:
    for path in ("/", "/thread/1", "/nothing", "/feed.atom", "/crawl"):
        answer, _ = ask(site + path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_no_page_holds_a_script_of_its_own(site: str) -> None:
    for path in ("/", "/thread/1", "/search?q=agree", "/crawl", "/map", "/activity"):
        page = ask(site + path)[1].decode()
        assert "<script>" not in page
        assert " style=" not in page
        assert " onclick" not in page


def test_elsewhere_every_request_needs_the_token(sample: Path, serve: Serve) -> None:
    address = serve(sample, host="0.0.0.0", token="secret")
    page = f"{address}/forum.example/"
    assert ask(page)[0].status == 401
    assert ask(f"{page}?token=wrong")[0].status == 401
    assert ask(f"{address}/assets/style.css")[0].status == 401
    assert ask(page, Authorization="Bearer wrong")[0].status == 401
    assert ask(page, Authorization="Bearer secret")[0].status == 200
    moved, _ = ask(f"{page}board/2?page=1&token=secret")
    assert (moved.status, moved.headers["Location"]) == (303, "/forum.example/board/2?page=1")
    cookie = moved.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert ask(page, Cookie=f"{COOKIE}=secret")[0].status == 200
    assert ask(page, Authorization="Bearer secret", Host="evil.example")[0].status == 421
    elsewhere, _ = ask(f"{address}//evil.example/?token=secret")
    assert elsewhere.headers["Location"] == "/evil.example/"


OWN = {"127.0.0.1": True, "::1": True, "localhost": True, "0.0.0.0": False, "192.168.1.5": False, "x.example": False}


@pytest.mark.parametrize(("host", "is_own"), OWN.items())
def test_only_loopback_needs_no_token(host: str, is_own: bool) -> None:
    assert is_loopback(host) is is_own


def test_what_could_run_is_only_ever_a_download(site: str) -> None:
    posts = told(api(site, "threads/1/posts?limit=20"))["posts"]
    assert isinstance(posts, list)
    files = [file for one in posts for file in one["files"]]
    digest = next(file["sha256"] for file in files if file["url"].endswith("drawing.svg"))
    answer, body = ask(f"{site}/media/{digest}")
    assert body == SVG
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    named = next(file for file in files if file["url"].endswith("plan.zip"))
    assert named["name"] == "../../etc/plan.zip"
    assert "plan.zip" in ask(f"{site}/media/{named['sha256']}")[0].headers["Content-Disposition"]
    assert ".." not in ask(f"{site}/media/{named['sha256']}")[0].headers["Content-Disposition"]
    picture = next(file["sha256"] for file in files if file["url"].endswith("dot.png"))
    assert ask(f"{site}/media/{picture}")[0].headers["Content-Type"] == "image/png"


# --- the API


def test_posts_of_the_api_have_the_shape_of_the_export(site: str) -> None:
    posts = told(api(site, "threads/1/posts?offset=1&limit=1"))["posts"]
    assert isinstance(posts, list)
    (second,) = posts
    columns = [column.name for column in EXPORTS[What.POSTS].columns]
    assert list(second) == ["id", "thread_id", *columns, "files"]
    assert (second["post_id"], second["position"], second["author"]) == ("2", 2, "Bob")
    assert told(api(site, f"posts/{second['id']}")) == second


def test_the_api_tells_all_that_pages_show(site: str) -> None:
    boards = told(api(site, "boards"))["boards"]
    assert isinstance(boards, list)
    assert [(board["title"], board["parent_id"]) for board in boards][:2] == [("Technical", None), ("Lenses", 1)]
    threads = told(api(site, "threads?board=3"))["threads"]
    assert isinstance(threads, list)
    assert {thread["title"]: thread["posts"] for thread in threads}["A long thread"] == 220
    hits = told(api(site, "search?q=agree"))
    assert [hit["post_id"] for hit in hits["hits"]] == ["2"]  # type: ignore[index, attr-defined]
    assert "not a list" in str(told(api(site, f"why?url={SITE}/login"))["why"])
    assert sum(told(api(site, "activity"))["hours"]) == 231  # type: ignore[call-overload]
    crawl = told(api(site, "crawl"))
    assert "the site has no such page (HTTP 404)" in str(crawl["failures"])
    assert told(f"http://{urlsplit(site).netloc}/api/archives")["archives"][0]["name"] == "forum.example"  # type: ignore[index]


def test_the_feed_holds_the_newest_posts(site: str) -> None:
    answer, body = ask(f"{site}/feed.atom")
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(body)
    entries = feed.findall("{http://www.w3.org/2005/Atom}entry")
    assert len(entries) == 50
    assert entries[0].findtext("{http://www.w3.org/2005/Atom}content") == "I agree"


# --- bad input


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/thread/1?page=0", 404),
        ("/thread/1?page=-3", 404),
        ("/thread/1?page=9999999999999999999999", 404),
        ("/thread/1?page=two", 404),
        ("/thread/99999999999999999999", 404),
        ("/board/77", 404),
        ("/post/0", 404),
        ("/media/../../etc/passwd", 404),
        ("/media/" + "0" * 64, 404),
        ("/media/%2e%2e%2f" + "0" * 50, 404),
        ("/search?q=%22", 200),
        ("/search?q=%00%ff", 200),
        ("/search?q=agree&since=tomorrow", 200),
        ("/map?url=%00", 200),
    ],
)
def test_odd_addresses_are_answered_with_a_page(site: str, path: str, status: int) -> None:
    assert ask(site + path)[0].status == status


def test_an_empty_archive_renders(tmp_path: Path, serve: Serve) -> None:
    location = tmp_path / "empty.db"
    Archive.open(location, create=True).close()
    address = serve(location)
    for path in ("/", "/board/0", "/search?q=x", "/crawl", "/map", "/activity", "/feed.atom"):
        assert ask(f"{address}/empty{path}")[0].status == 200, path


def test_a_thread_of_ten_thousand_pages_is_turned_from_both_ends(tmp_path: Path, serve: Serve) -> None:
    location = tmp_path / "long.db"
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        for page in range(1, 101):
            posts = tuple(post(f"{page}-{number}", "x", "<p>x</p>") for number in range(500))
            archive.save(thread(1, "Endless", posts, page))
    address = serve(location)
    answer, body = ask(f"{address}/long/thread/1?page=1000")
    assert answer.status == 200
    assert b"#50000</a>" in body
    assert ask(f"{address}/long/thread/1?page=1001")[0].status == 404


def test_an_archive_that_is_being_written_is_shown_as_it_grows(tmp_path: Path, serve: Serve) -> None:
    location = tmp_path / "live.db"
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        archive.save(thread(1, "Live", (post("a", "the first"),)))
        address = serve(location)
        assert b"the first" in ask(f"{address}/live/thread/1")[1]
        archive.save(thread(1, "Live", (post("b", "the second"),), 2))
        assert b"the second" in ask(f"{address}/live/thread/1")[1]
        assert b"the <mark>second</mark>" in ask(f"{address}/live/search?q=second")[1]


def test_a_store_that_was_moved_away_is_told_on_the_page(tmp_path: Path, serve: Serve) -> None:
    location = tmp_path / "forum.db"
    fill(location)
    Path(f"{location}.media").rename(tmp_path / "elsewhere")
    page = ask(f"{serve(location)}/forum/thread/1")[1].decode()
    assert "a dot (picture missing: its file is not in the media store)" in page
    assert "(missing: its file is not in the media store)" in page


def test_a_running_crawl_is_told_with_its_pace(tmp_path: Path) -> None:
    location = tmp_path / "live.db"
    fill(location)
    with Archive.open(location) as archive:
        now = Progress(1, 0.0, 4e9, "pages", 10, 2.0, 1.5, "slowed by the site", f"{SITE}/t/1")
        archive.tell(now)
        (crawl,) = crawls(archive.forums(), take(archive))
        assert (crawl.running, crawl.pace, crawl.waiting) == (True, "slowed by the site", 1)
        assert crawl.seconds_left == crawl.left / 2.0
        archive.tell(Progress(1, 0.0, 4e9, "ended", 10, 2.0, 1.5, "", ""))
        (ended,) = crawls(archive.forums(), take(archive))
        assert not ended.running
