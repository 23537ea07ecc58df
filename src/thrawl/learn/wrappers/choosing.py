"""Choose the kinds of posts of a site among the candidates, by free truths.

A kind is good when its records hold what the pages do not share, and when nearly each of them shows one time and one
author and some words of its own. The best kind comes first; then those that hold what is left (the question above the
answers, the article above the comments) and those nested inside (comments on an answer).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from thrawl.learn.wrappers.authors import Known
from thrawl.learn.wrappers.bodies import weight_of
from thrawl.learn.wrappers.candidates import cell_trail, list_kinds, single_kinds
from thrawl.learn.wrappers.growth import Held
from thrawl.learn.wrappers.learnshape import hold, learn_shape, names_in, with_mark
from thrawl.learn.wrappers.sample import Sample, fold
from thrawl.profile.kinds import Cut, Kind
from thrawl.profile.places import NOWHERE, follow
from thrawl.profile.shapes import PostShape

_MOST_TRIED: Final = 8
_MOST_SINGLE: Final = 8
_GOOD_FIELDS: Final = 0.6
_MOSTLY: Final = 0.5
_WEIGHTY: Final = 0.8
_FEW_RECORDS: Final = 2
_TWICE: Final = 0.2
_RIVAL: Final = 0.5
_MOST_RIVALS: Final = 3
_LIST: Final = 3
_NO_SCORE: Final = -1.0
_LEAST_SCORE: Final = 0.05  # of the weight; less is a list in a side bar


@dataclass(frozen=True, slots=True)
class Judged:
    """A kind with its fields, and how good it is."""

    shape: PostShape
    score: float
    records: int
    size: int


def choose_shapes(samples: Sequence[Sample]) -> list[PostShape]:
    """The kinds of posts of these pages with their fields; empty if nothing looks like posts."""
    candidates = list_kinds(samples)
    sets = [_completed(samples, candidates, [best.shape]) for best in _rivals(_judge_all(samples, candidates))]
    if not sets:
        sets = [_completed(samples, candidates, [])]
    best = max(sets, key=lambda shapes: round(_explained(samples, shapes), 2))
    return _learn_together(samples, best)


def _completed(samples: Sequence[Sample], candidates: Sequence[Kind], chosen: list[PostShape]) -> list[PostShape]:
    """A first kind with those beside it and inside."""
    single = _best_single(samples, chosen)
    if single is not None:
        chosen = [*chosen, single.shape]
    return [*chosen, *_nested(samples, candidates, chosen)]


def _explained(samples: Sequence[Sample], shapes: Sequence[PostShape]) -> float:
    """The share of the weight that stands in records with a time and an author."""
    cuts = cut_all(samples, [shape.kind for shape in shapes])
    whole = sum(sample.weights[-1] for sample in samples)
    explained = 0.0
    for number, shape in enumerate(shapes):
        for record in hold(samples, cuts, number):
            fields = _has(record, shape, "times") + _has(record, shape, "authors")
            explained += 0.0 if _is_list(record) else weight_of(record) * (0.1 + 0.45 * fields)
    return explained / max(1, whole)


def _is_list(record: Held) -> bool:
    """Whether a record shows three times or more at one place outside of the records inside it."""
    tree, labels = record.page.tree, record.page.labels
    inside = sorted((root, tree.ends[root]) for root in record.inner)
    counts: Counter[tuple[str, ...]] = Counter()
    for time in record.page.times_in(record.cut.start, record.cut.end):
        if not any(a <= time.node < b for a, b in inside):
            counts[tuple(labels[up] for up in islice(tree.ancestors(time.node), 4))] += 1
    return any(count >= _LIST for count in counts.values())


def _learn_together(samples: Sequence[Sample], shapes: Sequence[PostShape]) -> list[PostShape]:
    """Learn the fields of all kinds once more, now that it is known which records stand inside others."""
    if len(shapes) < 2:
        return list(shapes)
    cuts = cut_all(samples, [shape.kind for shape in shapes])
    held = [hold(samples, cuts, number) for number in range(len(shapes))]
    names = [names_in(records, shape) for records, shape in zip(held, shapes, strict=True)]
    found = []
    for number, (records, shape) in enumerate(zip(held, shapes, strict=True)):
        others = [other for other in range(len(shapes)) if other != number and len(held[other]) > _FEW_RECORDS]
        looks = {field.path[-1] for other in others for field in shapes[other].authors if field.path}
        known = Known(frozenset().union(*(names[other] for other in others)), frozenset(looks))
        found.append(learn_shape(shape.kind, records, known) if records else shape)
    return found


def cut_all(samples: Sequence[Sample], kinds: Sequence[Kind]) -> list[list[Cut]]:
    """All records of these kinds on each page, in document order; outer ones before those inside them."""
    found = []
    for sample in samples:
        cuts = [
            replace(cut, kind=number) if number else cut
            for number, kind in enumerate(kinds)
            for cut in sample.cut(kind)
        ]
        found.append(sorted(cuts, key=lambda cut: (cut.start, -cut.end)))
    return found


def _judge_all(samples: Sequence[Sample], candidates: Sequence[Kind]) -> list[Judged]:
    """The most promising candidates with their fields, the best first; not those that hold too little to be rivals."""
    rough = [(score, -number) for number, kind in enumerate(candidates) if (score := _rough(samples, kind)) > 0]
    tried = _distinct(samples, [candidates[-number] for _, number in sorted(rough, reverse=True)])[:_MOST_TRIED]
    judged: list[Judged] = []
    least = _LEAST_SCORE
    for kind in tried:
        one = _judge(samples, kind, [], least)
        if one is not None:
            judged.append(one)
            least = max(least, _RIVAL * one.score)
    return sorted(judged, key=_preference, reverse=True)


def _distinct(samples: Sequence[Sample], kinds: Sequence[Kind]) -> list[Kind]:
    """Of kinds that cut the same records the one with a look of its own."""
    found: dict[tuple[tuple[int, int], ...], Kind] = {}
    for kind in sorted(kinds[: 3 * _MOST_TRIED], key=lambda kind: not (kind.classes or kind.form)):
        cuts = cut_all(samples, [kind])
        found.setdefault(tuple((cut.start, cut.end) for page in cuts for cut in page), kind)
    kept = set(found.values())
    return [kind for kind in kinds if kind in kept]


def _rivals(judged: Sequence[Judged]) -> list[Judged]:
    """The best kinds that are not rows or roots of one another; a list in a side bar is none of them."""
    found: list[Judged] = []
    for one in judged:
        known = {(other.shape.kind.tag, other.shape.kind.classes) for other in found}
        same = any(other.records == one.records for other in found)
        good = one.score > max(_LEAST_SCORE, _RIVAL * judged[0].score)
        if good and not same and (one.shape.kind.tag, one.shape.kind.classes) not in known:
            found.append(one)
    return found[:_MOST_RIVALS]


def _preference(judged: Judged) -> tuple[float, int, int, bool, int]:
    """The better score; then more records, fewer rows a record, a look of its own, the larger of two nested roots."""
    kind = judged.shape.kind
    marked = bool(kind.classes or kind.form)
    return round(judged.score, 3), judged.records, -2 * (kind.before + kind.after) - kind.before, marked, judged.size


def _rough(samples: Sequence[Sample], kind: Kind) -> float:
    """How much of the weight the records hold, and how many of them have weight and a time; cheap."""
    held = hold(samples, cut_all(samples, [kind]), 0)
    if not held:
        return 0.0
    whole = sum(sample.weights[-1] for sample in samples)
    weights = [weight_of(one) for one in held]
    timed = sum(bool(one.page.times_in(one.cut.start, one.cut.end)) for one in held)
    return sum(weights) / max(1, whole) * _weighty(weights) * (0.2 + 0.8 * timed / len(held))


def _weighty(weights: Sequence[int]) -> float:
    """The share of records with words of their own; one in five may only quote or show a picture."""
    return min(1.0, sum(weight > 0 for weight in weights) / (_WEIGHTY * len(weights)))


def _judge(
    samples: Sequence[Sample], kind: Kind, chosen: Sequence[PostShape], least: float = _NO_SCORE
) -> Judged | None:
    """A kind with its fields; None if it is none of posts, or so light that its score cannot be above `least`."""
    cuts = cut_all(samples, [kind, *(shape.kind for shape in chosen)])
    records = hold(samples, cuts, 0)
    whole = sum(sample.weights[-1] for sample in samples)
    if sum(map(weight_of, records)) / max(1, whole) <= least or not records or _swallows_neighbours(records):
        return None
    shape = learn_shape(kind, records)
    precise = _precise(records, shape)
    if len(precise) < len(records):
        marked = with_mark(shape)
        records = hold(samples, cut_all(samples, [marked, *(one.kind for one in chosen)]), 0)
        if not records:
            return None
        shape = learn_shape(marked, records)
    if sum(_needs_rows(held, shape) for held in records) < _MOSTLY * len(records):
        return None
    weights = [weight_of(held) for held in records]
    score = sum(weights) / max(1, whole) * _weighty(weights)
    score *= (0.2 + 0.8 * _share(records, shape, "times")) * (0.5 + 0.5 * _share(records, shape, "authors"))
    score *= 1.0 if shape.number is not None else 0.9
    return Judged(shape, score, len(records), sum(held.cut.end - held.cut.start for held in records))


def _swallows_neighbours(records: Sequence[Held]) -> bool:
    """Whether the rows of a record show times at the same place in two of them: then they are records of their own."""
    many = [held for held in records if len(held.cut.parts) > 1]
    return sum(map(_shows_twice, many)) > _TWICE * len(records)


def _shows_twice(held: Held) -> bool:
    tree = held.page.tree
    seen: set[tuple[str, ...]] = set()
    for part in held.cut.parts:
        inside = {time.node for time in held.page.times_in(part, tree.ends[part])}
        trails = {cell_trail(tree, node, part) for node in inside}
        if trails & seen:
            return True
        seen |= trails
    return False


def _needs_rows(held: Held, shape: PostShape) -> bool:
    """Whether the rows beside a record's main one hold words or the author; what holds neither is decoration."""
    if len(held.cut.parts) == 1:
        return True
    tree = held.page.tree
    main = next((part for part in held.cut.parts if shape.kind.fits(tree, part)), held.cut.start)
    beside = held.page.weight(held.cut.start, main) + held.page.weight(tree.ends[main], held.cut.end)
    author = follow(tree, held.cut.parts, shape.authors[0].path) if shape.authors else NOWHERE
    return beside > 0 or (author != NOWHERE and not main <= author < tree.ends[main])


