"""The watch over HTTP against the simulation, on a virtual clock; and kills at random moments of a watch.

    python benchmarks/bench_watch.py replay ../shared/timelines/opendcl.csv.xz --days 30 --budget 100/day --layers rows
    python benchmarks/bench_watch.py kills --times 50

`replay` serves a timeline through a skin of the laboratory on loopback, crawls it as of the first day, and lets
`thrawl watch` keep it fresh while the clock jumps from request to request: a real HTTP round trip a page. It tells the
delays and the coverage beside those of `thrawl simulate` with the same policy, budget and page sizes, the smallest
spacing of two requests and the most in any window of the budget's length, both as the server saw them (redirects and
all), and what is lost or doubled. A single busy day of a board that was dead moves a mean by a fifth, and when it is
found is chance: the simulation is run from several moments on. `kills` ends a watch by SIGKILL and lets it go on.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from aiohttp import web

from thrawl.archive import Archive
from thrawl.archive.watching import Watching
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions
from thrawl.lab.generate import from_timeline, generate
from thrawl.lab.server import Clock as ForumClock
from thrawl.lab.server import ForumServer, running_forum
from thrawl.lab.simulation.experiment import POLICIES
from thrawl.lab.simulation.forum import Layers, Looks
from thrawl.lab.simulation.run import DAY, Span, busiest_span, simulate
from thrawl.lab.simulation.worlds import read_source
from thrawl.lab.skins import SKINS
from thrawl.lab.skins.values import Layers as SkinLayers
from thrawl.net.client import Client
from thrawl.net.message import Request, Response
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.refresh.budget import Budget
from thrawl.refresh.registry import make_policy
from thrawl.refresh.watcher import Watcher
from thrawl.refresh.watchvalues import Look, WatchOptions, WatchTally

SKIN_LAYERS = {
    "rows": SkinLayers(feed=False, newest=False, entry_last=False),
    "entry": SkinLayers(feed=False, newest=False),
    "newest": SkinLayers(feed=False, entry_last=False),
    "feed": SkinLayers(),
}
# What the entry rows of these skins show, for a simulated forum that shows as much.
ENTRY_COUNTS = {"cards": False, "tables": True, "rows": True, "leaves": True}
ENTRY_LINKS = {"tables"}
# Lines that tell how far a replay is.
PROGRESS_LINES = 20


class JumpingClock:
    """Waiting takes no time; the forum's clock goes along."""

    def __init__(self, moment: float, forum: ForumClock) -> None:
        self._forum = forum
        self._moment = moment
        self._set(moment)

    def now(self) -> float:
        return self._moment

    async def sleep_until(self, moment: float, stop: asyncio.Event) -> bool:
        self._set(max(self._moment, moment))
        return not stop.is_set()

    def _set(self, moment: float) -> None:
        self._moment = moment
        self._forum.set(datetime.fromtimestamp(moment, UTC))


class WatchedServer(ForumServer):
    """Keeps the moment of every request by the jumping clock, those of redirects too."""

    def __init__(self, *parts: Any, **options: Any) -> None:
        super().__init__(*parts, **options)
        self.moments: list[float] = []

    def respond(self, request: web.BaseRequest) -> web.Response:
        self.moments.append(self.clock.now().timestamp())
        return super().respond(request)


class DatedFetcher:
    """A client whose answers are dated by the jumping clock."""

    def __init__(self, client: Client, clock: JumpingClock) -> None:
        self._client = client
        self._clock = clock

    async def fetch(self, request: Request) -> Response:
        response = await self._client.fetch(request)
        return replace(response, fetched=datetime.fromtimestamp(self._clock.now(), UTC))

    async def close(self) -> None:
        await self._client.close()


