"""A server that fails now and then costs time, not content."""

from __future__ import annotations

from pathlib import Path
from random import Random

from aiohttp import web
from tests.crawl.tinyforum import Crawl, TinyForum, archived

from thrawl.archive.values import PageKind
from thrawl.lab.faults import Refusals, Resets


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
