"""What stands between a user and a forum is named, with what to do."""

from __future__ import annotations

import pytest
from aiohttp import web

from thrawl import aio
from thrawl.errors import LearnError

CHALLENGE = """<html><head><title>Just a moment...</title></head><body><p>Checking your browser before accessing
    the site.</p><script src=/c.js></script></body></html>"""


@pytest.mark.parametrize(
    ("status", "body", "robots", "cause"),
    [
        (403, "<h1>Forbidden</h1>", "", r"refuses this visitor \(status 403\).*--cookies"),
        (401, "<h1>Who?</h1>", "", r"asks for a login \(status 401\).*--cookies"),
        (403, CHALLENGE, "", "bot challenge.*--cookies"),
        (200, CHALLENGE, "", "bot challenge.*--cookies"),
        (404, "<h1>No</h1>", "", "status 404.*check the address"),
        (200, "<a href=/t/1>t</a>", "User-agent: *\nDisallow: /", r"robots\.txt forbids it.*--robots ignore"),
        (200, "<form>Log in<input type=password></form>", "", "login page.*--cookies"),
    ],
)
async def test_the_cause_is_named(status: int, body: str, robots: str, cause: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        if request.path == "/robots.txt":
            return web.Response(text=robots)
        return web.Response(status=status, text=body, content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        with pytest.raises(LearnError, match=cause):
            await aio.learn(f"http://{host}:{port}/", delay=0)
    finally:
        await runner.cleanup()
