"""Labelled pages of random forums, for training: every page with its true type, the role of its URL and its posts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final, Literal
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from thrawl.lab.random.site import ORIGIN, Site
from thrawl.lab.skins.values import PageType
from thrawl.lab.world import Post
from thrawl.net.message import Request, Response
from thrawl.net.stored import StoredPage, replayed

Role = Literal["index", "index-flip", "thread", "thread-flip", "variant", "other"]

# --- pages of one forum that are looked at; calendars and combined tags have no end
_MOST: Final = 3000
# --- pages of type other whose looks are those of lists or threads: no right answer for a page classifier
_UNCLEAR: Final = frozenset({"newest", "tag", "print", "root", "user"})
_HREF: Final = re.compile(r'<(?:a|link)\b[^>]*?\bhref="([^"]*)"')


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page as it is served, and the truth about it. `clear` is false where even a person could not tell its type."""

    url: str
    html: str
    type: PageType
    role: Role
    clear: bool
    posts: tuple[Post, ...]


def pages(site: Site, origin: str = ORIGIN) -> Iterator[LabelledPage]:
    """Every page that a visitor can reach by links from the entry page, once for each address."""
    start = origin + site.entry_path
    seen, waiting = {unquote(start)}, [start]
    while waiting and len(seen) < _MOST:
        url = waiting.pop(0)
        answer = site.answer(url.removeprefix(origin))
        if answer.location is not None:
            found = [answer.location]
        elif answer.status == 200:
            found = [unescape(href) for href in _HREF.findall(answer.body)]
            yield _labelled(site, url, answer.body)
        else:
            continue
        for link in (urldefrag(urljoin(url, href)).url for href in found):
            place = _key(site, link, origin)
            if (
                place not in seen
                and urlsplit(link).netloc == urlsplit(origin).netloc
                and not _endless(site, link, origin)
            ):
                seen.add(place)
                waiting.append(link)


def _labelled(site: Site, url: str, html: str) -> LabelledPage:
    truth = site.truth(url)
    role: Role = truth.kind if truth.kind is not None else "variant" if truth.type != "other" else "other"
    clear = truth.type != "other" or not is_unclear(site, url)
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


def _key(site: Site, url: str, origin: str) -> str:
    """Addresses that differ in an opaque token alone are one."""
    return unquote(site.addresses.without_tokens(url))


def _endless(site: Site, url: str, origin: str) -> bool:
    """Combined tags and months of the calendar: one example of each is enough."""
    place = site.place(_target(url))
    return place is not None and (place.key.count("+") > 0 or (place.what == "calendar" and bool(place.key)))


def _target(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
