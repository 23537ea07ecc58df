"""The type of a URL by the URL alone (FoCUS 4.4): one compiled alternation of all learned patterns.

Flips come before lists in the alternation: they are the more special patterns, and a list pattern with a
word in it may fit a flip too. A flip to page 1 is the list itself, so both forms of it count as one URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thrawl.page.pagekind import PageKind
from thrawl.profile.patterns import NUMBER, PAGE, Hole, Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile
from thrawl.profile.urls import is_for_programs, without_session

_CACHED_URLS: Final = 50_000  # links of the same menus and rows come again and again

_PAGE_NUMBER: Final = f"{{{PAGE}:{NUMBER}}}"  # as it is written in a flip


@dataclass(frozen=True, slots=True)
class TypedUrl:
    """What a URL is: its kind, its one form (`url`), the list that it belongs to, and its page in that list.

    `list_url` is None where the URL does not tell which list it flips; `page` is None for a cursor; `reserve`: it is
    followed only as far as it brings what nothing else brought.
    """

    kind: PageKind
    url: str
    list_url: str | None
    page: int | None
    key: str
    reserve: bool = False

    @property
    def is_thread(self) -> bool:
        return self.kind.is_thread


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: PageKind
    pattern: Pattern
    of: ListPattern
    flip: Flip | None


class UrlTypes:
    """Types URLs by a profile."""

    def __init__(self, profile: Profile) -> None:
        self._session = frozenset(name.lower() for name in profile.session_parameters)
        self._excluded = frozenset(profile.excluded)
        self._rules = _rules(profile)
        self._turns = sorted({rule.of.confidence for rule in self._rules if rule.of.reserve}, reverse=True)
        self._regex = re.compile(
            "|".join(f"(?P<r{number}>{rule.pattern.expression})" for number, rule in enumerate(self._rules)) or "(?!)"
        )
        self.type = lru_cache(maxsize=_CACHED_URLS)(self._type)

    def clean(self, url: str) -> str:
        """The URL without its session parameters."""
        return without_session(url, self._session)

    def _type(self, url: str, *, moves: bool = True) -> TypedUrl | None:
        """The type of an absolute URL without fragment; None for a URL that is not followed.

        What is redirected is what stands where it leads; a profile that a person edited may lead round in circles.
        """
        url = self.clean(url)
        if url in self._excluded:
            return None
        found = self._regex.fullmatch(url)
        if found is None or found.lastgroup is None:
            return None
        rule = self._rules[int(found.lastgroup[1:])]
        if isinstance(rule.pattern.pieces[-1], Hole) and is_for_programs(url):
            return None
        values = rule.pattern.match(url) or {}
        if moves and rule.flip is None and rule.of.leads_to is not None:
            moved = self._type(rule.of.leads_to.build(values), moves=False)
            if moved is not None:
                return moved
        if rule.flip is None:
            first = _numbered_first(rule.of, values) or url
            return TypedUrl(rule.kind, first, first, 1, _key(rule.of, values, first), rule.of.reserve)
        return _flipped(rule, rule.flip, values, url)

    def is_thread(self, url: str) -> bool:
        """Whether a URL is that of a thread; its further pages are none."""
        typed = self.type(url)
        return typed is not None and typed.kind is PageKind.THREAD

    def is_list(self, url: str) -> bool:
        """Whether a URL is that of any page of a board."""
        typed = self.type(url)
        return typed is not None and not typed.is_thread

    def first_pages(self, urls: Iterable[str]) -> list[str]:
        """Lists by the addresses that their patterns have, each once: some links name page 1 by its number."""
        typed = ((url, self.type(url)) for url in urls)
        firsts = (one.url if one is not None and one.kind is PageKind.INDEX else url for url, one in typed)
        return list(dict.fromkeys(firsts))

    def pattern_of(self, url: str) -> str | None:
        """The pattern by which a URL is followed, as it is written in the profile."""
        rule = self._rule_of(url)
        return None if rule is None else str(rule.pattern)

    def turn_of(self, url: str) -> int:
        """When lists of a URL's pattern have their turn among those in reserve: the surest first."""
        rule = self._rule_of(url)
        return self._turns.index(rule.of.confidence) if rule is not None and rule.of.reserve else 0

    def differences(self, one: str, other: str) -> list[tuple[str, str, str]]:
        """Where two URLs of one pattern differ in places that are not of its key: the kinds of holes, and what they
        hold."""
        rule = self._rule_of(one)
        mine, theirs = (None, None) if rule is None else (rule.pattern.match(one), rule.pattern.match(other))
        if rule is None or mine is None or theirs is None:
            return []
        holes = (hole for hole in rule.pattern.holes if hole.name not in rule.of.key)
        values = ((hole.kind, mine[hole.name], theirs[hole.name]) for hole in holes)
        return [(kind, value, another) for kind, value, another in values if value != another]

    def lists_called(self, word: str) -> list[str]:
        """The addresses of lists that a word alone would name."""
        single = (rule for rule in self._rules if rule.kind is PageKind.INDEX and len(rule.pattern.holes) == 1)
        built = (rule.pattern.build({rule.pattern.holes[0].name: word}) for rule in single)
        return [url for url in built if self.type(url) is not None]

    def _rule_of(self, url: str) -> _Rule | None:
        found = self._regex.fullmatch(self.clean(url))
        return None if found is None or found.lastgroup is None else self._rules[int(found.lastgroup[1:])]

    def flip_url(self, list_url: str, page: int) -> str | None:
        """The URL of a page of a list by the list's arithmetic; None where it has none."""
        if page == 1:
            return list_url
        for rule in self._rules:
            first = rule.flip is None or rule.flip.opens_last
            values = rule.pattern.match(list_url) if first else None
            for flip in rule.of.flips if values is not None else ():
                built = _build(flip, values or {}, page)
                if built is not None:
                    return built
        return None

    def without_number(self, url: str) -> str | None:
        """The list's own address for its numbered first page; None for any other URL. Short lists may have no other."""
        for rule in self._rules:
            values = rule.pattern.match(url) if rule.flip is not None and rule.flip.opens_last else None
            if values is not None and rule.flip is not None and rule.flip.page_of(values[PAGE]) == 1:
                return rule.of.pattern.filled(values)
        return None


