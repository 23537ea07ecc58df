"""Evidence for a way to cut posts: named figures, and the small model that turns them into a probability.

No figure decides alone. What speaks for a cut: its records hold what the pages say, each with one time, one author and
a number of its own, their times run one way, and no place is left where such a time stands outside of them. The
weights are trained on mirrors and made-up forums (`thrawl train`), and stand in `records.json`, to be read by a person.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate, islice, pairwise
from math import log2
from operator import itemgetter
from statistics import median
from typing import Final

from thrawl.learn.wrappers.bodies import weight_at, weight_of
from thrawl.learn.wrappers.growth import Held
from thrawl.learn.wrappers.learnshape import cut_all, hold, named_in
from thrawl.learn.wrappers.sample import Sample
from thrawl.page.lone import FURNITURE
from thrawl.page.tree import Tree
from thrawl.profile.fields import digits_in
from thrawl.profile.folding import fold
from thrawl.profile.kinds import Cut, Kind
from thrawl.profile.models import Figures, Model
from thrawl.profile.places import NOWHERE, follow
from thrawl.profile.shapes import PostShape

_UNKNOWN: Final = 0.5  # of an order that nothing tells
_CROWD: Final = 3  # times at one place; a post may show two, a list shows more
_FINEST: Final = 6.0  # 2 ** 6 posts a page are many
_MOST_KINDS: Final = 4.0
_ALONE: Final = 5  # posts by one and the same: what more have all, in whatever thread, is a label and nobody's name
_SEVERAL: Final = 2  # kinds, of which one can say what another says
_TELLING: Final = 20  # letters that two people do not write by chance
_SENTENCE: Final = 60.0  # characters; rows of a list say less than that outside of their links
_LATE: Final = datetime(2100, 1, 1, tzinfo=UTC)  # only the order of times matters


@dataclass(frozen=True, slots=True)
class Evidence(Figures):
    """What speaks for and against a cut, each from 0 to 1 unless said otherwise; shares are those of its records."""

    covered: float
    """Of what the pages say, as much stands in the bodies of records."""
    timed: float
    authored: float
    numbered: float
    """With a number that no other record of the page has."""
    worded: float
    crowded: float
    """Records that show many times at one place or many ids of one form: lists of records."""
    paged: float
    """Pages that have a record."""
    ordered: float
    """How steadily the times of a page's records run, one way or the other, those inside others aside."""
    missed: float
    """Times at the place of the records' times, but outside of them."""
    fine: float
    """Records that have words, for each page, as a logarithm; leaving out pages that show one makes no cut finer."""
    kinds: float
    """Kinds of records beyond the first."""
    lightest: float
    """What a record of the kind with the fewest words says, as a share of a sentence."""
    linked: float
    """Of the letters of a record of the kind that links most, as many stand in links: rows of a list do."""
    weakest: float
    """Times and authors of the kind that has the fewest of them."""
    narrow: float
    """Records that stand alone in an element, while others stand in others: columns or boxes of posts."""
    furnished: float
    """Records that hold what belongs to the page: a menu, a form to write into."""
    echoed: float
    """Records whose words a record of another kind of their page says too: quotations, or posts shown once more."""
    left: float
    """What stands between a page's heading and the end of its list in no record, as a share of a usual record: an
    opening post with markup of its own, or the last one after which nothing follows."""


def weigh_evidence(samples: Sequence[Sample], shapes: Sequence[PostShape]) -> Evidence:
    """The evidence for these kinds of posts on these pages."""
    kinds = zip(shapes, hold(samples, [shape.kind for shape in shapes]), strict=True)
    read = [_Read.of(held, shape) for shape, records in kinds for held in records]
    found = [one for one in read if one.timed or one.author or one.shape.is_bare]  # others are no posts
    count = max(1, len(found))
    said = sum(_in_body(one.held, one.shape) for one in found)
    whole = sum(sample.weights[-1] for sample in samples)
    pages = {id(one.held.page) for one in found}
    good = sum(one.weight > 0 for one in found)
    names = Counter(one.author for one in found if one.author)
    is_label = len(names) == 1 and count > _ALONE
    return Evidence(
        covered=1 - abs(1 - said / max(1, whole)),  # what two records hold counts against them
        timed=sum(one.timed for one in found) / count,
        authored=0.0 if is_label else names.total() / count,
        numbered=_numbered(found) / count,
        worded=sum(one.weight > 0 for one in found) / count,
        crowded=sum(one.crowded for one in found) / count,
        paged=len(pages) / max(1, len(samples)),
        ordered=_ordered(found),
        missed=_missed(samples, found),
        fine=min(1.0, log2(1 + good / max(1, len(samples))) / _FINEST),
        kinds=min(1.0, (len(shapes) - 1) / _MOST_KINDS),
        lightest=_lightest(found),
        linked=max((median(_in_links(one.held) for one in kind) for kind in _by_kind(found)), default=0.0),
        weakest=_weakest(found),
        narrow=_narrow(found) / count,
        furnished=sum(_is_furnished(one.held) for one in found) / count,
        echoed=_echoed(found) / count,
        left=_left(samples, found),
    )


