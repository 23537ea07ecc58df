"""A server that fails now and then costs time, not content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from aiohttp import web
from tests.crawl.tinyforum import Crawl, TinyForum, archived

from thrawl.lab.faults import Refusals, Resets
from thrawl.learn.learner import Learned
from thrawl.page.pagekind import PageKind


async def test_a_tenth_of_refusals_and_some_resets_lose_nothing(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=3, threads=30)
    forum.faults = [Refusals(503, 0.1, retry_after=None, seed=3), Resets(0.03, seed=4)]
    finished = await crawl(forum)
    assert archived(location) == forum.written()
    assert finished.complete
    assert not finished.tally.failures


async def test_pages_that_fail_in_every_other_way_lose_nothing_either(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=20, longest=5)
    draw = Random(5)
    broken = web.Response
    for thread in forum.threads:
        forum.answers[f"/thread/{thread}"] = lambda times: broken(status=502) if draw.random() < 0.4 else None
    finished = await crawl(forum, tries=12)
    assert archived(location) == forum.written()
    assert finished.tally.requests[PageKind.THREAD] >= len(forum.threads)


async def test_a_board_that_linked_otherwise_before_we_had_cookies_is_asked_for_again(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=7)

    async def learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
        first = forum.answer("/board/2")
        body = first.body.replace(b"/thread/", b"/show?sid=1&thread=").replace(b"/board/2?", b"/list?sid=1&board=2&")
        body = body.replace(b"<a href='/'>", b"<a href='/home?sid=1'>")
        return Learned(forum.profile(), (replace(first, body=body), forum.answer("/board/1")))

    finished = await crawl(forum, learn=learn, learns=True)
    assert archived(location) == forum.written()
    assert finished.complete
    assert (forum.asked["/board/2"], forum.asked["/board/1"]) == (1, 0)