def _rules(profile: Profile) -> list[_Rule]:
    """Flips before lists, and among them the more special patterns first.

    A flip by a word, as cursors are, goes with the lists: where they have a number, it is theirs.
    """
    flips = [_Rule(PageKind.THREAD_FLIP, flip.pattern, one, flip) for one in profile.thread for flip in one.flips]
    flips += [_Rule(PageKind.INDEX_FLIP, flip.pattern, one, flip) for one in profile.index for flip in one.flips]
    lists = [_Rule(PageKind.THREAD, one.pattern, one, None) for one in profile.thread]
    lists += [_Rule(PageKind.INDEX, one.pattern, one, None) for one in profile.index]
    counted = [one for one in flips if _PAGE_NUMBER in str(one.pattern)]
    others = [one for one in flips if one not in counted]
    return [*sorted(counted, key=_generality), *sorted([*others, *lists], key=_generality)]


def _generality(rule: _Rule) -> tuple[int, int, int]:
    """Of two patterns that fit a URL, the one that says more of it itself is the more special."""
    holes = rule.pattern.holes
    said = sum(len(piece) for piece in rule.pattern.pieces if isinstance(piece, str))
    return -said, sum(hole.kind != NUMBER for hole in holes), len(holes)


def _flipped(rule: _Rule, flip: Flip, values: dict[str, str], url: str) -> TypedUrl:
    page = flip.page_of(values[PAGE])
    values = {**values, **_of_first_page(rule.of, flip)}
    own = rule.of.pattern.filled(values)
    list_url = own and (_numbered_first(rule.of, values) or own)
    key = _key(rule.of, values, list_url or url)
    if page == 1 and list_url is not None:
        kind = PageKind.THREAD if rule.kind.is_thread else PageKind.INDEX
        return TypedUrl(kind, list_url, list_url, 1, key, rule.of.reserve)
    return TypedUrl(rule.kind, url, list_url, page, key, rule.of.reserve)


def _of_first_page(one: ListPattern, flip: Flip) -> dict[str, str]:
    """What a list's own address has where its flips have their number, if both have one there: that of page 1."""
    first, flipped = flip.value_of(1), str(flip.pattern)
    own = str(one.pattern)
    numbers = [hole for hole in one.pattern.holes if hole.kind == NUMBER and f"{{{hole.name}:" not in flipped]
    same = (hole.name for hole in numbers if own.replace(f"{{{hole.name}:", f"{{{PAGE}:") == flipped)
    return {} if first is None else dict.fromkeys(same, first)


def _numbered_first(one: ListPattern, values: dict[str, str]) -> str | None:
    """The address of a list's first page where the list's own shows the last one."""
    return next((_build(flip, values, 1) for flip in one.flips if flip.opens_last), None)


def _key(one: ListPattern, values: dict[str, str], url: str) -> str:
    if one.key and all(name in values for name in one.key):
        return "/".join(values[name] for name in one.key)
    return url


def _build(flip: Flip, values: dict[str, str], page: int) -> str | None:
    value = flip.value_of(page)
    return None if value is None else flip.pattern.filled({**values, PAGE: value})
