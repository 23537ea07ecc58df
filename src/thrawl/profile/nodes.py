"""What a node of a record shows, its words and its link, and whether one path leads into another."""

from __future__ import annotations

from collections.abc import Iterable

from thrawl.page.tree import TEXT, Tree
from thrawl.profile.places import Path


def text_at(tree: Tree, node: int) -> str:
    """The words at a node, folded to one line."""
    if tree.tags[node] == TEXT:
        return " ".join(tree.texts[node].split())
    return tree.text(node)


def address_of(tree: Tree, node: int) -> str | None:
    """The href of the link that a node is, holds alone or stands in."""
    if node < 0:
        return None
    for one in (node, *_lone_link(tree, node), *_links_above(tree, node)):
        href = tree.attributes[one].get("href") if tree.tags[one] == "a" else None
        if href and not href.startswith(("#", "javascript:", "mailto:")):
            return href
    return None


def _lone_link(tree: Tree, node: int) -> list[int]:
    found = [below for below in tree.below(node) if tree.tags[below] == "a"]
    return found if len(found) == 1 else []


def _links_above(tree: Tree, node: int) -> list[int]:
    parent = tree.parents[node]
    above = [parent, tree.parents[parent]] if parent >= 0 else []
    return [one for one in above if one >= 0 and tree.tags[one] == "a"]


def prefixes(paths: Iterable[Path]) -> frozenset[Path]:
    """These paths and all that they lead through: a path is one of those if any of these is `under` it."""
    return frozenset(path[:length] for path in paths for length in range(len(path) + 1))


def under(path: Path, root: Path) -> bool:
    """Whether a path leads into the subtree of another one."""
    return len(path) >= len(root) and path[: len(root)] == root