def _precise(records: Sequence[Held], shape: PostShape) -> list[Held]:
    return [held for held in records if _has(held, shape, "times") or _has(held, shape, "authors")]


def _share(records: Sequence[Held], shape: PostShape, field: str) -> float:
    return sum(_has(held, shape, field) for held in records) / len(records)


def _has(held: Held, shape: PostShape, field: str) -> bool:
    ways = shape.times if field == "times" else shape.authors
    return any(follow(held.page.tree, held.cut.parts, way.path) != NOWHERE for way in ways)


def _nested(samples: Sequence[Sample], candidates: Sequence[Kind], chosen: Sequence[PostShape]) -> list[PostShape]:
    """Kinds whose records stand inside those of the others and are posts of their own."""
    found: list[PostShape] = []
    if not chosen:
        return found
    outer = cut_all(samples, [shape.kind for shape in chosen])
    known = {shape.kind for shape in chosen}
    for kind in candidates:
        if kind.before or kind.after or kind in known:
            continue
        cuts = cut_all(samples, [kind])
        if not _all_inside(samples, cuts, outer, chosen):
            continue
        judged = _judge(samples, kind, [])
        if judged is None or judged.shape.number is None or not judged.shape.authors or not judged.shape.times:
            continue
        records = hold(samples, cut_all(samples, [judged.shape.kind]), 0)
        weighty = sum(weight_of(held) > 0 for held in records)
        if weighty >= _WEIGHTY * len(records) and _share(records, judged.shape, "authors") > _GOOD_FIELDS:
            found.append(judged.shape)
            break
    return found


