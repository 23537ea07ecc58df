"""A server that lies: whatever it says, a crawl ends in a bounded number of requests, and what it says is so.

*So* means: it says *complete* only if the archive holds all posts that could be had; else it names what is missing, or
ends with one sentence; and nothing but the forum's own address was ever asked.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.errors import ThrawlError
from thrawl.lab import faults
from thrawl.lab.faults import Fault
from thrawl.lab.generate import generate
from thrawl.lab.hostile import lies
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named
from thrawl.lab.skins.base import Skin
from thrawl.lab.world import World
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions, FetchLimits

_QUICK: Final = FetchLimits(
    body_bytes=2_000_000, total_seconds=4.0, first_byte_seconds=4.0, backoff_seconds=0.01, retry_after_seconds=0.05
)
_MOST: Final = 1200  # requests of any trial: 60 pages, 200 for learning, and retries of all of them
_AN_HOUR: Final = 12  # requests to a server that refuses all of them for an hour


@dataclass(frozen=True, slots=True)
class Lie:
    """One way to lie: what the server does, and how many requests that may cost."""

    name: str
    faults: tuple[Fault, ...]
    most: int = _MOST


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a crawl of a lying server ended. `trapped` are requests that went where none may go."""

    lie: Lie
    requests: int
    complete: bool
    posts: int
    wanted: int
    trapped: int
    sentence: str

    @property
    def good(self) -> bool:
        honest = self.posts >= self.wanted if self.complete else bool(self.sentence)
        return honest and self.requests <= self.lie.most and not self.trapped

    def finding(self) -> Finding:
        end = "complete" if self.complete else self.sentence
        seen = f"{self.requests} requests, {self.posts} of {self.wanted} posts: {end[:150]}"
        seen += f"; TRAPPED {self.trapped}" if self.trapped else ""
        return Finding("lies", self.lie.name, 1, self.good, seen)


class Trap:
    """Listens where no request may arrive."""

    def __init__(self) -> None:
        self.port = 0
        self.hits = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.hits += 1
        writer.close()


@asynccontextmanager
async def trap() -> AsyncIterator[Trap]:
    found = Trap()
    server = await asyncio.start_server(found.serve, "127.0.0.2", 0)
    found.port = int(server.sockets[0].getsockname()[1])
    async with server:
        yield found


def all_lies(world: World, port: int, skin: Skin) -> Iterator[Lie]:
    """Every lie, on a forum in that skin."""
    view = world.at(world.end + timedelta(hours=1))
    yield Lie("none: an honest server", ())
    yield Lie("endless bodies", (faults.Flood(8, 0.2),))
    yield Lie("endless headers", (faults.HeaderFlood(share=0.2),))
    yield Lie("slow bodies", (faults.Drip(0.05, 0.03),))
    for encoding in ("gzip", "br", "zstd"):
        yield Lie(f"compression bombs, {encoding}", (lies.Bombs(encoding, lies.packed(encoding)),))
    yield Lie("redirects without end", (lies.Loops(0.15),))
    yield Lie("pages not there, with 200", (lies.SoftMissing(0.1),))
    yield Lie("every page number shows the last page", (lies.LastPage(skin, view),))
    yield Lie("sessions that change with each answer", (lies.NewSessions(),))
    yield Lie("a calendar without end", (lies.Calendar(),))
    yield Lie("Retry-After in all forms", (lies.Retreats(0.1),))
    yield Lie("429 for an hour", (lies.Hour(),), _AN_HOUR)
    yield Lie("429 for an hour, robots.txt too", (faults.Refusals(429, 1.0, retry_after="3600"),), _AN_HOUR)
    yield Lie("challenges with 200", (lies.Challenges(),))
    yield Lie("robots.txt of 50 MB", (lies.Robots(body="Disallow: /nowhere\n" * 2_600_000),))
    yield Lie("robots.txt with 500", (lies.Robots(status=500),))
    for route in lies.ROUTES:
        yield Lie(f"private addresses by {route}", (lies.Traps(route, port),))


async def tried(lie: Lie, world: World, caught: Trap, skin: Skin, limits: FetchLimits = _QUICK) -> Outcome:
    """Crawl the forum of a server that lies."""
    before = caught.hits
    wanted = world.at(world.end + timedelta(hours=1)).post_count
    complete, sentence = False, ""
    with tempfile.TemporaryDirectory(prefix="thrawl-lies-") as folder:
        async with ForumServer(world, skin, faults=list(lie.faults)) as forum:
            options = ClientOptions(start_url=forum.url, delay=0, concurrency=4, limits=limits)
            async with Client(options) as client:
                with Archive.open(f"{folder}/a.db", create=True) as archive:
                    choices = CrawlOptions(concurrency=4, workers=1, retry_seconds=0.1)
                    try:
                        run = ForumCrawl(forum.url, archive, client, learner(client, lambda _: None), choices)
                        finished = await run.run()
                        complete = finished.complete
                        reasons = [one.sentence() for one in finished.missing] or list(finished.tally.failures)
                        sentence = f"{len(finished.missing)} missing, {'; '.join(reasons[:1])}"
                    except ThrawlError as error:
                        sentence = str(error)
                    posts = archive.summary().posts
            return Outcome(lie, len(forum.requests), complete, posts, wanted, caught.hits - before, sentence)


async def _all(names: Sequence[str], seed: int, threads: int, look: str) -> list[Finding]:
    skin = skin_named(look)
    world = generate(threads, seed, language=skin.language.code)
    found: list[Finding] = []
    async with trap() as caught:
        for lie in all_lies(world, caught.port, skin):
            if not names or any(name in lie.name for name in names):
                found.append((await tried(lie, world, caught, skin)).finding())
    return found


def findings(names: Sequence[str] = (), seed: int = 1, threads: int = 25, look: str = "rows") -> list[Finding]:
    """The lines of the table; `names` are words of the lies that are wanted, none for all."""
    return asyncio.run(_all(names, seed, threads, look))
