"""An archive may hold several forums of one host: a forum is known by its entry, a start URL by what explains it."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web
from tests.crawl.test_ends_early import crawl_once
from tests.crawl.tinyforum import TinyForum

from thrawl.archive import Archive
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named


async def test_a_second_forum_on_one_host_is_learned_and_archived(tmp_path: Path) -> None:
    location = tmp_path / "both.db"
    first, second = skin_named("tables"), skin_named("leaves")
    one, two = generate(24, seed=11, language=first.language.code), generate(24, seed=11, language=second.language.code)
    async with ForumServer(one, first) as bench, ForumServer(two, second) as other, Gate(bench.url, other.url) as gate:
        await crawl_once(gate.url_of(bench.url), location)
        await crawl_once(gate.url_of(other.url), location)
    with Archive.open(location, readonly=True) as archive:
        forums = [forum.entry_url for forum in archive.forums()]
        threads = [len({post.thread_url for post in archive.posts() if post.forum == entry}) for entry in forums]
    assert len(forums) == 2
    assert threads == [24, 24]


async def test_a_page_of_a_known_forum_goes_on_with_it(forum: TinyForum, tmp_path: Path) -> None:
    location = tmp_path / "forum.db"
    forum.fill(threads=9)
    learned = await crawl_once(f"{forum.origin}/", location)
    again = await crawl_once(f"{forum.origin}/thread/104", location)
    assert learned.tally.learning_pages > 0
    assert again.tally.learning_pages == 0
    assert again.updated


class Gate:
    """One host before two servers; each has a folder of its own."""

    def __init__(self, *urls: str) -> None:
        self._origins = {url.split("/", 4)[3]: "/".join(url.split("/", 3)[:3]) for url in urls}
        self._runner: web.AppRunner | None = None
        self.origin = ""

    def url_of(self, url: str) -> str:
        return f"{self.origin}/{url.split('/', 3)[3]}"

    async def __aenter__(self) -> Gate:
        app = web.Application()
        app.router.add_get("/{path:.*}", self._pass)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import ClientSession

        origin = self._origins.get(request.path.split("/")[1])
        if origin is None:
            return web.Response(status=404)
        headers = {name: value for name, value in request.headers.items() if name.lower() in ("cookie", "user-agent")}
        async with ClientSession() as session:
            asked = session.get(f"{origin}{request.path_qs}", headers=headers, allow_redirects=False)
            async with asked as answer:
                body = (await answer.read()).replace(origin.encode(), self.origin.encode())
                kept = {name: answer.headers[name] for name in ("Content-Type", "Set-Cookie") if name in answer.headers}
                if "Location" in answer.headers:
                    kept["Location"] = answer.headers["Location"].replace(origin, self.origin)
                return web.Response(status=answer.status, body=body, headers=kept)
