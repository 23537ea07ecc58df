"""Does a crawl of a very large forum stay small, and its last page as cheap as its first?

    python benchmarks/bench_memory.py [--threads 50000] [--posts 3]

A simulated forum: its pages are made from their URLs when they are asked for, so it can have any size. All parts of a
crawl are at work (fetcher apart): frontier, reader, planner, archive. Printed are the memory of the process and the
CPU a page over the run, in ten parts; a million threads take hours on one core, so the default measures a twentieth,
and the growth from part to part tells what a million would need.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from thrawl.archive import Archive
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import CrawlOptions, Tally
from thrawl.learn.learner import Learned
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.net.message import Request, Response
from thrawl.page.reading import read_page
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://forum.example"
BOARDS, ROWS = 40, 50
START = datetime(2020, 1, 1, tzinfo=UTC)
NAMES = "Marta Jonas Wilhelmina Otto Beatrix Casimir Kaito Birte".split()


@dataclass(frozen=True)
class Simulated:
    """Implements Fetcher: a forum of any number of threads, each made when it is asked for."""

    threads: int
    posts: int

    async def fetch(self, request: Request) -> Response:
        body = self.page(request.url.removeprefix(SITE)).encode()
        headers = (("Content-Type", "text/html"),)
        return Response(request.url, request.url, 200, headers, body, "utf-8", datetime.now(UTC))

    async def close(self) -> None:
        """Nothing is held open."""

    def page(self, path: str) -> str:
        where, _, number = path.partition("?page=")
        if where.startswith("/t/"):
            return self._thread(int(where[3:]))
        if where.startswith("/b/"):
            return self._board(int(where[3:]), int(number or 1))
        return _frame("Forum", "".join(f"<p><a href='/b/{one}'>Board {one}</a></p>" for one in range(1, BOARDS + 1)))

    def _board(self, board: int, page: int) -> str:
        mine = range(board, self.threads + 1, BOARDS)
        last = -(-len(mine) // ROWS)
        rows = "".join(f"<li><a href='/t/{one}'>About case {one}</a></li>" for one in mine[(page - 1) * ROWS :][:ROWS])
        shown = sorted({2, 3, page + 1, last} & set(range(2, last + 1)))
        pager = " ".join(f"<a href='/b/{board}?page={one}'>{one}</a>" for one in shown)
        return _frame(f"Board {board}", f"<ul>{rows}</ul><p>{pager}</p>")

    def _thread(self, thread: int) -> str:
        return _frame(f"About case {thread}", "".join(_post(thread * 10 + place) for place in range(self.posts)))


def _frame(title: str, main: str) -> str:
    return f"<!DOCTYPE html><title>{title}</title><nav><a href='/'>Forum</a></nav><h1>{title}</h1>{main}"


def _post(number: int) -> str:
    name, moment = NAMES[number % len(NAMES)], START + timedelta(minutes=number)
    return (
        f"<div class='post' id='p{number}'><div class='by'><a href='/u/{name}'>{name}</a> "
        f"<time datetime='{moment.isoformat()}'>{moment:%Y-%m-%d %H:%M}</time></div>"
        f"<div class='words'>Post {number} says that number {number * 7919} is not like number {number * 104729}, "
        f"and that nobody who wrote about {number % 977} before has thought of {number % 353}.</div></div>"
    )


def profile(forum: Simulated) -> Profile:
    flip = Flip(Pattern.parse(SITE + "/b/{a:number}?page={page:number}"), 1, 1)
    wrapper = learn_post_wrapper([read_page(forum.page(f"/t/{one}"), f"{SITE}/t/{one}") for one in range(1, 13)])
    assert wrapper is not None
    return Profile(
        f"{SITE}/",
        (ListPattern(Pattern.parse(SITE + "/b/{a:number}"), (flip,)),),
        (ListPattern(Pattern.parse(SITE + "/t/{a:number}")),),
        post_wrapper=wrapper.to_json(),
    )


def resident() -> float:
    """Megabytes of memory that the process holds now."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def every(pages: int, report: Callable[[int, float, float], None]) -> Callable[[Tally], None]:
    """A watch that reports pages, memory and CPU a page, part by part."""
    state = {"next": pages, "cpu": time.process_time(), "pages": 0}

    def watch(tally: Tally) -> None:
        if tally.pages >= state["next"]:
            cpu = time.process_time()
            report(tally.pages, resident(), 1000 * (cpu - state["cpu"]) / (tally.pages - state["pages"]))
            state.update(next=tally.pages + pages, cpu=cpu, pages=tally.pages)

    return watch


async def never_learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
    raise NotImplementedError(start)


async def crawl(forum: Simulated, report: Callable[[int, float, float], None]) -> None:
    parts = max(1, (forum.threads + forum.threads // ROWS) // 10)
    with tempfile.TemporaryDirectory() as folder, Archive.open(f"{folder}/a.db", create=True) as archive:
        options = CrawlOptions(concurrency=8, workers=0)
        await ForumCrawl(
            f"{SITE}/", archive, forum, never_learn, options, profile(forum), watch=every(parts, report)
        ).run()
        print(f"{archive.summary().posts:,} posts in an archive of {os.path.getsize(f'{folder}/a.db') / 1e6:,.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=50_000)
    parser.add_argument("--posts", type=int, default=3)
    options = parser.parse_args()
    seen: list[tuple[int, float, float]] = []

    def report(pages: int, memory: float, cpu: float) -> None:
        seen.append((pages, memory, cpu))
        print(f"{pages:9,} pages  {memory:6.0f} MB  {cpu:6.2f} ms CPU a page", flush=True)

    asyncio.run(crawl(Simulated(options.threads, options.posts), report))
    (_, _, first), (middle, half, _), (end, late, last) = seen[1], seen[len(seen) // 2], seen[-1]
    growth = (late - half) / (end - middle)
    million = late + growth * max(0, 1_000_000 - options.threads)
    print(f"memory grew by {growth * 1e6:.0f} MB a million pages in the second half; {million:.0f} MB at a million")
    print(f"a page at the end costs {last / first:.2f} times one at the start")


if __name__ == "__main__":
    main()
