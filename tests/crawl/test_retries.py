"""Pages that failed are tried again by later runs: when their time has come, or when they are asked to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiohttp import web
from tests.crawl.tinyforum import Crawl, TinyForum

from thrawl.archive import Archive
from thrawl.archive.values import FailureClass, FailureKind, PageState
from thrawl.crawl.outcomes import kind_of_error
from thrawl.errors import LimitExceeded
from thrawl.net.retry import TooSlow

WALL = "<h1>Hello</h1><form><input name=u><input type=password name=p></form>"


def html(body: str, status: int = 200) -> web.Response:
    return web.Response(text=f"<!DOCTYPE html><title>x</title><body>{body}", content_type="text/html", status=status)


def threads(location: Path) -> set[str]:
    with Archive.open(location, readonly=True) as archive:
        return {post.thread_url.rpartition("/")[2] for post in archive.posts()}


async def test_a_server_that_healed_gives_what_it_lost(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: html("broken", 500)
    first = await crawl(forum, retry_seconds=0.001)
    del forum.answers["/thread/101"]
    second = await crawl(forum, retry_seconds=0.001)
    assert not first.complete
    assert second.complete
    assert "101" in threads(location)


async def test_what_asked_for_a_login_is_tried_at_once_with_cookies(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: html(WALL)
    await crawl(forum)
    del forum.answers["/thread/101"]
    await crawl(forum)
    assert "101" not in threads(location)
    await crawl(forum, with_cookies=True)
    assert "101" in threads(location)


async def test_a_clock_that_was_set_back_keeps_no_page_waiting(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    await crawl(forum)
    page = f"{forum.origin}/thread/101"
    with Archive.open(location) as archive:
        archive.mark_failed(page, "down", retry_at=datetime.now(UTC) + timedelta(days=365))
    finished = await crawl(forum)
    assert finished.complete
    with Archive.open(location, readonly=True) as archive:
        found = archive.page(page)
        assert found is not None
        assert found.state is PageState.DONE


async def test_all_failed_pages_are_tried_when_asked_for(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: html("gone", 404)
    await crawl(forum)
    del forum.answers["/thread/101"]
    await crawl(forum)
    assert "101" not in threads(location)
    await crawl(forum, retry_failed=True)
    assert "101" in threads(location)


async def test_a_failure_has_a_kind_and_a_time(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: html(WALL)
    forum.answers["/thread/102"] = lambda _: html("gone", 410)
    await crawl(forum)
    with Archive.open(location, readonly=True) as archive:
        wall, gone = (archive.page(f"{forum.origin}/thread/{number}") for number in (101, 102))
    assert wall is not None
    assert gone is not None
    assert (wall.state, wall.failure_kind) == (PageState.FAILED, FailureKind.LOGIN)
    assert wall.due is not None
    assert wall.due > datetime.now(UTC) + timedelta(days=1)
    assert (gone.failure_kind, gone.due) == (FailureKind.GONE, None)


def test_what_was_too_slow_once_is_tried_again_and_what_is_too_large_is_not() -> None:
    url = "http://forum.test/thread/1"
    kinds = [kind_of_error(error) for error in (TooSlow(url, "no whole answer"), LimitExceeded(url, "too large"))]
    assert [kind.failure_class for kind in kinds] == [FailureClass.FOR_NOW, FailureClass.FOR_GOOD]


def test_every_kind_of_failure_has_a_class() -> None:
    found = {kind.failure_class for kind in FailureKind}
    assert found == set(FailureClass)
