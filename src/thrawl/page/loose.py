"""Records without elements of their own: print views and plain archives that write posts one after the other.

There the words are loose text between siblings of the element that shows the time. A record then runs from one main
part to the next, text and all; where a rule or a heading parts the posts, from one of these to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from thrawl.page.shape import Shapes
from thrawl.page.tree import TEXT

_PARTING: Final = frozenset({"hr", "h1", "h2", "h3", "h4", "h5", "h6"})
_MUCH_TEXT: Final = 40


def is_loose(shapes: Shapes, mains: Sequence[int]) -> bool:
    """Whether the words between the main parts are loose text of their parent, and more than the main parts hold."""
    tree = shapes.tree
    parent = tree.parents[mains[0]]
    if parent < 0 or any(tree.parents[main] != parent for main in mains):
        return False
    chosen = set(mains)
    between = sum(
        len(tree.texts[child].strip())
        for child in tree.children(parent)
        if tree.tags[child] == TEXT and child not in chosen and mains[0] < child
    )
    if between <= _MUCH_TEXT * len(mains):
        return False
    return between > sum(len(text.strip()) for main in mains for text in tree.texts[main : tree.ends[main]])


def segments(shapes: Shapes, mains: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """One record a main part: all siblings from where it begins to where the next one does."""
    row = list(shapes.tree.children(shapes.tree.parents[mains[0]]))
    chosen = set(mains)
    places = [at for at, node in enumerate(row) if node in chosen]
    starts = _starts(shapes, row, places)
    end = _end(shapes, row, starts)
    return tuple(tuple(row[start:stop]) for start, stop in zip(starts, (*starts[1:], end), strict=True) if start < stop)


def _starts(shapes: Shapes, row: Sequence[int], places: Sequence[int]) -> list[int]:
    """Where records begin: at the parting element that stands once before each main part, else at the main parts."""
    tags = shapes.tree.tags
    gaps = [range(one + 1, two) for one, two in zip((-1, *places[:-1]), places, strict=True)]
    parting = Counter(tags[row[at]] for gap in gaps for at in gap if tags[row[at]] in _PARTING)
    for tag, count in parting.most_common():
        if count >= len(gaps) and all(any(tags[row[at]] == tag for at in gap) for gap in gaps):
            return [max(at for at in gap if tags[row[at]] == tag) for gap in gaps]
    return list(places)


def _end(shapes: Shapes, row: Sequence[int], starts: Sequence[int]) -> int:
    """The end of the last record: the first sibling of a look that no record before it has."""
    known = {shapes.labels[row[at]] for at in range(starts[0], starts[-1])}
    for at in range(starts[-1] + 1, len(row)):
        if shapes.labels[row[at]] not in known:
            return at
    return len(row)
