"""URL regexes by generalisation, as Vidal et al. make them (their strictness is described in FoCUS 4.3.2).

URLs whose tokens have the same kinds in the same order are one group; a token in which the URLs of a group differ is
open for its kind. So `/about20.html`, `/about18.html` and `/user34.html` give `/\\w+\\d+.html`: one stray example opens
the pattern for whatever looks like it. Titles of several words are one token, whatever their number of words;
a number before a title is a token of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_TOKEN: Final = re.compile(r"([^\W\d_]+)|(\d+)|(.)", re.DOTALL)
_TITLE: Final = re.compile(r"(?<=/)[^/?&=#]*[A-Za-z%][^/?&=#]*(?:[-_+]|%20)[^/?&=#]*")
_NUMBERED: Final = re.compile(r"(?:(\d+)([-_]))?(.*)", re.DOTALL)
WORD, NUMBER, OTHER, SLUG = "w", "n", ".", "s"
OPEN: Final = {WORD: r"[A-Za-z]+", NUMBER: r"\d+", SLUG: r"[^/?&=#]+"}
"""What stands for a token of each kind that is not literal."""

Token = tuple[str, str]


@lru_cache(maxsize=65536)
def tokens(url: str) -> tuple[Token, ...]:
    """The tokens of a URL, each with its kind; the origin is one of them."""
    origin, _, rest = url.partition("://")
    host, slash, rest = rest.partition("/")
    found: list[Token] = [(OTHER, f"{origin}://{host}{slash}")]
    at = 0
    path = "/" + rest
    for title in _TITLE.finditer(path):
        found += _plain(path[max(at, 1) : title.start()])
        number, dash, rest_of_title = _NUMBERED.match(title[0]).groups()  # type: ignore[union-attr]
        found += [(NUMBER, number), (OTHER, dash)] if number else []
        found.append((SLUG, rest_of_title))
        at = title.end()
    return (*found, *_plain(path[max(at, 1) :]))


def _plain(text: str) -> list[Token]:
    return [
        (WORD if word else NUMBER if number else OTHER, word or number or other)
        for word, number, other in _TOKEN.findall(text)
    ]


@dataclass(frozen=True, slots=True)
class UrlRegex:
    """A regex, and how many of the URLs that it was made of it stands for."""

    expression: str
    count: int

    def matches(self, url: str) -> bool:
        return _compiled(self.expression).fullmatch(url) is not None


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def generalised(urls: Iterable[str]) -> dict[str, UrlRegex]:
    """The regex of each URL."""
    groups: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for url in dict.fromkeys(urls):
        groups[tuple((kind, text if kind == OTHER else "") for kind, text in tokens(url))].append(url)
    found: dict[str, UrlRegex] = {}
    for group in groups.values():
        regex = _regex(group)
        found.update(dict.fromkeys(group, regex))
    return found


def _regex(urls: list[str]) -> UrlRegex:
    places = zip(*map(tokens, urls), strict=True)
    pieces = [
        re.escape(place[0][1]) if len({text for _, text in place}) == 1 else OPEN[place[0][0]] for place in places
    ]
    return UrlRegex("".join(pieces), len(urls))
