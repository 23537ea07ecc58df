"""A crawl by a rival's way, breadth first (FoCUS 4.4), into the same archive and through the same fetcher as Thrawl's.

The frontier is the archive's: a URL is asked for once, in the order of finding. A rival knows no wrappers and no lists,
so each page that looks like a thread page is a thread of its own here, read by the general reader, and an archive that
was complete is not updated. A crawl that was interrupted finds its way again and goes on with the frontier as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, PageOutcome, PendingPage, ThreadRef
from thrawl.crawl import outcomes
from thrawl.crawl.crawler import Watch
from thrawl.crawl.kept import KeptPages
from thrawl.crawl.options import CrawlOptions, Finished, Tally
from thrawl.crawl.values import PageJob, Role
from thrawl.crawl.workers import Readers, WorkerPool
from thrawl.errors import FetchError, PageError
from thrawl.lab.rivals.look import Looks
from thrawl.lab.rivals.way import Moves, Say, Step, Strategy, Way
from thrawl.learn.classifier import PageClassifier
from thrawl.limits import MAX_DEAD_FETCHES
from thrawl.net.message import Fetcher, Request, Response
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import read_page
from thrawl.profile.profile import Profile

_LONGEST_WAIT: Final = 600.0  # seconds until a page that is tried again; what is later is left to the next run
_GLANCE_SECONDS: Final = 1.0
_MAY_SHOW_POSTS: Final = (PageKind.OTHER, PageKind.THREAD)  # index pages, where a strategy knows them, show none
_RECENT: Final = 200_000  # URLs remembered as known, so that the menus of every page do not ask the database each time


@dataclass(slots=True)
class RivalCrawl:
    """One crawl of one site by a strategy. With `posts` off, pages are only fetched and followed, not read for posts.

    `crawling` tells whether the way is found, so that there is something in the archive to go on with.
    """

    start: str
    archive: Archive
    fetcher: Fetcher
    strategy: Strategy
    options: CrawlOptions = field(default_factory=CrawlOptions)
    looks: Looks = field(default_factory=Looks)
    posts: bool = True
    watch: Watch = lambda _: None
    say: Say = lambda _: None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    tally: Tally = field(default_factory=Tally)
    crawling: bool = False

    async def run(self) -> Finished:
        """Crawl until nothing is left to fetch, enough was, or `stop` is set."""
        found = await self.strategy.find_way(self.start, self.fetcher, self.looks, self.say)
        self.tally.learning_pages = found.requests
        entry = found.way.starts[0].url
        forum_id = self.archive.put_forum(entry, urlsplit(entry).netloc)
        self.archive.add_urls(forum_id, [_found(step) for step in found.way.starts])
        self.crawling = True
        readers = WorkerPool(Profile(entry, (), ()), self.options.workers) if self.posts else None
        kept = KeptPages(self.fetcher, found.pages, str)
        try:
            await _Walk(self, forum_id, found.way, kept, readers).run()
        finally:
            if readers is not None:
                await readers.close()
        waiting = self.archive.waiting(forum_id)
        return Finished(entry, self.tally, waiting, self.stop.is_set(), False, datetime.now(UTC))


class _Walk:
    """The loop of one crawl."""

    def __init__(self, crawl: RivalCrawl, forum_id: int, way: Way, fetcher: KeptPages, readers: Readers | None) -> None:
        self._crawl = crawl
        self._archive = crawl.archive
        self._forum_id = forum_id
        self._way = way
        self._fetcher = fetcher
        self._readers = readers
        self._tally = crawl.tally
        self._classifier = PageClassifier.load() if readers else None
        self._recent: dict[str, None] = {}
        self._dead = 0

    async def run(self) -> None:
        """Raises FetchError when the site does not answer any more; the archive can go on later."""
        outcomes_: list[PageOutcome] = []
        while True:
            batch = self._archive.lease(self._room(), datetime.now(UTC), forum_id=self._forum_id, after=outcomes_)
            outcomes_ = []
            if not batch:
                if self._is_over() or not await self._sleep_until_due():
                    return
                continue
            answers = await asyncio.gather(*(self._ask(page) for page in batch))
            for page, answer in zip(batch, answers, strict=True):
                outcomes_.append(await self._outcome(page, answer))
            self._crawl.watch(self._tally)

    def _room(self) -> int:
        """How many pages may be asked for now."""
        options = self._crawl.options
        if self._is_over():
            return 0
        if options.max_pages is None:
            return options.concurrency
        return min(options.concurrency, options.max_pages - self._used())

    def _used(self) -> int:
        return self._tally.pages - self._fetcher.given + self._tally.learning_pages

    def _is_over(self) -> bool:
        most = self._crawl.options.max_pages
        return self._crawl.stop.is_set() or (most is not None and self._used() >= most)

    async def _sleep_until_due(self) -> bool:
        due = self._archive.next_due(self._forum_id)
        seconds = (due - datetime.now(UTC)).total_seconds() if due is not None else _LONGEST_WAIT + 1
        if seconds > _LONGEST_WAIT:
            return False
        with suppress(TimeoutError):
            await asyncio.wait_for(self._crawl.stop.wait(), min(max(seconds, 0.01), _GLANCE_SECONDS))
        return not self._crawl.stop.is_set()

    async def _ask(self, page: PendingPage) -> Response | FetchError:
        try:
            return await self._fetcher.fetch(Request(page.url))
        except FetchError as error:
            return error

    async def _outcome(self, page: PendingPage, answer: Response | FetchError) -> PageOutcome:
        outcome = self._failed(page, answer) if isinstance(answer, FetchError) else await self._answered(page, answer)
        self._tally.requests[page.kind] += 1
        self._tally.last_url = page.url
        if outcome.failure is not None:
            self._tally.failures[outcome.failure] += 1
        return outcome

    def _failed(self, page: PendingPage, error: FetchError) -> PageOutcome:
        kind = outcomes.kind_of_error(error)
        moment = datetime.now(UTC)
        retry = None
        if not outcomes.is_for_good(error):
            retry = outcomes.retry_time(page, moment, self._crawl.options)
            self._dead += 1
            if self._dead >= MAX_DEAD_FETCHES:
                raise FetchError(error.url, f"the site does not answer any more ({error.reason})")
        return outcomes.failed_outcome(page, moment, error.reason, kind, retry_at=retry)

    async def _answered(self, page: PendingPage, response: Response) -> PageOutcome:
        self._dead = 0
        refusal = outcomes.refusal_of(response.status)
        if refusal is not None:
            kind = outcomes.kind_of_status(response.status)
            return outcomes.failed_outcome(page, response.fetched, refusal, kind, status=response.status)
        look = self._crawl.looks.look(response)
        moves = Moves() if look is None else self._way.onward(look, page.reason or "")
        outcome = replace(
            outcomes.unchanged_outcome(page, response),
            reason=page.reason,
            body_hash=outcomes.body_hash(response.body),
            also=outcomes.also_shown_by(page.url, response),
            found=tuple(self._new(moves.steps)),
            refused=tuple(moves.refused),
        )
        if self._readers is None or page.kind not in _MAY_SHOW_POSTS:
            return outcome
        return await self._with_posts(outcome, response)

    def _new(self, steps: Iterable[Step]) -> Iterator[FoundUrl]:
        if len(self._recent) > _RECENT:
            self._recent.clear()
        for step in steps:
            if step.url not in self._recent:
                self._recent[step.url] = None
                yield _found(step)

    async def _with_posts(self, outcome: PageOutcome, response: Response) -> PageOutcome:
        """The outcome with the posts of a page that looks like a thread page."""
        assert self._readers is not None
        if not response.is_html or not self._looks_like_a_thread(response):
            return outcome
        job = PageJob(response.url, Role.THREAD, response.url, response.body, response.charset, response.fetched)
        reading = await self._readers.read(job)
        if not reading.posts:
            return outcome
        self._tally.posts += len(reading.posts)
        self._tally.thread_pages += 1
        self._tally.useful += 1
        thread = ThreadRef(response.url, reading.title)
        return replace(outcome, kind=PageKind.THREAD, list_url=response.url, thread=thread, posts=reading.posts)

    def _looks_like_a_thread(self, response: Response) -> bool:
        assert self._classifier is not None
        try:
            page = read_page(response.text, response.url, reference=response.fetched)
        except PageError:
            return False
        return self._classifier.classify(page).type is PageKind.THREAD


def _found(step: Step) -> FoundUrl:
    # one priority for all: the frontier then gives URLs in the order of finding, which is breadth first
    return FoundUrl(step.url, step.kind, step.rule, priority=0)
