"""A town of forums: many worlds in many skins, each under a name of its own, behind one HTTP proxy on loopback.

    python -m thrawl.lab.town --forums 200 --threads 50-500 --fault 0.05 --log requests.log

prints the proxy's URL and then the entry page of each forum. The proxy is the only socket, so hundreds of hosts need
one port; each host has its own speed and its own faults, drawn from the seed. Every request can be written down with
the host and the moment at which it came (`arrivals`), which is what politeness is judged by. Worlds are made when they
are first asked for: a town of ten thousand costs nothing until somebody walks through it.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import IO, Final
from urllib.parse import urlsplit

from aiohttp import web

from thrawl.errors import InputError
from thrawl.lab.arrivals import Door
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import SKINS, skin_named

DOMAIN: Final = "town.example"
SILENT: Final = f"silent.{DOMAIN}"  # a host that takes requests and never answers
# Seconds that a host takes to answer, at the most; they differ from host to host.
_SLOWEST: Final = 0.05
_SKINS: Final = tuple(name for name in SKINS if name != "script")  # pages that only a browser can read are no town's


@dataclass(frozen=True, slots=True)
class Plan:
    """What a town is drawn from. `fault` is the share of requests that are refused or cut off; the larger `skew`, the
    fewer of the forums are large: at 1 all sizes are alike frequent, at 8 half of the forums are about the smallest."""

    forums: int
    threads: tuple[int, int]
    fault: float = 0.0
    seed: int = 1
    slowest: float = _SLOWEST
    skew: float = 1.0

    def host(self, number: int) -> str:
        return f"f{number}.{DOMAIN}"

    def size(self, number: int) -> int:
        """The threads of a forum, whatever the number of forums."""
        few, many = self.threads
        draw = Random(f"{self.seed}/{number}")
        return draw.randint(few, many) if self.skew == 1 else few + int((many - few + 1) * draw.random() ** self.skew)


class Town:
    """Answers as all hosts of the town do. A host may have a second name: `www.` before its own."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._forums: dict[int, ForumServer] = {}
        self._faults = Random(plan.seed)
        self._runner: web.ServerRunner | None = None
        self.port = 0

    def entry(self, number: int) -> str:
        return f"http://{self._plan.host(number)}{skin_named(self._skin(number)).entry_path}"

    async def start(self, port: int = 0) -> None:
        server = web.Server(self._answer, access_log=None)
        runner = self._runner = web.ServerRunner(server)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        self.port = int(runner.addresses[0][1])

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        target = urlsplit(request.raw_path)
        host = (target.hostname or request.host.partition(":")[0]).removeprefix("www.")
        if host == SILENT:
            await asyncio.Event().wait()
        number = host.removesuffix(f".{DOMAIN}").removeprefix("f")
        if not number.isdigit() or int(number) >= self._plan.forums:
            return web.Response(status=502, text="no such host")
        return await self._forum_answer(int(number), request)

    async def _forum_answer(self, number: int, request: web.BaseRequest) -> web.StreamResponse:
        await asyncio.sleep(Random(number).uniform(0, self._plan.slowest))
        if self._faults.random() < self._plan.fault:
            return self._fault(request)
        local = request.clone(rel_url=request.rel_url.relative() if request.rel_url.absolute else request.rel_url)
        return self._forum(number).respond(local)

    def _fault(self, request: web.BaseRequest) -> web.StreamResponse:
        if self._faults.random() < 0.5:
            return web.Response(status=503, text="busy")
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    def _skin(self, number: int) -> str:
        return _SKINS[number % len(_SKINS)]

    def _forum(self, number: int) -> ForumServer:
        if number not in self._forums:
            skin = skin_named(self._skin(number))
            world = generate(self._plan.size(number), self._plan.seed * 100_003 + number, language=skin.language.code)
            self._forums[number] = ForumServer(world, skin, log=False)
        return self._forums[number]


@contextmanager
def running_town(plan: Plan, log: Path | None = None) -> Iterator[tuple[str, list[str]]]:
    """A town in a process of its own; gives the URL of its proxy and the entry page of each forum."""
    command = [sys.executable, "-m", "thrawl.lab.town", f"--forums={plan.forums}", f"--seed={plan.seed}"]
    command += [f"--threads={plan.threads[0]}-{plan.threads[1]}", f"--fault={plan.fault}", f"--slowest={plan.slowest}"]
    command += [f"--skew={plan.skew}"]
    command += [f"--log={log}"] if log is not None else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(plan.forums + 1)]
        if not lines[0]:
            raise InputError(f"The town did not start; try it by hand: {' '.join(command[1:])}")
        yield lines[0], lines[1:]
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


async def _serve(plan: Plan, port: int, log: IO[str] | None) -> None:
    town = Town(plan)
    await town.start(0 if log is not None else port)
    door = None if log is None else Door(town.port, port, log)
    shown = town.port if door is None else door.port
    print(f"http://127.0.0.1:{shown}", *map(town.entry, range(plan.forums)), sep="\n", flush=True)
    await (asyncio.Event().wait() if door is None else door.open())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m thrawl.lab.town", description="Serve a town of made-up forums.")
    parser.add_argument("--forums", type=int, default=10)
    parser.add_argument("--threads", default="50-500", help="of each forum, drawn between two numbers")
    parser.add_argument("--fault", type=float, default=0.0, help="share of requests that are refused or cut off")
    parser.add_argument("--slowest", type=float, default=_SLOWEST, help="seconds that the slowest host takes")
    parser.add_argument("--skew", type=float, default=1.0, help="more than 1: fewer large forums")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--log", type=Path, help="write down every request")
    options = parser.parse_args(arguments)
    few, _, many = options.threads.partition("-")
    threads = (int(few), int(many or few))
    plan = Plan(options.forums, threads, options.fault, options.seed, options.slowest, options.skew)
    log = options.log.open("a", encoding="utf-8") if options.log is not None else None
    try:
        asyncio.run(_serve(plan, options.port, log))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
