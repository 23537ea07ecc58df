"""Kinds of records: what the root of a post looks like on every page of a site, and how far the post reaches.

The same words for all layouts: a root with its tag, classes, form of id and place; rows of an old table that belong
to it before and after; and a mark that must stand inside where the look alone is not enough (a plain `<tr>`). A page
may show several kinds (a question, its answers, comments on both); records may stand inside records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from thrawl.page.anchored import rows_around
from thrawl.page.shape import look
from thrawl.page.tags import INLINE
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.places import NOWHERE, Path, classes_of, follow
from thrawl.profile.written import Written

_DIGITS: Final = re.compile(r"\d+")
_WRITTEN: Final = INLINE | {"br", "img", "p", "blockquote", "pre", "ul", "ol"}


def id_form(value: str) -> str:
    """An id with its digits folded: `post-123` and `post-9` have one form."""
    return _DIGITS.sub("0", value)


@dataclass(frozen=True, slots=True)
class Cut:
    """One record on one page: its root nodes and the range of its nodes; `kind` numbers its kind in the wrapper."""

    parts: tuple[int, ...]
    start: int
    end: int
    kind: int = 0


@dataclass(frozen=True, slots=True)
class Kind(Written):
    """What tells a record's main root from other nodes.

    `trail` are the tags from the page's root down to the main root's parent, empty where records nest or move.
    `before` and `after` count the sibling elements that belong to the record. Where `kin` is not empty, a record runs
    on to the next one instead: over text, what users write in a line, and siblings of these looks.
    """

    WRITTEN: ClassVar[Mapping[str, str]] = {"form": "id"}

    tag: str
    classes: frozenset[str] = frozenset()
    form: str = ""
    trail: tuple[str, ...] = ()
    before: int = 0
    after: int = 0
    mark: Path | None = None
    kin: frozenset[str] = frozenset()

    def cut(self, tree: Tree, kind: int = 0) -> list[Cut]:
        """All records of this kind on a page, in document order."""
        named = tree.named(self.tag)
        if self.trail:  # the depth alone leaves few
            deep, depths = len(self.trail), tree.depths
            named = [node for node in named if depths[node] == deep]
        if self.form:
            named = [node for node in named if "id" in tree.attributes[node]]
        mains = [node for node in named if self.fits(tree, node)]
        if self.kin:
            records = self._runs(tree, mains)
        elif self.before or self.after:
            records = rows_around(tree, mains, self.before, self.after, mains)
        else:
            records = ((main,) for main in mains)
        return [Cut(parts, parts[0], tree.ends[parts[-1]], kind) for parts in records]

    def fits(self, tree: Tree, node: int) -> bool:
        if self.classes and not self.classes <= classes_of(tree, node):
            return False
        if self.form and id_form(tree.attributes[node].get("id", "")) != self.form:
            return False
        if self.trail and not _has_trail(tree, node, self.trail):
            return False
        return self.mark is None or follow(tree, (node,), self.mark) != NOWHERE

    def _runs(self, tree: Tree, mains: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Records without an element of their own: from a root, and what belongs before it, as far as its kin goes."""
        heads = {main: self._head(tree, main) for main in mains}
        chosen = {head[0] for head in heads.values()}
        for main, head in heads.items():
            parts, end = [*head], tree.ends[tree.parents[main]]
            node = tree.ends[main]
            while node < end and node not in chosen and self._is_kin(tree, node):
                parts.append(node)
                node = tree.ends[node]
            yield tuple(parts)

    def _head(self, tree: Tree, main: int) -> list[int]:
        """A root after the elements before it that belong to its record."""
        if not self.before:
            return [main]
        row, at = tree.row(tree.parents[main]), tree.turn(main)
        return [*row[max(0, at - self.before) : at], main]

    def _is_kin(self, tree: Tree, node: int) -> bool:
        return tree.tags[node] == TEXT or tree.tags[node] in _WRITTEN or look(tree, node) in self.kin


def trail_of(tree: Tree, node: int) -> tuple[str, ...]:
    return tuple(tree.tags[above] for above in tree.ancestors(node))[::-1]


def _has_trail(tree: Tree, node: int, trail: Sequence[str]) -> bool:
    if tree.depths[node] != len(trail):
        return False
    for tag in reversed(trail):
        node = tree.parents[node]
        if tree.tags[node] != tag:
            return False
    return True