def chance_at_best(samples: Sequence[Sample], kinds: Sequence[Kind], model: Model) -> float:
    """How likely these kinds are the posts of these pages if their fields, which cost most to learn, are all there."""
    held = hold(samples, kinds)
    weights = [list(map(weight_of, records)) for records in held]
    timed = any(one.page.times_in(one.cut.start, one.cut.end) for records in held for one in records)
    several = timed and max(map(_outermost, cut_all(samples, kinds))) >= _CROWD
    good = sum(weight > 0 for kind in weights for weight in kind)
    best = Evidence(**{name: float(model.weights.get(name, 0) > 0) for name in Evidence.names()})
    best = replace(
        best,
        covered=min(1.0, sum(map(sum, weights)) / max(1, sum(sample.weights[-1] for sample in samples))),
        timed=float(timed),
        worded=float(good > 0),
        crowded=float(all(_is_crowded(one) for records in held for one in records)),
        ordered=1.0 if several else _UNKNOWN,
        fine=min(1.0, log2(1 + good / len(samples)) / _FINEST),
        lightest=min(1.0, min(max(kind, default=0) for kind in weights) / _SENTENCE),
        weakest=(1 + timed) / 2,
    )
    return model.probability(best)


def _outermost(cuts: Sequence[Cut]) -> int:
    """How many of the records of a page stand in no other."""
    ends = accumulate((cut.end for cut in cuts), max, initial=0)
    return sum(cut.start >= end for cut, end in zip(cuts, ends, strict=False))


@dataclass(frozen=True, slots=True)
class _Read:
    """A record with what evidence is made of."""

    held: Held
    shape: PostShape
    weight: int
    timed: bool
    author: str
    number: str | None
    crowded: bool

    @property
    def is_numbered_by_link(self) -> bool:
        return self.shape.number is not None and self.shape.number.attribute == "href"

    @classmethod
    def of(cls, held: Held, shape: PostShape) -> _Read:
        timed = any(follow(held.page.tree, held.cut.parts, time.path) != NOWHERE for time in shape.times)
        author, _ = named_in(held, shape.authors)
        return cls(held, shape, weight_of(held), timed, author, _number(held, shape), _is_crowded(held))


def _numbered(found: Sequence[_Read]) -> float:
    """In the only record of a page any link has a number; the page's own one may be that of its post, or its thread."""
    pages = Counter(id(one.held.page) for one in found)
    told = {(id(one.held.page), one.number): one for one in found if one.number}
    lone = [one for one in told.values() if one.is_numbered_by_link and pages[id(one.held.page)] == 1]
    known = sum(one.number in digits_in(one.held.page.url) for one in lone)
    return len(told) - len(lone) + _UNKNOWN * known


def _by_kind(found: Sequence[_Read]) -> list[list[_Read]]:
    """The records of each kind, the largest kind first."""
    kinds: dict[int, list[_Read]] = {}
    for one in found:
        kinds.setdefault(id(one.shape), []).append(one)
    return sorted(kinds.values(), key=len, reverse=True)


def _lightest(found: Sequence[_Read]) -> float:
    usual = (median(one.weight for one in kind) for kind in _by_kind(found))
    return min(1.0, min(usual, default=0) / _SENTENCE)


def _in_links(held: Held) -> float:
    letters = held.page.letters
    every, linked = (sum(letters[end][of] - letters[start][of] for start, end in _own(held)) for of in (0, 1))
    return linked / max(1, every)


