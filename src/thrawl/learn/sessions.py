"""Session ids in URLs (the end of FoCUS 4.3.2): found by what they look like, checked by asking again.

A session id is one value that many links of a page share although they lead to different places. Suspects
are such values with digits in them. The paper's check decides: ask for the same URL again, as a visitor who
was never there, and see which values changed. A long random value stays a suspect even if it did not change:
a mirror answers both times alike.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from thrawl.profile.urls import take_apart, without_session

_RANDOM: Final = re.compile(r"[0-9A-Za-z_-]{12,128}\Z")
_SUSPECT: Final = re.compile(r"(?=\D*\d)[0-9A-Za-z_-]{5,128}\Z")
_FEWEST_LINKS: Final = 3  # places to which one value goes along: a page and its print view are two


def suspects(urls: Iterable[str]) -> dict[str, str]:
    """The parameters of a page's links that may be session ids, by their names in lower case, with their value."""
    values: dict[str, set[str]] = defaultdict(set)
    carriers: dict[str, set[str]] = defaultdict(set)
    for url in dict.fromkeys(urls):
        for name, value in _parameters(url):
            values[name].add(value)
            carriers[name].add(url)
    alike = {name: next(iter(found)) for name, found in values.items() if len(found) == 1}
    return {
        name: value
        for name, value in alike.items()
        if _SUSPECT.match(value) and _places(carriers[name], name) >= _FEWEST_LINKS
    }


def _places(urls: Iterable[str], name: str) -> int:
    """To how many different places these URLs lead, a parameter aside."""
    return len({without_session(url, frozenset({name})) for url in urls})


def session_parameters(first: Mapping[str, str], again: Mapping[str, str], urls: Iterable[str]) -> frozenset[str]:
    """Which suspects of a page with links to these URLs are session ids, given those of the page asked for again.

    One that looks random and stays is on most links; a page's own name is on those to its pages and views.
    """
    known = list(dict.fromkeys(urls))
    carried = Counter(name for url in known for name, _ in _parameters(url))
    kept = (name for name, value in first.items() if looks_random(value) and 2 * carried[name] > len(known))
    return frozenset({*kept, *(name for name, value in first.items() if again.get(name, value) != value)})


class Steps:
    """Numbers that count clicks: whatever a page links to has one more than the page itself, so the same place has
    another address wherever it is met, and there is no end of them."""

    def __init__(self) -> None:
        self._refuted: set[str] = set()
        self._met: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def told_by(self, page_url: str, urls: Iterable[str]) -> frozenset[str]:
        """The parameters that count clicks, by all pages so far: none breaks the rule; places are met at two depths."""
        own = dict(_parameters(page_url))
        for url, (name, value) in ((link, one) for link in dict.fromkeys(urls) for one in _parameters(link)):
            depth = own.get(name, "0")
            if not depth.isdecimal() or value != str(int(depth) + 1):
                self._refuted.add(name)
            elif name not in self._refuted:
                self._met[name][without_session(url, frozenset({name}))].add(value)
        met = ((name, places.values()) for name, places in self._met.items() if name not in self._refuted)
        return frozenset(name for name, found in met if sum(len(one) > 1 for one in found) >= _FEWEST_LINKS)


def looks_random(value: str) -> bool:
    """Long, and letters and digits mixed as no word or number has them: `f3a9c0d1…`."""
    if not _RANDOM.match(value):
        return False
    digits = sum(char.isdigit() for char in value)
    changes = sum(one.isdigit() != other.isdigit() for one, other in pairwise(value))
    return digits >= 2 and changes >= 4


def _parameters(url: str) -> Iterator[tuple[str, str]]:
    """Name and value of each named parameter of the query or of a path segment."""
    parts = take_apart(url)
    first = parts.structure.segments
    for name, value in zip(parts.structure.names, parts.slots[first:], strict=True):
        if name is not None and value:
            yield name.lower(), value
    for slot in parts.slots[:first]:
        for item in slot.split(";")[1:]:
            name, _, value = item.partition("=")
            yield name.lower(), value
