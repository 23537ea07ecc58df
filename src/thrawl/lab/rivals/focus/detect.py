"""Algorithms 1 and 2 of FoCUS: the index or thread URLs of a page, and its page-flipping URLs.

The link table is that of `page.links` (the paper takes its alignment of DOM trees from elsewhere). Destination pages
are not all downloaded: a handful of a group, evenly spread, votes on its type, and three decide on a pager.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from thrawl.lab.rivals.focus.classifier import FocusClassifier
from thrawl.lab.rivals.treelikeness import SIMILAR, Outline, Outlines
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.groups import spread
from thrawl.page.links import LinkGroup
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import Page
from thrawl.profile.urls import same_site

_VOTERS: Final = 5
_FLIPPED: Final = 3


@dataclass(frozen=True, slots=True)
class Detected:
    """A group of index or thread URLs."""

    type: PageKind
    urls: tuple[str, ...]


class Detector:
    """Detects URLs on pages of one site, downloading what it needs."""

    def __init__(self, sampler: Sampler, classifier: FocusClassifier) -> None:
        self._sampler = sampler
        self._classifier = classifier
        self._outlines = Outlines()
        self._outline: dict[str, Outline] = {}

    async def index_or_thread(self, page: Page) -> Detected | None:
        """Algorithm 1: the group with the longest anchor text, if its destinations are index or thread pages."""
        groups = [group for group in page.groups if group.place.kind != "option" and _inside(group, page.url)]
        if not groups:
            return None
        longest = max(groups, key=lambda group: group.anchor_chars)
        urls = tuple(dict.fromkeys(longest.urls))
        pages = await self._sampler.get_all(spread(urls, _VOTERS))
        votes: Counter[PageKind] = Counter(self.type_of(one) for one in pages)
        kind, number = votes.most_common(1)[0] if votes else (PageKind.OTHER, 0)
        if kind is PageKind.OTHER or number * 2 <= len(pages):
            return None
        return Detected(kind, urls)

    async def page_flipping(self, page: Page) -> tuple[str, ...]:
        """Algorithm 2: page numbers that stand at the same place of the pages they lead to, which are alike."""
        for group in page.groups:
            if not _is_numbered(group) or not _inside(group, page.url):
                continue
            urls = tuple(url for url in dict.fromkeys(group.urls) if url != page.url)
            pages = await self._sampler.get_all(spread(urls, _FLIPPED))
            if pages and all(_has(one.page, group) and self._alike(page, one.page) for one in pages):
                return urls
        return ()

    def type_of(self, sampled: Sampled) -> PageKind:
        return self._classifier.classify(sampled.page.features)

    def _alike(self, one: Page, other: Page) -> bool:
        return self._outlines.likeness(self._of(one), self._of(other)) >= SIMILAR

    def _of(self, page: Page) -> Outline:
        found = self._outline.get(page.url)
        if found is None:
            found = self._outline[page.url] = self._outlines.outline(page.tree)
        return found


def _inside(group: LinkGroup, url: str) -> bool:
    return all(same_site(one, url) for one in group.urls)


def _is_numbered(group: LinkGroup) -> bool:
    """Property 1: page numbers, among them special words at most (the link table calls such a group a pager)."""
    return group.is_pager and any(anchor.isdigit() for anchor in group.anchors)


def _has(page: Page, group: LinkGroup) -> bool:
    """Property 2: whether a page has such a group at the same location."""
    return any(one.place.path == group.place.path and _is_numbered(one) for one in page.groups)
