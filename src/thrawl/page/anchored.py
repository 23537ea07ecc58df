"""Cut records around anchors: nodes that stand once in each record, at the same relative place.

MiBAT's idea (the published bar for post extraction): the user's own content may look like anything, but each post
and each thread row shows a time at the same place, written by the template. All anchors of one group climb the tree
in step, as long as each still has an ancestor of its own: the highest such ancestors are the records' main parts.
Where records are several siblings (three `<tr>` a post), the siblings that recur at a fixed distance from each main
part belong to it.

Climbing in step, instead of cutting at the children of the common ancestor, is what keeps nested comments apart
(the parent's own part ends where its replies begin) and lets records stand in several tables.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Final

from thrawl.page.shape import Shapes
from thrawl.page.tree import Tree

_HIGHEST_CLIMB: Final = 39  # levels; real pages have 22, and what is hostile must not cost more
_LONGEST_RECORD: Final = 12  # rows; the longest record of old tables that was seen has seven
_STRAY: Final = 0.1  # of the times may stand in what people wrote, and stop a climb too early
_LIKE_MAIN: Final = 0.6  # of their outlines: rows of one list share the frame, and differ by icons and buttons
_STEADY_GAPS: Final = 3  # of one length: two may be alike by chance

Root = tuple[Shapes, int]
"""A node on which a record is found, with the looks of its page."""


def cuts(shapes: Shapes, anchors: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The ways to cut records around anchors of one group, each record as its root nodes in document order.

    One way keeps every anchor apart from the others (replies inside posts); the other lets a few share a record
    (a quote that shows a time at the same place).
    """
    for reached in dict.fromkeys(tuple(reached) for reached in climbs(shapes, anchors, (0.0, _STRAY))):
        mains = fill(shapes, reached)
        if len(mains) > 1:
            yield extend(shapes, mains)


def climbs(shapes: Shapes, anchors: Sequence[int], strays: Iterable[float]) -> Iterator[list[int]]:
    """For each share of strays: the highest ancestor of each anchor that holds no other anchor, all at one height.

    That share of the anchors may be overruled by the rest.
    """
    if len(anchors) < 2:
        return
    chains, found = own_heights(shapes.tree, anchors, _HIGHEST_CLIMB)
    heights = sorted(found)
    for stray in strays:
        yield _reached(shapes, chains, heights[int(len(heights) * stray)])


def _reached(shapes: Shapes, chains: Sequence[Sequence[int]], height: int) -> list[int]:
    for level in range(height, -1, -1):
        alike = _same_tag(shapes, (one[level] for one in chains if len(one) > level))
        if len(alike) >= max(2, len(chains) * (1 - _STRAY) - 1):
            return alike
    return []


def own_heights(tree: Tree, nodes: Sequence[int], highest: int) -> tuple[list[list[int]], list[int]]:
    """The ways up from some nodes, and how far each goes before it meets another one's."""
    chains = [[node, *islice(tree.ancestors(node), highest)] for node in nodes]
    held = Counter(chain.from_iterable(chains))
    return chains, [next((at for at, up in enumerate(one[1:]) if held[up] > 1), len(one) - 1) for one in chains]


def _same_tag(shapes: Shapes, nodes: Iterable[int]) -> list[int]:
    """The nodes of the most common tag, each once, in document order, none inside another."""
    unique = sorted(set(nodes))
    tags = shapes.tree.tags
    common = Counter(tags[node] for node in unique).most_common(1)[0][0]
    kept: list[int] = []
    for node in unique:
        if tags[node] == common and (not kept or node >= shapes.tree.ends[kept[-1]]):
            kept.append(node)
    return kept


