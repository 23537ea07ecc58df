"""Pages that were fetched while learning are not asked for again: this fetcher hands them out first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from thrawl.net.message import Fetcher, Request, Response


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
