"""Learn the fields of one kind of post from all its records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from thrawl.learn.wrappers.authorevidence import AuthorEvidence, Known
from thrawl.learn.wrappers.authors import AuthorProposal, find_author, propose_authors
from thrawl.learn.wrappers.bodies import find_body
from thrawl.learn.wrappers.facts import TimePlace, Words, time_places
from thrawl.learn.wrappers.growth import Held, Place, grow
from thrawl.learn.wrappers.identity import Numbers, Writer
from thrawl.learn.wrappers.learnmoments import find_times_of
from thrawl.learn.wrappers.sample import Sample
from thrawl.page.tree import TEXT
from thrawl.profile.fields import AuthorField
from thrawl.profile.kinds import Cut, Kind
from thrawl.profile.moments import TimeField
from thrawl.profile.nodes import prefixes, text_at, under
from thrawl.profile.places import NOWHERE, Path, follow
from thrawl.profile.shapes import PostShape

_SUPPORT: Final = 0.3  # of the records: places of guests, of edits, of opening posts are seldom
_MOST_RECORDS: Final = 240  # they tell as much as thousands
_MOST_WAYS: Final = 4  # to a name: of members, guests, deleted users, and those who left
_FEW_RECORDS: Final = 2  # of a kind: whoever they name is no help to tell the names of others
_USUAL: Final = 0.6  # of the records: a time that fewer show is none of the template's

_NOTHING: Final = frozenset[int]()

_Asked = tuple[Sequence[AuthorProposal], Sequence[TimePlace]]
"""Where some records may name their authors, by all signs but what is known of authors elsewhere; and their times."""
_Records = tuple[tuple[int, tuple[int, ...], frozenset[int]], ...]


def cut_all(samples: Sequence[Sample], kinds: Sequence[Kind]) -> list[list[Cut]]:
    """All records of these kinds on each page, in document order; outer ones before those inside them."""
    found = []
    for sample in samples:
        cuts = [
            Cut(cut.parts, cut.start, cut.end, number) if number else cut
            for number, kind in enumerate(kinds)
            for cut in sample.cut(kind)
        ]
        found.append(sorted(cuts, key=lambda cut: (cut.start, -cut.end)))
    return found


def hold(samples: Sequence[Sample], kinds: Sequence[Kind]) -> list[list[Held]]:
    """The records of each of these kinds over the sample, each with the roots of other records inside it."""
    found: list[list[Held]] = [[] for _ in kinds]
    for sample, cuts in zip(samples, cut_all(samples, kinds), strict=True):
        starts = [cut.start for cut in cuts]
        for number, cut in enumerate(cuts):
            # an empty form of a record, hidden on the page for its scripts to fill in, is none
            if sample.weight(cut.start, cut.end) or not sample.hidden[cut.start]:
                found[cut.kind].append(Held(sample, cut, _inner_roots(cuts, starts, number)))
    return found


def _inner_roots(ordered: Sequence[Cut], starts: Sequence[int], number: int) -> frozenset[int]:
    """The roots of the outermost records inside a record; `starts` are those of all records."""
    cut, at = ordered[number], number + 1
    if at == len(starts) or starts[at] >= cut.end:
        return _NOTHING
    roots: list[int] = []
    while at < len(starts) and starts[at] < cut.end:
        other = ordered[at]
        at += 1
        if other.end <= cut.end and (other.start, other.end) != (cut.start, cut.end):
            roots.extend(other.parts)
            at = bisect_left(starts, other.end, lo=at)
    return frozenset(roots)


def home_of(outer: Sequence[Cut], cut: Cut) -> int | None:
    """The start of the innermost of these records, which are in order, that a record stands in."""
    before = bisect_left(outer, cut.start, key=attrgetter("start"))
    return next((outer[at].start for at in range(before - 1, -1, -1) if cut.end <= outer[at].end), None)


@dataclass(frozen=True, slots=True)
class _Aligned:
    """What some records tell, whoever wrote them."""

    body: Path
    said: Path
    times: tuple[TimeField, ...]
    time: TimePlace | None
    numbers: Numbers

    @property
    def own(self) -> Path | None:
        """The way to the post's own time."""
        return self.time.place.path if self.time is not None else None


class Memory:
    """What was worked out of records: they are learned again once other kinds of posts tell who writes here."""

    def __init__(self) -> None:
        self._aligned: dict[_Records, _Aligned] = {}
        self._asked: dict[tuple[_Records, Path, Path | None], _Asked] = {}

    def aligned(self, records: Sequence[Held]) -> _Aligned:
        key = _key(records)
        if key not in self._aligned:
            places = grow(records, _SUPPORT)
            times = time_places(records, places)
            found = self._aligned[key] = _align(records, places, times)
            self._asked[key, found.said, found.own] = _ask(records, places, times, found.said, found.own)
        return self._aligned[key]

    def asked(self, records: Sequence[Held], body: Path, own: Path | None) -> _Asked:
        key = _key(records), body, own
        if key not in self._asked:
            places = grow(records, _SUPPORT)
            self._asked[key] = _ask(records, places, time_places(records, places), body, own)
        return self._asked[key]


