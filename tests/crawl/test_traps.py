"""Facets that combine without end: the crawl reads every thread, and leaves the facets alone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

from aiohttp import web
from aiohttp.typedefs import Handler

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

THREADS = 30
FACETS = ("new", "hot", "old", "dead", "mine", "open")


async def board(request: web.Request) -> web.Response:
    """A list of all threads, with a link for each facet that may be added to those chosen."""
    chosen = dict(parse_qsl(request.query_string)).get("q", "")
    facets = "".join(f'<li><a href="/board?q={f"{chosen}.{one}".strip(".")}">{one}</a></li>' for one in FACETS)
    rows = "".join(f'<tr><td><a href="/t/{n}">Question number {n} of all</a></td></tr>' for n in range(THREADS))
    return page(f"<ul>{facets}</ul><table>{rows}</table>")


async def thread(request: web.Request) -> web.Response:
    number = request.match_info["number"]
    posts = "".join(
        f'<div class="post" id="p{number}{at}"><b><a href="/u/{name}">{name}</a></b> <span>2024-05-01 10:0{at}</span>'
        f"<p>What {name} thinks of question {number} takes a line or two, and is said by nobody else here.</p></div>"
        for at, name in enumerate(("Ann", "Bob", "Cid"))
    )
    return page(f"<h1>Question number {number} of all</h1>{posts}")


def page(body: str) -> web.Response:
    return web.Response(text=f"<html><body>{body}</body></html>", content_type="text/html")


async def test_facets_that_combine_do_not_hold_up_a_crawl(tmp_path: Path) -> None:
    app = web.Application()
    app.router.add_get("/board", board)
    app.router.add_get("/t/{number}", thread)
    asked: list[str] = []

    @web.middleware
    async def noted(request: web.Request, handler: Handler) -> web.StreamResponse:
        asked.append(request.path_qs)
        return await handler(request)

    app.middlewares.append(noted)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    profile = Profile(
        entry=f"{origin}/board",
        index=(ListPattern(Pattern.parse(f"{origin}/board?q={{a:word}}")),),
        thread=(ListPattern(Pattern.parse(f"{origin}/t/{{a:number}}")),),
    )
    try:
        with Archive.open(tmp_path / "a.db", create=True) as archive:
            async with Client(ClientOptions(profile.entry, delay=0, concurrency=4)) as client:
                options = CrawlOptions(concurrency=4, workers=0, max_pages=2000)
                learn = learner(client, lambda _: None)
                await ForumCrawl(profile.entry, archive, client, learn, options, profile).run()
    finally:
        await runner.cleanup()
    assert {f"/t/{number}" for number in range(THREADS)} <= set(asked)
    assert len(asked) < 2000
