"""How alike the DOM trees of two pages are: the restricted top-down distance that Vidal et al. compare pages by.

Nodes are matched from the root down, in order; a subtree without a match costs its nodes. Two things keep it cheap on
whole pages and steady over users' content: neighbours that look the same count once (one post or ten are one layout),
and below `_DEEPEST` levels nothing is compared. Subtrees that repeat on a site's pages are compared once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.page.tags import INLINE
from thrawl.page.tree import TEXT, Tree

_DEEPEST: Final = 12  # levels of a template; what lies deeper is content
_WRITTEN: Final = INLINE | {"p", "br", "hr"}
SIMILAR: Final = 0.8
"""Likeness from which two pages have one layout."""


@dataclass(frozen=True, eq=False, slots=True)
class Outline:
    """A tree without its texts; equal ones made by one `Outlines` are one object."""

    tag: str
    children: tuple[Outline, ...]
    size: int


class Outlines:
    """Makes outlines and compares them, keeping what was compared before."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], Outline] = {}
        self._distances: dict[tuple[int, int], int] = {}

    def outline(self, tree: Tree) -> Outline:
        return self._outline(tree, 0, 0)

    def likeness(self, one: Outline, other: Outline) -> float:
        """From 0 to 1; 1 for equal layouts."""
        return 1 - self._distance(one, other) / (one.size + other.size)

    def _outline(self, tree: Tree, node: int, level: int) -> Outline:
        children: list[Outline] = []
        if level < _DEEPEST:
            for child in tree.children(node):
                if tree.tags[child] != TEXT and tree.tags[child] not in _WRITTEN:
                    below = self._outline(tree, child, level + 1)
                    if not children or children[-1] is not below:
                        children.append(below)
        key = tree.tags[node], tuple(map(id, children))
        found = self._known.get(key)
        if found is None:
            found = Outline(tree.tags[node], tuple(children), 1 + sum(child.size for child in children))
            self._known[key] = found
        return found

    def _distance(self, one: Outline, other: Outline) -> int:
        if one is other:
            return 0
        if one.tag != other.tag:
            return one.size + other.size
        key = (id(one), id(other))
        found = self._distances.get(key)
        if found is None:
            found = self._distances[key] = self._edits(one.children, other.children)
        return found

    def _edits(self, ones: Sequence[Outline], others: Sequence[Outline]) -> int:
        """The cheapest way to turn one row of subtrees into another."""
        row = [0]
        for other in others:
            row.append(row[-1] + other.size)
        for one in ones:
            above, row = row, [row[0] + one.size]
            for at, other in enumerate(others):
                row.append(min(above[at + 1] + one.size, row[at] + other.size, above[at] + self._distance(one, other)))
        return row[-1]
