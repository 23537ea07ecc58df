"""Lists without times: neighbouring siblings that look alike.

The fallback of the record finder, for category pages, member lists and whatever shows no date; the candidates of
partial tree alignment without its pairwise comparison of all children.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from thrawl.page.shape import Shapes
from thrawl.page.tree import TEXT

_LIKE: Final = 0.35  # of their outlines; rows with and without a picture still share a third
_LEAST_SHARE: Final = 0.02  # of the page's text; shorter lists are pagers and menus
_PHRASING: Final = frozenset(
    "a abbr acronym b bdi bdo big br button cite code em font i img input kbd label mark nobr option q s samp small"
    " span strike strong sub sup td th time tt u var wbr hr".split()
)


def lists(page: Shapes, weights: Sequence[int]) -> list[tuple[tuple[int, ...], ...]]:
    """Candidate regions: for each place, the nodes of the same look that stand there, under one or several parents.

    `weights` are running sums of visible characters; what holds next to no text is not worth a closer look.
    """
    places: dict[int, list[int]] = defaultdict(list)
    siblings: dict[tuple[int, str], list[int]] = defaultdict(list)
    tags, parents = page.tree.tags, page.tree.parents
    for node in range(1, len(page.tree)):
        tag = tags[node]
        if tag != TEXT and tag not in _PHRASING:
            places[page.paths[node]].append(node)
            siblings[parents[node], tag].append(node)
    ends = page.tree.ends
    least = _LEAST_SHARE * weights[-1]
    repeated = dict.fromkeys(tuple(nodes) for nodes in (*places.values(), *siblings.values()) if len(nodes) > 1)
    return [
        tuple((node,) for node in nodes)
        for nodes in repeated
        if sum(weights[ends[node]] - weights[node] for node in nodes) >= least and _alike(page, nodes)
    ]


def _alike(page: Shapes, nodes: Sequence[int]) -> bool:
    """Whether a few samples of the nodes look like their neighbours, and hold more than a bare text."""
    step = max(1, len(nodes) // 5)
    samples = nodes[::step][:6]
    if len(page.outline(samples[0])) < 3:
        return False
    likes = [page.likeness(one, two) for one, two in pairwise(samples)]
    return sum(likes) >= _LIKE * len(likes)