def _all_inside(
    samples: Sequence[Sample],
    cuts: Sequence[Sequence[Cut]],
    outer: Sequence[Sequence[Cut]],
    shapes: Sequence[PostShape],
) -> bool:
    """Whether most records stand inside outer ones, beside the outer ones' own fields."""
    inside = total = 0
    for sample, mine, theirs in zip(samples, cuts, outer, strict=True):
        for cut in mine:
            total += 1
            home = next((one for one in reversed(theirs) if one.start < cut.start and cut.end <= one.end), None)
            inside += home is not None and not _holds_fields(sample, cut, home, shapes[home.kind])
    return total > 2 and inside >= _MOSTLY * total


def _holds_fields(sample: Sample, cut: Cut, home: Cut, shape: PostShape) -> bool:
    """Whether a record inside another holds the other's own time, author or body: then both are one post."""
    paths = [shape.body, *(time.path for time in shape.times[:1]), *(author.path for author in shape.authors[:1])]
    nodes = (follow(sample.tree, home.parts, path) for path in paths)
    return any(cut.start <= node < cut.end for node in nodes if node != NOWHERE)


def _best_single(samples: Sequence[Sample], chosen: Sequence[PostShape]) -> Judged | None:
    kinds = [shape.kind for shape in chosen]
    cuts = cut_all(samples, kinds)
    candidates = single_kinds(samples, cuts)
    best: Judged | None = None
    for kind in candidates[:_MOST_SINGLE]:
        if _swallows(samples, kind, cuts):
            continue
        least = _NO_SCORE if best is None else best.score
        one = _judge(samples, kind, chosen, least)
        if one is not None and one.score > least and (not chosen or _is_post(samples, one.shape, chosen)):
            best = one
    if best is None and not chosen and candidates:
        return _judge(samples, candidates[0], chosen)
    return best


