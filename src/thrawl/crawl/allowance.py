"""How many pages a run may ask for: one count for learning, crawling, probing and mending."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from thrawl.crawl.remembered import Remembered
from thrawl.errors import FetchError
from thrawl.net.message import Fetcher, Request, Response


class Spent(Exception):
    """No further page may be asked for. Raised once all that was asked for is answered.

    It is no ThrawlError: whoever looks for a page's fault must not take it for one.
    """


@dataclass(slots=True)
class Allowance:
    """The pages that a run may ask for, all of them where `most` is None; `answers` are those of learning.

    What is `remembered` of an earlier run costs nothing. `watch` is called with each answer.
    """

    most: int | None = None
    asked: int = 0
    answers: dict[Request, Response] = field(default_factory=dict)
    remembered: Remembered | None = None
    watch: Callable[[], None] = lambda: None
    _under_way: int = 0
    _idle: asyncio.Event = field(default_factory=asyncio.Event)
    _door: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def answered(self) -> int:
        """How many of the pages that were asked for were answered, or given up."""
        return self.asked - self._under_way

    async def fetched(self, request: Request, fetcher: Fetcher) -> Response:
        """The answer to a request."""
        if self.remembered is None:
            return await self._asked(request, fetcher)
        known = self.remembered.answer(request)
        if known is not None:
            return known
        await self._enter(self.remembered, fetcher)
        response = await self._asked(request, fetcher)
        self.remembered.put(request, response)
        return response

    async def _enter(self, remembered: Remembered, fetcher: Fetcher) -> None:
        """Come in by the start page, once, and before any other page; a run of one page would never get further."""
        async with self._door:
            if self.most != 1 and remembered.enters():
                with suppress(FetchError):
                    await self._asked(Request(remembered.start), fetcher)

    async def _asked(self, request: Request, fetcher: Fetcher) -> Response:
        async with self._request():
            return await fetcher.fetch(request)

    @asynccontextmanager
    async def _request(self) -> AsyncIterator[None]:
        """Stands around a request; redirects belong to the question that they answer."""
        if self.most is not None and self.asked >= self.most:
            while self._under_way:
                await self._idle.wait()
            raise Spent
        self.asked += 1
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            self.watch()
            if not self._under_way:
                self._idle.set()


@dataclass(frozen=True, slots=True)
class Bounded:
    """Implements Fetcher on top of another one, within an allowance."""

    fetcher: Fetcher
    allowance: Allowance

    async def fetch(self, request: Request) -> Response:
        return await self.allowance.fetched(request, self.fetcher)

    async def close(self) -> None:
        await self.fetcher.close()
