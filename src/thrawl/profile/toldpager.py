"""Pagers without page numbers to click: "Page 1 of 3" in words, and beside it arrows that are pictures, and "Last".

The links of such a pager say nothing that can be read in every language. But the words beside them name two numbers,
the page shown and the number of pages; and the links lead to the second and to the last page of just that many. Read
on first pages only: there the lowest value is that of page 2.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from thrawl.page.links import Link
from thrawl.page.tree import Tree
from thrawl.profile.pagerframes import frames_of, line_of_one

_NUMBER: Final = re.compile(r"(?<![A-Za-z\d])\d+(?![A-Za-z\d])")
_LONGEST_ANCHOR: Final = 24  # characters; more are a title
_LONGEST_TEXT: Final = 80  # characters of a whole pager
_MOST_ROWS: Final = 200  # records of a page; an offset beyond is the number of something else
_MOST_NODES: Final = 400  # of an element that tells the pages; one with more says more than so many characters
_HIGHEST: Final = 3  # levels from a link up to the element that tells the pages


@dataclass(frozen=True, slots=True)
class Told:
    """Flips of one frame whose last page is the number of pages that words beside them tell."""

    frame: str
    first: int
    step: int
    last: int
    urls: tuple[str, ...]


def told_pages(tree: Tree, links: Iterable[Link]) -> Iterator[Told]:
    """The flips of a list's first page that stand beside the number of its pages."""
    counted: dict[str, dict[str, int]] = defaultdict(dict)
    totals: dict[str, int] = {}
    for link in links:
        if link.node >= 0 and len(link.anchor) <= _LONGEST_ANCHOR and (total := _pages_told(tree, link)):
            for frame, value in frames_of(link.url):
                counted[frame][link.url] = value
                totals[frame] = total
    for frame, values in counted.items():
        yield from _told(frame, values, totals[frame])


def _pages_told(tree: Tree, link: Link) -> int | None:
    """The number of pages that the words around a link on page 1 tell; None where they tell nothing like that."""
    node = link.node
    for _ in range(_HIGHEST):
        node = tree.parents[node]
        if tree.ends[node] - node > _MOST_NODES:
            return None
        text = tree.text(node) if node >= 0 else ""
        numbers = [int(number) for number in _NUMBER.findall(text[: _LONGEST_TEXT + 1])]
        if numbers or len(text) > _LONGEST_TEXT:
            told = len(text) <= _LONGEST_TEXT and len(numbers) == 2 and numbers[0] == 1 < numbers[1]
            return numbers[1] if told else None
    return None


def _told(frame: str, values: dict[str, int], total: int) -> Iterator[Told]:
    second, last = min(values.values()), max(values.values())
    line = line_of_one(2, second)
    if line is None:
        return
    first, step = line
    agrees = last == first + step * (total - 1) or (last == second and step == 1)
    if agrees and step <= _MOST_ROWS:
        pages = {(value - first) // step + 1: url for url, value in values.items()}
        yield Told(frame, first, step, max(pages), tuple(url for _, url in sorted(pages.items())))
