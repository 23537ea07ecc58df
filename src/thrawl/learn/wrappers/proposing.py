"""The ways to cut the posts of some pages that rules can think of, each with its fields and its evidence.

What stands around times and ids at like places of all pages, neighbours that look alike, and what stands once a page
(`candidates`, `singles`) are proposals, and so are sets of these beside and inside one another. No rule deletes
another's proposal; which is the best is said by `choosing`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Final

from thrawl.learn.wrappers.bodies import weight_of
from thrawl.learn.wrappers.candidates import cell_trail, kind_of, list_kinds, marked, neighbour_kinds, shared_kinds
from thrawl.learn.wrappers.evidence import Evidence, chance_at_best, weigh_evidence
from thrawl.learn.wrappers.growth import Held
from thrawl.learn.wrappers.learnshape import Memory, cut_all, hold, home_of, learn_shapes
from thrawl.learn.wrappers.sample import Sample
from thrawl.learn.wrappers.singles import block_kinds, grown_kinds
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.kinds import Cut, Kind, trail_of
from thrawl.profile.models import Model, shipped_model
from thrawl.profile.places import NOWHERE, classes_of
from thrawl.profile.shapes import PostShape

RECORDS: Final = "learn/wrappers/records"  # the model that weighs proposals
_MOST_KINDS: Final = 5  # question, answers, comments on both; more are pieces of one
_MOST_LISTS: Final = 3  # kinds around times and ids that are looked at closely: the first are nearly always right
_MOST_ROUGH: Final = 24  # and those that are measured
_MOST_SINGLE: Final = 3  # blocks, from the smallest that holds most: those around it add the frame of the page
_FEW_RECORDS: Final = 2  # rows of heads: with one nothing repeats
_OPENING: Final = "one above others"
_PARTED: Final = "one look, two kinds"
_INSIDE: Final = "some inside others"
_MOST_OUTER: Final = 3  # proposals whose records hold lists, the best, that are tried with what is inside
_MOST_INNER: Final = 2  # lists in one: comments, and what is quoted in them
_MOST_INSIDE: Final = 12  # lists in one that may make it the best, the largest
_DEEPEST: Final = 2  # rounds of looking inside: questions and answers may each have comments of their own markup
_TIED: Final = 0.005  # by which chances differ that say the same: no model is so exact
_TWICE: Final = 0.2  # of the records may show two times at one place: an edit's
_MOST: Final = 0.5  # of what the pages say: less is held by what stands beside the posts
_NEARLY_ALL: Final = 0.9  # of the records, or of what the pages say: an advertisement may stand between two
_WEIGHTY: Final = 0.8  # of the records; one in five may only quote or show a picture

Kinds = tuple[Kind, ...]
Records = tuple[tuple[tuple[int, int, int], ...], ...]
"""The records of each page: where they stand, and which are of one kind."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One way to cut posts: who proposes it, its kinds with their fields, and what speaks for it."""

    name: str
    shapes: tuple[PostShape, ...]
    evidence: Evidence


def rank_proposals(proposals: Sequence[Proposal], model: Model) -> list[tuple[float, Proposal]]:
    """The proposals with their probabilities, the best first; of those that are as likely as the best the one that
    finds an element with what was written, and not buttons beside it."""
    judged = [(model.probability(one.evidence), one) for one in proposals]
    tied = max((chance for chance, _ in judged), default=0.0) - _TIED

    def rank(pair: tuple[float, Proposal]) -> tuple[bool, bool, float]:
        chance, proposal = pair
        return chance < tied, chance >= tied and not all(shape.body for shape in proposal.shapes), -chance

    return sorted(judged, key=rank)


def propose(samples: Sequence[Sample], model: Model | None = None) -> list[Proposal]:
    """All ways to cut posts that a rule can think of, each set of records once, with their fields and evidence.

    With a model, those are left out that no fields could make the best.
    """
    lists = list_kinds(samples)
    proposals = _Proposals(samples, lists, model)
    proposals.add(_sets(samples, lists))
    proposals.add(list(_filled_up(samples, proposals.found, proposals.aside)))
    proposals.add_outer()
    for _ in range(_DEEPEST):
        proposals.add(list(_with_inner(samples, proposals.found, lists)))
    return proposals.found


