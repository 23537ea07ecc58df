"""The flips that a page shows of its own list: which of them are believed, and how many pages they tell of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from thrawl.crawl.values import Flips
from thrawl.profile.pagerwords import next_hint, page_number, previous_hint, says_next, says_previous
from thrawl.profile.urltypes import TypedUrl

LONGEST_FLIP_ANCHOR: Final = 24  # characters; titles are longer, "last page" is not
_DIGITS: Final = re.compile(r"\d+")
_ON: Final = 2.0  # above all hints
_BACK: Final = -1.0


class FlipsFound:
    """Gathers the flips of the list that a page is number `own` of. By the words in `signs` walked lists lead on.

    Where pages are named by their numbers, arrows and words for the last page are not needed, and some lie: then only
    the nearest of them is believed, which is the next page. Where all lists of the site have numbered pages
    (`only_counted`), what has none of their numbers and says nothing of pages is no flip: a post may have an address of
    its own where pages have theirs. Where the list's own address (`at_own`) links page 1 elsewhere, it shows another
    page, the last one: the numbered pages come after it.
    """

    def __init__(self, signs: frozenset[str], own: int, *, only_counted: bool, at_own: bool) -> None:
        self._signs = signs
        self._own = own
        self._at_own = at_own
        self._only_counted = only_counted
        self._counted: dict[int, str] = {}
        self._numbered = 1
        self._spoken: set[int] = set()
        self._named: dict[int, str] = {}
        self._fits = True
        self._agreed = self._contradicted = False
        self._ahead: dict[str, float] = {}

    def add(self, flip: TypedUrl, anchor: str, attributes: Mapping[str, str]) -> None:
        named = page_number(anchor)
        if named is not None:
            self._named.setdefault(named, flip.url)
        if flip.page is None:
            ahead = _leads_ahead(anchor, attributes, self._signs)
            if named is None and ahead <= 0 and self._only_counted:
                return
            self._fits = False
            if named is None:
                self._ahead[flip.url] = max(ahead, self._ahead.get(flip.url, ahead))
            return
        self._counted.setdefault(flip.page, flip.url)
        if named is not None and named in (flip.page, flip.page - 1):  # those that open at the end begin after it
            self._numbered = max(self._numbered, flip.page)
            self._agreed = True
        elif named is not None and named not in map(int, _DIGITS.findall(flip.url)[-1:]):
            self._contradicted = True
        elif named is not None or _may_be_arrow(anchor):  # a last page may be named by the only record that it holds
            self._spoken.add(flip.page)

    def add_newest(self, url: str, anchor: str) -> None:
        """The last page of a list at the list's own address, as numbered pages link it."""
        number = page_number(anchor) or 1
        if number > 1:
            self._counted[number] = url
            self._numbered = max(self._numbered, number)

    def result(self) -> Flips | None:
        """Where the learned arithmetic fits, its count; else what the anchors say, and the next page.

        It does not where all anchors say other numbers: offsets were taken for pages, as those of boards are.
        """
        if not self._counted and self._fits:
            return None
        if self._fits and (self._agreed or not self._contradicted):
            last = self._last()
            return Flips(_ordered(self._counted, last), last, True)
        named = self._named
        if self._at_own and 1 in named:
            named = {number + 1: url for number, url in named.items()}
        last = max(named, default=1)
        best = max(self._ahead.values(), default=_BACK)
        ahead = [url for url, rank in self._ahead.items() if rank == best > _BACK]
        if best == _ON and any(url in named.values() for url in ahead):
            ahead = []  # the next page has a number; another arrow leads to the last one, or says so
        return Flips(_ordered(named, last), last, False, next(iter(ahead), None), tuple(ahead[1:]))

    def _last(self) -> int:
        if self._numbered == 1:
            return max(self._spoken, default=1)
        ahead = [page for page in self._spoken if page > self._own]
        return max(self._numbered, min(ahead, default=1))


def _leads_ahead(anchor: str, attributes: Mapping[str, str], signs: frozenset[str]) -> float:
    """How much a link speaks of the next page; all that say nothing known are alike."""
    rel = attributes.get("rel", "")
    words = anchor or attributes.get("title") or attributes.get("aria-label", "")
    if words in signs or says_next(words, rel):
        return _ON
    hints = (words, attributes.get("title", ""), *attributes.get("class", "").split())
    if says_previous(words, rel) or previous_hint(*hints):
        return _BACK
    return next_hint(*hints)


def _ordered(pages: dict[int, str], last: int) -> tuple[tuple[int, str], ...]:
    return tuple((page, url) for page, url in sorted(pages.items()) if 1 < page <= last)


def _may_be_arrow(anchor: str) -> bool:
    """Whether an anchor without a number is one of a pager, short words as "last"; a link in a post is not believed.

    Nor is a way back that leads further on than any other link: some are hidden, and lead nowhere.
    """
    return len(anchor) <= LONGEST_FLIP_ANCHOR and not says_previous(anchor)
