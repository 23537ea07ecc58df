"""Which number identifies a post: in an id, a name, a data attribute or a link that differs in every record.

The free truths: no two records share it, and on a page it rises. Several witnesses for one number (`id="p12"` and a
link to `#p12`) outvote a single one, such as a counter of the posts on this page.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from thrawl.learn.wrappers.facts import TimePlace
from thrawl.learn.wrappers.growth import Held, Place
from thrawl.page.tree import TEXT
from thrawl.profile.fields import NumberField, digits_in
from thrawl.profile.nodes import under
from thrawl.profile.places import NOWHERE, Path, follow

_UNIQUE: Final = 0.95  # of the posts: pages of one thread may share a post that is shown again
_PRESENT: Final = 0.9  # of the records: an advertisement among them has no number
_MOST_CHARS: Final = 300  # of an attribute; longer ones hold words or data, no number
_ORDERED: Final = 0.6  # of neighbours rise or fall together with the posts: views and points go to and fro
_FEW_PAIRS: Final = 3  # of neighbours: fewer say nothing of an order
_PLACE_IN_THREAD: Final = re.compile(r"#\s?\d{1,6}\.?")


@dataclass(frozen=True, slots=True)
class Identity:
    """Where the post's number stands, and the link to the post itself if there is one."""

    number: NumberField | None
    link: Path | None
    fragment: bool = False


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote a record: the node that names them, and where it leads."""

    node: int
    address: str | None


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers that tell records apart, and the links of these records."""

    good: Sequence[tuple[NumberField, Mapping[int, str]]]
    links: Sequence[Place]

    @classmethod
    def of(cls, records: Sequence[Held], places: Sequence[Place]) -> Numbers:
        shown = [
            held.page.words_between(held.cut.start, held.cut.end) for held in records
        ]  # repeated on each page: one record
        good = [
            (field, numbers) for field, numbers in _numbers(records, places) if _identifies(records, shown, numbers)
        ]
        usual = (one for one in places if one.path and len(one.nodes) >= _PRESENT * len(records))
        return cls(good, [one for one in usual if one.path[-1].tag == "a"])

    def identity(self, records: Sequence[Held], time: TimePlace | None, writers: Mapping[int, Writer]) -> Identity:
        """Which number is a post's own. Where there are `writers` nobody wrote two of these posts, and a number that
        may be the writer's tells nothing of the post."""
        good = [one for one in self.good if not (writers and _are_writers(records, *one, writers))]
        if not good:
            return Identity(None, None)
        votes = Counter(tuple(numbers.items()) for _, numbers in good)
        best, numbers = min(good, key=lambda one: (-votes[tuple(one[1].items())], _rank(one[0])))
        return Identity(best, _permalink(records, self.links, numbers, time), best.attribute in ("id", "name"))


def _are_writers(
    records: Sequence[Held], field: NumberField, numbers: Mapping[int, str], writers: Mapping[int, Writer]
) -> bool:
    """Whether a number stands in the addresses of the writers, or at an element around their names alone."""
    known = [(records[number], value, writers[number]) for number, value in numbers.items() if number in writers]
    return 2 * sum(_is_writer(held, field, value, writer) for held, value, writer in known) > len(numbers)


def _is_writer(held: Held, field: NumberField, value: str, writer: Writer) -> bool:
    if value in digits_in(writer.address or ""):
        return True
    if not field.attribute.startswith("data-"):  # an id is nobody's but the element's
        return False
    node = follow(held.page.tree, held.cut.parts, field.path)
    around = node != NOWHERE and node <= writer.node < held.page.tree.ends[node]
    return around and held.page.text(node) == held.page.text(writer.node)


def _rank(field: NumberField) -> tuple[int, int]:
    order = {"id": 0, "name": 1, "href": 3}
    return order.get(field.attribute, 2), len(field.path)


def _numbers(records: Sequence[Held], places: Sequence[Place]) -> Iterator[tuple[NumberField, dict[int, str]]]:
    for place in places:
        if len(place.nodes) < _PRESENT * len(records) or (place.path and place.path[-1].tag == TEXT):
            continue
        values: dict[str, dict[int, list[str]]] = defaultdict(dict)
        for number, node in place.nodes.items():
            for name, value in records[number].page.tree.attributes[node].items():
                if (name in ("id", "name", "href") or name.startswith("data-")) and len(value) < _MOST_CHARS:
                    groups = digits_in(value)
                    if groups:
                        values[name][number] = groups
        for name, found in values.items():
            if len(found) < _PRESENT * len(records):
                continue
            for group in range(-1, -1 - min(map(len, found.values())), -1):
                yield NumberField(place.path, name, group), {one: groups[group] for one, groups in found.items()}


def _identifies(records: Sequence[Held], words: Sequence[int], numbers: dict[int, str]) -> bool:
    """No two records of one page share it, few of the sample do, and it mostly rises or is the root's own id."""
    on_page = {(id(records[number].page), value) for number, value in numbers.items()}
    shown = {(value, words[number]) for number, value in numbers.items()}
    if len(on_page) < len(numbers) or len(set(numbers.values())) < _UNIQUE * len(shown):
        return False
    if any(len(value) > 15 for value in numbers.values()):
        return False
    small = sum(len(value) <= 2 for value in numbers.values())
    if len(numbers) > 120 and small == len(numbers):
        return False
    return _order(records, numbers) >= _ORDERED or _is_form_of_id(records, numbers)


def _order(records: Sequence[Held], numbers: dict[int, str]) -> float:
    """The share of neighbours on a page whose numbers run one way; 1 where there are too few to tell."""
    pairs = [
        int(numbers[one]) < int(numbers[two])
        for one, two in pairwise(sorted(numbers))
        if records[one].page is records[two].page
    ]
    return max(sum(pairs), len(pairs) - sum(pairs)) / len(pairs) if len(pairs) > _FEW_PAIRS else 1.0


def _is_form_of_id(records: Sequence[Held], numbers: dict[int, str]) -> bool:
    """Whether the number stands in the id of the record's own root: then it need not rise (answers sorted by votes)."""
    own = 0
    for number, value in numbers.items():
        held = records[number]
        own += value in digits_in(held.page.tree.attributes[held.cut.parts[0]].get("id", ""))
    return own >= _PRESENT * len(numbers)


def _permalink(
    records: Sequence[Held], links: Sequence[Place], numbers: Mapping[int, str], time: TimePlace | None
) -> Path | None:
    """The link that leads to the post: with the number in its fragment, around the time, marked as bookmark, or called
    by the post's place in the thread."""
    scored: list[tuple[float, int, Place]] = []
    for place in links:
        score = sum(_link_score(records[number], node, numbers.get(number)) for number, node in place.nodes.items())
        score /= len(place.nodes)
        if time is not None and under(time.place.path, place.path):
            score += 1.0
        if score >= 1.5:
            scored.append((score, -len(scored), place))
    return max(scored)[2].path if scored else None


def _link_score(held: Held, node: int, number: str | None) -> float:
    attributes = held.page.tree.attributes[node]
    href = attributes.get("href", "")
    address, _, fragment = href.partition("#")
    if number is None or number not in digits_in(href):
        return 0.0
    score = 1.0 + (number in digits_in(fragment))
    rel = attributes.get("rel", "").split()
    score += 0.5 * ("bookmark" in rel or attributes.get("itemprop") == "url")
    score += 0.5 * (_PLACE_IN_THREAD.fullmatch(held.page.text(node)) is not None)
    return score - 0.25 * ("nofollow" in rel) - 0.1 * (not address)
