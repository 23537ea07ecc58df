"""Labelled pages of random forums, for training: every page with its true type, the role of its URL and its posts."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

from thrawl.lab.random.site import ORIGIN, Site
from thrawl.lab.skins.values import Answer
from thrawl.lab.world import Post
from thrawl.net.message import Request, Response
from thrawl.net.stored import StoredPage, replayed
from thrawl.page.pagekind import PageKind

VARIANT: Final = "variant"  # another address of a page that has a kind
# --- pages of one forum that are looked at; calendars and combined tags have no end
_MOST: Final = 3000
# --- pages of type other whose looks are those of lists or threads: no right answer for a page classifier
_UNCLEAR: Final = frozenset({"newest", "tag", "print", "root", "user"})
_HREF: Final = re.compile(r'<(?:a|link)\b[^>]*?\bhref="([^"]*)"')


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page as it is served, and the truth about it: its `type`, and as `role` the kind of its address or VARIANT.

    `clear` is false where even a person could not tell its type.
    """

    url: str
    html: str
    type: PageKind
    role: str
    clear: bool
    posts: tuple[Post, ...]


def pages(site: Site, origin: str = ORIGIN) -> Iterator[LabelledPage]:
    """Every page that a visitor can reach by links from the entry page, once for each address."""
    start = origin + site.entry_path
    seen, waiting = {site.key(start)}, deque([start])
    while waiting and len(seen) < _MOST:
        url = waiting.popleft()
        answer = site.answer(url.removeprefix(origin))
        if answer.status == 200:
            yield _labelled(site, url, answer.body)
        for link in _links(answer, url):
            if link.startswith(origin) and site.key(link) not in seen and not _endless(site, link):
                seen.add(site.key(link))
                waiting.append(link)


def _links(answer: Answer, url: str) -> Iterator[str]:
    """Where an answer leads, absolute and without fragments; a missing page leads nowhere."""
    found = [answer.location] if answer.location is not None else _HREF.findall(answer.body)
    if answer.status < 400:
        yield from (urldefrag(urljoin(url, unescape(href))).url for href in found)


def _labelled(site: Site, url: str, html: str) -> LabelledPage:
    truth = site.truth(url)
    role = truth.kind if truth.kind is not None else VARIANT if truth.type is not PageKind.OTHER else PageKind.OTHER
    clear = truth.type is not PageKind.OTHER or not is_unclear(site, url)
    return LabelledPage(url, html, truth.type, role, clear, tuple(site.posts_at(url)))


def is_unclear(site: Site, url: str) -> bool:
    """Whether even a person could not tell the type of a page that is none of the forum's lists."""
    place = site.place(_target(url))
    return place is not None and place.what in _UNCLEAR


class SiteFetcher:
    """A random forum as a Fetcher, without a server."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def fetch(self, request: Request) -> Response:
        return replayed(request, self._find)

    async def close(self) -> None:
        """There is nothing to close."""

    def _find(self, url: str) -> StoredPage:
        answer = self._site.answer(_target(url))
        headers = [("Content-Type", f"{answer.content_type}; charset=utf-8")]
        if answer.location is not None:
            headers.append(("Location", answer.location))
        body = answer.body.encode("utf-8", "xmlcharrefreplace")
        return StoredPage(url, answer.status, tuple(headers), body, self._site.plan.view.moment)


def _endless(site: Site, url: str) -> bool:
    """Combined tags and further months of the calendar: they go on for ever."""
    place = site.place(_target(url))
    return place is not None and ("+" in place.key or (place.what == "calendar" and bool(place.key)))


def _target(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
