"""What the places of aligned records show: their words, links and times, and how those vary over the records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from thrawl.learn.wrappers.growth import Held, Place
from thrawl.page.shape import element_of
from thrawl.page.times import TimeMention

_NUMBERS: Final = re.compile(r"[\d\W_]*(?<=\d)[kKmMB]?[\W_]*|[\W_]*")  # and signs; "1.2k" counts, "K17" is a name
_DIGITS: Final = re.compile(r"\d+")
_LONGEST_NAME: Final = 40  # characters; a title under the name, which some themes write into it, counts


@dataclass(frozen=True, slots=True)
class TimePlace:
    """A place where records show a time: the mention of each record."""

    place: Place
    mentions: dict[int, TimeMention]


def time_places(records: Sequence[Held], places: Sequence[Place]) -> list[TimePlace]:
    """The places whose element holds a time, with the first time of each record there."""
    owners = [_mentions_by_element(held) for held in records]
    found = []
    for place in places:
        mentions = {
            number: mention for number, node in place.nodes.items() if (mention := owners[number].get(node)) is not None
        }
        if mentions:
            found.append(TimePlace(place, mentions))
    return found


def _mentions_by_element(held: Held) -> dict[int, TimeMention]:
    found: dict[int, TimeMention] = {}
    for mention in held.page.times_in(held.cut.start, held.cut.end):
        found.setdefault(element_of(held.page.tree, mention.node), mention)
        found.setdefault(mention.node, mention)
    return found


@dataclass(frozen=True, slots=True)
class Words:
    """The words that the records show at one place, folded, without what is the same in all of them."""

    place: Place
    values: dict[int, str]

    @property
    def distinct(self) -> int:
        return len(set(self.values.values()))

    @property
    def worded(self) -> int:
        """Different words, those that differ in numbers alone ("Post 12") taken as one."""
        return len({_DIGITS.sub("", value) for value in self.values.values()})


def words_at(records: Sequence[Held], place: Place) -> Words:
    found = {}
    for number, node in place.nodes.items():
        words = records[number].page.text(node)
        if words:
            found[number] = words
    return Words(place, found)


def looks_like_names(words: Words) -> bool:
    """Short, and not numbers."""
    values = words.values.values()
    sizes = list(map(len, values))
    if not sizes or max(sizes) > 4 * _LONGEST_NAME or median(sizes) > _LONGEST_NAME:
        return False
    return sum(_NUMBERS.fullmatch(value) is not None for value in values) * 5 <= len(sizes)


def go_together(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether an address belongs to one name, and a name to one address or to a few (one for each board)."""
    known = Counter(pairs)
    names = {name for name, _ in known}
    addresses = {address for _, address in known}
    return len(known) <= 1.05 * len(addresses) and len(names) >= 0.3 * len(addresses) and len(names) > 1
