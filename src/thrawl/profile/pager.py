"""Pagers as one page shows them: proposals with evidence, never vetoes (FoCUS 4.3.1.2, algorithm 2; Wang et al. 2008).

Proposed are links with numbers for anchors whose values follow a line, or with ranges of records; links that speak of
a next page, in words, by an icon, a class, a tooltip or `rel`; and any short link whose address is the page's own with
one value more or changed, whatever it says. How likely each is, `pagermodel` weighs; calendars, counts, row pagers,
sort orders and the next thread are proposed too, and fall by their evidence. Cursors have no arithmetic: only a "next"
that is walked.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from thrawl.page.links import Link
from thrawl.page.tree import Tree
from thrawl.profile import pagerwords, toldpager
from thrawl.profile.models import shipped_model
from thrawl.profile.pagerframes import (
    HOLE,
    frames_ahead,
    frames_of,
    is_near,
    is_second,
    kept_by,
    line_of,
    line_of_one,
    stands_beside,
)
from thrawl.profile.pagermodel import LIKELY, PAGERS, Evidence
from thrawl.profile.urls import UrlParts, take_apart

_LONGEST_ANCHOR: Final = 24  # characters; more are a title
_LONGEST_COUNTED: Final = 6  # digits of a page or an offset; longer ones are cursors
_MOST_WORDED: Final = 200  # links that speak of a next page, the outer ones: each row of a list may have one
_MOST_LONE: Final = 40  # links without known words that are looked at on a page
_SHORTEST_TOKEN: Final = 12  # letters; an opaque token without a digit is longer
_MOST_PAGERS: Final = 400  # of a page, the likeliest; a page of links that are all numbered has one a link
_MOST_SILENT: Final = 3  # first, next and last; more links that say nothing known are a list of lists
_ONE_NUMBER: Final = 0.75  # what one number says, of what several on a line say
_SILENT: Final = 0.5  # what a second page's value says where no word does: any choice may have the number 2
_SAYING: Final = 40  # letters of a text that says something: between the numbers of pages stand a few words at most
_SECOND: Final = "2"


@dataclass(frozen=True, slots=True)
class Pager:
    """The flips of one list as one page shows them. `first` and `step` are None for a cursor.

    `frame` is a flip URL with HOLE for its value; `last` the highest page that the page links to. `signs` are the words
    or the looks of the link that leads on.
    """

    frame: str
    first: int | None
    step: int | None
    last: int
    urls: tuple[str, ...]
    next_url: str | None = None
    signs: tuple[str, ...] = ()
    evidence: Evidence = field(default=Evidence(), compare=False)

    @property
    def probability(self) -> float:
        return shipped_model(PAGERS).probability(self.evidence)

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, counted or not."""
        return all(map(str.isdecimal, self._values))

    @property
    def is_token(self) -> bool:
        """Whether it has no arithmetic, and values that begin with a zero: of tokens, some happen to have no letter."""
        return self.first is None and any(value[:1] == "0" for value in self._values)

    @property
    def _values(self) -> list[str]:
        before, _, after = self.frame.partition(HOLE)
        return [url[len(before) : len(url) - len(after)] for url in self.urls]

    def url_of(self, page: int) -> str | None:
        """The URL of a page of this list, where there is an arithmetic."""
        if self.first is None or self.step is None:
            return None
        return self.frame.replace(HOLE, str(self.first + self.step * (page - 1)))


def find_pagers(
    url: str, links: Sequence[Link], tree: Tree | None = None, home: str | None = None
) -> tuple[Pager, ...]:
    """The likely pagers of the page at `url`, the likeliest first; each link is explained once.

    `home` is the address of the list that the page is known to be one of.
    """
    found: list[Pager] = []
    explained: set[str] = set()
    for pager in propose_pagers(url, links, tree, home):
        if pager.probability >= LIKELY and not explained.issuperset(pager.urls):
            explained.update(pager.urls)
            found.append(pager)
    counted = [pager for pager in found if pager.first is not None]
    return tuple(counted or found[:1])


