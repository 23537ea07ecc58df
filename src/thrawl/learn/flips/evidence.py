"""What a page behind a pager's link tells: whether it is another page of the same list.

Properties 2 and 3 of FoCUS 4.3.1.2 (same place, same layout), and what no layout can fake: two pages of one list share
no record, and there is a way back (Wang et al. 2008, 5.2: the next thread leads back to no later page of this one).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from thrawl.page.reading import Page
from thrawl.page.records import Record
from thrawl.profile.models import shipped_model
from thrawl.profile.pager import Pager, propose_pagers
from thrawl.profile.pagerframes import HOLE
from thrawl.profile.pagermodel import LIKELY, PAGERS, Evidence
from thrawl.profile.pagerwords import says_next, says_previous

_MOSTLY_NEW: Final = 0.5  # of the other page's records; the rest stay on top of every page
_SAME_WORDS: Final = 0.5  # of the words of two titles: "Golf" and "Golf - Page 2"
_HEADINGS: Final = frozenset({"h1", "h2", "h3"})
_ROWS: Final = 3  # records of the least list that has rows
_TITLE: Final = 12  # characters of a link that may be a row's title
_SIDE_SHARE: Final = 0.5  # what other links say of other records, where the records found are the same
_FEW_TITLES: Final = 2  # links that a page has beside the way back, if it lists anything else
_COMPARED: Final = 3  # records of a page whose looks are compared; rows of a kind differ little
_TOP_HEADINGS: Final = 2  # headings that name the page; further ones are of its records
_WORD: Final = re.compile(r"[^\W\d_]+")
_DIGITS: Final = re.compile(r"\d+")


def pagers_of(page: Page) -> tuple[Pager, ...]:
    """Every pager that a page may have, in its body and in its head, with whether it is one of a row."""
    links = (*page.links, *page.ahead)
    rows = _Rows(page)
    return tuple(
        replace(pager, evidence=replace(pager.evidence, many_lists=1.0)) if rows.hold(pager) else pager
        for pager in propose_pagers(page.url, links, page.tree)
    )


def likely_pagers(page: Page) -> tuple[Pager, ...]:
    """The pagers of a page that are likely without a look behind them."""
    return tuple(pager for pager in pagers_of(page) if pager.probability >= LIKELY)


class _Rows:
    """The records of a page and the links in them, looked up once for all of its pagers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._flips: dict[str, list[int]] = defaultdict(list)
        for link in page.links:
            self._flips[link.url].append(link.node)
        self._links = sorted(page.links, key=lambda link: link.node)
        self._nodes = [link.node for link in self._links]

    def hold(self, pager: Pager) -> bool:
        """Whether a pager stands in a record beside a title, or goes on from another link there: it flips that thread.

        A link that says nothing known and stands in a record is one of its own.
        """
        page = self._page
        if page.main is None or len(page.main.records) < _ROWS:
            return False
        urls = frozenset(pager.urls)
        flips = sorted(node for url in urls for node in self._flips.get(url, ()))
        if not pager.evidence.speaks:
            return any(_stands_in(record, flips) for record in page.main.records)
        return any(_stands_in(record, flips) and self._has_title(record, pager, urls) for record in page.records)

    def _has_title(self, record: Record, pager: Pager, urls: frozenset[str]) -> bool:
        before = pager.frame.partition(HOLE)[0]
        inside = self._links[bisect_left(self._nodes, record.start) : bisect_left(self._nodes, record.end)]
        return any(
            (len(link.anchor) >= _TITLE or (len(link.url) > len(self._page.url) and before.startswith(link.url)))
            and link.url not in urls
            for link in inside
        )


def _stands_in(record: Record, nodes: Sequence[int]) -> bool:
    """Whether one of some nodes, in order, stands in a record."""
    at = bisect_left(nodes, record.start)
    return at < len(nodes) and nodes[at] < record.end


def chance_behind(page: Page, other: Page, pager: Pager) -> float:
    """How likely a pager is after a look at a page behind it; one that shows the same records is no other page."""
    if same_records(page, other) and not _new_beside(page, other):
        return 0.0
    return shipped_model(PAGERS).probability(seen_behind(page, other, pager))