class _Proposals:
    """The proposals so far. What was learned for one is not learned again for the next."""

    def __init__(self, samples: Sequence[Sample], lists: Sequence[Kind], model: Model | None) -> None:
        self.found: list[Proposal] = []
        self.aside: list[tuple[str, Kinds]] = []  # which by themselves can no longer be the best
        self._lists = lists
        self._model = model
        self._best = 0.0
        self._samples = samples
        self._known: set[tuple[bool, Records]] = set()
        self._chances: dict[frozenset[Kind], float] = {}
        self._memory = Memory()

    def add(self, sets: Iterable[tuple[str, Kinds]]) -> None:
        """Weigh these sets; those that by themselves can no longer be the best are put aside."""
        waiting = deque(sets)
        while waiting:
            name, kinds = waiting.popleft()
            records = _parted(cut_all(self._samples, kinds))
            key = (name == _PARTED, records)
            if any(records) and key not in self._known:
                self._known.add(key)
                if all(records) and not self._may_win(kinds):
                    self.aside.append((name, kinds))
                elif fallen := self._weigh(name, kinds):
                    waiting.append((_PARTED, fallen))

    def add_outer(self) -> None:
        """Weigh what was put aside and may be the best with kinds for the records inside of it."""
        outer = [one for one in self.aside if self._may_win(one[1], _DEEPEST)]
        self.add([(_PARTED, fallen) for one in outer if (fallen := self._weigh(*one))])

    def _may_win(self, kinds: Kinds, deep: int = 0) -> bool:
        """Whether kinds may be better than all so far, also with others inside of them, so many rounds deep."""
        if self._model is None or self._chance(kinds, self._model) >= self._best:
            return True
        inside = islice(_inside(self._samples, kinds, self._lists), _MOST_INSIDE) if deep else ()
        return any(self._may_win((*kinds, kind), deep - 1) for kind in inside)

    def _chance(self, kinds: Kinds, model: Model) -> float:
        """How likely kinds are at best; which of them is named first makes no difference."""
        key = frozenset(kinds)
        if key not in self._chances:
            self._chances[key] = chance_at_best(self._samples, kinds, model)
        return self._chances[key]

    def _weigh(self, name: str, kinds: Kinds) -> Kinds | None:
        """Weigh a set of kinds; what is left of them, with what they lose by their fields, may be worth a try."""
        shapes = learn_shapes(self._samples, kinds, self._memory)
        apart = all(_differ(self._samples, one.kind, two.kind) for one, two in combinations(shapes, 2))
        if apart and len({shape.is_bare for shape in shapes}) == 1:
            # posts of one site all name somebody or some time, or none does
            self.found.append(Proposal(name, tuple(shapes), weigh_evidence(self._samples, shapes)))
            if self._model is not None:
                self._best = max(self._best, self._model.probability(self.found[-1].evidence))
        fallen = _fallen(self._samples, kinds, shapes) if name != _PARTED else None
        return (*(shape.kind for shape in shapes), fallen) if fallen else None


def _parted(cuts: Sequence[Sequence[Cut]]) -> Records:
    """The records, with kinds counted in the order in which they are met: fields are learned kind by kind."""
    numbers: dict[int, int] = {}
    return tuple(
        tuple((cut.start, cut.end, numbers.setdefault(cut.kind, len(numbers))) for cut in page) for page in cuts
    )


def _filled_up(
    samples: Sequence[Sample], found: Sequence[Proposal], aside: Sequence[tuple[str, Kinds]]
) -> Iterator[tuple[str, Kinds]]:
    """What holds most of the words and leaves some pages empty, with a kind that fills these: the opening posts of
    threads that nobody answered, which each page by itself takes for all."""
    kinds_of_one = [one.shapes[0].kind for one in found if len(one.shapes) == 1 and not one.shapes[0].is_bare]
    alone = [replace(kind, before=0, after=0) for kind in kinds_of_one]  # what follows may be another kind of record
    others = (kinds[0] for _, kinds in aside if len(kinds) == 1)
    singles = list(dict.fromkeys((*kinds_of_one, *alone, *others)))
    for one in found:
        kinds = tuple(shape.kind for shape in one.shapes)
        if one.evidence.paged < 1 and one.evidence.covered > _MOST and len(kinds) < _MOST_KINDS:
            cuts = zip(samples, cut_all(samples, kinds), strict=True)
            empty = [sample for sample, found_there in cuts if not _speaks(sample, found_there)]
            for kind in (*singles, *grown_kinds(empty, [() for _ in empty])):
                if 2 * sum(_speaks(sample, sample.cut(kind)) for sample in empty) > len(empty) and all(
                    _differ(samples, kind, other) for other in kinds
                ):
                    yield _OPENING, (*kinds, kind)


