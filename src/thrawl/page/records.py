"""Find the repeated regions of a page and cut them into records (sections 4.1 and 4.3.1.1 of FoCUS).

Two sources of candidates: groups of times at the same place (`anchored`), which cut posts and thread rows even
where the users' content is wild, and siblings that look alike (`repeated`), for lists without times. Candidates are
scored by how much of the page's text they hold and how well their records agree; of two candidates that overlap the
better one stays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import log2
from typing import Final, Protocol

from thrawl.page import anchored, repeated
from thrawl.page.shape import Shapes, element_of
from thrawl.page.tree import Tree

# Groups of times, the largest: real pages have a handful, what is hostile must not cost more.
_MOST_CANDIDATES: Final = 40
_LAST_STEPS: Final = 3  # labels above a time: its own, its line, its box; what is further up changes with nesting
_DEEPEST: Final = 64  # levels; real pages have 22
_MOST: Final = 0.6  # of the records show a time: deleted posts and boards without posts have none
_SCATTERED: Final = 0.97  # a tie-break: of two cuts as good, the one under one parent
_UNTIMED: Final = 0.04  # of a timed list: untimed ones are compared with each other, and lose to those with times


class Mention(Protocol):
    """What a record finder needs to know of a time: the node that shows it, and how exact it is."""

    @property
    def node(self) -> int: ...

    @property
    def kind(self) -> str: ...

    @property
    def precision(self) -> str: ...

    @property
    def exact(self) -> Hashable: ...


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its root nodes, one subtree or several neighbouring ones, in document order."""

    parts: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Region:
    """A repeated region: the node above all of its records, the records in page order, and how good it seems.

    `anchors` are the elements that show the times at the records' common place, one a record where it has one;
    the region is timed if most records do. `score` compares regions of one page.
    """

    parent: int
    records: tuple[Record, ...]
    anchors: tuple[int, ...]
    score: float

    @property
    def timed(self) -> bool:
        return len(self.anchors) >= _MOST * len(self.records)


def candidates_of(page: Shapes, times: Iterable[Mention]) -> list[Region]:
    """Every way to cut a page into records that has something for it; they overlap."""
    shown = list(times)
    nodes = anchor_nodes(page.tree, shown)
    weights = text_weights(page.tree, nodes)
    instants = {element_of(page.tree, time.node): time.exact for time in shown if time.exact is not None}
    return [_region(page, parts, nodes, weights, instants) for parts in _candidates(page, nodes, weights)]


def anchor_nodes(tree: Tree, times: Iterable[Mention]) -> list[int]:
    """The elements that show times good enough to anchor a record: a bare month is the name of an archive."""
    return sorted({element_of(tree, time.node) for time in times if not _is_bare_month(time)})


def _is_bare_month(time: Mention) -> bool:
    return time.precision in ("month", "year") and time.kind != "relative" and time.exact is None


def record(tree: Tree, parts: tuple[int, ...]) -> Record:
    return Record(parts, parts[0], tree.ends[parts[-1]])


def text_weights(tree: Tree, silent: Iterable[int] = ()) -> list[int]:
    """Running sums of visible characters: the text of nodes a to b weighs `sums[b] - sums[a]`.

    The text right inside `silent` elements weighs nothing: a list of bare times is no list of records.
    """
    chars = [len(text.strip()) if text else 0 for text in tree.texts]
    for element in silent:
        for child in tree.children(element):
            chars[child] = 0
    return [0, *accumulate(chars)]


def _candidates(page: Shapes, times: Sequence[int], weights: Sequence[int]) -> list[tuple[tuple[int, ...], ...]]:
    found: dict[tuple[tuple[int, ...], ...], None] = {}
    for group in _time_groups(page, times):
        for parts in anchored.cuts(page, group):
            found.setdefault(parts)
    for parts in repeated.lists(page, weights):
        found.setdefault(parts)
    return list(found)


def _time_groups(page: Shapes, times: Sequence[int]) -> list[tuple[int, ...]]:
    """Times at the same place: by full path, by path of tags, and by the path's last steps (nested comments)."""
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for node in times:
        groups["path", page.paths[node]].append(node)
        groups["tags", page.tag_paths[node]].append(node)
        groups["steps", _last_steps(page, node)].append(node)
    distinct = dict.fromkeys(tuple(group) for group in groups.values() if len(group) > 1)
    return sorted(distinct, key=len, reverse=True)[:_MOST_CANDIDATES]


