"""The page wrapper: the title of a thread page and the boards above it. `learnheading` learns it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thrawl.page.links import Resolver, resolver_of
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.folding import fold
from thrawl.profile.nodes import text_at
from thrawl.profile.places import NOWHERE, Path, follow_nearly
from thrawl.profile.urls import take_apart
from thrawl.profile.written import Written

LONGEST_TITLE: Final = 300  # characters: programs allow 60 to 255, and what is longer is a paragraph
_SURE_START: Final = 20  # letters of a title by which it is known where a long one is cut, as in `<title>`
TRAIL: Final = "*"  # before the mark of a frame
_DIGITS: Final = re.compile(r"\d+")
_NUMBER_FIRST: Final = re.compile(r"(?:[A-Za-z]{1,12}_)?[A-Za-z]{0,16}\d+[-_.,~+:](?=[^/?&=#])")
_NUMBER_LAST: Final = re.compile(r"[-_.,~+:][A-Za-z]{0,3}\d+(?:\.[A-Za-z]{2,5})?\Z")


@dataclass(frozen=True, slots=True)
class TitleField(Written):
    """One way to a thread's title: the place on the page (None: the `<title>`), and the template around it.

    Each frame is what stands before and after the title; digits are written as `0` and stand for any number, and `*` in
    front of a mark for a trail of boards up to the last one.
    """

    path: Path | None
    frames: tuple[tuple[str, str], ...] = (("", ""),)

    def read(self, tree: Tree) -> str | None:
        words = tree.title if self.path is None else _words_at(tree, self.path)
        if not words or len(words) > LONGEST_TITLE:
            return None
        for before, after in self.frames:
            match = _frame(before, after).fullmatch(words)
            if match is not None and match[1].strip():
                return match[1].strip()
        return words if ("", "") in self.frames else None

    def is_sure(self, tree: Tree, words: str) -> bool:
        """Whether the place cannot be mistaken, or `<title>` holds its words too.

        What is known by its number moves: a thread one board deeper has its title one crumb further.
        """
        if self.path is None or not any(step.number for step in self.path):
            return True
        return fold(words)[:_SURE_START] in fold(tree.title)


def _words_at(tree: Tree, path: Path) -> str:
    node = follow_nearly(tree, (0,), path)
    return text_at(tree, node) if node != NOWHERE else ""


@lru_cache(maxsize=256)
def _frame(before: str, after: str) -> re.Pattern[str]:
    trail = ".*" if before.startswith(TRAIL) else ""
    return re.compile(trail + _numbered(before.removeprefix(TRAIL)) + "(.+)" + _numbered(after))


def _numbered(text: str) -> str:
    return re.sub("0", lambda _: r"\d+", re.escape(text))


@dataclass(frozen=True, slots=True)
class PageWrapper(Written):
    """Where thread pages show their title and their boards.

    `home` are links above all boards; `heads` the beginnings of the board links' addresses (empty: any); `mark` the
    name of the icon before each board, where icons are letters of a font.
    """

    titles: tuple[TitleField, ...] = ()
    crumbs: tuple[Path, ...] = ()
    home: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    mark: str = ""

    def title(self, tree: Tree, url: str) -> str | None:
        """The thread's title as its page shows it."""
        doubtful: str | None = None
        for field in self.titles:
            title = field.read(tree)
            if title and field.is_sure(tree, title):
                return title
            doubtful = doubtful or title
        return doubtful

    def board_path(self, tree: Tree, url: str) -> tuple[tuple[str, str | None], ...]:
        """Names and URLs of the boards above this thread, outermost first."""
        return self.boards_above(tree, url, self.title(tree, url))

    def boards_above(
        self, tree: Tree, url: str, title: str | None, plain: Callable[[str], str] = lambda url: url
    ) -> tuple[tuple[str, str | None], ...]:
        """As `board_path`, of a thread whose title is known. `plain` gives a URL without the session that a visitor's
        first page has in its links, and the pages that the site was learned from may not have had."""
        links = resolver_of(tree, url)
        own = url.partition("#")[0]
        for path in self.crumbs:
            node = follow_nearly(tree, (0,), path)
            if node == NOWHERE:
                continue
            shown = links_in(tree, node, links)
            found = distinct_links((at, self._name(tree, at, words), to) for at, words, to in shown)
            kept = [(name, to) for name, to in found if to != own and self._is_board(name, {to, plain(to)}, title)]
            if kept:
                return tuple(kept)
        return ()

    def _name(self, tree: Tree, link: int, words: str) -> str:
        return words.removeprefix(self.mark).strip() if self.mark and mark_of(tree, link) == self.mark else words

    def _is_board(self, name: str, urls: Collection[str], title: str | None) -> bool:
        if not self.home.isdisjoint(urls) or (self.heads and self.heads.isdisjoint(map(head_of, urls))):
            return False
        return not name.isdigit() and not (title and _is_title(name, title))


