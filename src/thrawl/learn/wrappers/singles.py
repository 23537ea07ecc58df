"""Candidates for what stands once on each page: a question, an article, the post of a thread without answers.

Nothing repeats on the page itself, so it grows around its time or is found by its place, across pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.wrappers.candidates import kind_of, marked
from thrawl.learn.wrappers.sample import LEAST_LEFT, Sample
from thrawl.page.lone import Grower
from thrawl.page.shape import look
from thrawl.profile.kinds import Cut, Kind, trail_of

_MOST: Final = 0.6  # of what is left: a question, while tags and a bar beside it are the rest
_HALF: Final = 0.5  # of the pages: what stands once a page stands on most of them
_MOST_GROWN: Final = 2  # kinds around single times, those with the most words
_PHRASING: Final = frozenset(
    "a abbr b big cite code em font i label mark nobr q s samp small span strike strong sub sup time tt u p".split()
)

Parts = tuple[int, ...]


def block_kinds(samples: Sequence[Sample], taken: Sequence[Sequence[Cut]]) -> list[Kind]:
    """Kinds of blocks that hold most of what no known record holds, the smallest first; where records are known, those
    before them: an opening post with markup of its own."""
    pages = [
        (sample, left, min((cut.start for cut in cuts), default=len(sample.tree)))
        for sample, cuts in zip(samples, taken, strict=True)
        if (left := _left_over(sample, cuts)) and left[-1] >= LEAST_LEFT
    ]
    found = _by_place((sample, (node,)) for sample, left, end in pages for node in _single_on(sample, left, end))
    good = [parts for parts in found if len(parts) >= max(1.0, _HALF * len(pages))]
    good.sort(key=lambda parts: sum(sample.tree.ends[node] - node for sample, (node,) in parts) / len(parts))
    return list(map(_single_kind, good))


def grown_kinds(samples: Sequence[Sample], taken: Sequence[Sequence[Cut]]) -> list[Kind]:
    """Kinds of what stands once on a page around a time, before all known records, those with the most words first."""
    starts = [sorted(cut.start for cut in cuts) for cuts in taken]
    found = _by_place(
        (sample, parts) for sample, known in zip(samples, starts, strict=True) for parts in _grown_on(sample, known)
    )
    good = (parts for parts in found if len(parts) >= _HALF * len(samples))
    return [_single_kind(parts) for parts in sorted(good, key=_weight, reverse=True)[:_MOST_GROWN]]


def _by_place(found: Iterable[tuple[Sample, Parts]]) -> list[list[tuple[Sample, Parts]]]:
    """Single records of several pages, those that begin at one place of their pages together."""
    places: dict[tuple[str, tuple[str, ...]], list[tuple[Sample, Parts]]] = defaultdict(list)
    for sample, parts in found:
        places[sample.tree.tags[parts[0]], trail_of(sample.tree, parts[0])].append((sample, parts))
    return list(places.values())


def _weight(found: Sequence[tuple[Sample, Parts]]) -> int:
    return sum(sample.weight(parts[0], sample.tree.ends[parts[-1]]) for sample, parts in found)


def _single_kind(found: Sequence[tuple[Sample, Parts]]) -> Kind:
    roots = [(sample, parts[0]) for sample, parts in found]
    kin = frozenset(look(sample.tree, node) for sample, parts in found for node in parts[1:])
    return replace(marked(kind_of(roots), roots), kin=kin)


def _grown_on(sample: Sample, starts: Sequence[int]) -> Iterator[Parts]:
    """What belongs to the times before all known records: the elements around them; with what follows where that says
    more, as an opening post whose element holds the replies too is what stands in it before them."""
    tree, grower = sample.tree, Grower(sample.shapes)
    end = starts[0] if starts else len(tree)
    for root in dict.fromkeys(grower.grow(time, starts) for time in sample.time_elements if time < end):
        after = [node for node in tree.elements(tree.parents[root]) if root < node and tree.ends[node] <= end]
        said = sample.weight(root, tree.ends[root])
        follows = starts and after and sample.weight(tree.ends[root], tree.ends[after[-1]]) > said
        if said or follows:
            yield (root, *after) if follows else (root,)


def _left_over(sample: Sample, cuts: Iterable[Cut]) -> list[int]:
    """Running sums of the weight outside of known records."""
    inside = bytearray(len(sample.tree))
    for cut in cuts:
        inside[cut.start : cut.end] = b"\x01" * (cut.end - cut.start)
    sums = [0] * (len(sample.tree) + 1)
    for node in range(len(sample.tree)):
        gained = 0 if inside[node] else sample.weight(node, node + 1)
        sums[node + 1] = sums[node] + gained
    return sums


def _single_on(sample: Sample, left: Sequence[int], end: int) -> Iterator[int]:
    """The blocks that hold most of what is left before a node, from the page's root downwards."""
    tree = sample.tree
    node = 0
    while True:
        heavy = [
            child
            for child in tree.elements(node)
            if tree.tags[child] not in _PHRASING and left[min(end, tree.ends[child])] - left[child] >= _MOST * left[end]
        ]
        if not heavy:
            return
        node = heavy[0]
        if tree.ends[node] <= end:
            yield node