async def replay(options: argparse.Namespace) -> None:
    timeline = read_source(options.timeline)
    span = busiest_span(timeline, options.days, 0)
    budget = Budget.parse(options.budget)
    skin = SKINS[options.skin](SKIN_LAYERS[options.layers])
    forum_clock = ForumClock(datetime.fromtimestamp(span.start - 1, UTC))
    world = from_timeline(timeline, language=skin.language.code)
    with tempfile.TemporaryDirectory() as folder:
        location = Path(options.keep or folder) / "watch.db"
        async with WatchedServer(world, skin, clock=forum_clock, log=False) as server:
            client = Client(ClientOptions(start_url=server.url, delay=0, concurrency=4, limits=FetchLimits(retries=0)))
            clock = JumpingClock(span.start - 1, forum_clock)
            fetcher = DatedFetcher(client, clock)
            began = time.perf_counter()
            with Archive.open(location, create=True) as archive:
                crawl = CrawlOptions(concurrency=4, workers=1, mends=0)
                finished = await ForumCrawl(server.url, archive, fetcher, learner(fetcher, print), crawl).run()
                print(
                    f"crawled: complete {finished.complete}, {finished.tally.pages} requests, "
                    f"{time.perf_counter() - began:.0f} s"
                )
                server.moments.clear()
                watched = WatchOptions(budget, options.days * DAY, workers=1, audit_share=options.audits)
                began = time.perf_counter()
                policy, told = make_policy(options.policy), _progress(span, clock, began)
                forum = archive.forums()[0]
                tally = await Watcher(archive, forum, fetcher, policy, watched, clock, look=told, seed=1).run()
                seconds = time.perf_counter() - began
            await client.close()
        _tell(options, timeline, span, budget, skin, location, server.moments, tally, seconds)


def _progress(span: Span, clock: JumpingClock, began: float) -> Look:
    """Says how far a replay is, a few times."""
    told = 0

    def look(tally: WatchTally) -> None:
        nonlocal told
        share = (clock.now() - span.start) / (span.end - span.start)
        if share * PROGRESS_LINES >= told + 1:
            told = int(share * PROGRESS_LINES)
            seconds = time.perf_counter() - began
            print(f"{share:4.0%} of the time, {tally.asked} requests, {tally.posts} posts, {seconds:.0f} s", flush=True)

    return look


def _tell(
    options,
    timeline,
    span: Span,
    budget: Budget,
    skin,
    location: Path,
    moments: list[float],
    tally: WatchTally,
    seconds: float,
) -> None:
    appeared = {
        str(post): when
        for post, when in zip(timeline.post.tolist(), timeline.time.tolist(), strict=True)
        if span.start <= when < span.end - 1
    }
    with Archive.open(location, readonly=True) as archive:
        problems = archive.check()
        stored = list(archive.posts())
    times_met = Counter(_number(post.post_id) for post in stored)
    seen = {_number(post.post_id): post.first_seen.timestamp() for post in stored}
    delays = np.array([seen[post] - when for post, when in appeared.items() if post in seen]) / 60
    looks = Looks(
        Layers(options.against or _shown_as(options.layers, options.skin)),
        skin.page_size("board"),
        skin.posts_per_page,
        stickies=0,
        entry_counts=ENTRY_COUNTS.get(options.skin, True),
    )
    runs = [
        simulate(
            timeline,
            POLICIES[options.policy],
            looks=looks,
            bandwidth=budget.requests * DAY / budget.seconds,
            span=replace(span, start=int(span.start + number * 1.3 * budget.step)),
        ).measures()
        for number in range(options.phases)
    ]
    means = np.array([run.timeliness for run in runs])
    print(
        f"watch:    mean {delays.mean():.1f} median {np.median(delays):.1f} p90 {np.percentile(delays, 90):.1f} min, "
        f"coverage {len(delays) / len(appeared):.5f} of {len(appeared)}"
    )
    print(
        f"simulate: mean {means.mean():.1f} (from {means.min():.1f} to {means.max():.1f} in {len(runs)} phases) "
        f"median {np.mean([run.median for run in runs]):.1f} p90 {np.mean([run.p90 for run in runs]):.1f} min, "
        f"coverage {np.mean([run.coverage for run in runs]):.5f}"
    )
    print(f"ratio of means {delays.mean() / means.mean():.3f}; requests {dict(tally.requests)} in {seconds:.0f} s")
    missing = [(post, (span.end - when) / 3600) for post, when in appeared.items() if post not in seen]
    print(f"missing (post, hours before the end): {[(post, round(hours, 1)) for post, hours in missing][:20]}")
    gaps = [later - earlier for earlier, later in pairwise(sorted(set(moments)))]
    print(
        f"smallest spacing {min(gaps):.1f} s (step {budget.step:.1f} s), at most {_most_in(moments, budget.seconds)} "
        f"requests in any window of the budget's length ({budget}), {len(moments) - len(set(moments))} by redirects; "
        f"doubled {sum(times > 1 for times in times_met.values())}; problems {problems}"
    )


