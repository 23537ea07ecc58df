"""Which place of a record is its body: the one that holds what varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.wrappers.growth import Held, Place
from thrawl.profile.nodes import prefixes, under
from thrawl.profile.places import NOWHERE, Path, follow

_WRITTEN: Final = frozenset(
    "a abbr b blockquote big center cite code em font h1 h2 h3 h4 h5 h6 i img ol p pre q s small span strike strong sub"
    " sup tt u ul #text table".split()
)
_SAID: Final = frozenset({"text", "articleBody"})  # of a comment, a posting, an answer
_HELD: Final = 0.7  # of the words; the rest is signatures, titles and labels beside the body
_PRESENT: Final = 0.95  # of the records: one in twenty may be deleted, or only a picture
_ALL: Final = 0.85  # where a place is no column of the layout, it must hold nearly all: what people write holds a part
_HALF: Final = 0.5  # more than half is most


def find_body(records: Sequence[Held], places: Sequence[Place], timed: Sequence[Path] = ()) -> Path:
    """The place that holds what the records say; where that is also around all of their times, the part of it that is
    not: what a user said stands beside the time, not around it."""
    path = _heaviest(records, places) if _weight_of(records) else ()  # nothing varies: nothing tells the body
    path = _told_body(records, places, path) or path
    if not timed or not all(under(time, path) for time in timed):
        return path
    around = prefixes(timed)
    beside = [
        place
        for place in places
        if place.steady and len(place.path) > len(path) and place.path not in around
        if len(place.nodes) >= _PRESENT * len(records) and place.path[-1].tag not in _WRITTEN
    ]
    heaviest = max(((_weight(records, place), -len(place.path)) for place in beside), default=(0, 0))
    best = [place for place in beside if (_weight(records, place), -len(place.path)) == heaviest]
    return best[0].path if best and heaviest[0] > _HALF * _weight_of(records) else path


def _told_body(records: Sequence[Held], places: Sequence[Place], path: Path) -> Path | None:
    """The place below another that pages mark as what was said (schema.org), if nearly all records have it: on a short
    page signatures may say as much as posts."""
    usual = (one for one in places if one.steady and len(one.nodes) >= _PRESENT * len(records))
    inside = (one for one in usual if len(one.path) > len(path) and under(one.path, path))
    return next((one.path for one in inside if _is_marked(records, one) and _weight(records, one)), None)


def _is_marked(records: Sequence[Held], place: Place) -> bool:
    marks = (records[number].page.tree.attributes[node].get("itemprop") for number, node in place.nodes.items())
    return sum(mark in _SAID for mark in marks) > _HALF * len(place.nodes)


def _heaviest(records: Sequence[Held], places: Sequence[Place]) -> Path:
    """Descend from the record to the smallest place of the template that still holds most of the weight."""
    children: dict[int, list[Place]] = {}
    for place in places:
        if place.path:
            children.setdefault(id(place.above), []).append(place)
    path: Path = ()
    at = next((place for place in places if not place.path), None)
    present, whole = len(records), _weight_of(records)
    while True:
        below = children.get(id(at), ())
        printed = _printed_body(records, below, whole)
        if printed is not None:
            return printed.path
        best = max(
            ((_weight(records, place), place) for place in below),
            key=lambda pair: pair[0],
            default=None,
        )
        if best is None or best[0] < (_HELD if best[1].steady else _ALL) * whole:
            return path
        if _weighty(records, best[1]) < _PRESENT * present:
            return _deep_body(records, path, best[1], whole) or path
        written = best[1].path[-1].tag in _WRITTEN and not _is_quoted_body(best[1], best[0], whole, records)
        if written and not _leads_on(records, children, best[1], best[0]):
            return path
        whole, at = best
        path, present = at.path, _weighty(records, at)


def _is_quoted_body(place: Place, weight: int, whole: int, records: Sequence[Held]) -> bool:
    """A blockquote that nearly every record has and that holds nearly all of its words is no quotation."""
    return place.path[-1].tag == "blockquote" and weight > _ALL * whole and len(place.nodes) >= _PRESENT * len(records)


def _printed_body(records: Sequence[Held], places: Sequence[Place], whole: int) -> Place | None:
    """Preformatted text that nearly every record has and that holds half of its words: a letter as it was sent.

    Archives of letters repeat sender, subject and the subjects of the letters around them, so that less varies in
    the letter itself than in a post. Where paragraphs stand beside it, it is a piece of code that they talk of.
    """
    usual = (one for one in places if one.path[-1].tag == "pre" and len(one.nodes) >= _PRESENT * len(records))
    heavy = (one for one in usual if one.steady and _weight(records, one) >= _HALF * whole)
    return next((one for one in heavy if not _is_talked_of(records, one)), None)


def _is_talked_of(records: Sequence[Held], place: Place) -> bool:
    talked = sum(_has_paragraphs(records[number], node) for number, node in place.nodes.items())
    return talked > _HALF * len(place.nodes)


def _has_paragraphs(held: Held, node: int) -> bool:
    tree = held.page.tree
    beside = (one for one in tree.elements(tree.parents[node]) if tree.tags[one] == "p")
    return any(weight_at(held, one) for one in beside)


def _deep_body(records: Sequence[Held], path: Path, place: Place, whole: int) -> Path | None:
    """The look of a place that most records have, looked for deeper in the others."""
    step = place.path[-1]
    if not step.classes:
        return None
    deep = (*path, replace(step, number=0, deep=True))
    nodes = {
        number: node
        for number, held in enumerate(records)
        if (node := follow(held.page.tree, held.cut.parts, deep)) != NOWHERE
    }
    found = Place(deep, nodes)
    enough = _weight(records, found) >= _HELD * whole and _weighty(records, found) >= _PRESENT * len(records)
    return deep if enough else None


def _leads_on(records: Sequence[Held], children: dict[int, list[Place]], place: Place, whole: int) -> bool:
    """A table, list or span counts as layout only if the body is a block of its own further below."""
    at = place
    for _ in range(6):
        best = max(
            ((_weight(records, below), below) for below in children.get(id(at), ()) if below.steady),
            key=lambda pair: pair[0],
            default=None,
        )
        if best is None or best[0] < _HELD * whole or len(best[1].nodes) < _PRESENT * len(place.nodes):
            return False
        at = best[1]
        if at.path[-1].tag not in _WRITTEN and at.path[-1].tag not in ("tbody", "tr", "thead", "li"):
            return True
    return False


def _weight(records: Sequence[Held], place: Place) -> int:
    return sum(weight_at(records[number], node) for number, node in place.nodes.items())


def _weighty(records: Sequence[Held], place: Place) -> int:
    """How many records have this place, those without any weight counted in."""
    missing = [number for number in range(len(records)) if number not in place.nodes]
    return len(records) - sum(weight_of(records[number]) > 0 for number in missing)


def weight_at(held: Held, node: int) -> int:
    """The weight of a node of a record without the records inside it."""
    return held.page.weight(node, held.page.tree.ends[node]) - _inner(held, node, held.page.tree.ends[node])


def weight_of(held: Held) -> int:
    """The weight of a record without the records inside it."""
    return held.page.weight(held.cut.start, held.cut.end) - _inner(held, held.cut.start, held.cut.end)


def _inner(held: Held, start: int, end: int) -> int:
    ends = held.page.tree.ends
    return sum(held.page.weight(root, ends[root]) for root in held.inner if start <= root < end)


def _weight_of(records: Sequence[Held]) -> int:
    return sum(map(weight_of, records))