def _key(records: Sequence[Held]) -> _Records:
    return tuple((id(held.page), held.cut.parts, held.inner) for held in records)


def learn_shape(
    kind: Kind, records: Sequence[Held], known: Known | None = None, memory: Memory | None = None
) -> PostShape:
    """The fields of one kind of post, from all its records; `known` is what other kinds tell of authors."""
    memory = memory or Memory()
    records = _spread(records)
    found = memory.aligned(records)
    authors = _authors(records, found, known, memory)
    identity = found.numbers.identity(records, found.time, _writers(records, authors))
    return PostShape(kind, found.body, authors, found.times, identity.number, identity.link, identity.fragment)


def learn_shapes(samples: Sequence[Sample], kinds: Sequence[Kind], memory: Memory | None = None) -> list[PostShape]:
    """The fields of all kinds, each told apart from the records inside it and helped by what the others tell."""
    memory = memory or Memory()
    shapes = _sharpened(samples, _shape_each(samples, kinds, memory), memory)
    if len(shapes) < 2:
        return shapes
    held = hold(samples, [shape.kind for shape in shapes])
    names = [names_in(records, shape) for records, shape in zip(held, shapes, strict=True)]
    found = []
    for number, (records, shape) in enumerate(zip(held, shapes, strict=True)):
        others = [other for other in range(len(shapes)) if other != number and len(held[other]) > _FEW_RECORDS]
        if not others or not records:
            found.append(shape)
            continue
        looks = {field.path[-1] for other in others for field in shapes[other].authors if field.path}
        known = Known(frozenset().union(*(names[other] for other in others)), frozenset(looks))
        found.append(learn_shape(shape.kind, records, known, memory))
    return found


def _shape_each(samples: Sequence[Sample], kinds: Sequence[Kind], memory: Memory) -> list[PostShape]:
    """The fields of each kind that has records."""
    held = zip(kinds, hold(samples, kinds), strict=True)
    return [learn_shape(kind, records, memory=memory) for kind, records in held if records]


def _sharpened(samples: Sequence[Sample], shapes: Sequence[PostShape], memory: Memory) -> list[PostShape]:
    """The kinds known also by their time, where their look alone fits what has neither time nor author."""
    held = zip(shapes, hold(samples, [shape.kind for shape in shapes]), strict=True)
    blurred = [any(not _has_field(one, shape) for one in records) for shape, records in held]
    if not any(blurred):
        return list(shapes)
    kinds = [_with_mark(shape) if blur else shape.kind for shape, blur in zip(shapes, blurred, strict=True)]
    return _shape_each(samples, kinds, memory) or list(shapes)


def _has_field(held: Held, shape: PostShape) -> bool:
    paths = [*(time.path for time in shape.times), *(author.path for author in shape.authors)]
    return any(follow(held.page.tree, held.cut.parts, path) != NOWHERE for path in paths)


def _writers(records: Sequence[Held], authors: Sequence[AuthorField]) -> dict[int, Writer]:
    """Who wrote each record, where nobody wrote two: only then may a number that tells these apart be the writer's."""
    named = {number: (held, *named_in(held, authors)) for number, held in enumerate(records)}
    found = {number: Writer(node, held.page.address(node)) for number, (held, name, node) in named.items() if name}
    return found if len({name for _, name, _ in named.values() if name}) == len(found) > 1 else {}


def _ask(
    records: Sequence[Held], places: Sequence[Place], times: Sequence[TimePlace], body: Path, own: Path | None
) -> _Asked:
    return propose_authors(records, places, body, times, None, own), times


def _align(records: Sequence[Held], places: Sequence[Place], shown: Sequence[TimePlace]) -> _Aligned:
    usual = _usual_times(records, shown)
    body = find_body(records, places, usual)
    # a body around all times is no place of its own: author and time stand in it
    said = () if usual and all(under(path, body) for path in usual) else body
    times, time = _times(records, shown, said)
    return _Aligned(body, said, times, time, Numbers.of(records, places))


def _usual_times(records: Sequence[Held], shown: Sequence[TimePlace]) -> list[Path]:
    """The innermost places that show a time in most records."""
    usual = [one.place.path for one in shown if len(one.mentions) >= _USUAL * len(records)]
    around = prefixes(path[:-1] for path in usual if path)
    return [path for path in usual if path not in around]


