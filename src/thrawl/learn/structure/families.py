"""Families: links that seem to lead to pages of one kind, with the pages on which they were seen.

A link group of one page is a proposal, and so is a family of several: it says nothing of what its pages are. That is a
question for the evidence. Which groups are one family is decided in `atlas`, and none is ever dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from thrawl.learn.refine import learn_patterns
from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.groups import Candidate, head_of
from thrawl.profile.patterns import NUMBER, Pattern
from thrawl.profile.urls import FILE_ENDING, Structure, beginnings, take_apart

_MOST: Final = 0.8  # of a group's URLs: single links of another kind stray into most columns
_PATTERNED_BY: Final = 3  # URLs before their pattern is believed: two may agree by chance
_KEY_CHARS: Final = 16  # of a word without a hyphen: hashes are longer, words of any language seldom
_ANY_HEAD: Final = 6  # ways to begin: a family with so many may have any other
_NUMBER: Final = re.compile(r"\d+")
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}")  # a letter of another alphabet, not a number
_SIGNS: Final = "/?&,;:_.~-"  # at which something may be added to an address
_WORDS: Final = re.compile(r"[\W_]*[^\W\d_]\D*")
_SIGNS_ALONE: Final = re.compile(r"[\W_]+")


Shape = tuple[Structure, tuple[str, ...], str]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A page that was fetched, the number of its template, where it links to, and its texts: are they links?"""

    sampled: Sampled
    template: int
    links: frozenset[str]
    texts: Mapping[str, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A group of a family's links as it stood on one page."""

    seen: Seen
    candidate: Candidate

    @property
    def in_rows(self) -> bool:
        """Whether the links stand in repeated records, so that they may be the titles of rows."""
        return self.candidate.region >= 0 and len(self.candidate.urls) > 1

    @property
    def row_count(self) -> int:
        """How many records the links stand in, or beside."""
        region = self.candidate.region
        return len(self.seen.sampled.page.regions[region].records) if region >= 0 else 0

    def first_nodes(self) -> dict[int, int]:
        """The first link in each row of its region, by the row's number."""
        return self.candidate.first_nodes(self.seen.sampled.page)


@dataclass(eq=False)
class Family:
    """URLs that seem to be of one kind, with their anchors, and where they were seen."""

    sightings: list[Sighting] = field(default_factory=list)
    urls: dict[str, str] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    _places: set[tuple[object, ...]] = field(default_factory=set)
    _patterns: tuple[Pattern, ...] | None = None
    _shapes: set[Shape] | None = None
    _numbering: set[bool] | None = None

    def add(self, seen: Seen, candidate: Candidate) -> Sighting:
        sighting = Sighting(seen, candidate)
        self.add_sighting(sighting)
        return sighting

    def add_sighting(self, sighting: Sighting) -> None:
        candidate = sighting.candidate
        for link in candidate.links:
            if len(link.anchor) > len(self.urls.get(link.url, "")):
                self.urls[link.url] = link.anchor
            self.urls.setdefault(link.url, link.anchor)
        self.heads |= candidate.heads
        self.sightings.append(sighting)
        self._places.add(place_of(sighting.seen, candidate))
        self._patterns = self._shapes = self._numbering = None

    def holding(self, urls: dict[str, str]) -> Family:
        """The family with these URLs alone."""
        return Family(self.sightings, urls, self.heads, self._places)

    def joined_by(self, other: Family) -> Family:
        """The family with what was seen of another."""
        joined = Family(urls={**other.urls, **self.urls})
        for sighting in (*self.sightings, *other.sightings):
            joined.add_sighting(sighting)
        return joined

    def is_one_with(self, other: Family) -> bool:
        """Whether two families are one: most URLs of the smaller are the larger's, or have its form."""
        smaller, larger = sorted((self, other), key=lambda one: len(one.urls))
        return sum(map(larger.fits, smaller.urls)) >= _MOST * len(smaller.urls)

    def joins(self, candidate: Candidate, place: tuple[object, ...]) -> bool:
        """Whether a group of a page, which stands at a place, is of this family."""
        if place in self._places:
            return True
        heads, shared = candidate.heads, len(self.urls.keys() & candidate.urls)
        if shared > (_MOST if len(heads) > 1 else 0.5) * len(candidate.urls):
            return True
        begins_alike = heads <= self.heads or len(self.heads) >= _ANY_HEAD
        if len(self.urls) < _PATTERNED_BY or not begins_alike:
            return False
        if self._numbering is None:
            self._numbering = _numbered(self.urls)
        if _numbered(candidate.urls).isdisjoint(self._numbering):
            return False  # the ones have a number, the others have none
        patterns = [one for one in self.patterns if is_telling(one) or self._stands_like(candidate)]
        fitting = sum(any(one.match(url) is not None for one in patterns) for url in candidate.urls)
        return bool(patterns) and fitting >= _MOST * len(candidate.urls)

    def _stands_like(self, candidate: Candidate) -> bool:
        """Whether the links of a group stand where this family's do, in rows or not: words in a URL tell little."""
        return any(
            one.candidate.place.path[-2:] == candidate.place.path[-2:]
            and (one.candidate.region >= 0) == (candidate.region >= 0)
            for one in self.sightings
        )

    def stands_like(self, other: Family) -> bool:
        """Whether links of both stand in rows at one place of pages made alike, whatever their URLs begin with."""
        mine, theirs = (
            {place_of(at.seen, at.candidate)[:5] for at in one.sightings if at.in_rows} for one in (self, other)
        )
        return not mine.isdisjoint(theirs)

    @property
    def shapes(self) -> set[Shape]:
        """The structures of its URLs, where numbers stand in what varies, and the words of the query.

        Folders may be those of boards; `x=thread` and `x=user` are a program's words.
        """
        if self._shapes is None:
            self._shapes = {
                (parts.structure, tuple(map(_number_frame, parts.slots)), head_of(parts.url).partition("?")[2])
                for parts in map(take_apart, self.urls)
            }
        return self._shapes

    @property
    def forms(self) -> set[tuple[Structure, str]]:
        """The structures of its URLs, where they stand (a root tells nothing), and where numbers are in their names."""
        found = set()
        for url in self.urls:
            parts = take_apart(url)
            folder, _, _ = head_of(url).rpartition("/")
            path = [slot for slot in parts.slots[: parts.structure.segments] if slot]
            if parts.structure.names:
                found.add((parts.structure, head_of(url)))
            elif folder:
                found.add((parts.structure, f"{folder}/{_number_frame(path[-1])}"))
        return found

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        if self._patterns is None:
            self._patterns = learn_patterns(self.urls)
        return self._patterns

    def fits(self, url: str) -> bool:
        return url in self.urls or any(pattern.match(url) is not None for pattern in self.patterns if pattern.holes)

    def is_part_of(self, other: Family) -> bool:
        """Whether all of its URLs have a form of another's."""
        return all(map(other.fits, self.urls))

    def lengthens(self, other: Family) -> bool:
        """Whether most of its URLs are of another family's form and something more, also before a file's ending."""
        return 2 * sum(any(map(other.fits, _shorter(url))) for url in self.urls) > len(self.urls)

    def tells_of(self, other: Family) -> bool:
        """Whether all URLs of another family have a form of this one that hardly any fits by chance."""
        telling = [one for one in self.patterns if is_telling(one)]
        return all(any(one.match(url) is not None for one in telling) for url in other.urls)


def _shorter(url: str) -> Iterator[str]:
    ending = FILE_ENDING.search(url)
    for beginning in beginnings(url, _SIGNS):
        yield beginning
        if ending and len(beginning) < ending.start():
            yield beginning + ending[0]


def _number_frame(name: str) -> str:
    """Where numbers and words stand in a name: `list-2-3.html` is `a0-0.`, `list-2-last.html` is `a0a.`."""
    plain = FILE_ENDING.sub("", name)
    return _SIGNS_ALONE.sub("-", _WORDS.sub("a", _NUMBER.sub("0", _ESCAPE.sub("a", plain)))) + "." * (plain != name)


def _numbered(urls: Iterable[str]) -> set[bool]:
    """Whether there are URLs with a number behind their host, and others without."""
    return {_NUMBER.search(_ESCAPE.sub("a", url), url.find("/", len("https://"))) is not None for url in urls}


def is_telling(pattern: Pattern) -> bool:
    """Whether URLs hardly fit a pattern by chance: it has a number."""
    return any(hole.kind == NUMBER for hole in pattern.holes)


def place_of(seen: Seen, candidate: Candidate) -> tuple[object, ...]:
    """Where a group stands: the same place of pages that are made alike, with URLs of one form, means the same."""
    first = take_apart(candidate.urls[0])
    frames = tuple(map(_frame, first.slots))
    place = candidate.place
    head = _head_seen_from(candidate, seen.sampled.url)
    return seen.template, candidate.region < 0, candidate.tags, place.kind, place.ordinal, first.structure, frames, head


def _head_seen_from(candidate: Candidate, page_url: str) -> tuple[str, ...]:
    """How the URLs of a group begin, left open where they differ or repeat the page's own address.

    A board's name in them is the page's, not a word of the program.
    """
    here = _steps(head_of(page_url))
    own = take_apart(page_url).slots
    columns = zip_longest(*map(_steps, candidate.heads), fillvalue="")
    common = [steps[0] if len(set(steps)) == 1 else "" for steps in columns]
    return tuple(
        "" if at > 0 and (here[at : at + 1] == [step] or step in own) else step for at, step in enumerate(common)
    )


def _steps(head: str) -> list[str]:
    """The folders, the file and the words of the query with which URLs begin."""
    path, _, words = head.partition("?")
    return [*path.split("/"), *words.split("&")]


def _frame(slot: str) -> str:
    """What URLs of one kind have in common at a slot: whether it begins or ends with a number, or has none."""
    if not slot:
        return ""
    if len(slot) >= _KEY_CHARS and slot.isalnum():
        return "key"  # letters and digits in any order
    return ("0" if slot[0].isdigit() else "a") + ("0" if slot[-1].isdigit() else "a")


def turns_pages(family: Family) -> bool:
    """Whether links differ from the pages that they stand on in one of several numbers, as flips do."""
    return any(_turns(one.seen.sampled.url, url) for one in family.sightings for url in one.candidate.urls)


def _turns(page_url: str, url: str) -> bool:
    own, other = (_NUMBER.findall("/".join(one.split("/")[3:])) for one in (page_url, url))
    if len(own) < 2 or len(own) != len(other) or _NUMBER.sub("0", page_url) != _NUMBER.sub("0", url):
        return False
    return [one == another for one, another in zip(own, other, strict=True)].count(False) == 1
