"""Pagers without page numbers to click: "Page 1 of 3" in words, and beside it arrows that are pictures, and "Last".

The links of such a pager say nothing that can be read in every language. But the words beside them name two numbers,
the page shown and the number of pages; and the links lead to the second and to the last page of just that many. Read
on first pages only: there the lowest value is that of page 2.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from thrawl.page.links import Link
from thrawl.page.reading import Page
from thrawl.profile.pager import HOLE, Pager, belongs, frames_of, line_of_one
from thrawl.profile.urls import take_apart

_NUMBER: Final = re.compile(r"(?<![A-Za-z\d])\d+(?![A-Za-z\d])")
_LONGEST_ANCHOR: Final = 24  # characters; more are a title
_LONGEST_TEXT: Final = 80  # characters of a whole pager
_MOST_ROWS: Final = 200  # records of a page; an offset beyond is the number of something else
_HIGHEST: Final = 3  # levels from a link up to the element that tells the pages


def told_pagers(page: Page) -> tuple[Pager, ...]:
    """The pagers of a list's first page that tell the number of its pages beside their links."""
    counted: dict[str, dict[str, int]] = defaultdict(dict)
    totals: dict[str, int] = {}
    for link in page.links:
        if len(link.anchor) <= _LONGEST_ANCHOR and link.url != page.url and (total := _pages_told(page, link)):
            for frame, value in frames_of(link.url):
                counted[frame][link.url] = value
                totals[frame] = total
    return tuple(_pagers(page.url, counted, totals))


def _pages_told(page: Page, link: Link) -> int | None:
    """The number of pages that the words around a link on page 1 tell; None where they tell nothing like that."""
    node = link.node
    for _ in range(_HIGHEST):
        node = page.tree.parents[node]
        text = page.tree.text(node) if node >= 0 else ""
        numbers = [int(number) for number in _NUMBER.findall(text[: _LONGEST_TEXT + 1])]
        if numbers or len(text) > _LONGEST_TEXT:
            told = len(text) <= _LONGEST_TEXT and len(numbers) == 2 and numbers[0] == 1 < numbers[1]
            return numbers[1] if told else None
    return None


def _pagers(url: str, counted: dict[str, dict[str, int]], totals: dict[str, int]) -> Iterator[Pager]:
    here = take_apart(url)
    for frame, values in counted.items():
        second, last = min(values.values()), max(values.values())
        line = line_of_one(2, second)
        if line is None or not belongs(here, take_apart(frame)):
            continue
        first, step = line
        told = last == first + step * (totals[frame] - 1) or (last == second and step == 1)
        if told and step <= _MOST_ROWS:
            pages = {(value - first) // step + 1: one for one, value in values.items()}
            urls = tuple(one for _, one in sorted(pages.items()))
            yield Pager(frame, first, step, max(pages), urls, frame.replace(HOLE, str(second)))
