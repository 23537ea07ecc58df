"""The public calls for programs that have an event loop of their own: `await thrawl.aio.crawl(url)`.

`thrawl.learn`, `thrawl.crawl` and `thrawl.extract` are the same calls for scripts and notebooks. Nothing heavy is
imported before a call is made, so that `import thrawl` stays quick.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

if TYPE_CHECKING:
    from thrawl.archive.store import Archive
    from thrawl.archive.values import StoredPost
    from thrawl.crawl.extract import Extracted
    from thrawl.crawl.options import Finished
    from thrawl.net.options import ClientOptions
    from thrawl.profile.profile import Profile

Paths = str | Path | Iterable[str | Path]
Say = Callable[[str], None]


class FetchOptions(TypedDict, total=False):
    """How pages are asked for; each option means what it means on the command line."""

    proxy: str | None
    delay: float
    concurrency: int
    contact: str | None
    user_agent: str | None
    cookies: str | Path | None
    cookies_from: str | None
    allow_private: bool
    obey_robots: bool


@dataclass(frozen=True, slots=True)
class Crawled:
    """How a crawl ended. Requests, failures and seconds are those of this run; other numbers are the archive's."""

    entry: str
    archive: str
    complete: bool
    requests: int
    boards: int
    threads: int
    posts: int
    coverage: float | None
    waiting: int
    failures: Mapping[str, int]
    seconds: float


def silent(_: str) -> None:
    """Says nothing."""


async def learn(url: str, *, say: Say = silent, **options: Unpack[FetchOptions]) -> Profile:
    """Learn the forum that a URL belongs to, without crawling it."""
    from thrawl.crawl.workers import worker_pool
    from thrawl.learn.learner import learn as learn_site
    from thrawl.net.client import Client
    from thrawl.net.url import usable_url

    start = usable_url(url)
    async with Client(_client_options(start, options)) as client, worker_pool(workers=1) as reader:
        return (await learn_site(start, client, reader=reader, progress=say)).profile


async def crawl(
    url: str,
    *,
    archive: str | Path | None = None,
    max_pages: int | None = None,
    profile: Profile | str | Path | None = None,
    warc: str | Path | None = None,
    media: str = "images",
    media_dir: str | Path | None = None,
    say: Say = silent,
    **options: Unpack[FetchOptions],
) -> Crawled:
    """Crawl a forum into an archive, `./HOST.db` unless named; go on with one, or update a complete one."""
    from thrawl.archive.connect import default_archive
    from thrawl.archive.mediastore import store_for
    from thrawl.archive.store import Archive
    from thrawl.crawl.forum import ForumCrawl, learner
    from thrawl.crawl.options import CrawlOptions, media_mode
    from thrawl.limits import MAX_MENDS
    from thrawl.net.recording import open_client
    from thrawl.net.url import usable_url

    start = usable_url(url)
    known = given_profile(profile)
    fetching = _client_options(start, options)
    with_cookies = fetching.cookies_file is not None
    choices = CrawlOptions(
        concurrency=fetching.concurrency,
        max_pages=max_pages,
        with_cookies=with_cookies,
        mends=0 if known is not None else MAX_MENDS,
        media=media_mode(media),
    )
    location = str(archive or default_archive(start))
    store = store_for(location, media_dir)
    with Archive.open(location, create=True) as opened:
        async with open_client(fetching, Path(warc) if warc else None) as client:
            run = ForumCrawl(start, opened, client, learner(client, say), choices, known, say=say, store=store)
            return _told(opened, await run.run())


@dataclass(frozen=True, slots=True)
class Watched:
    """How a watch ended: the posts and threads that it brought, and the requests it took, by kind of page."""

    forum: str
    archive: str
    posts: int
    threads: int
    requests: Mapping[str, int]
    failed: int


