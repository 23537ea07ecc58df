"""How many pages a run may ask for: one count for learning, crawling, probing and mending.

When it is spent in the middle of learning, the answers so far are kept in the archive, and the next run learns on with
them: the same pages are looked at in the same order, so many short runs end where one long run does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from thrawl.archive import Archive
from thrawl.archive.answers import KeptAnswer
from thrawl.limits import MAX_LEARNING_DAYS
from thrawl.net.message import Fetcher, Hop, Request, Response


class Spent(Exception):
    """No further page may be asked for. Raised once all that was asked for is answered.

    It is no ThrawlError: whoever looks for a page's fault must not take it for one.
    """


@dataclass(slots=True)
class Allowance:
    """The pages that a run may ask for, all of them where `most` is None; `answers` are those of learning."""

    most: int | None = None
    asked: int = 0
    answers: dict[Request, Response] = field(default_factory=dict)
    _under_way: int = 0
    _idle: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def request(self) -> AsyncIterator[None]:
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
            if not self._under_way:
                self._idle.set()


@dataclass(frozen=True, slots=True)
class Bounded:
    """Implements Fetcher on top of another one, within an allowance."""

    fetcher: Fetcher
    allowance: Allowance

    async def fetch(self, request: Request) -> Response:
        async with self.allowance.request():
            return await self.fetcher.fetch(request)

    async def close(self) -> None:
        await self.fetcher.close()


def keep_answers(archive: Archive, start: str, allowance: Allowance) -> None:
    """Put what learning was told into the archive, for the next run."""
    archive.answers.keep(start, (_kept(request, answer) for request, answer in allowance.answers.items()))


def kept_answers(archive: Archive, start: str) -> dict[Request, Response]:
    """What an earlier run was told, as far as it is of these days; the archive forgets it."""
    oldest = datetime.now(UTC) - timedelta(days=MAX_LEARNING_DAYS)
    answers = ((Request(one.url, cookies=one.cookies), _response(one)) for one in archive.answers.taken(start))
    return {request: answer for request, answer in answers if answer.fetched >= oldest}


def _kept(request: Request, answer: Response) -> KeptAnswer:
    head = {
        "requested": answer.requested,
        "url": answer.url,
        "status": answer.status,
        "headers": answer.headers,
        "charset": answer.charset,
        "fetched": answer.fetched.timestamp(),
        "hops": [(hop.url, hop.status, hop.location) for hop in answer.hops],
    }
    return KeptAnswer(request.url, request.cookies, json.dumps(head), answer.body)


def _response(kept: KeptAnswer) -> Response:
    head = json.loads(kept.answer)
    return Response(
        head["requested"],
        head["url"],
        head["status"],
        tuple((name, value) for name, value in head["headers"]),
        kept.body,
        head["charset"],
        datetime.fromtimestamp(head["fetched"], UTC),
        tuple(Hop(*hop) for hop in head["hops"]),
    )
