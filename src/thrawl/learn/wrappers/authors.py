"""Which place of a record names its author.

A name is short, stands once in each record, comes back in other records, and goes together with its link where it
has one. Ranks, locations and the like are also constant for a user, but two users share them: of all places that
come back, the author's has the most different values. Pages that mark the author (schema.org, rel=author) and quote
headers that repeat a name are witnesses.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from typing import Final

from thrawl.learn.wrappers.facts import (
    TimePlace,
    Words,
    address_at,
    go_together,
    looks_like_names,
    words_at,
)
from thrawl.learn.wrappers.growth import Held, Place
from thrawl.page.tree import TEXT
from thrawl.profile.fields import AuthorField
from thrawl.profile.nodes import under
from thrawl.profile.places import Path, Step

_LEAST_PRESENCE: Final = 0.5
_KNOWN: Final = 0.3
_MOST_NODES: Final = 40
_FEW_POSTS: Final = 12
_RIVAL: Final = 0.4
_FEW_NAMES: Final = 3
_LONGEST_TEMPLATE: Final = 4
_NEARLY_ALL: Final = 0.9


@dataclass(frozen=True, slots=True)
class Known:
    """What other posts of the site tell of authors: their names, and how the nodes look that name them."""

    names: frozenset[str] = frozenset()
    looks: frozenset[Step] = frozenset()


def find_author(
    records: Sequence[Held],
    places: Sequence[Place],
    body: Path,
    times: Sequence[TimePlace],
    known: Known | None = None,
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
) -> list[AuthorField]:
    """All places that look like names, the best first, each set of names once."""
    candidates = [
        words
        for place in places
        if not (body and (under(place.path, body) or under(body, place.path)))
        if len(place.nodes) >= _LEAST_PRESENCE * len(records) and _is_small(records, place)
        if looks_like_names(words := _without_times(records, place, times))
    ]
    known = known or Known()
    if known.names:
        candidates = _with_known(candidates, known.names)
    pictured = [_picture_names(held) for held in records]
    scored = [
        (score, -number)
        for number, words in enumerate(candidates)
        if (score := _score(records, pictured, words, known)) > 0
    ]
    found: list[AuthorField] = []
    seen: list[Words] = []
    for words in _finest_first([(score, candidates[-number]) for score, number in sorted(scored, reverse=True)]):
        if not any(_same(words, other) for other in seen):
            seen.append(words)
            found.append(AuthorField(words.place.path, *_template(words), _is_mixed(words, times)))
    return found


def _is_small(records: Sequence[Held], place: Place) -> bool:
    """Whether a place can be a name at all: a few nodes, in the first records that have it."""
    some = list(place.nodes.items())[:3]
    return all(records[number].page.tree.ends[node] - node <= _MOST_NODES for number, node in some)


def _finest_first(ranked: Sequence[tuple[float, Words]]) -> list[Words]:
    """Ranks and towns are functions of the user: a place whose values tell those of a better one comes before it.

    What stands around a name tells it too, and is no finer for that.
    """
    ordered = [words for _, words in ranked]
    if not ordered:
        return ordered
    for score, words in ranked[1:]:
        if under(ordered[0].place.path, words.place.path):
            continue
        if score >= _RIVAL * ranked[0][0] and _tells(words, ordered[0]) and not _tells(ordered[0], words):
            ordered.remove(words)
            ordered.insert(0, words)
    return ordered


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


def _with_known(candidates: Sequence[Words], known: Collection[str]) -> list[Words]:
    """Only the places that show names known from elsewhere, if any shows a good part of them."""
    good = [words for words in candidates if len(words.values) < _FEW_NAMES or _known_share(words, known) >= _KNOWN]
    return good or list(candidates)


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


def _without_times(records: Sequence[Held], place: Place, times: Sequence[TimePlace]) -> Words:
    words = words_at(records, place)
    inside = [time for time in times if under(time.place.path, place.path)]
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


def _score(records: Sequence[Held], pictured: Sequence[Set[str]], words: Words, known: Known) -> float:
    values = list(words.values.values())
    timed = sum("\x00" in value for value in values)
    distinct = words.distinct
    if not values or timed * 2 > len(values):
        return 0.0
    if distinct < min(_FEW_NAMES, len(values)):
        return _lone_score(records, pictured, words)
    presence = len(values) / len(records)
    variety = min(1.0, distinct / max(2.0, math.sqrt(2 * len(values))))
    returning = 1 - distinct / len(values)
    score = presence * variety * (0.7 + min(0.3, returning))
    if known.names:
        score *= 1 + 2 * _known_share(words, known.names)
    if words.place.path and words.place.path[-1] in known.looks:
        score *= 4
    score *= 1 + _repeated_share(pictured, words)
    pairs = [
        (value, address)
        for number, value in words.values.items()
        if (address := address_at(records[number], words.place.nodes[number])) is not None
    ]
    if len(pairs) > 0.5 * len(values) and (go_together(pairs) or len(values) < _FEW_NAMES):
        score *= 2.0
    elif len(pairs) > 0.5 * len(values):
        score *= 0.3
    if _is_marked(records, words.place):
        score *= 2.0
    spaces = sum(value.count(" ") for value in values) / len(values)
    return score / (1 + 0.5 * spaces)


def _lone_score(records: Sequence[Held], pictured: Sequence[Set[str]], words: Words) -> float:
    """Where one or two users wrote all the posts: believed only with one address for each name, and of few posts."""
    pairs = {(value, address_at(records[number], words.place.nodes[number])) for number, value in words.values.items()}
    if len(words.values) > _FEW_POSTS or len(pairs) != words.distinct or any(address is None for _, address in pairs):
        return 0.0
    return 0.3 * len(words.values) / len(records) * (1 + _repeated_share(pictured, words))


def _picture_names(held: Held) -> set[str]:
    """The names that pictures in a record bear."""
    attributes = held.page.tree.attributes[held.cut.start : held.cut.end]
    return {one[key] for one in attributes if one for key in ("title", "alt") if key in one}


def _repeated_share(pictured: Sequence[Set[str]], words: Words) -> float:
    """How often a picture in the record bears the same name."""
    return sum(value in pictured[number] for number, value in words.values.items()) / len(words.values)


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


def _template(words: Words) -> tuple[str, str]:
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
