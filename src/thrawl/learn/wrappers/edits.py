"""Where a post tells outside of its body that it was edited: beside its time, below its author, in its foot.

Such a note is found by what it is: a second time, not before the post's own, that some posts show and most do not,
always with the same words around it. Notes inside bodies are `boxes`' matter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from thrawl.learn.wrappers.growth import Held, grow
from thrawl.learn.wrappers.learnshape import names_in
from thrawl.page.shape import element_of
from thrawl.page.timeformat import TimeFormat
from thrawl.profile.content import LONGEST_NOTE
from thrawl.profile.lines import form_of
from thrawl.profile.looks import Look, look_of
from thrawl.profile.places import NOWHERE, Path, follow
from thrawl.profile.shapes import PostShape

_FEWEST: Final = 2  # one time after its post may be part of it
_MOST: Final = 0.6  # of the posts; what more of them show is no note of an edit
_LATER: Final = 0.9  # of the notes are after their post; clocks without zones may put one before
_SAME_WORDS: Final = 0.7  # of the notes: moderators may write a reason
_SUPPORT: Final = 0.6  # of the notes stand at the place: a signature below moves some


@dataclass(frozen=True, slots=True)
class _Note:
    """A second time of a record: the element that shows it, and whether it is not before the record's own."""

    held: Held
    node: int
    later: bool


def find_edits(records: Sequence[Held], shape: PostShape, form: TimeFormat, fetched: datetime) -> Path | None:
    """The place of the notes of edits; None where no posts show any outside of their bodies."""
    groups: dict[Look, list[_Note]] = defaultdict(list)
    for held in records if shape.times else ():
        for note in _second_times(held, shape, form, fetched):
            groups[look_of(held.page.tree, note.node)].append(note)
    names = frozenset(names_in(records, shape))
    for look, notes in groups.items():
        if look.classes and _FEWEST <= len(notes) <= _MOST * len(records) and _tell_of_edits(notes, names):
            return _place_of(notes)
    return None


def _second_times(held: Held, shape: PostShape, form: TimeFormat, fetched: datetime) -> Iterator[_Note]:
    tree, parts = held.page.tree, held.cut.parts
    body, own = follow(tree, parts, shape.body), follow(tree, parts, shape.times[0].path)
    posted = shape.times[0].read(tree, parts, form, fetched)
    if NOWHERE in (body, own) or posted is None or posted.value is None or not shape.body:
        return
    inside = held.page.times_in(held.cut.start, held.cut.end)
    first = next((time for time in inside if own <= time.node < tree.ends[own]), None)
    for time in inside:
        if time is not first and not body <= time.node < tree.ends[body]:
            value = form.read_mention(time, fetched).value
            yield _Note(held, element_of(tree, time.node), value is not None and value >= posted.value)


def _tell_of_edits(notes: Sequence[_Note], names: frozenset[str]) -> bool:
    words = [note.held.page.tree.text(note.node) for note in notes]
    form, count = Counter(form_of(text, names) for text in words).most_common(1)[0]
    later = sum(note.later for note in notes)
    short = max(map(len, words)) <= LONGEST_NOTE
    return bool(form) and short and count >= _SAME_WORDS * len(notes) and later >= _LATER * len(notes)


def _place_of(notes: Sequence[_Note]) -> Path | None:
    places = grow([note.held for note in notes], _SUPPORT)
    hits = {
        place.path: sum(place.nodes.get(number) == note.node for number, note in enumerate(notes)) for place in places
    }
    best = max(hits, key=lambda path: hits[path], default=None)
    return best if best is not None and hits[best] >= _SUPPORT * len(notes) else None
