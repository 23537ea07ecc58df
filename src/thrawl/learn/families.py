"""Families: sets of URLs of one site that lead to pages of one type, collected while learning.

A family starts as a link group whose destinations were voted on; whatever fits its patterns later joins
without a vote. In the end each family gives the patterns of one URL type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from thrawl.learn.groups import Candidate, PageType
from thrawl.learn.refine import learn_patterns
from thrawl.page.links import Place
from thrawl.profile.patterns import NUMBER, Pattern
from thrawl.profile.urls import take_apart

_EXPLAINED: Final = 0.8
_KEY_SAMPLE: Final = 12


@dataclass
class Family:
    """URLs (with their anchors) that lead to pages of one type, and how sure the votes were.

    `places`: where they stood, on which kind of page. `shortcut`: they redirect. `ids`: for URLs that were reached by a
    shortcut, the number that the shortcut named.
    """

    type: PageType
    urls: dict[str, str] = field(default_factory=dict)
    confidences: list[float] = field(default_factory=list)
    places: set[tuple[Place, str]] = field(default_factory=set)
    shortcut: bool = False
    ids: dict[str, str] = field(default_factory=dict)
    _patterns: tuple[Pattern, ...] | None = None

    def add(self, candidate: Candidate) -> None:
        for url, anchor in zip(candidate.urls, candidate.anchors, strict=True):
            self.urls.setdefault(url, anchor)
        self.places.add((candidate.place, candidate.page))
        self._patterns = None

    def joins(self, candidate: Candidate) -> bool:
        """Whether a group is of this family without a vote: by form, or by place where only numbers differ."""
        if self.explains(candidate.urls):
            return True
        seen = (candidate.place, candidate.page) in self.places
        loose = [pattern.loosened() for pattern in self.patterns] if seen else []
        fitting = sum(any(pattern.match(url) is not None for pattern in loose) for url in candidate.urls)
        return bool(loose) and fitting >= _EXPLAINED * len(candidate.urls)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        if self._patterns is None:
            self._patterns = learn_patterns(self.urls, boards=self.type == "index")
        return self._patterns

    @property
    def confidence(self) -> float:
        return sum(self.confidences) / len(self.confidences) if self.confidences else 0.0

    def explains(self, urls: Sequence[str]) -> bool:
        """Whether most of these URLs are of this family, by their form."""
        return sum(map(self.fits, urls)) >= _EXPLAINED * len(urls)

    def extends(self, other: Family) -> bool:
        """Whether these are URLs of another family with something added to their query: "newest post", "print"."""
        if other is self:
            return False
        shorter = [url for url in map(_shorter, self.urls) if any(map(other.fits, url))]
        return len(shorter) >= _EXPLAINED * len(self.urls)

    def fits(self, url: str) -> bool:
        return any(pattern.match(url) is not None for pattern in self.patterns)

    def generalises(self) -> bool:
        """Whether the family is more than single addresses: some pattern of it has a hole."""
        return any(pattern.holes for pattern in self.patterns)


def _shorter(url: str) -> list[str]:
    """A URL without one or another item of its query."""
    parts = take_apart(url)
    return [parts.without_item(name).url for name in parts.structure.names if name is not None]


def identifying_holes(pattern: Pattern, family: Family) -> tuple[str, ...]:
    """The holes that tell one list from another: a number that no two titles share; else all of the URL.

    The rest of the URL (a slug, the list page that the link stood on) may vary for one and the same thread.
    """
    fitting = {url: values for url in family.urls if (values := pattern.match(url)) is not None}
    for hole in pattern.holes:
        if family.ids and all(family.ids.get(url) == values[hole.name] for url, values in fitting.items()):
            return (hole.name,)
    matched = [(values, family.urls[url]) for url, values in fitting.items()]
    if len(matched) < _KEY_SAMPLE:
        return ()
    for hole in pattern.holes:
        if hole.kind != NUMBER:
            continue
        titles: dict[str, set[str]] = {}
        for values, anchor in matched:
            titles.setdefault(values[hole.name], set()).add(anchor)
        distinct_titles = len(Counter(anchor for _, anchor in matched))
        if all(len(found) == 1 for found in titles.values()) and len(titles) >= distinct_titles:
            return (hole.name,)
    return ()


def numbers_clash(one: Pattern, other: Pattern, key: tuple[str, ...], families: Sequence[Family]) -> bool:
    """Whether a number that tells lists apart within two patterns stands for different lists in each of them.

    Archives count the threads of each board from 1 on; a thread that two addresses lead to has one title.
    """
    mine, theirs = (_titles(pattern, key, family) for pattern, family in zip((one, other), families, strict=True))
    shared = mine.keys() & theirs.keys()
    return sum(mine[number] != theirs[number] for number in shared) * 2 > len(shared)


def _titles(pattern: Pattern, key: tuple[str, ...], family: Family) -> dict[tuple[str, ...], str]:
    matched = ((pattern.match(url), anchor) for url, anchor in family.urls.items())
    return {
        tuple(values[name] for name in key): anchor
        for values, anchor in matched
        if values is not None and all(name in values for name in key)
    }


def patterns_of(families: Iterable[Family], negatives: Iterable[str]) -> list[tuple[Pattern, Family]]:
    """The final patterns of some families of one type, each once, refined against URLs of other types."""
    wrong = list(negatives)
    found: dict[str, tuple[Pattern, Family]] = {}
    for family in families:
        for pattern in learn_patterns(family.urls, wrong, boards=family.type == "index"):
            found.setdefault(str(pattern), (pattern, family))
    return list(found.values())
