"""Pages that are met under several addresses: the same words behind a longer query.

A thread below which its board's list stands is linked once for each way to sort that list; a list of one page shows the
same rows whatever its order. Two addresses with the same content are one page, and the shorter one is its own. Which
one that is, the page may say itself (`rel=canonical`); that is believed where the site links to it and the words agree:
pages that flip name their first page, too, and some sites link to no thread by the name that it gives itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from thrawl.learn.varying import texts_of
from thrawl.page.links import resolver_of
from thrawl.page.reading import Page
from thrawl.profile.pagerwords import page_number, says_next, says_previous
from thrawl.profile.urls import Structure, adds_to, take_apart

_MOST: Final = 0.95  # of what is a page's own: somebody comes online; a list that grows by a row is another page
_OTHERS: Final = 2  # pages that tell what is the page's own from what is on every page
_TOLD: Final = 2  # pages of one form, none of which shows what the page does that it names

_Forms = tuple[Structure, Structure]
_Texts = Mapping[str, bool]


class Twins:
    """The pages of a site by their words, and what is known of the names that they give themselves."""

    def __init__(self) -> None:
        self._pages: dict[str, Page] = {}
        self._texts: dict[str, _Texts] = {}
        self._shown: Counter[str] = Counter()  # how many pages show a text
        self._linked: set[str] = set()
        self._refuted: Counter[_Forms] = Counter()

    def add(self, page: Page) -> None:
        """A page under its own address."""
        if page.url not in self._pages:
            self._pages[page.url] = page
            self._shown.update(self._texts_of(page).keys())
            self._linked.update(link.url for link in page.links)

    def shorter(self, page: Page) -> str | None:
        """The shortest address of a page that was met and shows the same as this one."""
        known = [url for url in self._pages if adds_to(page.url, url)]
        return min((url for url in known if self._are_one(page, self._pages[url])), key=len, default=None)

    def longer(self, page: Page) -> list[str]:
        """Addresses that were met before and show the same as a page."""
        known = [url for url in self._pages if adds_to(url, page.url)]
        return [url for url in known if self._are_one(self._pages[url], page)]

    def may_be(self, url: str, named: str) -> bool:
        """Whether an address that a page names may be its own: the site links to it, and such names were not wrong.

        Only what a query adds is looked at: lists with and without a last slash may flip in ways of their own.
        """
        return adds_to(url, named) and named in self._linked and self._refuted[_forms(url, named)] < _TOLD

    def agrees(self, page: Page, named: Page) -> bool:
        """Whether a page shows what another does that it names; if not, others of its form are not asked about.

        Below a thread the list of its board may stand, in another order: what people wrote is the page.
        """
        if len(self._pages) <= _OTHERS:
            return False
        own = self._own(page), self._own(named)
        linked = {text for texts in own for text, is_linked in texts.items() if is_linked}
        written = [texts.keys() - linked for texts in own]
        same = not _flips(named, page) and _same(*written)
        self._refuted[_forms(page.url, named.url)] += not same
        return same

    def _are_one(self, page: Page, shorter: Page) -> bool:
        if len(self._pages) <= _OTHERS or _flips(shorter, page):
            return False
        return _same(self._own(page), self._own(shorter))

    def _own(self, page: Page) -> _Texts:
        """What a page says that at most one other does, which may be the same page."""
        return {text: linked for text, linked in self._texts_of(page).items() if self._shown[text] <= 2}

    def _texts_of(self, page: Page) -> _Texts:
        if page.url not in self._texts:  # mere numbers change with each request
            said = texts_of(page).items()
            self._texts[page.url] = {text: linked for text, linked in said if any(map(str.isalpha, text))}
        return self._texts[page.url]


def _same(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether two pages, each with something of its own, show the same, but for what changes with each request."""
    mine, theirs = set(mine), set(theirs)
    common = len(mine & theirs)
    return common > 0 and common >= _MOST * max(len(mine), len(theirs))


def _flips(page: Page, other: Page) -> bool:
    """Whether a page leads to another as to its pages."""
    links = (link for link in page.links if link.url == other.url)
    return any(
        page_number(link.anchor) is not None
        or says_next(link.anchor or link.title, link.rel)
        or says_previous(link.anchor or link.title, link.rel)
        for link in links
    )


def named_by(page: Page) -> str | None:
    """The address that a page names as its own."""
    for tag, attributes, _ in page.tree.head:
        if tag == "link" and attributes.get("rel", "").casefold() == "canonical":
            found = resolver_of(page.tree, page.url).resolve(attributes.get("href", ""))
            return found[0] if found else None
    return None


def _forms(url: str, named: str) -> _Forms:
    return take_apart(url).structure, take_apart(named).structure
