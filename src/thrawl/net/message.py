"""What is asked for and what came back: the values that every fetcher takes and gives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, Protocol

REDIRECT_STATUSES: Final = frozenset((301, 302, 303, 307, 308))
# Header fields that describe how a body travelled, not the body that a response holds.
TRAVEL_HEADERS: Final = frozenset(("content-encoding", "transfer-encoding", "content-length"))


@dataclass(frozen=True, slots=True)
class Request:
    """One GET. The validators make it conditional; `cookies=False` asks as a visitor who was never there.

    `turn` is awaited before each further request that the answer takes: behind robots.txt, behind a redirect.
    """

    url: str
    etag: str | None = None
    last_modified: str | None = None
    cookies: bool = True
    turn: Callable[[], Awaitable[None]] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect that was followed: the URL asked for, the status, and where it led."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a request, its content decoded (no Content-Encoding left), after all redirects."""

    requested: str
    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    charset: str
    fetched: datetime
    hops: tuple[Hop, ...] = ()
    elapsed: float = 0.0

    def header(self, name: str) -> str | None:
        """The first header of that name, whatever its case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)

    @property
    def moment(self) -> datetime:
        """When the site wrote the page, by its own clock, which "5 minutes ago" refers to; else when it was fetched."""
        try:
            said = parsedate_to_datetime(self.header("date") or "")
        except ValueError:
            return self.fetched
        return said if said.tzinfo is not None else said.replace(tzinfo=UTC)

    @property
    def text(self) -> str:
        return self.body.decode(self.charset, errors="replace")

    @property
    def is_html(self) -> bool:
        """Whether the body is a page: a feed is none, whatever it is called."""
        kind = (self.header("content-type") or "text/html").lower()
        start = self.body[:500].lower()
        feed = b"<html" not in start and any(mark in start for mark in (b"<rss", b"<feed", b"<rdf"))
        return "html" in kind and not feed


class Fetcher(Protocol):
    """Whatever turns a request into a response: the live client, a replay, a browser.

    `fetch` raises a FetchError when there is no response to speak of; an HTTP error status is a response.
    """

    async def fetch(self, request: Request) -> Response: ...

    async def close(self) -> None: ...
