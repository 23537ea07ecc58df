"""Links that stand on the fullest pages alone: lists and threads may go on with them, though they say nothing known.

A button stands on every page, the way to a second page only where the first is full. So what a few short pages lack and
the fullest have is worth a request, in any language and with any address (`probing` asks for it). Where no list flips,
so is what most lists have: each may show its newest threads, and link to the list of all.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from thrawl.crawl.values import Role

_VALUE: Final = re.compile(r"(?<==)[^&;#]*|\d+")
_SHORT: Final = 3  # shorter pages without a link, from which on it is no button
_KEPT: Final = 24  # pages of a role that are remembered, the fullest half and the shortest
_TRIED: Final = 2  # sorts of links that are worth a request: what leads on, and a hidden one that leads nowhere
_EACH: Final = 4  # links of a sort; learning may have asked for some


@dataclass(frozen=True, slots=True)
class Ahead:
    """A link that may show more of a list or a thread; of one `sort`, one that was not asked for yet tells of all."""

    role: Role
    list_url: str
    url: str
    sort: str = ""


@dataclass(frozen=True, slots=True)
class _Looked:
    """A page; `sorts` are its links, by what they have that the page's own address has not."""

    size: int
    list_url: str
    sorts: Mapping[str, str]


@dataclass(slots=True)
class GoingOn:
    """What was seen on the first pages of lists and threads that lead nowhere by what is known."""

    _looked: dict[Role, list[_Looked]] = field(default_factory=lambda: defaultdict(list))
    lists_flip: bool = False

    def add(self, role: Role, url: str, list_url: str, size: int, beyond: tuple[str, ...]) -> None:
        pages = self._looked[role]
        pages.append(_Looked(size, list_url, {added(url, link): link for link in beyond}))
        pages.sort(key=lambda one: -one.size)
        del pages[_KEPT // 2 : -(_KEPT // 2)]

    def ahead(self) -> list[Ahead]:
        """What may lead on, at most two sorts of links of each role, those of the fullest pages first."""
        found = [one for role, pages in self._looked.items() for one in _on_full_pages(role, pages)]
        return found if self.lists_flip else [*found, *_on_most_lists(self._looked[Role.INDEX])]


def added(own: str, url: str) -> str:
    """What an address has that another one has not; values do not count."""
    before = _alike(own, url)
    after = _alike(own[before:][::-1], url[before:][::-1])
    return _VALUE.sub("", url[before : len(url) - after])


def _alike(one: str, other: str) -> int:
    """With how many same characters two texts begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _on_full_pages(role: Role, fullest: Sequence[_Looked]) -> Iterator[Ahead]:
    """What may lead on from pages of one role, which come with the fullest first."""
    found = 0
    for sort in dict.fromkeys(sort for one in fullest for sort in one.sorts):
        shown = [one for one in fullest if sort in one.sorts]
        without = [one.size for one in fullest if sort not in one.sorts]
        least = min(one.size for one in shown)
        if found < _TRIED and max(without, default=0) <= least and sum(size < least for size in without) >= _SHORT:
            found += 1
            yield from (Ahead(role, one.list_url, one.sorts[sort], sort) for one in shown[:_EACH])


def _on_most_lists(fullest: Sequence[_Looked]) -> Iterator[Ahead]:
    """What stands on most lists, on the fullest of them: there it shows more if it does anywhere. One may just fit."""
    sorts = fullest[0].sorts if len(fullest) >= _SHORT else ()
    common = next((sort for sort in sorts if 2 * sum(sort in one.sorts for one in fullest) > len(fullest)), "")
    for one in [one for one in fullest if common in one.sorts][:_TRIED]:
        yield Ahead(Role.INDEX, one.list_url, one.sorts[common], one.sorts[common])