def propose_pagers(
    url: str, links: Sequence[Link], tree: Tree | None = None, home: str | None = None
) -> tuple[Pager, ...]:
    """Every pager that the page at `url` may have, the likeliest first."""
    here = _Here(take_apart(url), take_apart(home or url))
    site = here.page.structure.origin.partition("://")[2]
    near = [link for link in links if link.url != url and link.url.partition("://")[2].startswith(site)]
    signed = {link.node: _Signs.of(link, tree) for link in near}
    proposals = {pager.frame: pager for pager in _numbered(here, near, tree)}
    spoken = (*_told(here, near, tree), *_worded(here, near, signed), *_lone(here, near, signed))
    for pager in (*_ranged(here, links), *spoken):
        known = proposals.get(pager.frame)
        proposals[pager.frame] = pager if known is None else _joined(known, pager)
    weighed = _with_lists(proposals.values())
    ranked = sorted(weighed, key=lambda pager: (-pager.probability, -len(pager.urls), pager.frame))
    return tuple(ranked[:_MOST_PAGERS])


def sign_of(link: Link, tree: Tree | None) -> str:
    """What a link shows: its words, else its tooltip, else the classes of it and of its icon."""
    return link.anchor or link.title or " ".join(_looks(link, tree))


@dataclass(frozen=True, slots=True)
class _Here:
    """The address of the page, and that of the list which it is one of, as far as that is known to be another."""

    page: UrlParts
    home: UrlParts

    def number_in(self, frame: str) -> int:
        """The number that a further page of a list has itself where others have theirs; 0 where it has none."""
        found = re.fullmatch(re.escape(frame).replace(HOLE, r"(\d{1,6})"), self.page.url)
        return int(found[1]) if found is not None and self.home != self.page else 0


@dataclass(frozen=True, slots=True)
class _Signs:
    """What the words and looks of a link say."""

    next_words: float
    next_hint: float
    rel_next: float
    previous: float
    wordy: float

    @classmethod
    def of(cls, link: Link, tree: Tree | None) -> _Signs:
        words = link.anchor or link.title
        says_next = pagerwords.says_next(words) or pagerwords.says_next(link.title)
        previous = pagerwords.says_previous(words, link.rel)
        hints = (words if len(words) <= 2 * _LONGEST_ANCHOR else "", link.title, *_looks(link, tree))
        hint = 0.0 if says_next or previous else pagerwords.next_hint(*hints)
        back = previous or (not says_next and pagerwords.previous_hint(*hints))
        rel_next = "next" in link.rel.lower().split()
        return cls(says_next, hint, rel_next, back and not rel_next, len(link.anchor) > _LONGEST_ANCHOR)

    @property
    def speaks(self) -> bool:
        return bool(self.next_words or self.next_hint or self.rel_next)


def _looks(link: Link, tree: Tree | None) -> list[str]:
    """The names of the classes of a link and of the icon in it."""
    if tree is None or link.node < 0:
        return []
    inside = [node for node in tree.below(link.node) if tree.tags[node] in ("i", "span", "svg", "img")]
    return [name for node in (link.node, *inside[:2]) for name in tree.classes(node)]


def _numbered(here: _Here, links: Iterable[Link], tree: Tree | None) -> Iterator[Pager]:
    """Links with page numbers for anchors, by the frame in which their values follow a line."""
    pairs: dict[str, dict[int, int]] = defaultdict(dict)
    nodes: dict[str, list[int]] = defaultdict(list)
    for link in links:
        number = pagerwords.page_number(link.anchor)
        if number is not None:
            for frame, value in frames_of(link.url):
                if pairs[frame].setdefault(number, value) == value:
                    nodes[frame].append(link.node)
    said = tree.long_texts(_SAYING) if tree is not None else []
    for frame, values in pairs.items():
        line = line_of(values)
        if line is not None:
            urls = tuple(frame.replace(HOLE, str(value)) for _, value in sorted(values.items()))
            second = float(2 in values and is_second(here.page, frame, *line))
            told = Evidence(numbers=1.0 if len(values) > 1 else _ONE_NUMBER, second=second)
            evidence = _of_address(here, frame, Evidence() if _are_apart(nodes[frame], said) else told)
            yield Pager(frame, line[0], line[1], max(values), urls, None, (), evidence)