def _most_in(moments: Sequence[float], seconds: float) -> int:
    """The most requests of any half-open window of that length."""
    ends = np.searchsorted(moments, np.array(moments) + seconds - 1e-6)
    return int((ends - np.arange(len(moments))).max())


def _shown_as(layers: str, skin: str) -> str:
    """The layers of a simulated forum that shows as much: a newest-posts page is its feed, few entry rows link."""
    if layers == "entry" and skin not in ENTRY_LINKS:
        return "entry-plain"
    return {"newest": "feed"}.get(layers, layers)


def kills(options: argparse.Namespace) -> None:
    """A forum's last posts appear while a watch is killed again and again; then all posts of its world are counted."""
    draw = random.Random(options.seed)
    skin = SKINS["tables"]()
    world = generate(150, 3, language=skin.language.code)
    speed = (world.end - world.start).total_seconds() * 0.3 / options.seconds
    with (
        tempfile.TemporaryDirectory() as folder,
        running_forum("tables", 150, 3, "--begin=0.7", f"--speed={speed}") as url,
    ):
        location = Path(folder) / "kills.db"
        thrawl = [sys.executable, "-c", "from thrawl.cli.main import run; run()"]
        subprocess.run([*thrawl, "crawl", url, "--archive", location, "--delay", "0"], check=False, capture_output=True)
        command = [*thrawl, "watch", location, "--budget", "20/second", "--delay", "0"]
        with Archive.open(location, readonly=True) as archive:
            before = archive.summary().posts
        for _ in range(options.times):
            asked = _requests(location)
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            while _requests(location) == asked and process.poll() is None:
                time.sleep(0.1)  # it is killed at work, not while it starts
            time.sleep(draw.uniform(0.0, options.longest))
            process.send_signal(signal.SIGKILL)
            process.wait()
        with Archive.open(location, readonly=True) as archive:
            meanwhile = archive.summary().posts
        subprocess.run([*command, "--for", f"{options.last}s"], check=True, stderr=subprocess.DEVNULL)
        with Archive.open(location, readonly=True) as archive:
            stored = Counter(_number(post.post_id) for post in archive.posts())
            problems = archive.check()
    truth = set(map(str, world.columns.post_ids.tolist()))
    print(
        f"{options.times} kills: {before} posts before, {meanwhile} after the last kill, {sum(stored.values())} at the "
        f"end; {len(truth)} in the world: {len(truth - stored.keys())} lost, {len(stored.keys() - truth)} unknown, "
        f"{sum(times > 1 for times in stored.values())} doubled; problems {problems}"
    )


def _requests(location: Path) -> int:
    with Archive.open(location, readonly=True) as archive:
        return sum(one.requests for one in Watching(archive, archive.forums()[0].id).spent(0.0))


def _number(post_id: str | None) -> str:
    return "".join(char for char in post_id or "" if char.isdigit())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("replay")
    one.add_argument("timeline")
    one.add_argument("--days", type=int, default=30)
    one.add_argument("--budget", default="100/day")
    one.add_argument("--policy", default="ours")
    one.add_argument("--layers", choices=list(SKIN_LAYERS), default="rows")
    one.add_argument("--against", help="the simulation's layers, where the skin shows less than its name says")
    one.add_argument("--skin", choices=list(SKINS), default="cards")
    one.add_argument("--keep", help="leave the archive in this folder")
    one.add_argument("--audits", type=float, default=0.02)
    one.add_argument("--phases", type=int, default=10, help="simulations, each begun a request or so later")
    one.set_defaults(run=lambda options: asyncio.run(replay(options)))
    two = commands.add_parser("kills")
    two.add_argument("--times", type=int, default=50)
    two.add_argument("--seed", type=int, default=1)
    two.add_argument("--longest", type=float, default=3.0, help="seconds that a watch may live after its first request")
    two.add_argument("--seconds", type=float, default=200.0, help="in which the last posts of the forum appear")
    two.add_argument("--last", type=int, default=90, help="seconds of the watch that is not killed")
    two.set_defaults(run=kills)
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    main()
