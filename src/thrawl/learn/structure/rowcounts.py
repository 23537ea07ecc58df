"""The numbers in the rows of an index page, while it is not known yet which column counts what.

They tell how long a list is: the longest threads are those that flip, and a row that counts nothing but zeros leads to
an empty list, which looks like no list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from thrawl.learn.structure.families import Sighting
from thrawl.page.reading import Page

_INTEGER: Final = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:[,.\s]\d{3})+(?![\w.,:/-])|(?<![\w.,:/-])\d{1,7}(?![\w.,:/-])")
_COLUMNS: Final = 4  # from the right: what stands before them are numbers in titles


def longest(sightings: Iterable[Sighting], number: int) -> list[str]:
    """The lists whose rows show the largest numbers, looking at each column of numbers from the right by itself."""
    rows: dict[str, list[int]] = {}
    for sighting in sightings:
        for url, numbers in counts_of(sighting).items():
            if numbers:
                rows.setdefault(url, numbers[-_COLUMNS:])
    found: dict[str, None] = {}
    for column in range(1, _COLUMNS + 1):
        counted = [url for url, numbers in rows.items() if len(numbers) >= column]
        found.update(dict.fromkeys(sorted(counted, key=lambda url: -rows[url][-column])[:number]))
    return list(found)


def is_empty(numbers: list[int]) -> bool:
    """Whether a row counts nothing but zeros."""
    return bool(numbers) and not any(numbers)


def counts_of(sighting: Sighting) -> dict[str, list[int]]:
    """The numbers in the row of each URL of a sighting, in the order in which the row shows them."""
    candidate, page = sighting.candidate, sighting.seen.sampled.page
    rows = candidate.rows(page)
    records = page.regions[candidate.region].records if rows else ()
    shown = {at: _numbers(page, records[at].start, records[at].end) for at in set(rows.values())}
    return {link.url: shown[rows[link.node]] for link in candidate.links if link.node in rows}


def _numbers(page: Page, start: int, end: int) -> list[int]:
    # run by run: a count often stands in a bubble of its own, right behind a name
    text = "  ".join(filter(None, page.tree.texts[start:end]))
    return [int(re.sub(r"\D", "", number)) for number in _INTEGER.findall(text)]
