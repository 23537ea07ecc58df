"""Forums that show one post a page, crawled whole: the answers have another form of address than the first post.

Random forums, each by the seed with which it was once lost.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.lab.bench.forums import Order
from thrawl.lab.random.serving import RandomServer
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions


@pytest.mark.parametrize(
    ("seed", "form"),
    [(96008, "m=7 and m=8&de=2, beside links to other threads"), (96012, "/7/ and /8/word/2/"), (84002, "7 and 8,2")],
)
async def test_a_tree_is_one_thread_whatever_form_its_answers_have(seed: int, form: str, tmp_path: Path) -> None:
    site = Order(seed, ()).site()
    posts = sum(len(list(site.plan.view.posts(thread))) for thread in site.plan.view.all_thread_ids())
    async with (
        RandomServer(site) as server,
        Client(ClientOptions(server.start_url, delay=0, concurrency=4)) as client,
    ):
        with Archive.open(tmp_path / "forum.db", create=True) as archive:
            options = CrawlOptions(concurrency=4, workers=0)
            crawl = ForumCrawl(server.start_url, archive, client, learner(client, lambda _: None), options)
            await crawl.run()
            assert sum(1 for _ in archive.posts()) == posts, form
