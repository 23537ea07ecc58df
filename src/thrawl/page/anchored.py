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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from thrawl.page.shape import Shapes

_HIGHEST_CLIMB: Final = 40
_LONGEST_RECORD: Final = 12
_STRAY: Final = 0.1
_LIKE_MAIN: Final = 0.6
_STEADY_GAPS: Final = 3


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
    chains = [_chain(shapes, anchor) for anchor in anchors]
    held = Counter(chain.from_iterable(chains))
    heights = sorted(_own_height(one, held) for one in chains)
    for stray in strays:
        yield _reached(shapes, chains, heights[int(len(heights) * stray)])


def _reached(shapes: Shapes, chains: Sequence[Sequence[int]], height: int) -> list[int]:
    for level in range(height, -1, -1):
        alike = _same_tag(shapes, (one[level] for one in chains if len(one) > level))
        if len(alike) >= max(2, len(chains) * (1 - _STRAY) - 1):
            return alike
    return []


def _chain(shapes: Shapes, anchor: int) -> list[int]:
    parents = shapes.tree.parents
    found = [anchor]
    while len(found) < _HIGHEST_CLIMB and (anchor := parents[anchor]) >= 0:
        found.append(anchor)
    return found


def _own_height(above: Sequence[int], held: Counter[int]) -> int:
    height = 0
    while height + 1 < len(above) and held[above[height + 1]] == 1:
        height += 1
    return height


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
    rows: dict[int, list[int]] = {}
    for parent, count in shared.items():
        if count > 1:
            rows[parent] = list(shapes.tree.elements(parent))
    before, after = _reach(shapes, mains, rows)
    if not before and not after:
        return tuple((main,) for main in mains)
    return tuple(_with_siblings(main, rows.get(parents[main]), before, after, set(mains)) for main in mains)


def _with_siblings(main: int, row: list[int] | None, before: int, after: int, mains: set[int]) -> tuple[int, ...]:
    if row is None:
        return (main,)
    at = bisect_left(row, main)
    start = at
    while start > max(0, at - before) and row[start - 1] not in mains:
        start -= 1
    end = at + 1
    while end < min(len(row), at + after + 1) and row[end] not in mains:
        end += 1
    return tuple(row[start:end])


def _reach(shapes: Shapes, mains: Sequence[int], rows: dict[int, list[int]]) -> tuple[int, int]:
    """How many siblings before and after each main part recur with it."""
    gaps, firsts, lasts = _gaps(shapes, mains, rows)
    if not gaps:
        return 0, 0
    period = Counter(len(gap) for gap in gaps).most_common(1)[0][0]
    if period == 0 or period > _LONGEST_RECORD:
        return 0, 0
    usual = [gap for gap in gaps if len(gap) == period]
    looks = [Counter(_sibling_look(shapes, gap[i]) for gap in usual).most_common(1)[0][0] for i in range(period)]
    before = _matching(shapes, [list(reversed(first)) for first in firsts], list(reversed(looks)))
    after = _matching(shapes, lasts, looks)
    if before + after < period:
        before = min(before, period)
        after = period - before
    elif before + after > period:
        after, before = (after, period - after) if after >= before else (period - before, before)
    return before, after


def _gaps(
    shapes: Shapes, mains: Sequence[int], rows: dict[int, list[int]]
) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """The siblings between neighbouring main parts, before the first and after the last one of each parent."""
    gaps: list[list[int]] = []
    firsts: list[list[int]] = []
    lasts: list[list[int]] = []
    chosen = set(mains)
    for row in rows.values():
        places = [i for i, node in enumerate(row) if node in chosen]
        gaps.extend(row[one + 1 : two] for one, two in pairwise(places))
        firsts.append(row[max(0, places[0] - _LONGEST_RECORD) : places[0]])
        lasts.append(row[places[-1] + 1 : places[-1] + 1 + _LONGEST_RECORD])
    return gaps, firsts, lasts


def _matching(shapes: Shapes, runs: Sequence[Sequence[int]], looks: Sequence[tuple[str, ...]]) -> int:
    """How far the siblings at the open end of the lists look like those between records."""
    counts = []
    for run in runs:
        count = 0
        while count < min(len(run), len(looks)) and _sibling_look(shapes, run[count]) == looks[count]:
            count += 1
        counts.append(count)
    return min(counts, default=0)


def _sibling_look(shapes: Shapes, node: int) -> tuple[str, ...]:
    return (shapes.labels[node], *(shapes.tree.tags[child] for child in shapes.tree.elements(node)))
