"""robots.txt after RFC 9309: asked for once for each origin, believed for a day.

No file (4xx, or lost in redirects) means that all is allowed; a server error means that nothing is. An origin that
does not answer at all has no robots.txt and no pages either, so its own error is given rather than a ban.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from protego import Protego

from thrawl.errors import FetchError, RobotsDenied, UrlRefused
from thrawl.limits import MAX_HOSTS, MAX_ROBOTS_BYTES, ROBOTS_CACHE_SECONDS, ROBOTS_RETRY_SECONDS
from thrawl.net.message import Response
from thrawl.net.retry import TooManyRedirects

AGENT = "Thrawl"


@dataclass(frozen=True, slots=True)
class Rules:
    """What is known of one origin: parsed rules, or a ban, or why it cannot be reached; none of them: all allowed."""

    expires: float
    parsed: Protego | None = None
    ban: str | None = None
    failure: FetchError | None = None

    def check(self, url: str) -> None:
        if self.failure is not None:
            raise type(self.failure)(url, self.failure.reason)
        if self.ban is not None:
            raise RobotsDenied(url, self.ban)
        if self.parsed is not None and not self.parsed.can_fetch(url, AGENT):
            raise RobotsDenied(url, "the site's robots.txt forbids it")

    @property
    def delay(self) -> float | None:
        """Seconds between two requests, from Crawl-delay or Request-rate."""
        if self.parsed is None:
            return None
        delay = self.parsed.crawl_delay(AGENT)
        rate = self.parsed.request_rate(AGENT)
        if rate and rate.requests:
            delay = max(delay or 0.0, rate.seconds / rate.requests)
        return float(delay) if delay else None


class Robots:
    """The rules of all origins. `get` fetches one robots.txt, with redirects, retries and the size cap."""

    def __init__(
        self,
        get: Callable[[str], Awaitable[Response]],
        on_delay: Callable[[str, float], None] = lambda origin, seconds: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._get = get
        self._on_delay = on_delay
        self._clock = clock
        self._known: OrderedDict[str, Rules] = OrderedDict()
        self._asking: dict[str, asyncio.Task[Rules]] = {}

    async def check(self, url: str, origin: str) -> bool:
        """Raises RobotsDenied where the origin's rules forbid the URL; true if they had to be asked for."""
        rules = self._known.get(origin)
        asked = rules is None or rules.expires <= self._clock()
        if rules is None or asked:
            rules = await self._ask_once(origin)
        rules.check(url)
        return asked

    async def close(self) -> None:
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    async def _ask_once(self, origin: str) -> Rules:
        """All who ask at the same time share one request; it goes on when one of them is cancelled."""
        task = self._asking.get(origin)
        if task is None:
            task = self._asking[origin] = asyncio.create_task(self._ask(origin))
            task.add_done_callback(lambda _: self._asking.pop(origin, None))
        return await asyncio.shield(task)

    async def _ask(self, origin: str) -> Rules:
        rules = await self._rules(origin)
        self._known[origin] = rules
        self._known.move_to_end(origin)
        if len(self._known) > MAX_HOSTS:
            self._known.popitem(last=False)
        if rules.delay:
            self._on_delay(origin, rules.delay)
        return rules

    async def _rules(self, origin: str) -> Rules:
        now = self._clock()
        try:
            response = await self._get(f"{origin}/robots.txt")
        except TooManyRedirects:
            return Rules(now + ROBOTS_CACHE_SECONDS)
        except FetchError as failure:
            return self._stale(origin) or _unreachable(failure, now)
        if 500 <= response.status <= 599 or response.status == 429:
            why = f"the site's robots.txt answers {response.status}, so nothing of it may be fetched now"
            return self._stale(origin) or Rules(now + ROBOTS_RETRY_SECONDS, ban=why)
        if response.status != 200:
            return Rules(now + ROBOTS_CACHE_SECONDS)
        return Rules(now + ROBOTS_CACHE_SECONDS, parse_robots(response.body))

    def _stale(self, origin: str) -> Rules | None:
        """Rules of yesterday are better than none while a server is down."""
        old = self._known.get(origin)
        if old is None or old.ban is not None or old.failure is not None:
            return None
        return Rules(self._clock() + ROBOTS_RETRY_SECONDS, old.parsed)


def parse_robots(body: bytes) -> Protego:
    text = body[:MAX_ROBOTS_BYTES].removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    return Protego.parse(text)


def _unreachable(failure: FetchError, now: float) -> Rules:
    kind = UrlRefused if isinstance(failure, UrlRefused) else FetchError
    again = now + ROBOTS_RETRY_SECONDS
    return Rules(again, failure=kind(failure.url, f"{failure.reason} (asked for its robots.txt)"))
