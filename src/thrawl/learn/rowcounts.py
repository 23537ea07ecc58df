"""The numbers that the rows of an index page show: replies, threads and views tell how long a list is.

Which column counts what is not known while learning, so all of them are taken. A row that shows nothing but zeros
leads to an empty list, and an empty list looks like no list at all.
"""

from __future__ import annotations

import re
from typing import Final

from thrawl.learn.groups import Candidate
from thrawl.page.reading import Page

_INTEGER: Final = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:[,.\s]\d{3})+(?![\w.,:/-])|(?<![\w.,:/-])\d{1,7}(?![\w.,:/-])")
_FEWEST_VOTERS: Final = 2


def numbers_in_rows(page: Page, candidate: Candidate) -> dict[str, list[int]]:
    """The numbers in the row of each URL of a group, in the order in which the row shows them."""
    if candidate.region < 0:
        return {}
    found: dict[str, list[int]] = {}
    wanted = set(candidate.urls)
    links = {link.node: link.url for link in page.links}
    for record in page.regions[candidate.region].records:
        inside = {links[node] for node in range(record.start, record.end) if node in links}
        # Run by run: a count often stands in a bubble of its own, right behind a name.
        text = "  ".join(filter(None, page.tree.texts[record.start : record.end]))
        numbers = [int(re.sub(r"\D", "", number)) for number in _INTEGER.findall(text)]
        for url in inside & wanted:
            found.setdefault(url, numbers)
    return found


def not_empty(page: Page, candidate: Candidate) -> tuple[str, ...]:
    """The URLs of a group without those whose rows count nothing but zeros; all of them where too few are left."""
    rows = numbers_in_rows(page, candidate)
    kept = tuple(url for url in candidate.urls if not rows.get(url) or any(rows[url]))
    return kept if len(kept) >= _FEWEST_VOTERS else candidate.urls