def fill(shapes: Shapes, mains: Sequence[int]) -> list[int]:
    """Add the siblings that look like main parts but show no anchor: deleted posts, boards without posts."""
    chosen = set(mains)
    added: list[int] = []
    for parent in dict.fromkeys(shapes.tree.parents[main] for main in mains):
        row = list(shapes.tree.elements(parent))
        if not _is_regular([at for at, node in enumerate(row) if node in chosen]):
            added.extend(_like_mains(shapes, row, chosen))
    return sorted([*mains, *added])


def _is_regular(places: Sequence[int]) -> bool:
    """Whether main parts stand at a steady distance with siblings between them: those belong to the records."""
    gaps = Counter(two - one for one, two in pairwise(places))
    distance, count = gaps.most_common(1)[0] if gaps else (1, 0)
    return distance > 1 and count >= _STEADY_GAPS and count >= 0.8 * (len(places) - 1)


def _like_mains(shapes: Shapes, row: Sequence[int], chosen: set[int]) -> Iterator[int]:
    tags = shapes.tree.tags
    model = next((node for node in row if node in chosen), None)
    for sibling in row:
        if sibling in chosen:
            model = sibling
        elif model is not None and tags[sibling] == tags[model] and shapes.likeness(sibling, model) >= _LIKE_MAIN:
            yield sibling


def extend(shapes: Shapes, mains: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Add to each main part the siblings that recur around all main parts at the same distance."""
    parents = shapes.tree.parents
    shared = Counter(parents[main] for main in mains)
    roots = [(shapes, main) for main in mains if shared[parents[main]] > 1]
    gaps = gaps_between(roots)
    period = max(gaps, key=gaps.__getitem__, default=1)
    if not 1 < period <= _LONGEST_RECORD:
        return tuple((main,) for main in mains)
    strange = strange_rows(roots, period)
    before = strange.index(min(strange))
    alone = [main for main in mains if shared[parents[main]] == 1]
    wide = rows_around(shapes.tree, [root for _, root in roots], before, period - 1 - before, mains)
    return tuple(sorted([*((main,) for main in alone), *wide]))


def gaps_between(roots: Iterable[Root]) -> Counter[int]:
    """How many sibling elements apart the roots of one parent stand, and how often."""
    places: dict[tuple[int, int], list[int]] = defaultdict(list)
    for shapes, node in roots:
        parent = shapes.tree.parents[node]
        places[id(shapes), parent].append(bisect_left(shapes.tree.row(parent), node))
    return Counter(two - one for row in places.values() for one, two in pairwise(row))


def strange_rows(roots: Sequence[Root], period: int) -> list[int]:
    """For each number of rows that records of so many rows may have before their roots, how many of their rows look
    unlike the others at their place, or are not there: above the first post stands no foot of another one, but a pager.

    Rows look alike by themselves, and by what they hold: `<tr>` all look alike, and what people write has many forms.
    """
    seen: list[list[Counter[str]]] = [[Counter(), Counter()] for _ in range(2 * period - 1)]
    for shapes, node in roots:
        rows = shapes.tree.row(shapes.tree.parents[node])
        for at, (looks, holds) in enumerate(seen, bisect_left(rows, node) - period + 1):
            if 0 <= at < len(rows):
                looks[shapes.labels[rows[at]]] += 1
                holds[" ".join(shapes.labels[one] for one in shapes.tree.row(rows[at]))] += 1
    strange = [sum(len(roots) - max(looks.values(), default=0) for looks in pair) for pair in seen]
    return [sum(strange[period - 1 - before : 2 * period - 1 - before]) for before in range(period)]


def rows_around(
    tree: Tree, mains: Iterable[int], before: int, after: int, others: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """Each main part with so many of its siblings before and after it, as far as these are none of some `others`."""
    chosen = set(others)
    for main in mains:
        row, at = tree.row(tree.parents[main]), tree.turn(main)
        start = at
        while start > max(0, at - before) and row[start - 1] not in chosen:
            start -= 1
        end = at + 1
        while end < min(len(row), at + after + 1) and row[end] not in chosen:
            end += 1
        yield tuple(row[start:end])
