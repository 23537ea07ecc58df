"""The rows of an index page, while it is not known yet what its records are: what they count and what they hold.

The numbers in a row (replies, threads, views) tell how long a list is. Which column counts what is not known, so all
of them are taken. A row that shows nothing but zeros leads to an empty list, and an empty list looks like no list.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from thrawl.learn.groups import Candidate
from thrawl.page.reading import Page
from thrawl.page.records import Record

_INTEGER: Final = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:[,.\s]\d{3})+(?![\w.,:/-])|(?<![\w.,:/-])\d{1,7}(?![\w.,:/-])")
_FEWEST_VOTERS: Final = 2

Span = tuple[int, int]


def numbers_in_rows(page: Page, candidate: Candidate) -> dict[str, list[int]]:
    """The numbers in the row of each URL of a group, in the order in which the row shows them."""
    if candidate.region < 0:
        return {}
    found: dict[str, list[int]] = {}
    wanted = set(candidate.urls)
    links = {link.node: link.url for link in page.links}
    for record in page.regions[candidate.region].records:
        inside = {links[node] for node in range(record.start, record.end) if node in links}
        for url in inside & wanted:
            found.setdefault(url, _numbers(page, record.start, record.end))
    return found


def not_empty(page: Page, candidate: Candidate) -> tuple[str, ...]:
    """The URLs of a group without those whose rows count nothing but zeros; all of them where too few are left."""
    counted: dict[str, list[int]] = {}
    for url, row in rows_around(page, candidate):
        counted.setdefault(url, []).extend(_numbers(page, *row))
    kept = tuple(url for url in candidate.urls if not counted.get(url) or any(counted[url]))
    return kept if len(kept) >= _FEWEST_VOTERS else candidate.urls


def regions_in_rows(page: Page, candidate: Candidate) -> set[int]:
    """The regions whose records stand in rows of this group, one in each: a column of the same list."""
    rows = sorted({row for _, row in rows_around(page, candidate)})
    found = set()
    for number, region in enumerate(page.regions):
        homes = {row for one in region.records if (row := _row_of(rows, one)) is not None}
        if len(homes) == len(region.records):
            found.add(number)
    return found


def _row_of(rows: Sequence[Span], record: Record) -> Span | None:
    at = bisect_right(rows, record.start, key=itemgetter(0)) - 1
    return rows[at] if at >= 0 and record.end <= rows[at][1] else None


def rows_around(page: Page, candidate: Candidate) -> Iterator[tuple[str, Span]]:
    """The row of each link of a group: all around it that no other link of the group shares.

    Boards without threads show no time, so that the records of a page with several of them may be parts of rows.
    """
    wanted = set(candidate.urls)
    links = [link for link in page.links if link.url in wanted]
    runs = [(url, [link.node for link in run]) for url, run in groupby(links, key=attrgetter("url"))]
    for at, (url, nodes) in enumerate(runs if len(wanted) > 1 else ()):
        before = runs[at - 1][1][-1] if at else -1
        after = runs[at + 1][1][0] if at + 1 < len(runs) else len(page.tree)
        yield from ((url, _between(page, node, before, after)) for node in nodes)


def _between(page: Page, node: int, before: int, after: int) -> Span:
    """The largest element around a node that holds none of two others."""
    tree = page.tree
    while tree.parents[node] > before and tree.ends[tree.parents[node]] <= after:
        node = tree.parents[node]
    return node, tree.ends[node]


def _numbers(page: Page, start: int, end: int) -> list[int]:
    # Run by run: a count often stands in a bubble of its own, right behind a name.
    text = "  ".join(filter(None, page.tree.texts[start:end]))
    return [int(re.sub(r"\D", "", number)) for number in _INTEGER.findall(text)]
