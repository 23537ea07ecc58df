"""Records that do not repeat: the only post of a thread, the question above its answers, an article above comments.

Repetition cannot find them. A time does: the template writes it once for the record. From the time upwards, the
record grows as long as what is added is the record's own (its author, its words) and stops where the page's furniture
begins: the main heading, forms, menus, or the records that are already known.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import add
from typing import Final

from thrawl.page.records import Region, record, text_weights
from thrawl.page.shape import Shapes

FURNITURE: Final = frozenset({"textarea", "select", "nav"})
_OUTERMOST: Final = frozenset({"html", "body", "main"})
_FEW_LINKS: Final = 4  # that a level adds: a post may bring a name, a permalink and a reply button
_FEW_CHARS: Final = 40  # outside of links; a head says its author and time with less
_MOST_LONE: Final = 40  # times that are tried; a page with more shows a list
_ALONE: Final = 0.6  # of the score of a region that holds as much: what repeats is surer


class Grower:
    """Grows records from single nodes of one page."""

    def __init__(self, page: Shapes) -> None:
        tree = page.tree
        self.page = page
        plain = [len(text.strip()) if text else 0 for text in tree.texts]
        anchor = [0] * len(plain)
        for node, tag in enumerate(tree.tags):
            if tag == "a":
                end = tree.ends[node]
                anchor[node:end] = map(add, anchor[node:end], plain[node:end])
                plain[node:end] = [0] * (end - node)
        self._plain = [0, *accumulate(plain)]
        self._anchor = [0, *accumulate(anchor)]
        self._links = [0, *accumulate(tag == "a" for tag in tree.tags)]
        self._furniture = [0, *accumulate(tag == "h1" or tag in FURNITURE for tag in tree.tags)]

    def plain(self, start: int, end: int) -> int:
        """Characters outside links in a range of nodes."""
        return self._plain[end] - self._plain[start]

    def grow(self, node: int, barriers: Sequence[int]) -> int:
        """The highest ancestor that is still this node's record; `barriers` are nodes that it must not hold, sorted."""
        tree = self.page.tree
        start = node
        while (above := tree.parents[node]) >= 0 and tree.tags[above] not in _OUTERMOST:
            at = bisect_left(barriers, above)
            if at < len(barriers) and barriers[at] < tree.ends[above]:
                break
            if self._has_words(start, node) and self._adds_furniture(node, above):
                break
            node = above
        return node

    def _has_words(self, start: int, node: int) -> bool:
        """Whether a record that grew from `start` to `node` has more to say than its head."""
        ends = self.page.tree.ends
        return self.plain(node, ends[node]) - self.plain(start, ends[start]) >= _FEW_CHARS

    def _adds_furniture(self, node: int, above: int) -> bool:
        def added(sums: Sequence[int]) -> int:
            ends = self.page.tree.ends
            return (sums[ends[above]] - sums[above]) - (sums[ends[node]] - sums[node])

        if added(self._furniture):
            return True
        return added(self._links) >= _FEW_LINKS and added(self._anchor) > added(self._plain)


def lone_region(grower: Grower, times: Sequence[int], taken: Sequence[Region]) -> Region | None:
    """The best single record of a page around a time outside the timed regions, scored like a region."""
    page = grower.page
    weights = text_weights(page.tree)
    barriers = sorted(one.start for region in taken if region.timed for one in region.records)
    spans = [(one.start, one.end) for region in taken if region.timed for one in region.records]
    best: Region | None = None
    for time in _outside(times, spans)[:_MOST_LONE]:
        root = grower.grow(time, barriers)
        end = page.tree.ends[root]
        if grower.plain(root, end) <= grower.plain(time, page.tree.ends[time]):
            continue
        score = _ALONE * (weights[end] - weights[root]) / max(1, weights[-1])
        if best is None or score > best.score:
            best = Region(page.tree.parents[root], (record(page.tree, (root,)),), (time,), score)
    return best


def _outside(nodes: Iterable[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    covered = sorted(spans)
    found, at = [], 0
    for node in nodes:
        while at < len(covered) and covered[at][1] <= node:
            at += 1
        if at == len(covered) or node < covered[at][0]:
            found.append(node)
    return found
