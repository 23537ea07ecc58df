"""The public calls for scripts and notebooks: plain functions over those of `thrawl.aio`.

Where an event loop runs already, as in a notebook, the work is done in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

from thrawl import aio
from thrawl.aio import Crawled, FetchOptions, Paths, Say, Watched, silent

if TYPE_CHECKING:
    from thrawl.archive.values import StoredPost
    from thrawl.page.shown import PostRecord
    from thrawl.profile.profile import Profile

T = TypeVar("T")


def learn(url: str, *, say: Say = silent, **options: Unpack[FetchOptions]) -> Profile:
    """Learn the forum that a URL belongs to, without crawling it."""
    return _run(aio.learn(url, say=say, **options))


def crawl(
    url: str,
    *,
    archive: str | Path | None = None,
    max_pages: int | None = None,
    profile: Profile | str | Path | None = None,
    warc: str | Path | None = None,
    say: Say = silent,
    **options: Unpack[FetchOptions],
) -> Crawled:
    """Crawl a forum into an archive, `./HOST.db` unless named; go on with one, or update a complete one."""
    return _run(aio.crawl(url, archive=archive, max_pages=max_pages, profile=profile, warc=warc, say=say, **options))


def watch(
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
    """Keep an archive fresh on the live site: for a time, for one round, or until it is interrupted."""
    return _run(
        aio.watch(
            archive,
            budget=budget,
            policy=policy,
            seconds=seconds,
            once=once,
            forum=forum,
            on_new=on_new,
            say=say,
            **options,
        )
    )


def extract(
    paths: Paths, *, url: str | None = None, profile: Profile | str | Path | None = None, say: Say = silent
) -> Iterator[StoredPost]:
    """Posts out of saved pages, folders of pages, mirrors or WARC files, without a network."""
    with aio.scratch_archive() as archive:
        _run(aio.extract_into(archive, paths, url, profile, say))
        yield from archive.posts()


def read(
    html: str | bytes, url: str, *, profile: Profile | str | Path | None = None, fetched: datetime | None = None
) -> tuple[PostRecord, ...]:
    """The posts of one page, without disk or network: by a profile, or by the general reader.

    `fetched` is when the page was fetched; times like "5 minutes ago" count from then, or from now.
    """
    from thrawl.crawl.onepage import read_one
    from thrawl.net.url import usable_url

    return read_one(html, usable_url(url), aio.given_profile(profile), fetched)


def _run(call: Coroutine[object, object, T]) -> T:
    from thrawl.loops import run  # asyncio: `import thrawl` stays quick, and the processes that read pages need none

    return run(call)
