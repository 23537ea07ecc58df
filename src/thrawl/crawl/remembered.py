"""What a site answers while it is being learned is in the archive at once, and the next run learns on with it.

The same pages are looked at in the same order, so many runs that were killed, interrupted or short end where one long
run does, and ask for hardly more.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.answers import KeptAnswer
from thrawl.crawl.outcomes import GONE
from thrawl.limits import MAX_LEARNING_DAYS
from thrawl.net.message import Hop, Request, Response

_QUICK: Final = 1  # of zlib's levels: pages are kept for minutes


@dataclass(slots=True)
class Remembered:
    """Answers of one site, by the URL with which learning began, and apart for who has cookies of their own: a site
    may show them more than it showed a stranger.

    Who goes on with them is outside: pages look otherwise to who has no cookie of the site yet, so the start page is
    asked for once more before the first page that is new.
    """

    archive: Archive
    start: str
    with_cookies: bool = False
    _used: bool = False
    _entered: bool = False

    @property
    def _name(self) -> str:
        return f"{self.start} with cookies" if self.with_cookies else self.start

    def answer(self, request: Request) -> Response | None:
        """What was answered before, as far as it is of these days."""
        kept = self.archive.answers.get(self._name, request.url, cookies=request.cookies)
        if kept is None:
            return None
        self._used = True
        answer = _response(kept)
        return answer if answer.fetched >= datetime.now(UTC) - timedelta(days=MAX_LEARNING_DAYS) else None

    def enters(self) -> bool:
        """Whether the start page is to be asked for now; said once."""
        outside, self._entered = self._used and not self._entered, True
        return outside

    def put(self, request: Request, answer: Response) -> None:
        """Keep an answer; who was refused may be let in the next time."""
        if answer.status == HTTPStatus.OK or answer.status in GONE:
            self.archive.answers.put(self._name, _kept(request, answer))

    def forget(self) -> None:
        self.archive.answers.forget(self._name)


def _kept(request: Request, answer: Response) -> KeptAnswer:
    head = {
        "requested": answer.requested,
        "url": answer.url,
        "status": answer.status,
        "headers": answer.headers,
        "charset": answer.charset,
        "fetched": answer.fetched.timestamp(),
        "hops": [(hop.url, hop.status, hop.location) for hop in answer.hops],
        "packed": True,
    }
    return KeptAnswer(request.url, request.cookies, json.dumps(head), zlib.compress(answer.body, _QUICK))


def _response(kept: KeptAnswer) -> Response:
    head = json.loads(kept.answer)
    return Response(
        head["requested"],
        head["url"],
        head["status"],
        tuple((name, value) for name, value in head["headers"]),
        zlib.decompress(kept.body) if "packed" in head else kept.body,  # as earlier versions kept it
        head["charset"],
        datetime.fromtimestamp(head["fetched"], UTC),
        tuple(Hop(*hop) for hop in head["hops"]),
    )
