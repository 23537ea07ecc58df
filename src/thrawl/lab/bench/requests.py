"""A mirror as a polite and counted fetcher: all strategies of the bench go through one of these each.

robots.txt is the mirror's own, asked for and obeyed as the live client does; every request is on record with its
status, redirects as requests of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from thrawl.errors import RobotsDenied
from thrawl.net.message import Request, Response
from thrawl.net.replay import MirrorReplay
from thrawl.net.robots import Robots
from thrawl.net.url import BadUrl, normal_url, target_of


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: the URL and the status of the answer. What is no page (feeds, data) is not counted as one."""

    url: str
    status: int
    is_page: bool = True


@dataclass(slots=True)
class LoggedMirror:
    """Implements Fetcher. `forbidden` are the URLs that robots.txt kept from being asked for."""

    replay: MirrorReplay
    log: list[Asked] = field(default_factory=list)
    forbidden: set[str] = field(default_factory=set)
    _robots: Robots = field(init=False)

    def __post_init__(self) -> None:
        self._robots = Robots(lambda url: self.replay.fetch(Request(url)))

    async def fetch(self, request: Request) -> Response:
        try:
            url = normal_url(request.url)
        except BadUrl:
            return await self.replay.fetch(request)  # which says what is wrong with it
        try:
            await self._robots.check(url, target_of(url).origin)
        except RobotsDenied:
            self.forbidden.add(url)
            raise
        response = await self.replay.fetch(request)
        self.log.extend(Asked(hop.url, hop.status) for hop in response.hops)
        is_page = response.status != 200 or response.is_html
        self.log.append(Asked(response.url, response.status, is_page))
        # a mirror's pages are as old as its opening; to a crawl they are answers of this moment
        return replace(response, fetched=datetime.now(UTC))

    async def close(self) -> None:
        """The mirror is not ours to close."""