def _last_steps(page: Shapes, node: int) -> int:
    steps = []
    for _ in range(_LAST_STEPS):
        steps.append(page.labels[node])
        node = page.tree.parents[node]
        if node < 0:
            break
    return hash(tuple(steps))


def _region(
    page: Shapes,
    parts: tuple[tuple[int, ...], ...],
    times: Sequence[int],
    weights: Sequence[int],
    instants: Mapping[int, Hashable],
) -> Region:
    tree = page.tree
    records = tuple(record(tree, nodes) for nodes in parts)
    parent = common_parent(tree, [nodes[0] for nodes in parts])
    anchors, repeats = _aligned_times(page, records, times, instants)
    score = _score(page, records, len(anchors) / len(records), weights) / repeats
    return Region(parent, records, tuple(anchors), score)


def _aligned_times(
    page: Shapes, records: Sequence[Record], times: Sequence[int], instants: Mapping[int, Hashable]
) -> tuple[list[int], float]:
    """The times that stand at the place of a record where most records show one, one a record, and how many more.

    A record that shows two times or more at one place is a list of records itself; but the same instant twice is
    one time, shown for narrow and for wide screens.
    """
    places: dict[int, list[int]] = defaultdict(list)
    counts: Counter[int] = Counter()
    for one in records:
        shown: dict[int, list[int]] = defaultdict(list)
        for time in times[bisect_left(times, one.start) : bisect_left(times, one.end)]:
            shown[place_in(page, time, one)].append(time)
        for place, found in shown.items():
            places[place].append(found[0])
            counts[place] += len({instants.get(time, time) for time in found})
    if not places:
        return [], 1.0
    place = max(places, key=lambda one: len(places[one]))
    return places[place], counts[place] / len(places[place])


def place_in(page: Shapes, node: int, one: Record) -> int:
    """Where a node stands in a record: a number for the tags from it up to the record's root."""
    depths = page.tree.depths
    return page.tags_above(node, min(_DEEPEST, depths[node] - depths[one.start] + 1))


def _score(page: Shapes, records: Sequence[Record], timed: float, weights: Sequence[int]) -> float:
    """Share of the page's text in the records, lifted by times and by how alike neighbouring records look."""
    total = max(1, weights[-1])
    covered = sum(weights[one.end] - weights[one.start] for one in records) / total
    pairs = list(pairwise(records))[:: max(1, len(records) // 8)]
    alike = sum(page.likeness(one.parts[0], two.parts[0]) for one, two in pairs) / max(1, len(pairs))
    known = timed if timed >= _MOST else 0.0
    # of two cuts that hold the same text, the finer one parts replies from what they reply to
    finer = 1 + 0.02 * log2(len(records))
    if len({page.tree.parents[one.start] for one in records}) > 1:
        finer *= _SCATTERED
    return covered * (known + _UNTIMED * _evenness(records, weights)) * alike * finer


def _evenness(records: Sequence[Record], weights: Sequence[int]) -> float:
    """Near 1 for rows of a list, near 0 for the blocks of a layout, where one holds nearly all of the text."""
    sizes = sorted(weights[one.end] - weights[one.start] for one in records)
    return sizes[len(sizes) // 2] * len(sizes) / max(1, sum(sizes)) if sizes[-1] else 0.0


def common_parent(tree: Tree, nodes: Sequence[int]) -> int:
    """The lowest node above all of these."""
    low, high = min(nodes), max(nodes)
    parent = tree.parents[low]
    while parent > 0 and tree.ends[parent] <= high:
        parent = tree.parents[parent]
    return max(parent, 0)


def without_overlaps(tree: Tree, candidates: Sequence[Region]) -> tuple[Region, ...]:
    """The best regions; a worse one that shares nodes with a better one is dropped."""
    kept: list[Region] = []
    taken = bytearray(len(tree) + 1)
    ranked = sorted(candidates, key=lambda one: (-one.score, one.records[0].start))
    for region in ranked:
        if any(any(taken[one.start : one.end]) for one in region.records):
            continue
        for one in region.records:
            taken[one.start : one.end] = b"\x01" * (one.end - one.start)
        kept.append(region)
    return tuple(kept)
