"""Session ids in URLs (the end of FoCUS 4.3.2): found by what they look like, checked by asking again.

A session id is one long random value that many links of a page share although they lead to different
places. That alone names the suspect; the paper's check (ask for the same URL again, as a visitor who was
never there, and see whether the value changes) needs one more request and is made by the learner. A
mirror answers both times alike, so equal values do not clear a suspect.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from thrawl.learn.urls import take_apart

_RANDOM: Final = re.compile(r"[0-9A-Za-z_-]{12,128}\Z")
_FEWEST_LINKS: Final = 3


def session_parameters(urls: Iterable[str]) -> frozenset[str]:
    """The names of the parameters that look like session ids on one page, in lower case."""
    values: dict[str, set[str]] = defaultdict(set)
    carriers: dict[str, set[str]] = defaultdict(set)
    for url in urls:
        for name, value, rest in _parameters(url):
            values[name].add(value)
            carriers[name].add(rest)
    return frozenset(
        name
        for name, found in values.items()
        if len(found) == 1 and len(carriers[name]) >= _FEWEST_LINKS and looks_random(next(iter(found)))
    )


def looks_random(value: str) -> bool:
    """Long, and letters and digits mixed as no word or number has them: `f3a9c0d1…`."""
    if not _RANDOM.match(value):
        return False
    digits = sum(char.isdigit() for char in value)
    changes = sum(one.isdigit() != other.isdigit() for one, other in pairwise(value))
    return digits >= 2 and changes >= 4


def _parameters(url: str) -> Iterator[tuple[str, str, str]]:
    """(name, value, the URL without it) for each named parameter of the query or of a path segment."""
    parts = take_apart(url)
    first = parts.structure.segments
    for name, value in zip(parts.structure.names, parts.slots[first:], strict=True):
        if name is not None and value:
            yield name.lower(), value, parts.without_item(name).url
    for slot in parts.slots[:first]:
        for item in slot.split(";")[1:]:
            name, _, value = item.partition("=")
            yield name.lower(), value, url.replace(f";{item}", "")
