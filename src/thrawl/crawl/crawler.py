"""The crawl of one forum by its profile (FoCUS 4.4): fetch, read, save, and go where the page leads.

The main process does the network and the one writer; pages are read elsewhere. All state is the archive's, so a
crawl that is killed goes on by running again. Pages of one list are saved in order (`turns`); a page of an index
list waits for shorter lists that are still under way (`lists` says why).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.values import PendingPage
from thrawl.crawl import lists
from thrawl.crawl.allowance import Spent
from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.kept import KeptPages
from thrawl.crawl.options import CrawlOptions, Tally
from thrawl.crawl.outcomes import is_for_good
from thrawl.crawl.plan import INDEX_KINDS
from thrawl.crawl.saver import Saver
from thrawl.crawl.turns import Turn, Turns
from thrawl.crawl.update import is_again, is_update
from thrawl.crawl.values import Misfit, PageJob, Reading, Role
from thrawl.crawl.workers import Readers
from thrawl.errors import FetchError
from thrawl.limits import MAX_DEAD_FETCHES
from thrawl.net.message import Request, Response
from thrawl.page.pagekind import PageKind

_BATCH: Final = 32  # thread pages leased ahead; index pages are not, for each may lead to some that come first
_LONGEST_WAIT: Final = 600.0  # seconds until a page that is tried again; what is later is left to the next run
_PATIENCE: Final = 3
_FLUSH_SECONDS: Final = 0.05  # thread pages wait no longer than this for others to share their transaction
_GLANCE_SECONDS: Final = 1.0  # whoever watches is told at least this often, also while a site lets us wait

Watch = Callable[[Tally], None]


class Crawler:
    """Fetches what the frontier holds until it is empty, enough was fetched, or `stop` is set.

    Once `stop` is set nothing more is started; what is under way is finished and saved.
    """

    def __init__(
        self,
        archive: Archive,
        forum_id: int,
        fetcher: KeptPages,
        readers: Readers,
        saver: Saver,
        options: CrawlOptions,
        stop: asyncio.Event,
        watch: Watch = lambda _: None,
    ) -> None:
        self._archive = archive
        self._forum_id = forum_id
        self._fetcher = fetcher
        self._readers = readers
        self._saver = saver
        self._options = options
        self._watch = watch
        self._tally = saver.tally
        self._turns = Turns()
        self._leased: deque[PendingPage] = deque()
        self._among_threads = False
        self._waits_for: frozenset[str] = frozenset()
        self._under_way: dict[asyncio.Task[None], PendingPage] = {}
        self._done: asyncio.Queue[asyncio.Task[None]] = asyncio.Queue()
        self._fetching = asyncio.Semaphore(options.concurrency)
        self._started = 0
        self._asked_before = saver.tally.asked
        self._dead = 0
        self.spent = False
        """Whether as many pages were asked for as the caller wished."""
        self._stop = stop
        self._lost: FetchError | None = None
        self._patience = _PATIENCE

    async def run(self) -> None:
        """Crawl. Raises FetchError when the site does not answer any more; the archive can go on later."""
        try:
            with collecting_rarely():
                await self._fetch_all()
        finally:
            await self._put_back()
            self._saver.flush()
            self._tally.asked = self._asked_before + self._started - self._fetcher.given
        if self._lost is not None:
            raise FetchError(self._lost.url, f"the site does not answer any more ({self._lost.reason})")

    async def _fetch_all(self) -> None:
        while True:
            self._start_pages()
            if self._under_way:
                await self._wait_for_some()
            elif not await self._sleep_until_due():
                return

    def _start_pages(self) -> None:
        room = self._options.concurrency + 2 * self._readers.size
        while not self._is_over() and len(self._under_way) < room:
            page = self._next_page(room - len(self._under_way))
            if page is None:
                return
            if self._saver.skips(page):
                continue
            turn = self._turns.take(page.list_url or page.url, page.page_number)
            self._started += 1
            task = asyncio.create_task(self._handle(page, turn))
            task.add_done_callback(self._done.put_nowait)
            self._under_way[task] = page

    def _is_over(self) -> bool:
        return self.spent or self._stop.is_set() or self._lost is not None or self._saver.must_relearn

    def _next_page(self, room: int) -> PendingPage | None:
        if self._waits_for and self._waits_for == self._index_pages():
            return None  # what had to wait still has to: the frontier need not be asked again
        self._waits_for = frozenset()
        if not self._leased:
            self._leased.extend(self._saver.next_pages(room + _BATCH if self._among_threads else room))
        if not self._leased:
            return None
        self._among_threads = self._leased[0].kind not in INDEX_KINDS
        if self._must_wait(self._leased[0]):
            self._give_back()
            self._waits_for = self._index_pages()
            return None
        return self._leased.popleft()

    def _index_pages(self) -> frozenset[str]:
        """The index pages that are under way."""
        return frozenset(one.url for one in self._under_way.values() if one.kind in INDEX_KINDS)

    def _must_wait(self, page: PendingPage) -> bool:
        """A flip of an index list waits for pages of shorter lists: they tell whether it brings anything new.

        Lists in reserve are looked at one by one, after all others.
        """
        if page.kind is PageKind.INDEX and lists.is_in_reserve(page.priority):
            return any(one.kind in INDEX_KINDS for one in self._under_way.values())
        if page.kind is not PageKind.INDEX_FLIP:
            return False
        return any(one.kind in INDEX_KINDS and one.priority < page.priority for one in self._under_way.values())

    def _give_back(self) -> None:
        self._archive.release([page.url for page in self._leased])
        self._leased.clear()

    async def _wait_for_some(self) -> None:
        try:
            async with asyncio.timeout(_FLUSH_SECONDS if self._saver.is_buffering else _GLANCE_SECONDS):
                task = await self._done.get()
        except TimeoutError:
            self._saver.flush()
        else:
            self._end(task)
        while not self._done.empty():
            self._end(self._done.get_nowait())
        self._watch(self._tally)

    def _end(self, task: asyncio.Task[None]) -> None:
        del self._under_way[task]
        task.result()

    async def _sleep_until_due(self) -> bool:
        """Wait a while for pages that are to be tried again later; False when there is nothing to wait for."""
        due = None if self._is_over() else self._archive.next_due(self._forum_id)
        if due is None:
            return False
        seconds = (due - datetime.now(UTC)).total_seconds()
        # A page that is due but was not given out belongs to another forum of the archive, or fell due just now.
        self._patience = _PATIENCE if seconds > 0 else self._patience - 1
        if seconds > _LONGEST_WAIT or not self._patience:
            return False
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), min(max(seconds, 0.01), _GLANCE_SECONDS))
        self._watch(self._tally)
        return not self._stop.is_set()

    async def _handle(self, page: PendingPage, turn: Turn) -> None:
        try:
            async with self._fetching:
                if self._stop.is_set():
                    self._leave(page, turn)
                    return
                response = await self._fetcher.fetch(_request(page))
        except Spent:
            self.spent = True
            self._leave(page, turn)
            return
        except FetchError as error:
            self._count_dead(error)
            problem = error
            self._turns.ready(turn, lambda: self._saver.fetch_failed(page, problem))
            return
        except asyncio.CancelledError:
            self._turns.drop(turn)
            raise
        self._dead = 0
        reading = await self._read(page, response)
        self._turns.ready(turn, lambda: self._saver.answered(page, response, reading))

    def _leave(self, page: PendingPage, turn: Turn) -> None:
        """Leave a page that was begun to the next run."""
        self._started -= 1
        self._turns.drop(turn)
        self._leased.append(page)

    async def _read(self, page: PendingPage, response: Response) -> Reading | None:
        """What the page says; None where there is nothing to read."""
        if not self._saver.wants_reading(page, response):
            return None
        if not response.is_html:
            return Reading(misfit=Misfit.NOT_HTML, detail=response.header("content-type") or "")
        list_url = page.list_url or page.url
        job = PageJob(response.url, role_of(page.kind), list_url, response.body, response.charset, response.moment)
        return await self._readers.read(job)

    def _count_dead(self, error: FetchError) -> None:
        self._dead += 1
        if self._dead >= MAX_DEAD_FETCHES and not is_for_good(error):
            self._lost = error

    async def _put_back(self) -> None:
        if self._under_way:
            for task in self._under_way:
                task.cancel()
            await asyncio.wait(self._under_way)
            self._leased.extend(self._under_way.values())
            self._under_way.clear()
        if self._leased:
            self._give_back()


def _request(page: PendingPage) -> Request:
    if is_update(page) and not is_again(page):
        return Request(page.url, etag=page.etag, last_modified=page.last_modified)
    return Request(page.url)


def role_of(kind: PageKind) -> Role:
    """What a page of this kind is read as."""
    if kind is PageKind.ENTRY:
        return Role.ENTRY
    return Role.INDEX if kind in INDEX_KINDS else Role.THREAD