def _with_inner(
    samples: Sequence[Sample], found: Sequence[Proposal], lists: Sequence[Kind]
) -> Iterator[tuple[str, Kinds]]:
    """The best of the proposals whose records hold lists, with kinds of records that stand in theirs: comments on
    answers say too little to be found beside what they stand in."""
    ranked = [one for _, one in rank_proposals(found, shipped_model(RECORDS))]
    crowded: dict[Kinds, Kinds] = {}
    for one in ranked:
        if one.evidence.crowded and len(one.shapes) < _MOST_KINDS:
            kinds = tuple(shape.kind for shape in one.shapes)
            # with and without their neighbours, the same elements hold the same lists
            crowded.setdefault(tuple(replace(kind, before=0, after=0) for kind in kinds), kinds)
    for kinds in list(crowded.values())[:_MOST_OUTER]:
        within = list(_inside(samples, kinds, lists))
        yield from ((_INSIDE, (*kinds, kind)) for kind in _best_lists(samples, within)[:_MOST_INNER])


def _inside(samples: Sequence[Sample], kinds: Kinds, lists: Iterable[Kind]) -> Iterator[Kind]:
    """Those of some lists that stand in records of these kinds."""
    apart = (kind for kind in lists if all(_differ(samples, kind, other) for other in kinds))
    return (kind for kind in apart if _is_within(samples, kind, kinds))


def _is_within(samples: Sequence[Sample], kind: Kind, kinds: Kinds) -> bool:
    """Whether all records of a kind stand in records of others, and several in one of these."""
    shared = False
    for sample, outer in zip(samples, cut_all(samples, kinds), strict=True):
        homes = [home_of(outer, cut) for cut in sample.cut(kind)]
        if None in homes:
            return False
        shared |= len(set(homes)) < len(homes)
    return shared


def _speaks(sample: Sample, cuts: Iterable[Cut]) -> bool:
    """Whether a record of a page says something."""
    return any(sample.weight(cut.start, cut.end) for cut in cuts)


def _fallen(samples: Sequence[Sample], kinds: Kinds, shapes: Sequence[PostShape]) -> Kind | None:
    """The kind of the records that say something and that the kinds lost when they were sharpened: opening posts look
    like the others from outside, and name their author at another place."""
    kept = {(id(sample), cut.start) for sample in samples for shape in shapes for cut in sample.cut(shape.kind)}
    roots = [
        (sample, cut.start)
        for sample in samples
        for kind in kinds
        for cut in sample.cut(kind)
        if len(cut.parts) == 1 and (id(sample), cut.start) not in kept and sample.weight(cut.start, cut.end)
    ]
    return marked(kind_of(roots), roots) if roots else None


def _sets(samples: Sequence[Sample], told_lists: Sequence[Kind]) -> Iterator[tuple[str, Kinds]]:
    """Sets of kinds that may be all posts of these pages, those of one kind before larger ones."""
    anchored = _best_lists(samples, told_lists)
    told = any(_share(samples, kind) > _MOST for kind in anchored)
    alike = [] if told else _best_lists(samples, neighbour_kinds(samples))
    lists = list(dict.fromkeys((*anchored, *alike)))
    yield from (("times and ids" if kind in anchored else "look-alikes", (kind,)) for kind in lists)
    if not any(_share(samples, kind) >= _NEARLY_ALL for kind in anchored):
        yield from (("one box in all", kinds) for kinds in shared_kinds(samples) if len(kinds) <= _MOST_KINDS)
    for kind in lists:
        yield from ((_PARTED, kinds) for kinds in _by_place(samples, kind))
        if _has_heads(samples, kind):
            yield "records with the rows above them", (replace(kind, before=1),)
    beside = combinations((*anchored, *alike[:1]), 2)
    yield from (("one beside another", pair) for pair in beside if _differ(samples, *pair))
    for first in lists[:2]:
        for kinds in _singles(samples, cut_all(samples, [first])):
            yield "before a list", kinds
            if all(_differ(samples, first, kind) for kind in kinds):
                yield _OPENING, (first, *kinds)
    yield from (("once a page", kinds) for kinds in _singles(samples, [() for _ in samples]))