def _narrow(found: Sequence[_Read]) -> int:
    outer: dict[int, list[Held]] = {}
    for one in sorted(found, key=lambda one: (one.held.cut.start, -one.held.cut.end)):
        known = outer.setdefault(id(one.held.page), [])
        if not known or known[-1].cut.end <= one.held.cut.start:  # answers may stand alone in what they answer
            known.append(one.held)
    pages = (([held.cut.start for held in known], known) for known in outer.values())
    return sum(_is_alone(held, starts) for starts, known in pages for held in known)


def _is_alone(held: Held, starts: Sequence[int]) -> bool:
    """Whether the element around a record holds no other, on a page that shows several."""
    tree = held.page.tree
    parent = tree.parents[held.cut.start]
    others = bisect_left(starts, tree.ends[parent]) - bisect_left(starts, parent) if parent >= 0 else len(starts)
    return len(starts) > others == 1


def _is_furnished(held: Held) -> bool:
    tags = held.page.tree.tags
    return any(tags[node] in FURNITURE for start, end in _own(held) for node in range(start, end))


def _own(held: Held) -> list[tuple[int, int]]:
    """The ranges of nodes of a record without the records inside it."""
    found, at = [], held.cut.start
    for root in sorted(held.inner):
        if root > at:
            found.append((at, root))
        at = max(at, held.page.tree.ends[root])
    return [*found, (at, held.cut.end)] if at < held.cut.end else found


def _echoed(found: Sequence[_Read]) -> int:
    pages: dict[int, dict[int, list[str]]] = {}
    if len({id(one.shape) for one in found}) < _SEVERAL:
        return 0
    for one in found:
        kinds = pages.setdefault(id(one.held.page), {})
        kinds.setdefault(id(one.shape), []).append(_said(one))
    count = 0
    for kinds in pages.values():
        for kind, said in kinds.items():
            others = "\n".join(words for other in kinds if other != kind for words in kinds[other])
            count += sum(len(words) >= _TELLING and words in others for words in said)
    return count


def _said(one: _Read) -> str:
    """The letters of a record's body, without those of the records inside it."""
    tree, body = one.held.page.tree, one.shape.body
    node = follow(tree, one.held.cut.parts, body) if body else NOWHERE
    start, end = (node, tree.ends[node]) if node != NOWHERE else (one.held.cut.start, one.held.cut.end)
    spans = ((max(start, first), min(end, last)) for first, last in _own(one.held))
    return fold("".join(tree.text_of(*span) for span in spans if span[0] < span[1]))


def _weakest(found: Sequence[_Read]) -> float:
    return min(
        (sum(one.timed + bool(one.author) for one in kind) / len(kind) / 2 for kind in _by_kind(found)), default=0
    )


def _number(held: Held, shape: PostShape) -> str | None:
    node = follow(held.page.tree, held.cut.parts, shape.number.path) if shape.number is not None else NOWHERE
    if shape.number is None or node == NOWHERE:
        return None
    value = held.page.tree.attributes[node].get(shape.number.attribute)
    return shape.number.read(value) if value else None


def _in_body(held: Held, shape: PostShape) -> int:
    node = follow(held.page.tree, held.cut.parts, shape.body) if shape.body else NOWHERE
    if node == NOWHERE:
        return 0 if shape.body else weight_of(held)
    return weight_at(held, node)


def _is_crowded(held: Held) -> bool:
    marks = held.page.marks
    spans = ((bisect_left(marks, node, key=itemgetter(0)) for node in span) for span in _own(held))
    counts = Counter(mark for first, last in spans for _, mark in marks[first:last])
    return any(count >= _CROWD for count in counts.values())


def _ordered(found: Sequence[_Read]) -> float:
    """1 where the times of a page all run one way, 0 where they go to and fro; half where there is nothing to compare:
    two times always run one way. Where one record holds the others, these are compared, and bring at most half."""
    outer, inner = _times_in_order(found)
    steady = _steadiness(outer)
    if steady is not None:
        return steady
    hidden = _steadiness(inner)
    return min(_UNKNOWN, hidden) if hidden is not None else _UNKNOWN


