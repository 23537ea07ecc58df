"""The boards of a site as far as learning met them, as a tree, for a person to see whether the right site was learned.

Names are the words that lead to a board. A board stands below the one that breadcrumbs name before it; where these are
silent, below the board whose address is the folder of its own, or on whose page alone it was met.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from thrawl.errors import PageError
from thrawl.net.message import Response
from thrawl.page.links import find_links
from thrawl.page.pagekind import PageKind
from thrawl.page.tree import Tree, parse
from thrawl.profile.heading import PageWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

_LONGEST_NAME: Final = 60  # characters, so that a board is a line on a screen
_LONGEST_WORDS: Final = 400  # characters of an anchor that are read: a hostile one has any number
_MOST_NAMES: Final = 50  # of one board; a hostile page may link to it under any number
_SHORTEST_NAME: Final = 3  # a page number or a lone letter stands in other words by chance
_TREE_SIGNS: Final = re.compile(r"^[^\w(\[{#\"'«“.]+(?=\w)")


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its name (empty where no words lead to it), its address, and how many boards stand above it."""

    name: str
    url: str
    depth: int


def board_map(profile: Profile, pages: Iterable[Response]) -> tuple[Board, ...]:
    """The boards that the pages lead to, each below its parent, in the order in which they were met."""
    found = _Found(profile)
    for page in pages:
        try:
            found.look_at(parse(page.text), page.url)
        except PageError:
            continue
    return tuple(found.tree())


class _Found:
    """What is known of boards so far: the words that lead to each, in the order met, and what stands above it."""

    def __init__(self, profile: Profile) -> None:
        self._types = UrlTypes(profile)
        self._wrapper = PageWrapper.from_json(profile.page_wrapper) if profile.page_wrapper else PageWrapper()
        self._entry = profile.entry
        self._names: dict[str, Counter[str]] = {}
        self._trail: dict[str, str | None] = {}
        self._met_on: dict[str, set[str]] = defaultdict(set)

    def look_at(self, tree: Tree, url: str) -> None:
        typed = self._types.type(url)
        if typed is None and url != self._entry:
            return
        trail = self._follow_trail(tree, url)
        if typed is not None and typed.is_thread:
            return
        home = url if typed is None else typed.list_url or url
        if trail is not None and home != self._entry:
            self._trail.setdefault(home, trail)
        for link in find_links(tree, url):
            board = self._board(link.url)
            if board is not None and board != home:
                self._note(board, link.anchor)
                self._met_on[board].add(home)

    def _follow_trail(self, tree: Tree, url: str) -> str | None:
        """Note the boards above a page, and give the last of them."""
        above = None
        for name, link in self._wrapper.board_path(tree, url):
            board = self._board(link) if link is not None else None
            if board is not None:
                self._note(board, name)
                self._trail.setdefault(board, above)
                above = board
        return above

    def _board(self, url: str) -> str | None:
        """The one address of a board; None for anything else, the entry page and lists in reserve included."""
        typed = self._types.type(url)
        if typed is None or typed.kind is not PageKind.INDEX or typed.reserve or typed.url == self._entry:
            return None
        return typed.url

    def _note(self, board: str, words: str) -> None:
        """Keep the words that lead to a board, without the signs by which menus draw trees."""
        names = self._names.setdefault(board, Counter())
        plain = "".join(filter(str.isprintable, " ".join(words[:_LONGEST_WORDS].split())))
        name = _TREE_SIGNS.sub("", plain)
        if name and (name in names or len(names) < _MOST_NAMES):
            names[name] += 1

    def tree(self) -> Iterator[Board]:
        below: dict[str | None, list[str]] = defaultdict(list)
        for board in self._names:
            below[self._above(board)].append(board)
        told: set[str] = set()
        # boards that name each other as their parents hang below none: they are told last, as if they were roots
        for root in [*below[None], *self._names]:
            yield from self._branch(root, below, told)

    def _branch(self, root: str, below: dict[str | None, list[str]], told: set[str]) -> Iterator[Board]:
        waiting = [(root, 0)]
        while waiting:
            board, depth = waiting.pop()
            if board not in told:
                told.add(board)
                yield Board(self._name(board), board, depth)
                waiting += [(child, depth + 1) for child in reversed(below.get(board, []))]

    def _above(self, board: str) -> str | None:
        folder = board.rstrip("/").rpartition("/")[0]
        above = self._trail.get(board) or next((url for url in (folder, f"{folder}/") if url in self._names), None)
        if above is not None or board in self._trail:
            return above
        pages = self._met_on[board]
        return next(iter(pages)) if len(pages) == 1 and self._entry not in pages else None

    def _name(self, board: str) -> str:
        """What most of the words that lead to a board have in common: some come with a count or a description."""
        names = self._names[board]
        words = [name for name in names if len(name) >= _SHORTEST_NAME] or list(names)
        core = max(words, key=lambda name: sum(names[one] for one in names if name in one), default="")
        return core[:_LONGEST_NAME]