def _times(
    records: Sequence[Held], shown: Sequence[TimePlace], body: Path
) -> tuple[tuple[TimeField, ...], TimePlace | None]:
    """The places of times: the usual one, then where it moves in the few records that show more around it.

    Those records are too few to be aligned with the others; only a way down by the same tags is believed in them.
    """
    fields, time = find_times_of(records, shown, body)
    usual = {field.path for field in fields}
    dated = {number for one in shown if one.place.path in usual for number in one.mentions}
    left = [held for number, held in enumerate(records) if number not in dated]
    if not fields or not any(held.page.times_in(held.cut.start, held.cut.end) for held in left):
        return fields, time
    tags = set(map(_tags, usual))
    moved = [one for one in time_places(left, grow(left, _SUPPORT)) if _tags(one.place.path) in tags]
    return (*fields, *find_times_of(left, moved, body)[0]), time


def _tags(path: Path) -> tuple[str, ...]:
    return tuple(step.tag for step in path)


def _authors(
    records: Sequence[Held], aligned: _Aligned, known: Known | None, memory: Memory
) -> tuple[AuthorField, ...]:
    """The places of authors: the usual one, then those of records that lack it (guests, deleted users)."""
    found: list[AuthorField] = []
    left = list(records)
    while len(left) > 1 or not found:
        field = find_author(*memory.asked(left, aligned.said, aligned.own), known)
        if field is None:
            break
        found.append(field)
        missing = [held for held in left if not _names_somebody(held, field)]
        if missing and (plain := _in_place_of(field, left, missing)) is not None:
            found.append(plain)
            missing = [held for held in missing if not _names_somebody(held, plain)]
        if len(missing) == len(left) or len(found) == _MOST_WAYS:
            break
        left = missing
    return tuple(found)


def _in_place_of(field: AuthorField, records: Sequence[Held], missing: Sequence[Held]) -> AuthorField | None:
    """Where records that lack a link name somebody in the text before its place: "by Guest" beside "by" and a link."""
    before = {_words_before(held, node) for held in records if (node := _named_at(held, field)) != NOWHERE}
    label = f"{before.pop()} " if len(before) == 1 else " "
    for place in grow(missing, _SUPPORT) if label != " " else ():
        if place.path[:-1] == field.path[:-1] and place.path and place.path[-1].tag == TEXT:
            shown = [missing[number].page.text(node) for number, node in place.nodes.items()]
            if all(one.startswith(label) for one in shown):
                return AuthorField(place.path, label)
    return None


def _words_before(held: Held, node: int) -> str:
    """The text right before a node, beside it; nothing where an element stands there."""
    tree = held.page.tree
    before = next((one for one in tree.before(node) if held.page.text(one)), NOWHERE)
    return held.page.text(before) if before != NOWHERE and tree.tags[before] == TEXT else ""


def _named_at(held: Held, field: AuthorField) -> int:
    return follow(held.page.tree, held.cut.parts, field.path)


def _names_somebody(held: Held, field: AuthorField) -> bool:
    """Whether a record names its author at a place; the template's words may stand there without a name."""
    node = _named_at(held, field)
    return node != NOWHERE and bool(field.strip(text_at(held.page.tree, node)))


def authors_proposed(
    records: Sequence[Held], shape: PostShape, known: Known | None = None
) -> Iterator[tuple[Words, AuthorEvidence]]:
    """All places of these records that may name their authors, with what speaks for them."""
    places = grow(records, _SUPPORT)
    own = shape.times[0].path if shape.times else None
    for one in propose_authors(records, places, shape.body, time_places(records, places), known, own):
        yield one.words, one.evidence


def names_in(records: Sequence[Held], shape: PostShape) -> set[str]:
    """The authors that these records name."""
    return {name for held in records for name, _ in [named_in(held, shape.authors)] if name}


def named_in(held: Held, authors: Sequence[AuthorField]) -> tuple[str, int]:
    """The author whom a record names, and the node that does."""
    for field in authors:
        node = _named_at(held, field)
        if node != NOWHERE and (name := field.strip(held.page.text(node))):
            return name, node
    return "", NOWHERE


def _spread(records: Sequence[Held]) -> list[Held]:
    """At most so many records, in order, from all pages."""
    if len(records) <= _MOST_RECORDS:
        return list(records)
    by_page: dict[int, list[Held]] = {}
    for held in records:
        by_page.setdefault(id(held.page), []).append(held)
    share = max(4, _MOST_RECORDS // len(by_page))
    return [held for on_page in by_page.values() for held in on_page[:share]][: 2 * _MOST_RECORDS]


def _with_mark(shape: PostShape) -> Kind:
    """The kind, recognised also by the time that its main root holds."""
    path = shape.times[0].path if shape.times else shape.authors[0].path if shape.authors else None
    if path is None or shape.kind.before or not path:
        return shape.kind
    inside = path[1:] if shape.kind.after else path
    if shape.kind.after and path[0].number:
        return shape.kind
    return replace(shape.kind, mark=inside)