def _is_post(samples: Sequence[Sample], shape: PostShape, chosen: Sequence[PostShape]) -> bool:
    """Whether what stands once a page is a post beside others: it has words, a time and, as they do, an author."""
    records = hold(samples, cut_all(samples, [shape.kind, *(one.kind for one in chosen)]), 0)
    if not records or not shape.times or (chosen[0].authors and not shape.authors):
        return False
    weighty = sum(weight_of(held) > 0 for held in records)
    if weighty < _MOSTLY * len(records) or _differ_by_numbers(records):
        return False
    return _share(records, shape, "times") >= _GOOD_FIELDS


def _differ_by_numbers(records: Sequence[Held]) -> bool:
    """Whether most records say what another says, but for numbers: a line that counts the answers of its thread."""
    said = {"".join(fold(words) for node, words in held.page.words if _is_in(held, node)) for held in records}
    return len(said) <= _MOSTLY * len(records)


def _is_in(held: Held, node: int) -> bool:
    return held.cut.start <= node < held.cut.end


def _swallows(samples: Sequence[Sample], kind: Kind, cuts: Sequence[Sequence[Cut]]) -> bool:
    """Whether most known records of the pages that have this one stand inside it: then it is the list, not a post."""
    mine = cut_all(samples, [kind])
    inside = total = 0
    for own, known in zip(mine, cuts, strict=True):
        total += len(known) if own else 0
        inside += sum(any(one.start <= cut.start and cut.end <= one.end for one in own) for cut in known)
    return total > 0 and inside > 0.3 * total