async def watch(
    archive: str | Path,
    *,
    budget: str = "3000/day",
    policy: str = "ours",
    seconds: float | None = None,
    once: bool = False,
    forum: str | None = None,
    on_new: Callable[[StoredPost], None] | None = None,
    say: Say = silent,
    **options: Unpack[FetchOptions],
) -> Watched:
    """Keep an archive fresh on the live site: for a time, for one round, or until it is cancelled."""
    from dataclasses import replace

    from thrawl.archive.store import Archive
    from thrawl.errors import InputError
    from thrawl.net.client import Client
    from thrawl.net.options import FetchLimits
    from thrawl.refresh.budget import Budget
    from thrawl.refresh.clock import SystemClock
    from thrawl.refresh.registry import make_policy
    from thrawl.refresh.watcher import Watcher
    from thrawl.refresh.watchvalues import NewPosts, WatchOptions

    def tell(news: NewPosts) -> None:
        if on_new is not None:
            for post in news.posts:
                on_new(post)

    with Archive.open(archive) as opened:
        known = [one for one in opened.forums() if forum is None or one.entry_url == forum]
        if len(known) != 1:
            raise InputError("name the forum to watch by its entry page: the archive holds none or several")
        fetching = replace(_client_options(known[0].entry_url, options), limits=FetchLimits(retries=0))
        chosen = WatchOptions(Budget.parse(budget), seconds, once=once)
        async with Client(fetching) as client:
            made = make_policy(policy, once=once)
            watcher = Watcher(opened, known[0], client, made, chosen, SystemClock(), tell=tell, say=say)
            tally = await watcher.run()
        return Watched(
            known[0].entry_url, opened.location, tally.posts, tally.threads, dict(tally.requests), tally.failed
        )


async def extract(
    paths: Paths, *, url: str | None = None, profile: Profile | str | Path | None = None, say: Say = silent
) -> AsyncIterator[StoredPost]:
    """Posts out of saved pages, folders of pages, mirrors or WARC files, without a network."""
    with scratch_archive() as archive:
        await extract_into(archive, paths, url, profile, say)
        for post in archive.posts():
            yield post


@contextmanager
def scratch_archive() -> Iterator[Archive]:
    """An archive that is gone afterwards: posts of many pages are put in order on disk, not in memory."""
    import tempfile

    from thrawl.archive.store import Archive

    with tempfile.TemporaryDirectory(prefix="thrawl-") as folder, Archive.open(f"{folder}/a.db", create=True) as opened:
        yield opened


async def extract_into(
    archive: Archive, paths: Paths, url: str | None, profile: Profile | str | Path | None, say: Say
) -> Extracted:
    """Read saved pages into an open archive."""
    from thrawl.crawl.extract import extract as read_saved
    from thrawl.crawl.saved import open_saved
    from thrawl.net.url import usable_url

    listed = [paths] if isinstance(paths, str | Path) else paths
    saved = open_saved([Path(path) for path in listed], usable_url(url) if url else None)
    try:
        return await read_saved(saved, archive, given_profile(profile), say)
    finally:
        await saved.close()


def _client_options(start: str, options: FetchOptions) -> ClientOptions:
    from thrawl.net.options import ClientOptions

    named = {"user_agent": "agent"}
    rest: dict[str, Any] = {named.get(name, name): value for name, value in options.items() if name != "cookies"}
    unknown = options.keys() - FetchOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"no such option: {', '.join(sorted(unknown))}")
    cookies = options.get("cookies")
    return ClientOptions(start, cookies_file=Path(cookies) if cookies else None, **rest)


def given_profile(given: Profile | str | Path | None) -> Profile | None:
    if not isinstance(given, str | Path):
        return given
    from thrawl.profile.profile import Profile

    return Profile.load(Path(given))


def _told(archive: Archive, finished: Finished) -> Crawled:
    summary = archive.summary()
    return Crawled(
        entry=finished.entry,
        archive=archive.location,
        complete=finished.complete,
        requests=finished.tally.pages,
        boards=summary.boards,
        threads=summary.threads_with_posts,
        posts=summary.posts,
        coverage=summary.coverage,
        waiting=finished.waiting,
        failures=dict(finished.tally.failures),
        seconds=finished.tally.elapsed,
    )
