"""Align the records of one kind: from all their nodes to the places that they share.

Partial tree alignment (section 4.3.1.1 of FoCUS) by descending from the roots of all records at once: the children of
one place are told apart by tag, then by classes, then by their number, only as far as needed. Classes that come and
go (`has-avatar`, `odd`) are dropped where the tag alone is clear. What users wrote soon has too little support to be a
place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from thrawl.learn.wrappers.sample import Sample
from thrawl.page.tree import TEXT
from thrawl.profile.kinds import Cut
from thrawl.profile.places import Path, Step, classes_of

_MOST_NUMBERS: Final = 6  # look-alike siblings told apart by number: what people write has more and names nothing
_MOST_COLUMNS: Final = 12  # of a layout, which nearly all records have; what users wrote is numbered less far
_MOST_PLACES: Final = 1500  # a record of a template has some hundred; what is hostile must not cost more
_MOST_LOOKS: Final = 100  # sets of classes at one place that are compared with each other; templates have a few
_DEEPEST: Final = 14  # levels inside a record, with layers of tables that old templates have
_ALWAYS: Final = 0.97  # of the records: one in thirty may be damaged or deleted
_SELDOM: Final = 0.03  # the other side of that

_Look = frozenset[str]
_Group = tuple[_Look, dict[int, list[int]]]


@dataclass(frozen=True, slots=True)
class Held:
    """A record of the sample: its page, its cut, and the record roots that stand inside it."""

    page: Sample
    cut: Cut
    inner: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """A path that many records share, and its node in each of them (by the record's number).

    `steady` is False where the number of look-alike siblings differs from record to record: users wrote those. `above`
    is the place that it stands in.
    """

    path: Path
    nodes: dict[int, int]
    steady: bool = True
    above: Place | None = field(default=None, repr=False, compare=False)


def grow(records: Sequence[Held], support: float) -> list[Place]:
    """All places that at least this share of the records has, level by level, each in the order of the page."""
    return list(growing(records, support))


def growing(records: Sequence[Held], support: float) -> Iterator[Place]:
    """As `grow`, one by one, for who stops at the first that will do."""
    least = max(1.0, support * len(records))
    level: list[Place] = [Place((), {number: held.cut.parts[0] for number, held in enumerate(records)})]
    if any(len(held.cut.parts) > 1 for held in records):
        level = _numbered(records, least)
    count = 0
    while level and count < _MOST_PLACES:
        below: list[Place] = []
        for place in level[: _MOST_PLACES - count]:
            yield place
            if len(place.path) < _DEEPEST and (not place.path or place.path[-1].tag != TEXT):
                below.extend(_children(records, place, least))
        count += len(level)
        level = below


def _numbered(records: Sequence[Held], least: float) -> list[Place]:
    """The first steps into records of several roots: the roots by tag and number."""
    found: dict[Step, dict[int, int]] = defaultdict(dict)
    for number, held in enumerate(records):
        counts: Counter[str] = Counter()
        for part in held.cut.parts:
            tag = held.page.tree.tags[part]
            found[Step(tag, number=counts[tag])][number] = part
            counts[tag] += 1
    return [Place((step,), nodes) for step, nodes in found.items() if len(nodes) >= least]


def _children(records: Sequence[Held], place: Place, least: float) -> list[Place]:
    by_tag: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for number, node in place.nodes.items():
        held = records[number]
        for tag, below in held.page.children(node, held.inner).items():
            by_tag[tag][number] = below
    found: list[Place] = []
    for tag, children in by_tag.items():
        if len(children) >= least:
            found.extend(_told_apart(records, place, tag, children, least))
    return found


def _told_apart(
    records: Sequence[Held], place: Place, tag: str, children: dict[int, list[int]], least: float
) -> list[Place]:
    if _is_single(children):
        common = frozenset() if tag == TEXT else _common_classes(records, children)
        return [_first(place, Step(tag, common), children)]
    if tag == TEXT:
        return _by_number(place, Step(tag), children, least)
    groups = list(_by_classes(records, children))
    worn, columns = _worn(groups, children) if _is_steady(children) else (frozenset(), ())
    numbered = _by_number(place, Step(tag), children, least) if columns else []
    found = [one for one in numbered if one.path[-1].number in columns]
    most = max(len(classes) for classes, _ in groups)  # where each row has a class of its own, none holds another's
    for classes, group in groups:
        if len(group) < least or classes in worn:
            continue
        larger = [other for other, _ in groups if classes < other] if 0 < len(classes) < most else []
        step = Step(tag, classes, bare=not classes, without=frozenset().union(*larger) - classes)
        found.extend([_first(place, step, group)] if _is_single(group) else _by_number(place, step, group, least))
    return found


def _is_single(children: dict[int, list[int]]) -> bool:
    sizes = list(map(len, children.values()))
    return len(sizes) - sizes.count(1) <= _SELDOM * len(sizes)


def _common_classes(records: Sequence[Held], children: dict[int, list[int]]) -> frozenset[str]:
    least = _ALWAYS * len(children)
    looks = Counter([classes_of(records[number].page.tree, nodes[0]) for number, nodes in children.items()])
    if len(looks) == 1:
        return next(iter(looks))
    names = frozenset().union(*looks)
    return frozenset(name for name in names if sum(looks[look] for look in looks if name in look) >= least)


def _first(place: Place, step: Step, children: dict[int, list[int]]) -> Place:
    return Place((*place.path, step), {number: nodes[0] for number, nodes in children.items()}, above=place)


def _by_number(place: Place, step: Step, children: dict[int, list[int]], least: float) -> list[Place]:
    steady = _is_steady(children)
    found = []
    for number in range(_MOST_COLUMNS if steady else _MOST_NUMBERS):
        nodes = {record: nodes[number] for record, nodes in children.items() if len(nodes) > number}
        if len(nodes) >= least:
            path = (*place.path, replace(step, number=number))
            found.append(Place(path, nodes, steady, place))
    return found


def _worn(groups: Sequence[_Group], children: dict[int, list[int]]) -> tuple[frozenset[_Look], Sequence[int]]:
    """The looks that tell rows apart, not columns, and the columns in which they stand: stripes, all cells of pinned
    rows, the name of who began the thread. Some rows show there what the usual row shows nowhere."""
    look = {(row, node): classes for classes, group in groups for row, nodes in group.items() for node in nodes}
    shown = Counter(tuple(look[row, node] for node in nodes) for row, nodes in children.items())
    usual = shown.most_common(1)[0][0]
    others = [one for one in shown if len(one) == len(usual)]
    changed = [[at for at, (own, was) in enumerate(zip(one, usual, strict=True)) if own != was] for one in others]
    worn = [one for one, ats in zip(others, changed, strict=True) if not any(one[at] in usual for at in ats)]
    if sum(shown[one] for one in worn) < _ALWAYS * len(children):
        return frozenset(), ()
    columns = {at for one, ats in zip(others, changed, strict=True) if one in worn for at in ats}
    # a look of other columns, too, is told apart by its number among all
    mixed = {at for at, look in enumerate(usual) if look in {usual[at] for at in columns}}
    return frozenset(look for one in worn for at in mixed for look in one[at : at + 1]), sorted(mixed)


def _is_steady(children: dict[int, list[int]]) -> bool:
    """Whether nearly all parents have the same number of these children: columns of a layout."""
    return Counter(map(len, children.values())).most_common(1)[0][1] >= _ALWAYS * len(children)


def _by_classes(
    records: Sequence[Held], children: dict[int, list[int]]
) -> Iterable[tuple[frozenset[str], dict[int, list[int]]]]:
    """Children of one tag, parted by their classes; a set that adds to a smaller one counts as the smaller one,
    unless both stand side by side."""
    looks = {
        number: [classes_of(records[number].page.tree, node) for node in nodes] for number, nodes in children.items()
    }
    seen = Counter(look for shown in looks.values() for look in shown)
    usual = [look for look, _ in seen.most_common(_MOST_LOOKS)]
    nested = [(one, two) for one in usual for two in usual if one and one < two]
    together = {(one, two): sum(one in shown and two in shown for shown in looks.values()) for one, two in nested}

    def beside(one: frozenset[str], two: frozenset[str]) -> bool:
        return together.get((one, two), 0) > _SELDOM * seen[two]

    leaders: list[frozenset[str]] = []
    home: dict[frozenset[str], frozenset[str]] = {}
    for classes in sorted(seen, key=lambda one: (len(one), -seen[one], sorted(one))):
        known = leaders[:_MOST_LOOKS]
        home[classes] = next((one for one in known if one and one < classes and not beside(one, classes)), classes)
        if home[classes] is classes:
            leaders.append(classes)
    groups: dict[frozenset[str], dict[int, list[int]]] = defaultdict(dict)
    for number, nodes in children.items():
        for node, look in zip(nodes, looks[number], strict=True):
            groups[home[look]].setdefault(number, []).append(node)
    return groups.items()
