"""Places inside a record: paths of steps that lead from a record's root to one of its nodes.

A step names a tag and the classes that the node always has (digits folded), or that it has none, or its number among
the siblings that look the same. Following a path looks only at the children on the way, so that cutting a page costs
a few comparisons a field; written out (`dl .profile`, `dt`, `a .name`) a person can read and edit it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from thrawl.page.tree import TEXT, Tree

NOWHERE: Final = -1
_DIGITS: Final = re.compile(r"\d+")


@lru_cache(maxsize=8192)
def class_set(classes: str) -> frozenset[str]:
    """The classes of a node, digits folded away (`row1` and `row2` are one look)."""
    return frozenset(_DIGITS.sub("0", classes).split())


def classes_of(tree: Tree, node: int) -> frozenset[str]:
    return class_set(tree.attributes[node].get("class", ""))


@dataclass(frozen=True, slots=True)
class Step:
    """One step down: the `number`-th child with this tag and these classes (`bare`: with no class at all).

    `without` are classes of look-alike siblings that are meant elsewhere. A `deep` step looks at all nodes below: for
    what a variable layer is sometimes put around.
    """

    tag: str
    classes: frozenset[str] = frozenset()
    bare: bool = False
    number: int = 0
    deep: bool = False
    without: frozenset[str] = frozenset()

    def pick(self, tree: Tree, nodes: Iterable[int]) -> int:
        """The first of these nodes that fits, or NOWHERE."""
        left = self.number
        for node in nodes:
            if self._fits(tree, node):
                if not left:
                    return node
                left -= 1
        return NOWHERE

    def pick_child(self, tree: Tree, parent: int) -> int:
        """The first child that fits, or NOWHERE: what cutting a page does most, so without a call a child."""
        tags, ends, tag, left = tree.tags, tree.ends, self.tag, self.number
        child, end = parent + 1, ends[parent]
        if self.classes or self.bare or tag == TEXT:
            while child < end:
                if tags[child] == tag and self._fits(tree, child):
                    if not left:
                        return child
                    left -= 1
                child = ends[child]
            return NOWHERE
        while child < end:
            if tags[child] == tag:
                if not left:
                    return child
                left -= 1
            child = ends[child]
        return NOWHERE

    def pick_nearly(self, tree: Tree, parent: int) -> int:
        """The child that fits, else the one of this tag with the most of these classes, if that is most of them."""
        exact = self.pick_child(tree, parent)
        if exact != NOWHERE or not self.classes or self.number:
            return exact
        alike = [child for child in tree.elements(parent) if tree.tags[child] == self.tag]
        best = max(alike, key=lambda child: len(self.classes & classes_of(tree, child)), default=NOWHERE)
        shared = len(self.classes & classes_of(tree, best)) if best != NOWHERE else 0
        return best if 2 * shared > len(self.classes) else NOWHERE

    def _fits(self, tree: Tree, node: int) -> bool:
        if tree.tags[node] != self.tag:
            return False
        if self.tag == TEXT:
            return not tree.texts[node].isspace()
        shown = tree.attributes[node].get("class", "")
        if self.bare:
            return not shown
        if not self.classes:
            return True
        classes = class_set(shown)
        return self.classes <= classes and self.without.isdisjoint(classes)

    def __str__(self) -> str:
        words = [self.tag, *(f".{name}" for name in sorted(self.classes))]
        words.extend(f"!{name}" for name in sorted(self.without))
        if self.bare:
            words.append(":bare")
        if self.number:
            words.append(f"@{self.number}")
        if self.deep:
            words.append(":deep")
        return " ".join(words)

    @classmethod
    def parse(cls, text: str) -> Step:
        tag, *words = text.split(" ")
        return cls(
            tag,
            frozenset(word[1:] for word in words if word.startswith(".")),
            ":bare" in words,
            next((int(word[1:]) for word in words if word.startswith("@")), 0),
            ":deep" in words,
            frozenset(word[1:] for word in words if word.startswith("!")),
        )


Path = tuple[Step, ...]


def descend_slowly(tree: Tree, node: int, path: Path, class_set: Callable[[str], frozenset[str]]) -> int:
    """The node that a path leads to from a node down, or NOWHERE."""
    for step in path:
        node = step.pick(tree, tree.below(node)) if step.deep else step.pick_child(tree, node)
        if node == NOWHERE:
            return NOWHERE
    return node


try:
    from thrawl.page._flat import descend
except ImportError:  # not built: see `tree`
    descend = descend_slowly


def follow(tree: Tree, parts: Sequence[int], path: Path) -> int:
    """The node that a path leads to, from a record's root nodes, or NOWHERE.

    A record with one root starts at the root's children; one of several roots starts at the roots themselves.
    """
    if len(parts) == 1 or not path:
        return descend(tree, parts[0], path, class_set)
    first = path[0]
    node = first.pick(tree, range(parts[0], tree.ends[parts[-1]]) if first.deep else parts)
    return descend(tree, node, path[1:], class_set) if node != NOWHERE else NOWHERE


def follow_loosely(tree: Tree, parts: Sequence[int], path: Path) -> int:
    """The end of a path from its last step with a class on, wherever that stands in the record; else NOWHERE."""
    classed = [place for place, step in enumerate(path) if step.classes]
    if not classed:
        return NOWHERE
    last = classed[-1]
    return follow(tree, parts, (replace(path[last], number=0, deep=True), *path[last + 1 :]))


def follow_nearly(tree: Tree, parts: Sequence[int], path: Path) -> int:
    """As `follow`, if need be past elements that lack a class: what is around a closed thread wears others."""
    node = follow(tree, parts, path)
    if node != NOWHERE or len(parts) > 1 or any(step.deep for step in path):
        return node
    node = parts[0]
    for step in path[:-1]:
        node = step.pick_nearly(tree, node)
        if node == NOWHERE:
            return NOWHERE
    return path[-1].pick_child(tree, node)
