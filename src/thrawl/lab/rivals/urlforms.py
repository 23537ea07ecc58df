"""The URL pattern of a link in the sitemap (Wang et al., section 3), learned from the URLs of a sample.

URLs are taken apart into slots; numbers are folded, and a slot that takes many different values in the sample (titles,
names) is open. What is left is literal: the words that tell one kind of URL from another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from thrawl.profile.urls import Structure, UrlParts, take_apart

_DIGITS: Final = re.compile(r"\d+")
_MANY: Final = 8  # a site has a few modes and orders; more values than this are data
_OPEN: Final = "*"
_REMEMBERED: Final = 100_000  # forms kept: the menus of a site stand on all of its pages


class UrlForms:
    """Gives the pattern of any URL of a site."""

    def __init__(self, urls: Iterable[str]) -> None:
        values: dict[tuple[Structure, int], set[str]] = defaultdict(set)
        for url in urls:
            parts = take_apart(url)
            for number, slot in enumerate(parts.slots):
                values[parts.structure, number].add(_DIGITS.sub("0", slot))
        self._open = frozenset(place for place, found in values.items() if len(found) > _MANY)
        self._known: dict[str, str] = {}

    def form(self, url: str) -> str:
        found = self._known.get(url)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[url] = self._form(take_apart(url))
        return found

    def _form(self, parts: UrlParts) -> str:
        slots = tuple(
            _OPEN if (parts.structure, number) in self._open else _DIGITS.sub("0", slot)
            for number, slot in enumerate(parts.slots)
        )
        return UrlParts(parts.structure, slots).url
