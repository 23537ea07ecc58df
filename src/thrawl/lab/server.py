"""Serves a world in a skin on loopback, as of a virtual clock, with faults on demand.

    async with ForumServer(world, Tables()) as forum:
        ... forum.url, forum.clock, forum.requests ...

`python -m thrawl.lab.server --skin tables --threads 200` runs one in a process of its own and prints its URL;
`running_forum` does that for a `with` block, for tests and the demo.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from types import TracebackType
from typing import Self

from aiohttp import web

from thrawl.errors import InputError, ThrawlError
from thrawl.lab.faults import FAULTS, Fault, fault_named
from thrawl.lab.generate import generate
from thrawl.lab.skins import SKINS, skin_named
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.values import Answer, Visit
from thrawl.lab.world import World

COOKIE = "visitor"


class Clock:
    """The forum's own time; it stands still until it is told to go on, or runs at `speed` times real time."""

    def __init__(self, moment: datetime, speed: float = 0.0) -> None:
        self.speed = speed
        self.set(moment)

    def now(self) -> datetime:
        return self._moment + timedelta(seconds=self.speed * (time.monotonic() - self._set_at))

    def set(self, moment: datetime) -> None:
        self._moment = moment
        self._set_at = time.monotonic()

    def advance(self, step: timedelta) -> None:
        self.set(self.now() + step)


@dataclass(frozen=True, slots=True)
class Served:
    """One answered request, for tests to look at."""

    url: str
    status: int


class ForumServer:
    """A forum on a free loopback port."""

    def __init__(
        self,
        world: World,
        skin: Skin,
        *,
        clock: Clock | None = None,
        faults: Sequence[Fault] = (),
        robots: str | None = None,
        port: int = 0,
        log: bool = True,
    ) -> None:
        self.world = world
        self.skin = skin
        self.clock = clock if clock is not None else Clock(world.end + timedelta(hours=1))
        self.faults = list(faults)
        self.robots = robots
        self.requests: list[Served] = []
        self._log = log
        self._port = port
        self._visitors = 0
        self._runner: web.AppRunner | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The entry page."""
        return self.origin + self.skin.entry_path

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        response = await self._answer(request)
        if self._log:
            self.requests.append(Served(self.origin + request.path_qs, response.status))
        return response

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        striking = [fault for fault in self.faults if fault.hits(request)]
        for fault in striking:
            answer = await fault.strike(request)
            if answer is not None:
                return answer
        response: web.StreamResponse = self.respond(request)
        for fault in striking:
            if isinstance(response, web.Response):
                response = await fault.spoil(request, response)
        return response

    def respond(self, request: web.BaseRequest) -> web.Response:
        """The forum's own answer, without faults."""
        if request.path == "/robots.txt":
            return web.Response(status=404) if self.robots is None else web.Response(text=self.robots)
        view = self.world.at(self.clock.now())
        session = "" if COOKIE in request.cookies else self._new_session(request)
        answer = self.skin.answer(request.raw_path, Visit(self.skin, view, session))
        response = self._validated(request, answer)
        response.headers["Date"] = _http_date(self.clock.now())
        if session:
            response.set_cookie(COOKIE, session)
        return response

    def _new_session(self, request: web.BaseRequest) -> str:
        """A visitor who brings a session in the URL keeps it; all others get a fresh one, as real software does."""
        carried = self.skin.carried_session(request.raw_path)
        if carried:
            return carried
        self._visitors += 1
        return hashlib.sha256(f"{self.world.seed}/{self._visitors}".encode()).hexdigest()[:24]

    def _validated(self, request: web.BaseRequest, answer: Answer) -> web.Response:
        """The answer with its validators, or 304 where the visitor has it already."""
        if answer.location is not None:
            return web.Response(status=answer.status, headers={"Location": answer.location})
        body = answer.body.encode(self.skin.charset, errors="xmlcharrefreplace")
        etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        modified = self._last_modified()
        headers = {"ETag": etag, "Last-Modified": _http_date(modified)}
        if answer.status == 200 and _unchanged(request, etag, modified):
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = f"{answer.content_type}; charset={self.skin.charset}"
        return web.Response(status=answer.status, body=body, headers=headers)

    def _last_modified(self) -> datetime:
        """The moment of the site's latest visible post: no page can be newer."""
        return self.world.at(self.clock.now()).latest_time


def _unchanged(request: web.BaseRequest, etag: str, modified: datetime) -> bool:
    """An ETag, where it is sent, decides alone (RFC 9110)."""
    wanted = request.headers.get("If-None-Match")
    if wanted is not None:
        return etag in wanted
    since = request.headers.get("If-Modified-Since")
    if since is None:
        return False
    try:
        return modified <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False


def _http_date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


@contextmanager
def running_forum(skin: str = "tables", threads: int = 100, seed: int = 1, *options: str) -> Iterator[str]:
    """A forum in a process of its own; gives the URL of its entry page. More options as on the command line."""
    command = [sys.executable, "-m", "thrawl.lab.server", f"--skin={skin}", f"--threads={threads}", f"--seed={seed}"]
    command.extend(options)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().strip() if process.stdout is not None else ""
        if not url:
            raise InputError(f"The forum did not start; try it by hand: {' '.join(command[1:])}")
        yield url
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    try:
        asyncio.run(_serve(_server(options)))
    except ThrawlError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    return 0


def _server(options: argparse.Namespace) -> ForumServer:
    skin = skin_named(options.skin)
    world = generate(options.threads, options.seed, language=skin.language.code)
    begin = world.start + (world.end - world.start) * options.begin + timedelta(hours=1)
    faults = [fault_named(text) for text in options.fault]
    return ForumServer(world, skin, clock=Clock(begin, options.speed), faults=faults, port=options.port, log=False)


async def _serve(server: ForumServer) -> None:
    async with server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m thrawl.lab.server", description="Serve a made-up forum.")
    parser.add_argument("--skin", default="tables", help=f"one of {', '.join(SKINS)}")
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--begin", type=float, default=1.0, help="moment to start at: 0 the first post, 1 the last")
    parser.add_argument("--speed", type=float, default=0.0, help="forum seconds that pass in a second; 0 stands still")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME[=SHARE]", help=", ".join(FAULTS))
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
