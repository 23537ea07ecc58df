"""Lists rebuilt from pages and their flips (algorithm 1 of the list-wise paper).

Two pages of one type belong to one list when either links to the other as a page flip. The paper compares a new page
with every page of its type; here the pages that wait for a link are looked up, and joined with union-find, so a page
costs what its own flips cost. Records keep their times; a record that several pages show (rows move while a crawl
runs) is kept once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

PageKey = TypeVar("PageKey", bound=Hashable)


class ListType(Enum):
    INDEX = "index"
    POST = "post"


@dataclass(frozen=True, slots=True)
class Record:
    """A thread of an index list or a post of a post list, with the time of its creation where it is shown."""

    id: str
    time: float | None


@dataclass(frozen=True, slots=True)
class ListPage(Generic[PageKey]):
    """A fetched page: its type, where its flips lead, its records in shown order."""

    key: PageKey
    type: ListType
    flips: tuple[PageKey, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class RebuiltList(Generic[PageKey]):
    """All pages of one board or thread, in order; records by time, newest first for index lists."""

    type: ListType
    pages: tuple[PageKey, ...]
    records: tuple[Record, ...]


@dataclass(slots=True)
class ListBuilder(Generic[PageKey]):
    """Takes pages in any order; adding a page again replaces what it showed."""

    _pages: dict[PageKey, ListPage[PageKey]] = field(default_factory=dict)
    _parents: dict[PageKey, PageKey] = field(default_factory=dict)
    _awaited: dict[PageKey, set[PageKey]] = field(default_factory=lambda: defaultdict(set))

    def add(self, page: ListPage[PageKey]) -> None:
        self._pages[page.key] = page
        self._parents.setdefault(page.key, page.key)
        for flip in page.flips:
            self._awaited[flip].add(page.key)
            self._join(page.key, flip)
        for linking in self._awaited.get(page.key, ()):
            self._join(page.key, linking)

    def lists(self) -> list[RebuiltList[PageKey]]:
        groups: dict[PageKey, list[ListPage[PageKey]]] = defaultdict(list)
        for page in self._pages.values():
            groups[self._root(page.key)].append(page)
        return [_rebuild(pages) for pages in groups.values()]

    def _join(self, one: PageKey, other: PageKey) -> None:
        """Only pages that were both fetched and are of one type: a pager never leads from a board into a thread."""
        if other in self._pages and self._pages[one].type is self._pages[other].type:
            self._parents[self._root(one)] = self._root(other)

    def _root(self, key: PageKey) -> PageKey:
        while self._parents[key] != key:
            self._parents[key] = self._parents[self._parents[key]]
            key = self._parents[key]
        return key


def _rebuild(pages: list[ListPage[PageKey]]) -> RebuiltList[PageKey]:
    newest_first = pages[0].type is ListType.INDEX
    ordered = sorted(pages, key=_middle_time, reverse=newest_first)
    records = {record.id: record for page in ordered for record in page.records}
    timed = sorted(
        (record for record in records.values() if record.time is not None),
        key=lambda record: record.time or 0.0,
        reverse=newest_first,
    )
    untimed = [record for record in records.values() if record.time is None]
    return RebuiltList(pages[0].type, tuple(page.key for page in ordered), (*timed, *untimed))


def _middle_time(page: ListPage[PageKey]) -> float:
    """When the page's records are from: their median, since a sticky or an edited post stands out of order."""
    times = sorted(record.time for record in page.records if record.time is not None)
    return times[len(times) // 2] if times else float("-inf")
