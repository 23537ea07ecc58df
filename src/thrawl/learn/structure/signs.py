"""Signs that tell two kinds of pages apart whose addresses have one form: `/2-0-1` is a board, `/2-59-1` a thread.

Link groups are proposals. Where the pages behind a family are made in two ways, are of two types, and a sign in their
addresses says which is which, then URLs of that form are of two families from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from thrawl.profile.urls import name_of

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_EACH: Final = 2  # pages of either kind: one may be an exception


@dataclass(frozen=True, slots=True)
class Sign:
    """A word or number at one place of a URL, counted from behind the host; without a `value`: any number at all, or
    (at -1) one in its last part: `/2025-May/thread.html` is a list, `/2025-May/00012.html` a letter."""

    at: int = 0
    value: str | None = None

    def __str__(self) -> str:
        where = " at the end" if self.at else ""
        return f"a number{where}" if self.value is None else f"{self.value!r} at {self.at}"

    def is_on(self, url: str) -> bool:
        if self.value is None:
            return any(token.isdigit() for token in _tokens(name_of(url) if self.at else url))
        return _tokens(url)[self.at : self.at + 1] == [self.value]

    def parts(self, urls: Iterable[str]) -> bool:
        """Whether some of the URLs have it and others have not."""
        return len({self.is_on(url) for url in urls}) > 1

    def is_word_of_all(self, urls: Iterable[str]) -> bool:
        """Whether it is a word, where all of the URLs have one, or tells words from numbers at their end: a program's
        words for kinds of pages."""
        if self == LAST:
            return True
        found = [_tokens(url)[self.at : self.at + 1] for url in urls]
        return self.value is not None and all(one and not one[0].isdigit() for one in found)


LAST: Final = Sign(-1)


def signs(types: Mapping[str, str]) -> Iterator[Sign]:
    """The signs by which the URLs of one type differ from all others; given the type of each page, by its URL."""
    for kind in sorted(set(types.values())):
        mine = [url for url, one in types.items() if one == kind]
        others = [url for url, one in types.items() if one != kind]
        if len(mine) < _EACH or len(others) < _EACH:
            continue
        proposed = [Sign(), *(Sign(at, value) for at, value in enumerate(_tokens(mine[0]))), LAST]
        for sign in proposed:
            on, off = (sum(map(sign.is_on, urls)) for urls in (mine, others))
            if (on, off) == (len(mine), 0) or (on, off, sign.value) == (0, len(others), None):
                yield sign


def _tokens(url: str) -> list[str]:
    return _TOKEN.findall(unquote(url.split("/", 3)[-1]))
