"""What replays share: a stored page, and the walk along stored redirects that turns a request into a response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from thrawl.errors import LimitExceeded, UrlRefused
from thrawl.limits import MAX_REDIRECTS
from thrawl.net.charset import charset_of
from thrawl.net.message import REDIRECT_STATUSES, Hop, Request, Response
from thrawl.net.url import BadUrl, normal_url, redirect_target


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One answer as it was kept, its body decoded, under the URL that was asked for."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    fetched: datetime

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name), None)


def replayed(request: Request, find: Callable[[str], StoredPage]) -> Response:
    """The response to a request, out of a store: redirects are followed and recorded as the live client does."""
    hops: list[Hop] = []
    url = _usable(request.url, request.url)
    while True:
        page = find(url)
        location = page.header("location") if page.status in REDIRECT_STATUSES else None
        if not location:
            return _response(request, page, tuple(hops))
        target = _usable(page.url, location)
        hops.append(Hop(url, page.status, target))
        if len(hops) > MAX_REDIRECTS:
            raise LimitExceeded(request.url, f"it redirects more than {MAX_REDIRECTS} times")
        url = target


def _usable(url: str, target: str) -> str:
    try:
        return normal_url(target) if target == url else redirect_target(url, target)
    except BadUrl as bad:
        raise UrlRefused(url[:200], f"the URL {bad}") from None


def _response(request: Request, page: StoredPage, hops: tuple[Hop, ...]) -> Response:
    return Response(
        requested=request.url,
        url=page.url,
        status=page.status,
        headers=page.headers,
        body=page.body,
        charset=charset_of(page.body, page.header("content-type")),
        fetched=page.fetched,
        hops=hops,
    )
