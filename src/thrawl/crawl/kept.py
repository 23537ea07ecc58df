"""Pages that were fetched while learning are not asked for again: not by the crawl, not by learning once more."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from thrawl.crawl.allowance import Allowance
from thrawl.crawl.outcomes import passes
from thrawl.errors import RobotsDenied
from thrawl.net.message import Fetcher, Request, Response


class AskedBefore:
    """Implements Fetcher on top of another one. What was asked once is answered from memory the second time.

    Held are the pages of learning, whose number is bounded (`limits.MAX_LEARNING_PAGES`); trouble that may pass is not.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._allowance = Allowance()
        self._denied: dict[str, RobotsDenied] = {}

    @property
    def pages(self) -> tuple[Response, ...]:
        return tuple(self._allowance.answers.values())

    @property
    def denied(self) -> tuple[str, ...]:
        """What robots.txt forbids of all that was asked for."""
        return tuple(self._denied)

    def begin(self, allowance: Allowance) -> None:
        """Know from now on what an allowance has answers to, and ask for no more than it allows."""
        self._allowance = allowance
        self._denied.clear()

    async def fetch(self, request: Request) -> Response:
        if request.url in self._denied:
            raise self._denied[request.url]
        known = self._allowance.answers.get(request)
        return known or await self._asked(request)

    async def _asked(self, request: Request) -> Response:
        try:
            response = await self._allowance.fetched(request, self._fetcher)
        except RobotsDenied as error:
            self._denied[request.url] = error
            raise
        if not passes(response.status):
            self._allowance.answers[request] = response
        return response

    async def close(self) -> None:
        await self._fetcher.close()


class KeptPages:
    """Implements Fetcher on top of another one. Each kept page is given out once, whatever URL form it was asked by."""

    def __init__(self, fetcher: Fetcher, pages: Iterable[Response], one_form: Callable[[str], str]) -> None:
        self._fetcher = fetcher
        self._one_form = one_form
        self._pages: dict[str, Response] = {}
        self.given = 0
        for page in pages:
            self._pages[one_form(page.requested)] = page
            self._pages.setdefault(one_form(page.url), page)

    def take(self, url: str) -> Response | None:
        """The kept page of a URL; it is forgotten then."""
        page = self._pages.pop(self._one_form(url), None)
        if page is not None:
            self.given += 1
            for name in (page.requested, page.url):
                self._pages.pop(self._one_form(name), None)
        return page

    def rest(self) -> list[Response]:
        """The pages that nobody took."""
        left = {id(page): page for page in self._pages.values()}
        self._pages.clear()
        return list(left.values())

    async def fetch(self, request: Request) -> Response:
        return self.take(request.url) or await self._fetcher.fetch(request)

    async def close(self) -> None:
        await self._fetcher.close()
