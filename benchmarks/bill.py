"""A page's bill: what each stage of a crawl costs, in CPU milliseconds a page; `bench_crawl` prints it.

The stages are run one by one in this process on pages of the site, as the crawl runs them; what a crawl costs beyond
them (frontier, archive, event loop) is the rest of the bill. Posts are not sanitised while crawling, only when shown.
"""

from __future__ import annotations

import asyncio
import gc
import pickle
import time
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from thrawl.crawl.links import LinkReader
from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import PageJob, Role
from thrawl.crawl.wire import framed, register
from thrawl.crawl.wrapping import Wrappers
from thrawl.net.client import Client
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions
from thrawl.page.tree import Tree, parse
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

ROUNDS = 3  # the best counts: what disturbs only adds
MOMENT = datetime(2026, 11, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Stage:
    name: str
    milliseconds: float


def urls_of(archive: Path) -> list[str]:
    """The pages that a crawl fetched."""
    from thrawl.archive import Archive

    with Archive.open(str(archive), readonly=True) as opened:
        return [page.url for page in opened.pages() if page.status == 200]


def bill(urls: Sequence[str], profile_file: str, whole: float) -> list[Stage]:
    """The stages of a crawl of these pages that cost `whole` milliseconds a page."""
    register()
    profile = Profile.from_json(Path(profile_file).read_text(encoding="utf-8"))
    jobs = _jobs(urls, profile)
    links, wrappers, reader = LinkReader(profile), Wrappers(profile), SiteReader(profile)
    trees: dict[str, Tree] = {}
    threads = [job for job in jobs if job.role is Role.THREAD]

    def lay_out(job: PageJob) -> None:
        trees[job.url] = parse(job.body.decode(job.charset))

    def cut(job: PageJob) -> object:
        if job.role is Role.THREAD:
            return wrappers.posts(trees[job.url], job.url, job.fetched)
        return wrappers.rows(trees[job.url], job.url, job.fetched)

    decode = _cost(lambda job: job.body.decode(job.charset), jobs)
    found = [
        Stage("fetch", _fetching(urls)),
        Stage("decode", decode),
        Stage("parse", _cost(lay_out, jobs) - decode),
        Stage("links", _cost(lambda job: links.read(trees[job.url], job.url, job.list_url), jobs)),
        Stage("cut", _cost(cut, jobs)),
    ]
    times = Stage("  of it times", _times(profile, threads, trees) * len(threads) / max(1, len(jobs)))
    read = _cost(reader.read, jobs)
    inner = sum(stage.milliseconds for stage in found[1:])
    readings = {job.url: reader.read(job) for job in jobs}
    crossing = _cost(lambda job: _cross(job, readings[job.url]), jobs)
    done = [*found, times, Stage("title, boards, replies", read - inner), Stage("crossing to the worker", crossing)]
    paid = sum(stage.milliseconds for stage in done if not stage.name.startswith(" "))
    return [*done, Stage("archive, frontier, loop", whole - paid), Stage("all", whole)]


def _jobs(urls: Iterable[str], profile: Profile) -> list[PageJob]:
    types = UrlTypes(profile)
    jobs = []
    for url in urls:
        typed = types.type(url)
        if typed is not None:
            with urllib.request.urlopen(url) as answer:
                body = answer.read()
            role = Role.THREAD if typed.is_thread else Role.INDEX
            jobs.append(PageJob(url, role, typed.list_url or url, body, "utf-8", MOMENT))
    return jobs


def _cost(stage: Callable[[PageJob], object], jobs: Sequence[PageJob]) -> float:
    best = float("inf")
    gc.collect()
    gc.disable()
    for _ in range(ROUNDS):
        began = time.process_time()
        for job in jobs:
            stage(job)
        best = min(best, time.process_time() - began)
    gc.enable()
    return 1000 * best / max(1, len(jobs))


def _times(profile: Profile, threads: Sequence[PageJob], trees: dict[str, Tree]) -> float:
    """What cutting a thread page spends on reading the times of its posts."""
    if profile.post_wrapper is None:
        return 0.0
    wrapper = PostWrapper.from_json(profile.post_wrapper)
    posts = {job.url: wrapper.cut(trees[job.url], job.url, MOMENT) or () for job in threads}
    texts = {url: [post.published_text or "" for post in cut] for url, cut in posts.items()}
    return _cost(lambda job: [wrapper.times.read(text, None, MOMENT) for text in texts[job.url]], threads)


def _cross(job: PageJob, reading: object) -> None:
    pickle.loads(framed(job)[4:])
    pickle.loads(framed(reading)[4:])


def _fetching(urls: Sequence[str]) -> float:
    """CPU of this process alone: the server has its own."""

    async def all_pages() -> float:
        options = ClientOptions(start_url=urls[0], delay=0, concurrency=8, obey_robots=False)
        async with Client(options) as client:
            await client.fetch(Request(urls[0]))
            began = time.process_time()
            waiting = list(urls)

            async def some() -> None:
                while waiting:
                    await client.fetch(Request(waiting.pop()))

            await asyncio.gather(*(some() for _ in range(8)))
            return time.process_time() - began

    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return 1000 * min(runner.run(all_pages()) for _ in range(2)) / len(urls)


__all__ = ["Stage", "bill", "urls_of"]
