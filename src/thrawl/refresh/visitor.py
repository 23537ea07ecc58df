"""One page of a watch: leased from the frontier, fetched, read and saved as a crawl does it, by the same parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, PageOutcome, PendingPage, from_seconds
from thrawl.crawl import outcomes
from thrawl.crawl.crawler import role_of
from thrawl.crawl.saver import Saver
from thrawl.crawl.update import is_again, is_update
from thrawl.crawl.values import Misfit, PageJob, Reading, Role
from thrawl.crawl.workers import Readers
from thrawl.errors import FetchError
from thrawl.net.message import Fetcher, Request, Response
from thrawl.page.pagekind import PageKind


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a page. `reading` is None where the page is as it was, or failed; `cost` counts requests."""

    page: PendingPage
    response: Response | None = None
    reading: Reading | None = None
    failed: bool = False
    gone: bool = False
    cost: int = 1

    @property
    def fetched(self) -> datetime | None:
        return None if self.response is None else self.response.fetched


Turn: TypeAlias = Callable[[], Awaitable[None]]


class Visitor:
    """Fetches single pages into an archive. `turn` is awaited before requests that redirects and robots.txt add."""

    def __init__(
        self, archive: Archive, forum_id: int, fetcher: Fetcher, readers: Readers, saver: Saver, turn: Turn
    ) -> None:
        self._archive = archive
        self._forum_id = forum_id
        self._fetcher = fetcher
        self._readers = readers
        self._saver = saver
        self._turn = turn

    async def visit(self, wanted: FoundUrl, now: float, *, full: bool = False) -> Answer | None:
        """Fetch a page, `full` also if it is as it was; None where the archive cannot keep its address."""
        page = self._archive.lease_one(self._forum_id, wanted, from_seconds(now))
        return None if page is None else await self.take(page, full=full)

    async def take(self, page: PendingPage, *, full: bool = False) -> Answer:
        """Fetch a page that is leased already."""
        try:
            response = await self._fetcher.fetch(self._request(page, full=full))
        except FetchError as error:
            self._saver.fetch_failed(page, error)
            self._saver.flush()
            return Answer(page, failed=True, gone=outcomes.is_for_good(error))
        except BaseException:
            self._archive.release([page.url])
            raise
        if page.kind is PageKind.OTHER:
            return await self._keep_other(page, response)
        reading = await self._read(page, response, full=full)
        self._saver.answered(page, response, reading)
        self._saver.flush()
        gone = response.status in outcomes.GONE
        failed = outcomes.refusal_of(response.status) is not None or (
            reading is not None and reading.misfit is not None
        )
        return Answer(page, response, None if failed else reading, failed, gone, 1 + len(response.hops))

    def _request(self, page: PendingPage, *, full: bool) -> Request:
        """Conditional, unless the page must be read in full."""
        if is_update(page) and not is_again(page) and not full:
            return Request(page.url, etag=page.etag, last_modified=page.last_modified, turn=self._turn)
        return Request(page.url, turn=self._turn)

    async def _keep_other(self, page: PendingPage, response: Response) -> Answer:
        """A feed is no page of the forum's, but its validators are kept like those of one; HTML is read as a list."""
        failed = outcomes.refusal_of(response.status) is not None
        self._archive.save(
            PageOutcome(
                forum_id=page.forum_id,
                url=page.url,
                kind=PageKind.OTHER,
                fetched=response.fetched,
                status=response.status,
                etag=response.header("etag"),
                last_modified=response.header("last-modified"),
                body_hash=None if failed or not response.body else outcomes.body_hash(response.body),
            )
        )
        gone = failed and not outcomes.passes(response.status)
        answer = Answer(page, response, failed=failed, gone=gone, cost=1 + len(response.hops))
        if failed or not response.is_html or not response.body:
            return answer
        job = PageJob(response.url, Role.NEWEST, page.url, response.body, response.charset, response.fetched)
        reading = await self._readers.read(job)
        return answer if reading.misfit is not None else replace(answer, reading=reading)

    async def _read(self, page: PendingPage, response: Response, *, full: bool) -> Reading | None:
        wants = outcomes.refusal_of(response.status) is None if full else self._saver.wants_reading(page, response)
        if not wants:
            return None
        if not response.is_html:
            return Reading(misfit=Misfit.NOT_HTML, detail=response.header("content-type") or "")
        list_url = page.list_url or page.url
        job = PageJob(response.url, role_of(page.kind), list_url, response.body, response.charset, response.fetched)
        return await self._readers.read(job)
