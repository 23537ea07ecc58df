"""Posts out of saved pages, without a network: learn from the files themselves, then read them all.

Saved pages of a whole site are learned as a site is; where that fails (a handful of threads, no index pages), the
post wrapper is learned from those pages that show posts, and each page stands for its own thread unless its pager
says otherwise. A single page is read by the general reader. Saved pages are as hostile as live ones: all are read by
the crawl's bounded workers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from thrawl.archive import Archive
from thrawl.archive.values import PageOutcome, ThreadRef
from thrawl.crawl.crawler import role_of
from thrawl.crawl.outcomes import board_refs, misfit_reason
from thrawl.crawl.saved import Saved, skipped_of
from thrawl.crawl.values import Misfit, PageJob, Reading
from thrawl.crawl.workers import WorkerPool, worker_pool
from thrawl.errors import FetchError, LearnError, PageError
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.learner import learn
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.net.message import Request, Response
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import Page
from thrawl.profile.pager import find_pagers
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

_FEW: Final = 8  # pages below which a site cannot be learned
_SAMPLE: Final = 40

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came out of saved pages; `skipped` are files that are no pages, by their ending."""

    pages: int
    thread_pages: int
    posts: int
    skipped: tuple[tuple[str, int], ...] = ()


async def extract(
    saved: Saved, archive: Archive, profile: Profile | None = None, say: Say = lambda _: None
) -> Extracted:
    """Read saved pages into an archive."""
    async with worker_pool() as workers:
        if profile is None:
            profile = await _learned(saved, workers, say)
        if profile is not None:
            extracted = await _by_profile(saved, archive, profile, workers, say)
        else:
            extracted = await _by_pages(saved, archive, workers, say)
    return replace(extracted, skipped=tuple(skipped_of(saved).most_common()))


async def _learned(saved: Saved, workers: WorkerPool, say: Say) -> Profile | None:
    urls = [url for url in saved.urls() if url.startswith("http")]
    if len(urls) < _FEW:
        return None
    reason = ""
    # what was saved first need not be of the forum, nor a page; what has the shortest address is near its entry
    for url in dict.fromkeys((urls[0], min(urls, key=len), urls[len(urls) // 2])):
        try:
            return (await learn(url, saved, reader=workers, progress=say)).profile
        except LearnError as error:
            reason = reason or str(error)
    say(f"these pages are no whole forum ({reason}); reading them one by one")
    return None


async def _responses(saved: Saved, say: Say = lambda _: None) -> AsyncIterator[Response]:
    for url in saved.urls():
        try:
            response = await saved.fetch(Request(url))
        except FetchError as error:
            say(str(error))
            continue
        if response.status == 200 and response.is_html and not response.hops:
            yield response


async def _by_profile(saved: Saved, archive: Archive, profile: Profile, workers: WorkerPool, say: Say) -> Extracted:
    """Every page whose URL is of a list is read as a crawl would."""
    forum_id = archive.put_forum(profile.entry, urlsplit(profile.entry).netloc, profile.to_json())
    types = UrlTypes(profile)
    workers.change(profile)
    pages = threads = posts = 0
    async for response in _responses(saved, say):
        typed = types.type(response.url)
        kind = PageKind.ENTRY if response.url == profile.entry else typed.kind if typed else PageKind.OTHER
        pages += 1
        if kind is PageKind.OTHER:
            continue
        list_url = (typed.list_url if typed else None) or response.url
        reading = await workers.read(_job(response, kind, list_url))
        alias = f"{profile.entry}#thread={typed.key}" if typed and typed.key != typed.list_url else None
        number = (typed.page if typed else None) or 1
        archive.save(_outcome(forum_id, response, reading, kind, list_url, number, alias))
        threads += bool(reading.posts)
        posts += len(reading.posts)
    return Extracted(pages, threads, posts)


async def _by_pages(saved: Saved, archive: Archive, workers: WorkerPool, say: Say) -> Extracted:
    """Pages that are not known to be of one site, each by itself."""
    workers.change(await _wrapper_of_threads(saved, workers))
    pages = threads = posts = 0
    async for response in _responses(saved, say):
        pages += 1
        reading = await workers.read(_job(response, PageKind.THREAD, response.url))
        if not reading.posts:
            say(f"{response.url}: {misfit_reason(reading.misfit or Misfit.NO_POSTS, reading.detail)}")
            continue
        origin = "/".join(response.url.split("/")[:3]) + "/"
        forum_id = archive.put_forum(origin, urlsplit(origin).netloc)
        list_url, number = await _list_of(response, workers)
        archive.save(_outcome(forum_id, response, reading, PageKind.THREAD, list_url, number, None))
        threads += 1
        posts += len(reading.posts)
    return Extracted(pages, threads, posts)


async def _wrapper_of_threads(saved: Saved, workers: WorkerPool) -> Profile:
    """A profile without patterns, whose wrapper was learned from the pages that show posts."""
    classifier = PageClassifier.load()
    sample: list[Page] = []
    async for response in _responses(saved):
        page = await _page(response, workers)
        if page is not None and classifier.classify(page).type is PageKind.THREAD:
            sample.append(page)
        if len(sample) >= _SAMPLE:
            break
    wrapper = learn_post_wrapper(sample) if len(sample) > 1 else None
    return Profile("file:///", (), (), post_wrapper=wrapper.to_json() if wrapper else None)


async def _page(response: Response, workers: WorkerPool) -> Page | None:
    try:
        return await workers.page(response.text, response.url)
    except PageError:
        return None


async def _list_of(response: Response, workers: WorkerPool) -> tuple[str, int]:
    """The thread that a page belongs to and its place in it, by the page's own pager."""
    page = await _page(response, workers)
    pager = next(iter(find_pagers(response.url, page.links)), None) if page is not None else None
    if pager is None or pager.first is None or pager.step is None:
        return response.url, 1
    for number in range(1, pager.last + 2):
        if pager.url_of(number) == response.url:
            return pager.frame.replace("\0", "*"), number
    return pager.frame.replace("\0", "*"), 1


def _job(response: Response, kind: PageKind, list_url: str) -> PageJob:
    return PageJob(response.url, role_of(kind), list_url, response.body, response.charset, response.moment)


def _outcome(
    forum_id: int, response: Response, reading: Reading, kind: PageKind, list_url: str, number: int, alias: str | None
) -> PageOutcome:
    outcome = PageOutcome(
        forum_id=forum_id,
        url=response.url,
        kind=kind,
        fetched=response.fetched,
        page_number=number,
        list_url=list_url,
        status=response.status,
        posts=reading.posts,
        boards=board_refs(reading),
        rows=reading.rows,
    )
    if not reading.posts:
        return outcome
    return replace(outcome, thread=ThreadRef(list_url, reading.title, (alias,) if alias else ()))