def _singles(samples: Sequence[Sample], taken: Sequence[Sequence[Cut]]) -> list[Kinds]:
    """What stands once a page beside known records: around times, also two of them, an article and its only comment;
    and the blocks that hold most of what is left."""
    grown = grown_kinds(samples, taken)
    pairs = [pair for pair in combinations(grown, 2) if _differ(samples, *pair)]
    blocks = block_kinds(samples, taken)[:_MOST_SINGLE]
    return [*((kind,) for kind in dict.fromkeys((*grown, *blocks))), *pairs]


def _has_heads(samples: Sequence[Sample], kind: Kind) -> bool:
    """Whether nearly each record follows a sibling of its tag that looks like all others there, and is no record.

    Where neither time nor id says so, the words of posts alone are found, and who wrote them stands in rows of its own.
    """
    roots = [[cut.start for cut in sample.cut(kind)] for sample in samples]
    if kind.before or kind.after or kind.kin or max(map(len, roots), default=0) < _FEW_RECORDS:
        return False
    pairs = zip(samples, roots, strict=True)
    looks = Counter(look for sample, found in pairs for look in _looks_above(sample.tree, found))
    usual, number = max(looks.items(), key=lambda pair: pair[1], default=(None, 0))
    return usual is not None and number >= _NEARLY_ALL * sum(looks.values())


def _looks_above(tree: Tree, roots: Iterable[int]) -> Iterator[frozenset[str] | None]:
    """The classes of the siblings before records, where these are of their tag and no records."""
    known = set(roots)
    for parent in dict.fromkeys(tree.parents[root] for root in roots):
        elements = [one for one in tree.children(parent) if tree.tags[one] != TEXT]
        for before, root in zip([NOWHERE, *elements], elements, strict=False):
            if root in known:
                is_head = before != NOWHERE and before not in known and tree.tags[before] == tree.tags[root]
                yield classes_of(tree, before) if is_head else None


def _by_place(samples: Sequence[Sample], kind: Kind) -> Iterator[Kinds]:
    """One look at two places, as two kinds: an opening post above the list of the others, which it looks like."""
    if kind.trail or kind.before or kind.after or kind.kin:
        return
    trails = Counter(trail_of(sample.tree, cut.start) for sample in samples for cut in sample.cut(kind))
    if len(trails) == 2 and min(trails.values()) <= len(samples):  # more places are those of nested comments
        yield tuple(replace(kind, trail=trail) for trail, _ in trails.most_common())


def _differ(samples: Sequence[Sample], kind: Kind, other: Kind) -> bool:
    """Whether no record of one kind shares a root with one of the other: they stand beside or inside one another."""
    for sample in samples:
        roots = {part for cut in sample.cut(kind) for part in cut.parts}
        if any(not roots.isdisjoint(cut.parts) for cut in sample.cut(other)):
            return False
    return True


def _best_lists(samples: Sequence[Sample], kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds whose records hold most of what the pages say, with times; of those that cut alike the marked one."""
    rough = [(score, -number) for number, kind in enumerate(kinds) if (score := _rough(samples, kind)) > 0]
    ranked = [kinds[-number] for _, number in sorted(rough, reverse=True)[:_MOST_ROUGH]]
    found: dict[tuple[tuple[int, int], ...], Kind] = {}
    for kind in sorted(ranked, key=lambda kind: not (kind.classes or kind.form)):
        cuts = cut_all(samples, [kind])
        found.setdefault(tuple((cut.start, cut.end) for page in cuts for cut in page), kind)
    kept = set(found.values())
    return [kind for kind in ranked if kind in kept][:_MOST_LISTS]


def _rough(samples: Sequence[Sample], kind: Kind) -> float:
    """How much of the weight the records hold, and how many of them have weight and a time; cheap."""
    (held,) = hold(samples, [kind])
    if not held or _swallows_neighbours(held):
        return 0.0
    whole = sum(sample.weights[-1] for sample in samples)
    weights = [weight_of(one) for one in held]
    timed = sum(bool(one.page.times_in(one.cut.start, one.cut.end)) for one in held)
    weighty = min(1.0, sum(weight > 0 for weight in weights) / (_WEIGHTY * len(weights)))
    said = sum(weights) / whole * weighty if whole else 1.0  # where all words stand in links, none weighs anything
    return said * (0.2 + 0.8 * timed / len(held))


def _share(samples: Sequence[Sample], kind: Kind) -> float:
    """Of what the pages say, as much stands in the records of a kind."""
    return sum(map(weight_of, *hold(samples, [kind]))) / max(1, sum(sample.weights[-1] for sample in samples))


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