def _is_title(name: str, title: str) -> bool:
    """Whether a crumb is the thread's title, also cut short, or behind the mark of an answer: `Re: `.

    A board may be called as titles in it begin ("Golf", and "Golf clubs"): what is cut short says so, or is long.
    """
    begun, whole = fold(name.rstrip(" .…")), fold(title)
    is_cut = name.endswith(("…", "..")) or len(begun) >= _SURE_START
    return begun == whole or (is_cut and whole.startswith(begun)) or name.endswith((f": {title}", f"：{title}"))


def without_numbers(text: str) -> str:
    """A text with each number written as `0`."""
    return _DIGITS.sub("0", text)


def head_of(url: str) -> str:
    """The beginning of an address: its first path part, and the names of its query. A board's own name is left open."""
    parts = take_apart(url)
    path, values = parts.slots[: parts.structure.segments], parts.slots[parts.structure.segments :]
    steps = [step for step in path if step]
    program = next((number for number, step in enumerate(steps) if "?" in step), 0)
    first = steps[: program + 1 + any(step.endswith("?") for step in steps[: program + 1])]
    if first and len(first) == len(steps):
        first[-1] = _without_name(first[-1])
    last = steps[-1] if values and steps else ""
    names = "&".join(value if name is None else name for name, value in zip(parts.structure.names, values, strict=True))
    host = parts.structure.origin.partition("://")[2]  # alone, as in profiles that were kept before
    return without_numbers(f"{host}/{'/'.join(first)}/{last}?{names}")


def _without_name(step: str) -> str:
    """A step that holds a number and a name, without the name."""
    if match := _NUMBER_FIRST.match(step):
        return match[0]
    match = _NUMBER_LAST.search(step)
    return f"*{match[0]}" if match else step


def links_in(tree: Tree, node: int, links: Resolver) -> Iterator[tuple[int, str, str]]:
    """The links of a block that show words: their nodes, words and URLs, in order."""
    for below in range(node, tree.ends[node]):
        href = tree.attributes[below].get("href") if tree.tags[below] == "a" else None
        resolved = links.resolve(href) if href else None
        words = tree.text(below) if resolved else ""
        if resolved and words:
            yield below, words, resolved[0]


def mark_of(tree: Tree, link: int) -> str:
    """The first words of a link if they stand in an element of their own before others; else nothing."""
    shown = [node for node in tree.below(link) if tree.tags[node] == TEXT and not tree.texts[node].isspace()]
    return text_at(tree, shown[0]) if len(shown) > 1 and tree.parents[shown[0]] != link else ""


def distinct_links(links: Iterable[tuple[int, str, str]]) -> list[tuple[str, str]]:
    """The words and URLs of links, each URL once."""
    found: dict[str, str] = {}
    for _, words, url in links:
        found.setdefault(url, words)
    return [(words, url) for url, words in found.items()]
