"""Candidates for the kinds of records of a site: what repeats around its times.

MiBAT's idea (each post has a time at the same place) over all pages of the sample at once: times are grouped by the
last steps of their path, so that comments nested at any depth are one group; from each time one climbs while no other
time of the group comes into view. Where records are several rows, every way to part the rows is a candidate and the
evidence decides. Where neither time nor id is shown, neighbours that look alike are candidates. What stands once a page
is in `singles`.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from operator import lt
from typing import Final

from thrawl.learn.wrappers.growth import Held, growing
from thrawl.learn.wrappers.sample import Sample
from thrawl.page import repeated
from thrawl.page.anchored import gaps_between, own_heights, strange_rows
from thrawl.page.shape import look
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.kinds import Cut, Kind, id_form, trail_of
from thrawl.profile.places import NOWHERE, Path, classes_of

_HIGHEST: Final = 14  # levels from a time to its record; as deep as places are looked for
_MOST_GROUPS: Final = 32  # of times and ids, the largest; later ones hold few records
_LONGEST_ROW_RECORD: Final = 6  # rows: name, post, signature, buttons, gap; more are rows of a body
_EVEN: Final = 0.9  # of the gaps between records of as many rows each; fewer are as long as what people write
_LOW_QUANTILE: Final = 0.1  # of the heights: one time in ten may stand in what somebody wrote, and end its climb early
_ALWAYS: Final = 0.97  # as for places: one record in thirty may be damaged or deleted
_PRECISE: Final = 0.9  # of what a look fits are records; what else it fits is seen by its empty fields
_MOST_OTHERS: Final = 60  # nodes that a mark is tried on: enough to tell shares apart
_MOST_NEIGHBOURS: Final = 8  # groups of look-alikes, those with the most words
_MOST_SHARED: Final = 2  # boxes that records of several looks share: that of the author, and the column beside it
_MOST_FORMS: Final = 4  # of the ids of elements that look alike: a program writes one or two
_CROWD: Final = 3  # times in one element: fewer are a post's own
_HOLLOW: Final = frozenset({"a", "span", "time"})  # they stand beside a record or in it, and do not hold it
_ROWS: Final = frozenset("tr dt dd table tbody div p h2 h3 h4 h5 li".split())

Roots = list[tuple[Sample, int]]
Anchors = Sequence[tuple[Sample, list[int]]]


def list_kinds(samples: Sequence[Sample]) -> list[Kind]:
    """Kinds that repeat within pages around times and ids, each once, those with the most records first."""
    anchored = (roots for anchors in _anchor_groups(samples) for roots in _roots_above(anchors))
    found = _kinds_of_all(anchored)
    for roots in _rules_before_times(samples):
        found.update((kind, len(roots)) for kind in _runs_of(kind_of(roots), roots))
    return sorted(found, key=lambda kind: -found[kind])


def neighbour_kinds(samples: Sequence[Sample]) -> list[Kind]:
    """Kinds around what looks alike, and around links that stand once each, as the records of lists that show neither
    time nor id."""
    found = (*_neighbours(samples), *_permalinks(samples))
    return list(_kinds_of_all(roots for anchors in found for roots in _roots_above(anchors)))


def shared_kinds(samples: Sequence[Sample]) -> Iterator[tuple[Kind, ...]]:
    """Kinds around what stands once in records of several looks, each look by itself and all as one: the box with the
    name of who wrote a question, an answer, or an answer to that."""
    for shared in _sharing(samples):
        *_, widest = (shared, *_lifted(shared))
        for roots in (shared, widest):
            looks: dict[str, Roots] = defaultdict(list)
            for sample, node in roots:
                looks[look(sample.tree, node)].append((sample, node))
            yield (marked(kind_of(roots), roots),)
            yield tuple(marked(kind_of(one), one) for one in looks.values())


def _sharing(samples: Sequence[Sample]) -> list[Roots]:
    """Elements of several looks and one tag, on nearly all pages, that hold an element of one look each; those first
    that say most."""
    groups: dict[str, Roots] = defaultdict(list)
    for sample in samples:
        tree = sample.tree
        for node, attributes in enumerate(tree.attributes):
            if attributes and attributes.get("class") and tree.tags[node] not in _HOLLOW:
                groups[look(tree, node)].append((sample, tree.parents[node]))
    found = [roots for roots in groups.values() if _are_apart(roots, len(samples))]
    said = {id(roots): sum(one.weight(node, one.tree.ends[node]) for one, node in roots) for roots in found}
    return sorted(found, key=lambda roots: -said[id(roots)])[:_MOST_SHARED]


def _are_apart(roots: Roots, pages: int) -> bool:
    """Whether elements are all different ones, of one tag and several looks, on nearly all pages."""
    alone = len({(id(sample), node) for sample, node in roots}) == len(roots) == len(_of_one_tag(roots))
    everywhere = len({id(sample) for sample, _ in roots}) >= _PRECISE * pages
    return alone and everywhere and len({look(sample.tree, node) for sample, node in roots}) > 1


def _kinds_of_all(groups: Iterable[Roots]) -> dict[Kind, int]:
    """The kinds that these records may be of, each with the number of its records."""
    found: dict[Kind, int] = {}
    tried: set[tuple[tuple[int, int], ...]] = set()
    for roots in groups:
        nodes = tuple((id(sample), node) for sample, node in roots)
        if nodes not in tried:  # several groups of times often lead to the same records
            tried.add(nodes)
            for kind in _kinds_of(roots):
                found[kind] = max(found.get(kind, 0), len(roots))
    return found


def _neighbours(samples: Sequence[Sample]) -> list[Anchors]:
    """Nodes that look alike and stand at one place, those with the most words first."""
    groups: dict[tuple[str, str], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    heavy: Counter[tuple[str, str]] = Counter()
    for number, sample in enumerate(samples):
        labels, tree = sample.shapes.labels, sample.tree
        for records in repeated.lists(sample.shapes, sample.weights):
            first = records[0][0]
            key = labels[tree.parents[first]], labels[first]
            groups[key][number].extend(root for (root,) in records)
            heavy[key] += sum(sample.weight(root, tree.ends[root]) for (root,) in records)
    best = [groups[key] for key, _ in heavy.most_common(_MOST_NEIGHBOURS)]
    return [[(samples[number], sorted(set(nodes))) for number, nodes in group.items()] for group in best]


def _permalinks(samples: Sequence[Sample]) -> list[Anchors]:
    """Links to addresses, or to places of a page, that differ by numbers alone and stand on one page each: a post has
    one. Those with the most first."""
    groups: dict[str, dict[int, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for number, sample in enumerate(samples):
        for node in sample.tree.named("a"):
            href = sample.tree.attributes[node].get("href", "")
            for form in {id_form(href), id_form(href.partition("#")[2])}:
                if "0" in form:
                    groups[form][number].setdefault(href, node)
    found: list[tuple[int, Anchors]] = []
    for group in groups.values():
        links = sum(map(len, group.values()))
        if links > len(group) and links == len(set(itertools.chain(*group.values()))):
            found.append((links, [(samples[number], [*own.values()]) for number, own in group.items()]))
    found.sort(key=lambda pair: -pair[0])
    return [anchors for _, anchors in found[:_MOST_NEIGHBOURS]]


def _rules_before_times(samples: Sequence[Sample]) -> Iterator[Roots]:
    """What parts posts that have no element of their own, as print views write them: the tag that stands between any
    two times of one element, as seldom as can be."""
    found: dict[str, Roots] = defaultdict(list)
    for sample in samples:
        tree = sample.tree
        texts: dict[int, list[int]] = defaultdict(list)
        for mention in sample.times:
            if tree.tags[mention.node] == TEXT:
                texts[tree.parents[mention.node]].append(mention.node)
        for parent, times in texts.items():
            if len(times) >= _CROWD:
                row = list(tree.elements(parent))
                places = [0, *(bisect_left(row, time) for time in times)]
                gaps = [row[one:two] for one, two in itertools.pairwise(places)]
                counts = Counter(tree.tags[node] for gap in gaps for node in gap)
                parting = [tag for tag in counts if all(any(tree.tags[node] == tag for node in gap) for gap in gaps)]
                if parting:
                    tag = min(parting, key=counts.__getitem__)
                    last = (max(node for node in gap if tree.tags[node] == tag) for gap in gaps)
                    found[tag].extend((sample, node) for node in last)
    yield from found.values()


def kinds_around(anchors: Anchors) -> Iterator[Kind]:
    """The kinds that these nodes are anchors of."""
    for roots in _roots_above(anchors):
        yield from _kinds_of(roots)


def _roots_above(anchors: Anchors) -> Iterator[Roots]:
    """The roots of the records that these nodes are anchors of, and those around them where each has its own."""
    roots = _climb(anchors)
    if len(roots) < 2:
        return
    yield roots
    yield from _lifted(roots)


def _anchor_groups(samples: Sequence[Sample]) -> list[list[tuple[Sample, list[int]]]]:
    """Times at like places, and ids of one form: for each group the pages that show it, with its elements.

    Where ids of one look have many forms, they are random signs, and what looks alike is one group.
    """
    groups: dict[tuple[str, ...], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    forms: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for sample in samples:
        for node, key in sample.numbered:
            forms[look(sample.tree, node)].add(key)
    for number, sample in enumerate(samples):
        for node in sample.time_elements:
            for key in _keys(sample.tree, node):
                groups[key][number].append(node)
        for node, key in sample.numbered:
            shown = look(sample.tree, node)
            groups[key if len(forms[shown]) <= _MOST_FORMS else ("ids", shown)][number].append(node)
    repeated = [group for group in groups.values() if any(len(nodes) > 1 for nodes in group.values())]
    ranked = sorted(repeated, key=lambda group: -sum(map(len, group.values())))[:_MOST_GROUPS]
    return [[(samples[number], nodes) for number, nodes in group.items()] for group in ranked]


def _keys(tree: Tree, node: int) -> Iterator[tuple[str, ...]]:
    """The last steps above a time: five tags, the same with table columns, and two steps with their classes."""
    tags: list[str] = []
    cells: list[str] = []
    looks: list[str] = []
    above = node
    while above >= 0 and len(tags) < 5:
        tag = tree.tags[above]
        tags.append(tag)
        cells.append(f"{tag} {tree.turn(above, tag)}" if tag in ("td", "th", "dd") else tag)
        if len(looks) < 2:
            looks.append(" ".join((tag, *sorted(classes_of(tree, above)))))
        above = tree.parents[above]
    yield ("tags", *tags)
    yield ("looks", *looks)
    if cells != tags:
        yield ("cells", *cells)


def cell_trail(tree: Tree, node: int, top: int) -> tuple[str, ...]:
    """The tags from a node up to one above it, table cells with their columns."""
    found: list[str] = []
    while node > top and len(found) < _HIGHEST:
        tag = tree.tags[node]
        found.append(f"{tag} {tree.turn(node, tag)}" if tag in ("td", "th", "dd") else tag)
        node = tree.parents[node]
    return tuple(found)


def _climb(anchors: Anchors) -> Roots:
    """The node at a common height above each time that holds no other time of the group."""
    heights = []
    for sample, nodes in anchors:
        if len(nodes) > 1:
            heights.extend(own_heights(sample.tree, nodes, _HIGHEST)[1])
    if not heights:
        return []
    heights.sort()
    height = heights[int(len(heights) * _LOW_QUANTILE)]
    found: Roots = []
    for sample, nodes in anchors:
        reached = {up for node in nodes if (up := _up(sample.tree, node, height)) >= 0}
        found.extend((sample, node) for node in sorted(reached))
    return _of_one_tag(found)


def _up(tree: Tree, node: int, height: int) -> int:
    for _ in range(height):
        node = tree.parents[node]
        if node < 0:
            return -1
    return node


def _of_one_tag(roots: Roots) -> Roots:
    if not roots:
        return []
    usual = Counter(sample.tree.tags[node] for sample, node in roots).most_common(1)[0][0]
    return [(sample, node) for sample, node in roots if sample.tree.tags[node] == usual]


def _lifted(roots: Roots) -> Iterator[Roots]:
    """The nodes above these, level by level, while each root has a parent of its own: the element around a post also
    holds its body and the answers below it."""
    while True:
        lifted = [(sample, sample.tree.parents[node]) for sample, node in roots]
        own = {(id(sample), node) for sample, node in lifted}
        tags = {sample.tree.tags[node] for sample, node in lifted}
        if len(own) < len(lifted) or len(tags) > 1 or "body" in tags:
            return
        roots = lifted
        yield roots


def _kinds_of(roots: Roots) -> Iterator[Kind]:
    kind = kind_of(roots)
    if kind.tag in _HOLLOW:
        return
    single = marked(kind, roots)
    yield single
    if single.tag not in _ROWS:
        return
    if _has_loose_words(roots):
        yield from _runs_of(single, roots)
        return
    looks = [(sample.shapes, node) for sample, node in roots]
    gaps = gaps_between(looks)
    period = max(gaps, key=gaps.__getitem__, default=1)
    if 1 < period <= _LONGEST_ROW_RECORD:
        strange = strange_rows(looks, period)
        chance = sqrt(len(roots))  # by so much two counts of so many differ that mean the same
        for before in (before for before, cost in enumerate(strange) if cost < min(strange) + chance):
            yield replace(single, before=before, after=period - 1 - before)
    if max(gaps, default=1) > 1 and gaps[period] < _EVEN * gaps.total():
        yield from _runs_of(single, roots)


def _has_loose_words(roots: Roots) -> bool:
    """Whether words stand between two roots in no element, as old pages and print views write them."""
    return any(
        sample.tree.tags[node] == TEXT and sample.weight(node, node + 1)
        for (sample, one), (other, two) in itertools.pairwise(roots)
        if sample is other and sample.tree.parents[one] == sample.tree.parents[two]
        for node in itertools.takewhile(partial(lt, one), sample.tree.before(two))
    )


def _runs_of(kind: Kind, roots: Roots) -> Iterator[Kind]:
    """Heads with all that follows up to the next one: what people write has as many elements as it likes.

    What always stands right before a head, such as the mark that links lead to, may belong to it.
    """
    rows = list(_rows_between(roots))
    marks = Counter(look(tree, row[-1]) for tree, row in rows if row)
    for before in (0, 1) if marks and max(marks.values()) >= _ALWAYS * len(rows) else (0,):
        kin = {look(tree, node) for tree, row in rows for node in row[: len(row) - before]}
        yield replace(kind, before=before, kin=frozenset(kin or {TEXT}))


def _rows_between(roots: Roots) -> Iterator[tuple[Tree, list[int]]]:
    """The sibling elements between each root and the next one of its parent, without a rule at their end."""
    for (sample, one), (other, two) in itertools.pairwise(roots):
        tree = sample.tree
        if sample is other and tree.parents[one] == tree.parents[two]:
            row = [node for node in tree.elements(tree.parents[one]) if one < node < two]
            yield tree, row[:-1] if row and tree.tags[row[-1]] == "hr" else row


def kind_of(roots: Roots) -> Kind:
    """What the roots have in common."""
    least = _ALWAYS * len(roots)
    classes = Counter(name for sample, node in roots for name in classes_of(sample.tree, node))
    forms = Counter(id_form(sample.tree.attributes[node].get("id", "")) for sample, node in roots)
    trails = Counter(trail_of(sample.tree, node) for sample, node in roots)
    form, formed = forms.most_common(1)[0]
    trail, trailed = trails.most_common(1)[0]
    sample, node = roots[0]
    return Kind(
        sample.tree.tags[node],
        frozenset(name for name, count in classes.items() if count >= least),
        form if formed >= least and "0" in form else "",
        trail if trailed >= least else (),
    )


def marked(kind: Kind, roots: Roots) -> Kind:
    """The kind with a mark inside, where its look alone fits many nodes that are no roots."""
    own = {(id(sample), node) for sample, node in roots}
    pages = {id(sample): sample for sample, _ in roots}
    others = [
        (sample.tree, cut.start)
        for sample in pages.values()
        for cut in sample.cut(kind)
        if (id(sample), cut.start) not in own
    ]
    if len(others) <= (1 - _PRECISE) * (len(roots) + len(others)):
        return kind
    held = [Held(sample, Cut((node,), node, sample.tree.ends[node])) for sample, node in roots]
    best = _rarest(held, others[:: max(1, len(others) // _MOST_OTHERS)])
    return kind if best is None else replace(kind, mark=best)


def _rarest(held: Sequence[Held], others: Sequence[tuple[Tree, int]]) -> Path | None:
    """The place of these records that the fewest of the other nodes have too; of several the one least deep. None is
    marked by how many lines somebody wrote.

    Places come level by level, so each is looked for only below the nodes that the place above it led to.
    """
    reached: dict[Path, Sequence[tuple[Tree, int]]] = {(): others}
    best: Path | None = None
    for place in growing(held, _ALWAYS):
        if not place.path:
            continue
        step = place.path[-1]
        found = [
            (tree, node)
            for tree, above in reached[place.path[:-1]]
            if (node := step.pick_child(tree, above)) != NOWHERE
        ]
        reached[place.path] = found
        lines = step.tag == TEXT and not place.steady
        if not lines and (best is None or len(found) < len(reached[best])):
            best = place.path
        if not found:
            break
    return best