def seen_behind(page: Page, other: Page, pager: Pager) -> Evidence:
    """The evidence of a pager together with what the page behind one of its links shows."""
    return replace(
        pager.evidence,
        other_records=_other_records(page, other),
        alike=_alike(page, other),
        leads_back=1.0 if shares_pager(other, pager) or _leads_back(page, other) else -1.0,
        same_title=_same_title(page, other),
    )


def _other_records(page: Page, other: Page) -> float:
    """1 for records that the first page has not, -1 for the same ones or some of them; a list that grew has others."""
    here, there = set(record_texts(page)), set(record_texts(other))
    words = page.tree.text(0)
    new = [record for record in there if record not in words]
    if not new:
        return _SIDE_SHARE if _new_beside(page, other) else -1.0
    if len(new) >= _MOSTLY_NEW * len(there) or here < there:
        return 1.0
    return 2 * len(new) / len(there) - 1


def _new_beside(page: Page, other: Page) -> bool:
    """Whether another page shows something else beside the same records: what was taken for its list is a box at its
    side, or the list of the board that stands below each thread."""
    if _new_titles(page, other):
        return True
    words = page.tree.text(0)
    for region in other.regions[1:]:
        texts = [other.tree.text_of(record.start, record.end) for record in region.records]
        if sum(text not in words for text in texts) > _MOSTLY_NEW * len(texts):
            return True
    return False


def _new_titles(page: Page, other: Page) -> bool:
    """Whether the links of another page say what those of the first do not."""
    new = {link.anchor for link in other.links} - {link.anchor for link in page.links}
    titles = [one for one in new if _WORD.search(one) and not says_previous(one) and not says_next(one)]
    return len(titles) >= _FEW_TITLES


def same_records(page: Page, other: Page) -> bool:
    """Whether two pages list the same, but for numbers that rise with each visit: views of threads."""
    if set(record_texts(page)) == set(record_texts(other)):
        return True
    mine, theirs = ({_DIGITS.sub("0", text) for text in record_texts(one)} for one in (page, other))
    return mine == theirs and _listed_urls(page) == _listed_urls(other) != set()


def _listed_urls(page: Page) -> set[str]:
    """Where the records of a page lead."""
    records = page.main.records if page.main is not None else ()
    return {link.url for link in page.links if any(one.start <= link.node < one.end for one in records)}


def record_texts(page: Page) -> tuple[str, ...]:
    """What a page lists. An article stands alone above its comments and is repeated on every page of them."""
    if page.main is None:
        return (page.tree.text(0),)
    regions = page.regions if len(page.main.records) == 1 else page.regions[:1]
    return tuple(page.tree.text_of(record.start, record.end) for region in regions for record in region.records)


def _alike(page: Page, other: Page) -> float:
    """Records of the same kind: how much of the looks of the one page's stand on the other, from -1 to 1."""
    mine, theirs = _record_looks(page), _record_looks(other)
    return 2 * len(mine & theirs) / max(1, min(len(mine), len(theirs))) - 1 if mine and theirs else 0.0


def _record_looks(page: Page) -> frozenset[int]:
    records = page.main.records[:_COMPARED] if page.main else ()
    return frozenset(look for record in records for part in record.parts for look in page.shapes.outline(part))


def shares_pager(page: Page, pager: Pager) -> bool:
    """The pager stands on the other page too, as the same frame."""
    before, _, after = pager.frame.partition(HOLE)
    links = (*page.links, *page.ahead)
    return any(link.url != page.url and link.url.startswith(before) and link.url.endswith(after) for link in links)


def _leads_back(page: Page, other: Page) -> bool:
    """The last of two pages has nothing but a link to the first: one more than the first has to itself."""
    ways = [sum(link.url == page.url for link in one.links) for one in (page, other)]
    return ways[1] > ways[0]


def _same_title(page: Page, other: Page) -> float:
    """1 where the titles of both windows say the same, -1 where not; headings tell where all windows are alike."""
    for mine, theirs in zip(_titles(page), _titles(other), strict=True):
        if mine and theirs and mine != theirs:
            return 1.0 if len(mine & theirs) >= _SAME_WORDS * len(mine | theirs) else -1.0
    return 1.0


def _titles(page: Page) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the window's title, and those of the headings on top of the page."""
    tree = page.tree
    headings = [tree.text(node) for node, tag in enumerate(tree.tags) if tag in _HEADINGS][:_TOP_HEADINGS]
    return _words(tree.title), _words(" ".join(headings))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
