"""Serves a random forum on a free loopback port.

async with RandomServer(forum(17)) as server:
    ... server.url, server.requests ...

`python -m thrawl.lab.random.serving 17 --port 8000` serves one to look at, and prints its choices and its addresses.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import sys
from collections.abc import Sequence
from email.utils import format_datetime
from types import TracebackType
from typing import Final, Self

from aiohttp import web

from thrawl.lab.random.choices import told
from thrawl.lab.random.site import Site, forum
from thrawl.lab.server import Served
from thrawl.lab.skins.values import Answer

_COOKIE: Final = "visitor"


class RandomServer:
    """A random forum that answers on 127.0.0.1 and remembers what it was asked."""

    def __init__(self, site: Site, port: int = 0) -> None:
        self.site = site
        self.requests: list[Served] = []
        self._port = port
        self._visitors = 0
        self._runner: web.AppRunner | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The entry page."""
        return self.origin + self.site.entry_path

    @property
    def start_url(self) -> str:
        """Where the forum's choices let a crawl begin."""
        return self.origin + self.site.start_path

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        self._port = int(self._runner.addresses[0][1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        if request.path == "/robots.txt":
            robots = self.site.robots
            return web.Response(status=404) if robots is None else web.Response(text=robots)
        session = "" if _COOKIE in request.cookies else self._session(request.raw_path)
        response = self._written(self.site.answer(request.raw_path, session))
        if session:
            response.set_cookie(_COOKIE, session)
        self.requests.append(Served(self.origin + request.raw_path, response.status))
        return response

    def _session(self, target: str) -> str:
        """A session that the address brings is kept; all other visitors get a new one."""
        carried = self.site.addresses.session_of(target)
        if carried:
            return carried
        self._visitors += 1
        return hashlib.sha256(f"{self.site.choices.seed}/{self._visitors}".encode()).hexdigest()[:24]

    def _written(self, answer: Answer) -> web.Response:
        headers = {"Date": format_datetime(self.site.plan.view.moment, usegmt=True)}
        if answer.location is not None:
            return web.Response(status=answer.status, headers={**headers, "Location": answer.location})
        told = self.site.told_charset
        headers["Content-Type"] = answer.content_type + (f"; charset={told}" if told else "")
        body = answer.body.encode(self.site.charset, errors="xmlcharrefreplace")
        return web.Response(status=answer.status, body=body, headers=headers)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m thrawl.lab.random.serving", description="Serve a random forum.")
    parser.add_argument("seed", type=int)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    options = parser.parse_args(arguments)
    try:
        asyncio.run(_serve(RandomServer(forum(options.seed), options.port)))
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve(server: RandomServer) -> None:
    async with server:
        for name, value in told(server.site.choices):
            print(f"{name:14} {value}")
        print(f"entry page     {server.url}\nstart page     {server.start_url}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
