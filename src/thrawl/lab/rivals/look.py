"""One cheap look at a page: where its links stand and lead, its repetitive regions, and its fingerprint.

The rivals of Wang et al. need no more of a page: the layout of a page is the set of its repetitive regions (section 4),
and a link is told by its URL and its location, the path of elements that it stands at. A step of a path is an element's
name and its first class, digits folded: the further classes name states and data. Table cells count as columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final
from zlib import crc32

from thrawl.errors import PageError
from thrawl.lab.rivals.fingerprint import simhash
from thrawl.learn.sessions import session_parameters, suspects
from thrawl.net.message import Response
from thrawl.net.url import BadUrl, normal_url
from thrawl.page.links import Link, find_links
from thrawl.page.tags import INLINE
from thrawl.page.tree import TEXT, Tree, parse
from thrawl.profile.urls import without_session

_DIGITS: Final = re.compile(r"\d+")
_PLAIN: Final = frozenset({"html", "body"})  # their classes name the page, not the place
_COLUMNS: Final = frozenset({"td", "th"})
# paragraphs and words are what users write; that they repeat says nothing of the template
_WRITTEN: Final = INLINE | {"p", "br", "option", "source", "track", "hr"}
_REPEATED: Final = 2


@dataclass(frozen=True, slots=True)
class OutLink:
    """A link: where it leads, where it stands (a number that is the same on all pages), and whether to follow it."""

    url: str
    location: int
    anchor: str
    nofollow: bool


@dataclass(frozen=True, slots=True)
class PageLook:
    """What a rival sees of one page. `regions` are its repetitive regions, `chars` its visible characters."""

    url: str
    links: tuple[OutLink, ...]
    regions: frozenset[int]
    fingerprint: int
    chars: int


class Looks:
    """Looks at pages; with `keep`, one that is seen again is not read again: several strategies share a mirror.

    Session ids that the links of the first page share are taken off all links. Only FoCUS speaks of sessions (4.3.2),
    but without this no crawler would ever leave the entry page of a site that gives one to every new visitor.
    """

    def __init__(self, *, keep: bool = False) -> None:
        self._keep = keep
        self._session: frozenset[str] | None = None
        self._kept: dict[str, PageLook] = {}
        self._links: dict[OutLink, OutLink] = {}  # menus repeat on every page: one object for all

    def look(self, response: Response) -> PageLook | None:
        """None for an answer that is no page to read."""
        if response.status != 200 or not response.is_html:
            return None
        known = self._kept.get(response.url)
        if known is not None:
            return known
        found = look_at(response.text, response.url)
        if found is None:
            return None
        if self._session is None:
            self._session = session_parameters(suspects(urls := [link.url for link in found.links]), {}, urls)
        if self._session:
            found = replace(found, links=tuple(_without(found.links, self._session)))
        if self._keep:
            found = replace(found, links=tuple(self._links.setdefault(link, link) for link in found.links))
            self._kept[response.url] = found
        return found


def look_at(html: str, url: str) -> PageLook | None:
    """None where the page cannot be read."""
    try:
        tree = parse(html)
    except PageError:
        return None
    paths = _paths(tree)
    words = tree.text(0)
    return PageLook(url, tuple(_out_links(tree, url, paths)), _regions(tree, paths), simhash(words), len(words))


def _without(links: Iterable[OutLink], session: frozenset[str]) -> Iterator[OutLink]:
    return (replace(link, url=without_session(link.url, session)) for link in links)


def _paths(tree: Tree) -> list[int]:
    """A number for the path of each node; equal numbers are equal paths, on whatever page."""
    found: list[int] = []
    columns: Counter[int] = Counter()
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        step = _step(tag, tree.attributes[node].get("class", "")) if tag != TEXT else TEXT
        if tag in _COLUMNS:
            step = f"{step}[{columns[parent]}]"
            columns[parent] += 1
        found.append(_chained(found[parent] if parent >= 0 else 0, step))
    return found


@lru_cache(maxsize=4096)
def _step(tag: str, classes: str) -> str:
    if tag in _PLAIN or not classes.strip():
        return tag
    return f"{tag}.{_DIGITS.sub('0', classes.split()[0])}"


@lru_cache(maxsize=65536)
def _chained(above: int, step: str) -> int:
    return crc32(step.encode("utf-8", "replace"), above)


def _regions(tree: Tree, paths: Sequence[int]) -> frozenset[int]:
    """The places at which siblings of one kind repeat."""
    repeated = Counter(
        (tree.parents[node], paths[node]) for node, tag in enumerate(tree.tags) if tag != TEXT and tag not in _WRITTEN
    )
    return frozenset(path for (_, path), count in repeated.items() if count >= _REPEATED)


def _out_links(tree: Tree, url: str, paths: Sequence[int]) -> Iterator[OutLink]:
    none = _says_nofollow(tree)
    seen: set[tuple[str, int]] = set()
    for link in find_links(tree, url):
        target = _usable(link.url)
        if target is None or (target, paths[link.node]) in seen:
            continue
        seen.add((target, paths[link.node]))
        yield OutLink(target, paths[link.node], link.anchor[:80], none or _is_nofollow(link))


def _is_nofollow(link: Link) -> bool:
    return "nofollow" in link.rel.lower().split()


def _says_nofollow(tree: Tree) -> bool:
    """Whether the page as a whole asks that its links are not followed."""
    metas: Iterable[dict[str, str]] = (attributes for tag, attributes, _ in tree.head if tag == "meta")
    return any(
        one.get("name", "").lower() == "robots" and "nofollow" in one.get("content", "").lower() for one in metas
    )


@lru_cache(maxsize=65536)
def _usable(url: str) -> str | None:
    try:
        return normal_url(url)
    except BadUrl:
        return None