def _times_in_order(found: Sequence[_Read]) -> tuple[list[list[datetime]], list[list[datetime]]]:
    """The times of the records of each page that stand in no other record, and of those right inside each of these."""
    lines: tuple[dict[tuple[int, int], list[datetime]], ...] = ({}, {})
    around: dict[int, list[Cut]] = {}
    for one in sorted(found, key=lambda one: (one.held.cut.start, -one.held.cut.end)):
        page, cut = one.held.page, one.held.cut
        outer = around.setdefault(id(page), [])
        while outer and outer[-1].end <= cut.start:
            outer.pop()
        nodes = (follow(page.tree, cut.parts, time.path) for time in one.shape.times)
        node = next((node for node in nodes if node != NOWHERE), NOWHERE)
        shown = page.times_in(node, page.tree.ends[node]) if node != NOWHERE and len(outer) < len(lines) else ()
        value = shown[0].value(_LATE) if shown else None
        if value is not None:
            line = lines[len(outer)].setdefault((id(page), outer[-1].start if outer else 0), [])
            line.append(value.replace(tzinfo=None))
        outer.append(cut)
    of_pages, of_records = ([line for line in found.values() if len(line) >= _CROWD] for found in lines)
    return of_pages, of_records


def _steadiness(lines: Sequence[Sequence[datetime]]) -> float | None:
    """How steadily lines of times run one way; None where there is none."""
    pairs = sum(len(line) - 1 for line in lines)
    runs = sum(abs(sum((two > one) - (two < one) for one, two in pairwise(line))) for line in lines)
    same = sum(one == two for line in lines for one, two in pairwise(line))
    return (runs + same) / pairs if pairs else None


def _missed(samples: Sequence[Sample], found: Sequence[_Read]) -> float:
    """Times that look like those of records and stand in none of them, in all that look so."""
    looks: set[tuple[str, ...]] = set()
    for one in found:
        held, shape = one.held, one.shape
        for time in shape.times[:1]:
            node = follow(held.page.tree, held.cut.parts, time.path)
            if node != NOWHERE:
                looks.add(_place(held.page, node))
    spans: dict[int, list[tuple[int, int]]] = {}
    for one in found:
        spans.setdefault(id(one.held.page), []).append((one.held.cut.start, one.held.cut.end))
    inside = outside = 0
    for sample in samples:
        held_spans = _joined(spans.get(id(sample), ()))
        for node in sample.time_elements:
            if _place(sample, node) in looks:
                held_in = _is_in(held_spans, node)
                inside += held_in
                outside += not held_in
    return outside / max(1, inside + outside)


def _left(samples: Sequence[Sample], found: Sequence[_Read]) -> float:
    said = ([one.weight for one in kind if one.weight] for kind in _by_kind(found))
    usual = max((median(weights) for weights in said if weights), default=1)  # of posts, not of comments on them
    pages: dict[int, list[_Read]] = {}
    for one in found:
        pages.setdefault(id(one.held.page), []).append(one)
    whole = [page for page, read in pages.items() if len(read) == 1 and read[0].crowded]
    for page in whole:  # a list taken for one record claims nothing
        del pages[page]
    cuts = {page: [one.held.cut for one in read] for page, read in pages.items()}
    shares = (_unclaimed(sample, cuts.get(id(sample), ())) / usual for sample in samples)
    return sum(min(1.0, share) for share in shares) / max(1, len(samples))


def _unclaimed(sample: Sample, cuts: Sequence[Cut]) -> int:
    """The weight in none of these records, from the last heading before them to what stands right after the last."""
    tree = sample.tree
    if not cuts:
        return sample.weight(sample.headings[0] if sample.headings else 0, len(tree))
    held = _joined((cut.start, cut.end) for cut in cuts)
    above = bisect_left(sample.headings, held[0][0])
    start, end = sample.headings[above - 1] if above else 0, _end_of_next(tree, max(cuts, key=lambda cut: cut.start))
    return sample.weight(start, max(end, held[-1][1])) - sum(sample.weight(*span) for span in held)


def _end_of_next(tree: Tree, last: Cut) -> int:
    """Where the element that follows a record ends, unless it is a form to answer with."""
    following = next((node for node in tree.elements(tree.parents[last.start]) if node >= last.end), None)
    if following is None or "form" in tree.tags[following : tree.ends[following]]:
        return last.end
    return tree.ends[following]


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of nodes in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _is_in(spans: Sequence[tuple[int, int]], node: int) -> bool:
    """Whether a node stands in one of the spans, which are in order and apart."""
    at = bisect_right(spans, node, key=itemgetter(0)) - 1
    return at >= 0 and node < spans[at][1]


def _place(sample: Sample, node: int) -> tuple[str, ...]:
    return tuple(sample.shapes.labels[up] for up in islice((node, *sample.tree.ancestors(node)), 3))
