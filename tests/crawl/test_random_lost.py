"""Random forums that were once not crawled whole, each by its seed and by what lost it."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.lab.bench.forums import Order
from thrawl.lab.bench.forumtruth import score_posts
from thrawl.lab.random.serving import RandomServer
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions


@pytest.mark.parametrize(
    ("seed", "lost_by"),
    [
        (111040, "links to the next thread, whose title alone would tell threads apart"),
        (111045, "a tree whose answers add a number before the ending of a file"),
        (130017, "first posts alone among the pages that were learned from, and rows that tell of no replies"),
        (111072, "months that look like threads, before lists with opaque pagers"),
    ],
)
async def test_a_forum_that_was_lost_once_is_whole(seed: int, lost_by: str, tmp_path: Path) -> None:
    site = Order(seed, ()).site()
    async with (
        RandomServer(site) as server,
        Client(ClientOptions(server.start_url, delay=0, concurrency=4)) as client,
    ):
        with Archive.open(tmp_path / "forum.db", create=True) as archive:
            options = CrawlOptions(concurrency=4, workers=0)
            crawl = ForumCrawl(server.start_url, archive, client, learner(client, lambda _: None), options)
            finished = await crawl.run()
            scores = score_posts(site, list(archive.posts()))
    assert (finished.complete, scores.coverage, scores.precision, scores.recall) == (True, 1.0, 1.0, 1.0), lost_by
