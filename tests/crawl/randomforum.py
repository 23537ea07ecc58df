"""Crawls of random forums on loopback, as a user would start them: nothing is known but an address."""

from __future__ import annotations

from pathlib import Path

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.lab.bench.forumtruth import PostScores, score_posts
from thrawl.lab.random.serving import RandomServer
from thrawl.lab.random.site import Site
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions


async def crawled(site: Site, location: Path) -> tuple[bool, PostScores]:
    """Whether the crawl says that it is complete, and how the archived posts compare with the forum's."""
    async with (
        RandomServer(site) as server,
        Client(ClientOptions(server.start_url, delay=0, concurrency=4)) as client,
    ):
        with Archive.open(location, create=True) as archive:
            options = CrawlOptions(concurrency=4, workers=0)
            crawl = ForumCrawl(server.start_url, archive, client, learner(client, lambda _: None), options)
            finished = await crawl.run()
            return finished.complete, score_posts(site, list(archive.posts()))
