"""The looks of nodes as numbers: what kind of element stands where, and how alike two subtrees are.

A label is an element's name with its classes, digits folded away (`row1` and `row2` are one look). A path is the
chain of labels from the root. Both are interned to small numbers, so that comparing two places of a page is
comparing two integers, and grouping all nodes of a page by place is one pass.

Partial tree alignment (section 4.3.1.1 of FoCUS) compares trees node by node, which is quadratic; here two
subtrees are compared by the set of label paths in their upper levels. The upper levels are template, the lower ones
are what users wrote, so the cheap measure is also the steadier one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from thrawl.page.tree import TEXT, Tree

_DIGITS: Final = re.compile(r"\d+")
_UPPER_LEVELS: Final = 3  # of a record are its template; below is what people write
_MOST_NODES: Final = 400  # of an outline; a record of more is a page, and need not cost more
ROOT_PATH: Final = 0


@dataclass(slots=True)
class Shapes:
    """Labels and paths of one tree, and caches of the outlines and ways up already asked for."""

    tree: Tree
    labels: list[str]
    paths: list[int]
    tag_paths: list[int]
    _outlines: dict[int, frozenset[int]] = field(default_factory=dict)
    _ways_up: dict[tuple[int, int], int] = field(default_factory=dict)

    def outline(self, node: int) -> frozenset[int]:
        """The set of label paths in the upper levels of a subtree, relative to it (its own classes left out)."""
        found = self._outlines.get(node)
        if found is None:
            found = self._outlines[node] = self._walk(node)
        return found

    def __getstate__(self) -> tuple[Tree, list[str], list[int], list[int]]:
        """Without the caches: their numbers mean something in one process only."""
        return self.tree, self.labels, self.paths, self.tag_paths

    def __setstate__(self, state: tuple[Tree, list[str], list[int], list[int]]) -> None:
        self.tree, self.labels, self.paths, self.tag_paths = state
        self._outlines, self._ways_up = {}, {}

    def tags_above(self, node: int, levels: int) -> int:
        """A number for the tags of a node and of what it stands in, so many levels. Records that stand in one another
        ask for all that the inner ones hold, so each way up is gone once."""
        if levels <= 0:
            return ROOT_PATH
        found = self._ways_up.get((node, levels))
        if found is None:
            above = self.tags_above(self.tree.parents[node], levels - 1)
            found = self._ways_up[node, levels] = hash((self.tree.tags[node], above))
        return found

    def _walk(self, node: int) -> frozenset[int]:
        labels, tags, ends = self.labels, self.tree.tags, self.tree.ends
        seen: set[int] = {hash(tags[node])}
        level = [(node, 0)]
        for _ in range(_UPPER_LEVELS):
            below: list[tuple[int, int]] = []
            for parent, key in level:
                child, end = parent + 1, ends[parent]
                while child < end:
                    if tags[child] != TEXT:
                        path = hash((key, labels[child]))
                        seen.add(path)
                        below.append((child, path))
                    child = ends[child]
            if len(seen) > _MOST_NODES:
                break
            level = below
        return frozenset(seen)

    def likeness(self, one: int, other: int) -> float:
        """How alike two subtrees look, 0 to 1: shared label paths in all label paths of their upper levels."""
        first, second = self.outline(one), self.outline(other)
        shared = len(first & second)
        return shared / (len(first) + len(second) - shared)


def look(tree: Tree, node: int) -> str:
    """The label of a node: its tag and classes, digits folded."""
    classes = tree.attributes[node].get("class")
    if not classes:
        return tree.tags[node]
    return ".".join((tree.tags[node], *sorted(set(_DIGITS.sub("0", classes).split()))))


def shapes(tree: Tree) -> Shapes:
    """Label and number every place of a tree, in one pass."""
    labels: list[str] = []
    paths: list[int] = [ROOT_PATH]
    tag_paths: list[int] = [ROOT_PATH]
    known: dict[tuple[int, str], int] = {}
    known_tags: dict[tuple[int, str], int] = {}
    looks: dict[tuple[str, str], str] = {}
    for node, (tag, parent, attributes) in enumerate(zip(tree.tags, tree.parents, tree.attributes, strict=True)):
        label = tag
        if attributes and (classes := attributes.get("class")):
            known_label = looks.get((tag, classes))
            if known_label is None:
                known_label = looks[tag, classes] = look(tree, node)
            label = known_label
        labels.append(label)
        # places are kept one further, so that the parent of the root is the first of them
        place = (paths[parent + 1], label)
        path = known.get(place)
        if path is None:
            path = known[place] = len(known) + 1
        paths.append(path)
        place = (tag_paths[parent + 1], tag)
        path = known_tags.get(place)
        if path is None:
            path = known_tags[place] = len(known_tags) + 1
        tag_paths.append(path)
    del paths[0], tag_paths[0]
    return Shapes(tree, labels, paths, tag_paths)


def element_of(tree: Tree, node: int) -> int:
    """The node itself if it is an element, else the element that holds this text."""
    return tree.parents[node] if tree.tags[node] == TEXT else node
