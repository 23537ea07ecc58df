"""The link groups of a page that may be lists of boards or threads, and the vote on where they lead.

FoCUS' algorithm 1: the group with the longest total anchor text is the candidate, and the majority of
classified destination pages gives its type. A group whose members have several structures is taken apart
first: a page can show boards and threads in one column.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from thrawl.learn.sampler import Sampled, Sampler, same_site
from thrawl.page.links import LinkGroup, Place
from thrawl.page.reading import Page
from thrawl.profile.urls import Structure, take_apart

PageType = Literal["index", "thread", "other"]

_MOST_VOTES: Final = 5
_SURE: Final = 0.75
_NUMBER: Final = re.compile(r"\d[\d,. ]*\Z")
_DIGITS: Final = re.compile(r"\d+")
_NUMBERS: Final = re.compile(r"[\d\-_.,]+")
_STEM: Final = re.compile(r"[A-Za-z]{1,12}[-_.,]?(?=\d)")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Links of one page at one place and of one structure: distinct URLs with their anchors, in page order.

    `page` is the head of the page's own address: the same place means the same thing only on pages of one kind.
    """

    urls: tuple[str, ...]
    anchors: tuple[str, ...]
    place: Place
    structure: Structure
    region: int
    page: str = ""

    @property
    def anchor_chars(self) -> int:
        return sum(map(len, self.anchors))

    @property
    def heads(self) -> frozenset[str]:
        """The folders (or the programs) of these URLs, numbers blanked out: links of one family mostly share one."""
        return frozenset(map(head_of, self.urls))

    def merged(self, other: Candidate) -> Candidate:
        anchors = dict(zip(other.urls, other.anchors, strict=True)) | dict(zip(self.urls, self.anchors, strict=True))
        return replace(self, urls=tuple(anchors), anchors=tuple(anchors.values()))


def candidates(page: Page) -> tuple[Candidate, ...]:
    """The groups of a page that may lead to boards or threads, longest total anchor text first.

    Groups that differ only in the classes on their path (odd and even rows, stickies) are one.
    """
    found: dict[tuple[object, ...], list[Candidate]] = defaultdict(list)
    for group in page.groups:
        if group.is_pager or sum(bool(link.fragment) for link in group.links) * 2 > len(group.links):
            continue
        for candidate in _by_structure(group, page.url):
            tags = tuple(label.partition(".")[0] for label in group.place.path)
            alike = found[group.region, tags, group.place.kind, group.place.ordinal, candidate.structure]
            merge_into(alike, candidate)
    return tuple(sorted((one for alike in found.values() for one in alike), key=lambda one: -one.anchor_chars))


def merge_into(alike: list[Candidate], candidate: Candidate) -> None:
    """Join a candidate with the first one whose URLs begin as its own do, else add it."""
    for number, one in enumerate(alike):
        if one.heads & candidate.heads:
            alike[number] = one.merged(candidate)
            return
    alike.append(candidate)


@lru_cache(maxsize=8192)
def head_of(url: str) -> str:
    """The folder of a URL, or its program where it has a query, numbers blanked out.

    A last segment counts as far as it is no title: `topic-12.html` gives `topic-`, `2-590-0-17` gives `0-0-0-0`.
    """
    parts = take_apart(url)
    segments = [slot for slot in parts.slots[: parts.structure.segments] if slot]
    if not parts.structure.names and segments:
        stem = _STEM.match(segments[-1]) or _NUMBERS.fullmatch(segments[-1])
        segments[-1:] = [stem[0]] if stem else []
    return _DIGITS.sub("0", "/".join(segments))


def _by_structure(group: LinkGroup, page_url: str) -> Iterator[Candidate]:
    split: dict[Structure, dict[str, str]] = defaultdict(dict)
    for link in group.links:
        if same_site(link.url, page_url) and link.url != page_url and not _NUMBER.match(link.anchor):
            known = split[take_apart(link.url).structure]
            if len(link.anchor) > len(known.get(link.url, "")):
                known[link.url] = link.anchor
    for structure, members in split.items():
        if members:
            urls, anchors = tuple(members), tuple(members.values())
            yield Candidate(urls, anchors, group.place, structure, group.region, head_of(page_url))


def spread(urls: Sequence[str], number: int) -> list[str]:
    """A few of many, evenly over the whole: neighbours on a page tend to be alike."""
    if len(urls) <= number:
        return list(urls)
    return [urls[round(at * (len(urls) - 1) / max(1, number - 1))] for at in range(number)]


@dataclass(frozen=True, slots=True)
class Vote:
    """The majority type of a group's destinations, how sure it is, and the pages that voted.

    `shortcut`: every URL that was asked led to a page with another address.
    """

    type: PageType
    confidence: float
    pages: tuple[Sampled, ...]
    shortcut: bool


async def vote(sampler: Sampler, urls: Sequence[str]) -> Vote | None:
    """The type of the pages behind a group of URLs: two that agree are enough, five at most are asked.

    Pages that were fetched before vote first: they cost nothing. None where no destination can be read.
    """
    known = [url for url in urls if sampler.asked(url)]
    order = known[:_MOST_VOTES] + [url for url in spread(urls, _MOST_VOTES) if url not in known]
    order = sorted(order[:_MOST_VOTES], key=lambda url: not sampler.asked(url))
    pages: list[Sampled] = []
    shortcut = True
    for url in order:
        sampled = await sampler.get(url)
        if sampled is not None:
            pages.append(sampled)
            shortcut = shortcut and sampled.url != sampler.clean(url)
            result = _count(sampler, pages, shortcut)
            if len(pages) >= 2 and result.confidence >= _SURE:
                return result
    return _count(sampler, pages, shortcut) if pages else None


def _count(sampler: Sampler, pages: Sequence[Sampled], shortcut: bool) -> Vote:
    verdict = sampler.classify([one.page for one in pages])
    return Vote(verdict.type, verdict.confidence, tuple(pages), shortcut)