def _are_apart(nodes: Sequence[int], said: Sequence[int]) -> bool:
    """Whether texts stand between most of some numbers: those of posts, while those of pages stand together."""
    ways = Counter(bisect(said, one) != bisect(said, other) for one, other in pairwise(nodes))
    return ways[True] > ways[False]


def _ranged(here: _Here, links: Iterable[Link]) -> Iterator[Pager]:
    """Links that name the records of their pages ("11-20"): the first that goes on tells how many a page holds."""
    starts = [(start, link) for link in links if (start := pagerwords.range_start(link.anchor)) is not None]
    size = min((start for start, _ in starts if start > 1), default=1) - 1
    values: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
    for start, link in starts if size else ():
        for frame, value in frames_of(link.url):
            values[frame].setdefault(start, (value, link.url))
    for frame, all_found in values.items():
        found = {start: one for start, one in all_found.items() if one[1] != here.page.url}
        less = {start - value for start, (value, _) in found.items()}
        if less != {0} and less != {1}:
            continue  # its values are not the numbers of those records, counted from one or from zero
        last = max(found)
        urls = tuple(url for _, (_, url) in sorted(found.items()))
        told = Evidence(numbers=1.0 if len(found) > 1 else _ONE_NUMBER, second=1.0)
        yield Pager(frame, 1 - max(less), size, (last - 1) // size + 1, urls, None, (), _of_address(here, frame, told))


def _told(here: _Here, links: Iterable[Link], tree: Tree | None) -> Iterator[Pager]:
    """Links beside words that tell how many pages there are."""
    for told in toldpager.told_pages(tree, links) if tree is not None else ():
        second = told.frame.replace(HOLE, str(told.first + told.step))
        evidence = _of_address(here, told.frame, Evidence(numbers=_ONE_NUMBER, second=1.0))
        yield Pager(told.frame, told.first, told.step, told.last, told.urls, second, (), evidence)


def _worded(here: _Here, links: Iterable[Link], signed: Mapping[int, _Signs]) -> Iterator[Pager]:
    """Links that speak of a next page: the value in their address is a page, an offset or a cursor."""
    spoken = [(link, _spoken(signs)) for link in links if (signs := signed[link.node]).speaks or _is_aged(link)]
    if len(spoken) > _MOST_WORDED:
        spoken = spoken[: _MOST_WORDED // 2] + spoken[-_MOST_WORDED // 2 :]
    for link, told in spoken:
        yield from _ahead(here, link, told if signed[link.node].speaks else Evidence(next_hint=0.5))


def _is_aged(link: Link) -> bool:
    """Whether a link leads to what is older or newer."""
    return pagerwords.says_older_or_newer(link.anchor or link.title)


def _lone(here: _Here, links: Iterable[Link], signed: Mapping[int, _Signs]) -> Iterator[Pager]:
    """Short links that say nothing known, at addresses that are the page's own with one value more or changed."""
    looked_at = 0
    for link in sorted(links, key=lambda link: not link.url.startswith(here.page.url)):  # a flip adds to its page first
        signs = signed[link.node]
        if signs.speaks or signs.wordy or pagerwords.page_number(link.anchor) is not None:
            continue
        if not is_near(here.page, link.url):
            continue
        looked_at += 1
        if looked_at > _MOST_LONE:
            return
        yield from _ahead(here, link, _spoken(signs))


def _ahead(here: _Here, link: Link, told: Evidence) -> Iterator[Pager]:
    """The likeliest ways to see the address behind one link as a flip: of two items either may be the page."""
    ways: dict[int, tuple[float, str, str, Evidence]] = {}
    for frame, value in dict.fromkeys(frames_ahead(here.page, link.url)):
        evidence = _of_address(here, frame, told, value)
        weight = evidence.keeps_list - evidence.changes_number - evidence.changes_more
        slot = next(at for at, one in enumerate(take_apart(frame).slots) if HOLE in one)
        if slot not in ways or ways[slot][0] < weight:
            ways[slot] = weight, frame, value, evidence
    best = max((weight for weight, *_ in ways.values()), default=0.0)
    for weight, frame, value, evidence in ways.values():
        if weight == best:
            yield _one_way(here, link, evidence, frame, value)


def _one_way(here: _Here, link: Link, evidence: Evidence, frame: str, value: str) -> Pager:
    """The address behind a link as a flip around one of its values."""
    counted = value.isdigit() and len(value) < _LONGEST_COUNTED
    goes_on = counted and int(value) == here.number_in(frame) + 1
    line = line_of_one(2, int(value)) if counted and is_second(here.page, frame, 0, 0) else None
    first, step = (1, 1) if goes_on else line or (None, None)
    sure = 1.0 if goes_on or value == _SECOND else 0.5
    second = 0.0 if first is None else sure * (1.0 if evidence.speaks else _SILENT)
    evidence, last = replace(evidence, second=second), int(value) if goes_on else 2
    return Pager(frame, first, step, last, (link.url,), link.url, (link.anchor or link.title,), evidence)


def _spoken(signs: _Signs) -> Evidence:
    return Evidence(
        next_words=signs.next_words,
        next_hint=signs.next_hint,
        rel_next=signs.rel_next,
        previous=signs.previous,
        wordy=signs.wordy,
    )


def _of_address(here: _Here, frame: str, evidence: Evidence, value: str = "") -> Evidence:
    """The evidence with what the addresses say."""
    parts = take_apart(frame)
    page = kept_by(here.page, parts)
    home = page if here.home == here.page else kept_by(here.home, parts)
    beside = value == _SECOND and stands_beside(here.home, parts)
    named = value.isalpha() and len(value) < _SHORTEST_TOKEN  # `reply`, `sort=new`: what is named so is no page
    number = home.number if here.home != here.page else page.number
    return replace(
        evidence,
        keeps_list=float((page.list or home.list or beside) and not number and not named),
        changes_number=float(number),
        changes_more=min(1.0, min(page.others, home.others) / 2),
    )


def _joined(known: Pager, other: Pager) -> Pager:
    """One pager from two ways to see it: numbers give the arithmetic, words the way on."""
    mine, theirs = known.evidence, other.evidence
    evidence = replace(
        mine,
        next_words=max(mine.next_words, theirs.next_words),
        next_hint=max(mine.next_hint, theirs.next_hint),
        rel_next=max(mine.rel_next, theirs.rel_next),
        second=max(mine.second, theirs.second),
        previous=min(mine.previous, theirs.previous),
        wordy=min(mine.wordy, theirs.wordy),
        keeps_list=max(mine.keeps_list, theirs.keeps_list),
    )
    leads = known.next_url is None or _weight(theirs) > _weight(mine)
    urls = known.urls if mine.numbers else tuple(dict.fromkeys((*known.urls, *other.urls)))
    return replace(
        known,
        urls=urls,
        next_url=other.next_url if leads and _weight(theirs) > 0 else known.next_url,
        signs=other.signs if leads and _weight(theirs) > 0 else known.signs,
        evidence=evidence,
    )


def _weight(evidence: Evidence) -> float:
    """How much a link speaks of the next page."""
    return evidence.next_words + evidence.rel_next + evidence.next_hint - 2 * evidence.previous


def _with_lists(pagers: Iterable[Pager]) -> Iterator[Pager]:
    """The pagers with whether the page shows others of their form for other lists: those are of its rows."""
    found = list(pagers)
    forms = Counter(map(_form, found))
    for pager in found:
        several = not pager.evidence.speaks and len(pager.urls) > _MOST_SILENT
        many = several or (forms[_form(pager)] > 1 and not pager.evidence.keeps_list)
        yield replace(pager, evidence=replace(pager.evidence, many_lists=1.0)) if many else pager


def _form(pager: Pager) -> tuple[object, ...]:
    parts = take_apart(pager.frame)
    return parts.structure, tuple(HOLE in slot for slot in parts.slots)
