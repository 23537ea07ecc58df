"""Which place of a record names its author.

A name is short, stands once in each record near its time and before its body, comes back in other records, and goes
together with its link where it has one. Ranks, towns and the like are also constant for a user, but two users share
them: the name tells the rank, and not the other way round. Buttons say the same in every record; titles are the
page's. Pages that mark the author (schema.org, rel=author) and pictures that bear the name are witnesses. No sign
decides alone: each is a figure, and a small model trained on mirrors (`authors.json`) weighs them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final

from thrawl.learn.wrappers.facts import TimePlace, Words, address_at, go_together, looks_like_names, words_at
from thrawl.learn.wrappers.growth import Held, Place
from thrawl.learn.wrappers.models import Figures, shipped_model
from thrawl.page.tree import TEXT
from thrawl.profile.fields import AuthorField
from thrawl.profile.nodes import under
from thrawl.profile.places import NOWHERE, Path, Step, follow

_LEAST_PRESENCE: Final = 0.5
_MOST_NODES: Final = 40
_FEW_NAMES: Final = 3
_MOST_PLACES: Final = 60  # that are compared with each other, the nearest to the time; a post has some twenty
_FAR: Final = 24  # nodes between a name and its time, where nearness ends
_LONG: Final = 40.0  # characters
_MANY_WORDS: Final = 3  # spaces
_HALF: Final = 0.5
_LONGEST_TEMPLATE: Final = 4
_NEARLY_ALL: Final = 0.9
_LIKELY: Final = 0.35  # a place that is less likely to name the author names nobody: null, never a guess


@dataclass(frozen=True, slots=True)
class Known:
    """What other posts of the site tell of authors: their names, and how the nodes look that name them."""

    names: frozenset[str] = frozenset()
    looks: frozenset[Step] = frozenset()


@dataclass(frozen=True, slots=True)
class AuthorEvidence(Figures):
    """What speaks for a place being the author's, from 0 to 1 each; shares are those of the records that have it."""

    presence: float
    variety: float
    """Different names among as many as a thread of this length usually has."""
    paired: float
    """Name and address go together."""
    unpaired: float
    """There are addresses, and they do not go with the names."""
    pictured: float
    """A picture bears the name."""
    marked: float
    """The page itself says that this is the author."""
    known: float
    """The names are those of other posts, or the place looks like that of their authors."""
    wordy: float
    """No name: more words than one has, the colon of a label, brackets, one letter of an avatar."""
    long: float
    near: float
    """How near the record's time is."""
    before: float
    """The place stands before the body."""
    first: float
    """How early it comes among the places that could be it."""
    finest: float
    """No other place tells what this one says."""
    loose: float
    """A place inside says less of the same."""
    again: float
    """The same words stand in the record once more."""
    shared: float
    """A picture of the record leads to the same address."""


@dataclass(frozen=True, slots=True)
class AuthorProposal:
    """A place that may name the author, with what speaks for it."""

    words: Words
    evidence: AuthorEvidence


def find_author(
    records: Sequence[Held], places: Sequence[Place], body: Path, times: Sequence[TimePlace], known: Known | None = None
) -> AuthorField | None:
    """The author's place, or None where nothing looks like names."""
    ranked = rank_authors(records, places, body, times, known)
    return ranked[0] if ranked else None


def rank_authors(
    records: Sequence[Held],
    places: Sequence[Place],
    body: Path,
    times: Sequence[TimePlace],
    known: Known | None = None,
    least: float = _LIKELY,
) -> list[AuthorField]:
    """All places that are so likely to name authors, the best first, each set of names once."""
    model = shipped_model("authors")
    judged = [
        (model.probability(one.evidence), -number, one.words)
        for number, one in enumerate(propose_authors(records, places, body, times, known))
    ]
    found: list[AuthorField] = []
    seen: list[Words] = []
    for probability, _, words in sorted(judged, key=lambda one: one[:2], reverse=True):
        if probability >= least and not any(_same(words, other) for other in seen):
            words = _widest(words, [one for _, _, one in judged])
            seen.append(words)
            found.append(AuthorField(words.place.path, *template_of(words), _is_mixed(words, times)))
    return found


def _widest(words: Words, candidates: Sequence[Words]) -> Words:
    """The place around or inside a chosen one that says the same, and says it in more records: with link or without."""
    wider = [
        one
        for one in candidates
        if under(one.place.path, words.place.path) or under(words.place.path, one.place.path)
        if words.values.items() <= one.values.items()
    ]
    return max(wider, key=lambda one: len(one.values), default=words)


