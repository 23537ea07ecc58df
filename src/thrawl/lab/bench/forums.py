"""`thrawl bench --random`: random forums crawled from nothing but an address, and what came of each.

Every forum is served on loopback and crawled by the very code of `thrawl crawl`, without delays, in processes of its
own. A forum that fails is a seed: run again with the same seed, the same forum fails in the same way.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

from thrawl import loops
from thrawl.archive.store import Archive
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.options import CrawlOptions, Finished
from thrawl.errors import ThrawlError
from thrawl.lab.bench.forumtruth import PostScores, score_posts
from thrawl.lab.random.choices import Choices, Option
from thrawl.lab.random.serving import RandomServer
from thrawl.lab.random.site import Site, forum
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions

# --- a crawl that asks for so many times what it needs is lost in a trap; it is ended and fails
_MOST_OVERHEAD: Final = 5
_SPARE_REQUESTS: Final = 200
_CONCURRENCY: Final = 4
# --- a forum takes some two seconds, and some ten where the machine is busy
_LONGEST_SECONDS: Final = 180
# --- what issue 10 asks of a forum
COVERAGE: Final = 0.99
POSTS: Final = 0.98
INCOMPLETE: Final = 3


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the server saw of a crawl; robots.txt and feeds are not counted."""

    requests: int
    needed: int
    useful: int
    distinct: int
    thread_pages: float
    index_pages: float
    post_coverage: float

    @property
    def overhead(self) -> float:
        return self.requests / max(self.needed, 1)


@dataclass(frozen=True, slots=True)
class ForumResult:
    """One random forum's crawl. `status` is the command's exit status; `complete` is what the crawl said of itself."""

    choices: Choices
    status: int
    complete: bool
    problem: str
    learning_pages: int
    seconds: float
    fetched: Fetched
    posts: PostScores

    @property
    def passed(self) -> bool:
        posts = self.posts
        return posts.coverage >= COVERAGE and min(posts.precision, posts.recall) >= POSTS

    @property
    def missing(self) -> str:
        """What went wrong, in words."""
        fetched, posts = self.fetched, self.posts
        wrong = [
            (fetched.index_pages < 1, f"index pages {fetched.index_pages:.0%}"),
            (fetched.thread_pages < 1, f"thread pages {fetched.thread_pages:.0%}"),
            (posts.recall < fetched.post_coverage - 0.005, f"posts on fetched pages {fetched.post_coverage:.0%}"),
            (posts.precision < POSTS, f"{posts.archived} posts archived"),
        ]
        said = [words for true, words in wrong if true]
        return self.problem or ", ".join(said)


@dataclass(frozen=True, slots=True)
class Order:
    """A random forum to crawl: a seed, and choices that are given instead of drawn."""

    seed: int
    given: tuple[tuple[str, Option], ...] = ()

    def site(self) -> Site:
        return forum(self.seed, **dict(self.given))


def run_orders(orders: Sequence[Order], processes: int = 2) -> Iterator[tuple[Order, ForumResult]]:
    """Each forum's result as it is done, in processes of their own."""
    if len(orders) < 2:
        yield from ((order, crawl_order(order)) for order in orders)
        return
    # Workers start clean: what one forum leaves in memory is no business of the next.
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting = {pool.submit(crawl_order, order): order for order in orders}
        for done in as_completed(waiting):
            yield waiting[done], _told(done, waiting[done])


def _told(done: Future[ForumResult], order: Order) -> ForumResult:
    """A crawl that broke is a result too."""
    error = done.exception()
    if error is None:
        return done.result()
    return _failed(order.site(), 1, f"{type(error).__name__}: {error}")


def crawl_order(order: Order) -> ForumResult:
    """Crawl one random forum."""
    return loops.run(crawl_forum(order.site()))


async def crawl_forum(site: Site) -> ForumResult:
    started = time.monotonic()
    async with RandomServer(site) as server:
        with (
            tempfile.TemporaryDirectory(prefix="thrawl-") as folder,
            Archive.open(f"{folder}/a.db", create=True) as archive,
        ):
            try:
                async with asyncio.timeout(_LONGEST_SECONDS):
                    finished = await _crawl(server, archive)
            except TimeoutError:
                return _failed(site, 1, f"not done in {_LONGEST_SECONDS} s", server, _LONGEST_SECONDS)
            except ThrawlError as error:
                return _failed(site, error.exit_status, str(error), server, time.monotonic() - started)
            if finished.complete and not archive.summary().threads:
                return _failed(site, 1, "no threads were found", server, time.monotonic() - started)
            posts = score_posts(site, list(archive.posts()))
    return ForumResult(
        site.choices,
        0 if finished.complete else INCOMPLETE,
        finished.complete,
        "",
        finished.tally.learning_pages,
        time.monotonic() - started,
        _fetched(site, server),
        posts,
    )


async def _crawl(server: RandomServer, archive: Archive) -> Finished:
    start = server.start_url
    most = server.site.needed.requests * _MOST_OVERHEAD + _SPARE_REQUESTS
    async with Client(ClientOptions(start, delay=0, concurrency=_CONCURRENCY)) as client:
        options = CrawlOptions(concurrency=_CONCURRENCY, workers=0, max_pages=most)
        return await ForumCrawl(start, archive, client, learner(client, _silent), options).run()


def _silent(_: str) -> None:
    """Nobody reads what a crawl says here."""


def _failed(
    site: Site, status: int, problem: str, server: RandomServer | None = None, seconds: float = 0.0
) -> ForumResult:
    fetched = _fetched(site, server) if server is not None else Fetched(0, site.needed.requests, 0, 0, 0.0, 0.0, 0.0)
    nothing = PostScores(0.0, 0.0, 0.0, None, None, 0)
    return ForumResult(site.choices, status, False, problem, fetched.requests, seconds, fetched, nothing)


def _fetched(site: Site, server: RandomServer) -> Fetched:
    """The request log against the pages that are needed."""
    wanted = {site.key(url): kind for url, kind in site.canonical_urls("")}
    seen: set[str] = set()
    posts: set[int] = set()
    listed: set[tuple[str, int]] = set()
    useful = 0
    counted = [one for one in server.requests if not site.is_feed(one.url.removeprefix(server.origin))]
    for one in counted:
        target = one.url.removeprefix(server.origin)
        if one.status != 200:
            continue
        seen.add(site.key(target))
        new_posts = {post.id for post in site.posts_at(target)} - posts
        new_rows = set(site.rows_at(target)) - listed
        posts |= new_posts
        listed |= new_rows
        useful += bool(new_posts or new_rows)
    return Fetched(
        len(counted),
        site.needed.requests,
        useful,
        len(seen & wanted.keys()),
        _share(wanted, seen, "thread"),
        _share(wanted, seen, "index"),
        len(posts) / site.plan.view.post_count,
    )


def _share(wanted: Mapping[str, str], seen: set[str], kind: str) -> float:
    pages = [key for key, one in wanted.items() if one.startswith(kind)]
    return sum(key in seen for key in pages) / max(len(pages), 1)