def propose_authors(
    records: Sequence[Held], places: Sequence[Place], body: Path, times: Sequence[TimePlace], known: Known | None = None
) -> list[AuthorProposal]:
    """Every place that shows short words outside of the body, with its evidence."""
    timed = _held_times(times)
    candidates = [
        words
        for place in places
        if not (body and (under(place.path, body) or under(body, place.path)))
        if len(place.nodes) >= _LEAST_PRESENCE * len(records) and _is_small(records, place)
        if looks_like_names(words := _without_times(records, place, timed.get(place.path, ())))
        and _says_more_than_times(words)
    ]
    pictured = [_picture_names(held) for held in records]
    around = _Around(records, body, times)
    if len(candidates) > _MOST_PLACES:
        candidates = sorted(candidates, key=lambda words: -around.near(words.place))[:_MOST_PLACES]
    distinct = list({tuple(words.values.items()): words for words in candidates}.values())
    return [
        AuthorProposal(words, _evidence(records, words, pictured, around, distinct, known or Known()))
        for words in candidates
    ]


class _Around:
    """Where the bodies and the times of some records stand."""

    def __init__(self, records: Sequence[Held], body: Path, times: Sequence[TimePlace]) -> None:
        self._bodies = [follow(one.page.tree, one.cut.parts, body) if body else NOWHERE for one in records]
        self._records = records
        self._texts = [_texts_in(held) for held in records]
        self._pictured = [_pictured_addresses(held) for held in records]
        best = max(times, key=lambda time: len(time.mentions), default=None)
        self._times = {} if best is None else {number: one.node for number, one in best.mentions.items()}

    def near(self, place: Place) -> float:
        gaps = [abs(node - self._times[number]) for number, node in place.nodes.items() if number in self._times]
        return 1 - min(1.0, sorted(gaps)[len(gaps) // 2] / _FAR) if gaps else 0.0

    def again(self, number: int, value: str) -> bool:
        """Whether a record says these words twice."""
        return self._texts[number][value] > 1

    def shared(self, number: int, node: int) -> bool:
        """Whether a picture of the record leads to where this name leads."""
        return address_at(self._records[number], node) in self._pictured[number]

    def before(self, place: Place) -> float:
        known = [node < self._bodies[number] for number, node in place.nodes.items() if self._bodies[number] >= 0]
        return sum(known) / len(known) if known else 0.5


def _evidence(
    records: Sequence[Held],
    words: Words,
    pictured: Sequence[Set[str]],
    around: _Around,
    candidates: Sequence[Words],
    known: Known,
) -> AuthorEvidence:
    values = list(words.values.values())
    count, distinct = len(values), words.distinct
    pairs = [
        (value, address)
        for number, value in words.values.items()
        if (address := address_at(records[number], words.place.nodes[number])) is not None
    ]
    linked = len(pairs) > _HALF * count
    together = go_together(pairs) or (len(set(pairs)) == distinct == len({address for _, address in pairs}))
    alike = bool(words.place.path) and words.place.path[-1] in known.looks
    return AuthorEvidence(
        presence=count / len(records),
        variety=min(1.0, distinct / max(2.0, math.sqrt(2 * count))),
        paired=float(linked and together),
        unpaired=float(linked and not together),
        pictured=sum(value in pictured[number] for number, value in words.values.items()) / count,
        marked=float(_is_marked(records, words.place)),
        known=max(float(alike), _known_share(words, known.names) if known.names else 0.0),
        wordy=sum(map(_is_no_name, values)) / count,
        long=min(1.0, sorted(map(len, values))[count // 2] / _LONG),
        near=around.near(words.place),
        before=around.before(words.place),
        first=1 / (1 + sum(_stands_before(one, words) for one in candidates)),
        finest=float(not any(_is_finer(one, words) for one in _rivals(words, candidates))),
        loose=float(_is_loose(words, candidates)),
        again=sum(around.again(number, value) for number, value in words.values.items()) / count,
        shared=sum(around.shared(number, words.place.nodes[number]) for number in words.values) / count,
    )


def _is_no_name(value: str) -> bool:
    wordy = value.count(" ") >= _MANY_WORDS or value.endswith((":", "：")) or value.startswith(("(", "[", "@ "))
    return wordy or (len(value) == 1 and value.isascii())


def _stands_before(one: Words, other: Words) -> bool:
    """Whether a place that is not around another one comes before it, in the first record that has both."""
    both = next((number for number in one.values if number in other.values), None)
    if both is None or under(other.place.path, one.place.path):
        return False
    return one.values != other.values and one.place.nodes[both] < other.place.nodes[both]


def _is_loose(words: Words, candidates: Sequence[Words]) -> bool:
    """Whether another place inside this one says less of the same: what is around it there is none of the name."""
    return any(
        one is not words
        and under(one.place.path, words.place.path)
        and one.values != words.values
        and one.distinct > 1
        and one.values.keys() >= words.values.keys()
        for one in candidates
    )


def _texts_in(held: Held) -> Counter[str]:
    return Counter(text.strip() for text in held.page.tree.texts[held.cut.start : held.cut.end] if text)


def _pictured_addresses(held: Held) -> set[str | None]:
    """Where the pictures of a record lead to."""
    tree = held.page.tree
    pictures = (node for node in range(held.cut.start, held.cut.end) if tree.tags[node] == "img")
    links = (tree.attributes[up] for node in pictures for up in (tree.parents[node],) if tree.tags[up] == "a")
    return {link["href"] for link in links if "href" in link}


def _rivals(words: Words, candidates: Sequence[Words]) -> Iterator[Words]:
    """Other places of names; what stands around a name tells it too, and is no finer for that."""
    return (one for one in candidates if one is not words and not under(words.place.path, one.place.path))


def _is_small(records: Sequence[Held], place: Place) -> bool:
    """Whether a place can be a name at all: a few nodes, in the first records that have it."""
    some = list(place.nodes.items())[:3]
    return all(records[number].page.tree.ends[node] - node <= _MOST_NODES for number, node in some)


def _says_more_than_times(words: Words) -> bool:
    return sum("\x00" in value for value in words.values.values()) * 2 <= len(words.values)


def _tells(one: Words, other: Words) -> bool:
    """Whether equal values of one place come with equal values of the other, and some values do come back."""
    seen: dict[str, str] = {}
    again = 0
    for number in one.values.keys() & other.values.keys():
        before = seen.setdefault(one.values[number], other.values[number])
        if before != other.values[number]:
            return False
        again += 1
    return again > len(seen) >= _FEW_NAMES


def _is_finer(one: Words, other: Words) -> bool:
    return _tells(one, other) and not _tells(other, one)


def _known_share(words: Words, known: Collection[str]) -> float:
    shown = words.values.values()
    hits = sum(value in known or any(word in known for word in value.split(" ")) for value in shown)
    return hits / max(1, len(shown))


def _is_mixed(words: Words, times: Sequence[TimePlace]) -> bool:
    """Whether a time stands in the same text as the name."""
    path = words.place.path
    return bool(path) and path[-1].tag == TEXT and any(time.place.path == path for time in times)


def _same(one: Words, other: Words) -> bool:
    """Whether two places show the same names, or one holds the other."""
    if under(one.place.path, other.place.path) or under(other.place.path, one.place.path):
        return True
    both = one.values.keys() & other.values.keys()
    same = sum(one.values[number] == other.values[number] for number in both)
    return same > 0.95 * len(both)


def _held_times(times: Sequence[TimePlace]) -> dict[Path, list[TimePlace]]:
    """The times that each place holds."""
    found: dict[Path, list[TimePlace]] = defaultdict(list)
    for time in times:
        for length in range(len(time.place.path) + 1):
            found[time.place.path[:length]].append(time)
    return found


def _without_times(records: Sequence[Held], place: Place, inside: Sequence[TimePlace]) -> Words:
    """The words at a place without the times that it holds."""
    words = words_at(records, place)
    if not inside:
        return words
    shown = dict(words.values)
    for time in inside:
        for number, mention in time.mentions.items():
            if number in shown:
                shown[number] = shown[number].replace(mention.text, "\x00")
    if place.path and place.path[-1].tag == TEXT:
        shown = {number: " ".join(value.replace("\x00", "").split()) for number, value in shown.items()}
    return Words(place, {number: value for number, value in shown.items() if value.strip("\x00 ")})


def _picture_names(held: Held) -> set[str]:
    """The names that pictures in a record bear."""
    attributes = held.page.tree.attributes[held.cut.start : held.cut.end]
    return {one[key] for one in attributes if one for key in ("title", "alt") if key in one}


def _is_marked(records: Sequence[Held], place: Place) -> bool:
    """Whether the page itself says that this is the author."""
    number, node = next(iter(place.nodes.items()))
    tree = records[number].page.tree
    chain = [node, *tree.ancestors(node)][:4]
    return any(
        "author" in tree.attributes[one].get("rel", "").split()
        or tree.attributes[one].get("itemprop", "") in ("author", "creator")
        for one in chain
        if one >= records[number].cut.start
    )


def template_of(words: Words) -> tuple[str, str]:
    """The words before and after the name that are the same in nearly all records."""
    values = [value.split(" ") for value in set(words.values.values())]
    if len(values) < _FEW_NAMES:
        return "", ""
    first = _shared_words(values)
    last = _shared_words([value[::-1] for value in values])
    return " ".join([*first, ""]), " ".join(["", *last[::-1]])


def _shared_words(values: Sequence[Sequence[str]]) -> list[str]:
    shared: list[str] = []
    while len(shared) < _LONGEST_TEMPLATE:
        place = len(shared)
        counts = Counter(value[place] for value in values if len(value) > place + 1)
        word, count = counts.most_common(1)[0] if counts else ("", 0)
        if count < _NEARLY_ALL * len(values):
            break
        shared.append(word)
    return shared
