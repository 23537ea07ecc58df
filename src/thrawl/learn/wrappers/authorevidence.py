"""What speaks for a place of a record naming its author.

A name is short, stands once in each record near its time and before its body, comes back in other records, and goes
together with its link where it has one. Ranks, towns and the like are also constant for a user, but two users share
them: the name tells the rank, and not the other way round. Buttons say the same in every record; titles are the
page's. Pages that mark the author (schema.org, rel=author) and pictures that bear the name are witnesses.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thrawl.learn.wrappers.facts import TimePlace, Words, go_together
from thrawl.learn.wrappers.growth import Held, Place
from thrawl.learn.wrappers.sample import Sample
from thrawl.page.links import names_a_place
from thrawl.page.shape import element_of
from thrawl.page.tree import Tree
from thrawl.profile.fields import ADDRESS, MAILBOX, AuthorField, digits_in
from thrawl.profile.models import Figures
from thrawl.profile.nodes import under
from thrawl.profile.places import NOWHERE, Path, Step, follow

_FEW_NAMES: Final = 3  # two names may share a word, or be said once each, by chance
_MANY_NAMES: Final = 8  # of so many different people, nearly all are called alike at their end in no language
_FAR: Final = 24  # nodes between a name and its time, where nearness ends
_LONG: Final = 40.0  # characters
_MANY_WORDS: Final = 3  # spaces
_HALF: Final = 0.5  # as "most" is said of people: guests and deleted users have no link
_LEAST_MENTIONED: Final = 3  # characters; shorter names stand in other words by chance
_FEW_MENTIONS: Final = 3  # in a thread one name in three is called by somebody
_HEAD: Final = 4  # nodes at the beginning of a record, one of which bears its number
_LONGEST_TEMPLATE: Final = 4  # words around a name ("Posted by the user")
_HEADINGS: Final = ("h1", "h2", "h3")
_COLONS: Final = (":", "：")
_BETWEEN: Final = frozenset(",;:|/·•–—-：，、")  # signs that part a name from a time or a place
_NEARLY_ALL: Final = 0.9  # of the texts; a name may be empty, or the site's own
_LABELLED: Final = re.compile(r"\w+[:：]\S")  # the label of a field, glued to its value: "ID:x7Yz", "IP:10.1"


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
    """Different names among as many as a thread of this length usually has; none where all of several say the same."""
    paired: float
    """Name and address go together."""
    unpaired: float
    """There are addresses, and they do not go with the names: those of buttons bear the post's own number."""
    pictured: float
    """A picture bears the name."""
    marked: float
    """The page itself says that this is the author."""
    known: float
    """The names are those of other posts, or the place looks like that of their authors."""
    wordy: float
    """No name: too many words, a label and its colon, the sign of a number that follows, brackets, one letter of an
    avatar, words of the title, an address of mail."""
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
    mentioned: float
    """Of the names, thrice as many stand in what the posts say, whose writers quote and address each other."""


class Around:
    """Where the bodies and the times of some records stand."""

    def __init__(self, records: Sequence[Held], body: Path, times: Sequence[TimePlace]) -> None:
        self._bodies = [follow(one.page.tree, one.cut.parts, body) if body else NOWHERE for one in records]
        self._records = records
        self._addresses = [_pictured_addresses(held) for held in records]
        self._numbers = [_own_numbers(held) for held in records]
        bodies = ((held.page, node) for held, node in zip(records, self._bodies, strict=True) if node >= 0)
        self._said = "\n".join(page.text(node) for page, node in bodies)
        best = max(times, key=lambda time: len(time.mentions), default=None)
        self._times = {} if best is None else {number: one.node for number, one in best.mentions.items()}

    def near(self, place: Place) -> float:
        gaps = [abs(node - self._times[number]) for number, node in place.nodes.items() if number in self._times]
        return 1 - min(1.0, sorted(gaps)[len(gaps) // 2] / _FAR) if gaps else 0.0

    def again(self, number: int, value: str) -> bool:
        """Whether a record says these words twice."""
        held = self._records[number]
        return held.page.said.count(value, held.cut.start, held.cut.end) > 1

    def pictured(self, number: int, value: str) -> bool:
        """Whether a picture in a record bears this name."""
        held = self._records[number]
        return held.page.called.count(value, held.cut.start, held.cut.end) > 0

    def shared(self, number: int, address: str | None) -> bool:
        """Whether a picture of the record leads to where this name leads."""
        return address in self._addresses[number]

    def mentioned(self, names: Collection[str]) -> float:
        named = sum(len(name) >= _LEAST_MENTIONED and name in self._said for name in names)
        return min(1.0, _FEW_MENTIONS * named / len(names))

    def titled(self, said: Mapping[int, str]) -> set[int]:
        """The records whose page's title says their words: it names the site and the thread.

        A letter's title may name who wrote it as well: where pages show one record each, that is no heading, and what
        else their titles say differs more than that.
        """
        trees = {number: self._records[number].page.tree for number in said}
        found = {number for number, value in said.items() if len(value) > 1 and value in trees[number].title}
        values = {said[number] for number in found}
        beside = {trees[number].title.replace(said[number], "") for number in found}
        if len(beside) <= len(values) or len({id(trees[number]) for number in found}) < len(found):
            return found
        return {number for number in found if said[number] in _headings(trees[number])}

    def owns(self, number: int, address: str | None) -> bool:
        """Whether an address bears the number of the record itself: something can be done with the post."""
        return not self._numbers[number].isdisjoint(digits_in(address or ""))

    def before(self, place: Place) -> float:
        known = [node < self._bodies[number] for number, node in place.nodes.items() if self._bodies[number] >= 0]
        return sum(known) / len(known) if known else 0.5


def _headings(tree: Tree) -> str:
    return "\n".join(tree.text(node) for tag in _HEADINGS for node in tree.named(tag))


def weigh_author(
    records: Sequence[Held],
    words: Words,
    around: Around,
    candidates: Sequence[Words],
    known: Known,
) -> AuthorEvidence:
    field = AuthorField((), *template_of(words))
    stripped = {number: field.strip(value) for number, value in words.values.items()}
    said = {number: name for number, name in stripped.items() if name} or stripped
    words = Words(words.place, {number: words.values[number] for number in said})  # a label alone names nobody
    values = list(said.values())
    count, distinct, worded = len(values), words.distinct, words.worded
    led = {number: records[number].page.address(words.place.nodes[number]) for number in words.values}
    pairs = [(words.values[number], address) for number, address in led.items() if address is not None]
    linked = len(pairs) > _HALF * count
    owned = sum(around.owns(*one) for one in led.items()) > _HALF * count
    numbered = worded == 1 and len(words.values) == distinct >= _FEW_NAMES  # "No. 12": the record's own number
    titled = set(said) if numbered else around.titled(said)
    together = go_together(pairs) or (len(set(pairs)) == distinct == len({address for _, address in pairs}))
    # an address that leads to a place on a page is that of a post: the one answered to
    together = together and 2 * sum(names_a_place(address.partition("#")[2]) for _, address in pairs) <= len(pairs)
    return AuthorEvidence(
        presence=count / len(records),
        variety=0.0 if worded == 1 and count >= _FEW_NAMES else min(1.0, worded / max(2.0, math.sqrt(2 * count))),
        paired=float(linked and together and not owned),
        unpaired=float(linked and (owned or not together)),
        pictured=sum(around.pictured(*one) for one in said.items()) / count,
        marked=float(_is_marked(records, words.place) or _are_senders(records, words, said)),
        known=known_of(words, known),
        wordy=sum(_is_no_name(said[number], value) or number in titled for number, value in words.values.items())
        / count,
        long=min(1.0, sorted(map(len, values))[count // 2] / _LONG),
        near=around.near(words.place),
        before=around.before(words.place),
        first=1 / (1 + sum(_stands_before(one, words) for one in candidates)),
        # of words in so few records none can come back
        finest=float(not (len(words.values) > _FEW_NAMES and any(_is_finer(one, words) for one in candidates))),
        loose=float(_is_loose(words, candidates)),
        again=sum(around.again(number, value) for number, value in words.values.items()) / count,
        shared=sum(around.shared(*one) for one in led.items()) / count,
        mentioned=around.mentioned(set(values)),
    )


def _is_no_name(value: str, shown: str) -> bool:
    wordy = value.count(" ") >= _MANY_WORDS or value.endswith((*_COLONS, "#")) or value.startswith(("(", "[", "@ "))
    counted = value != shown and value.isdigit()  # with a label: somebody's posts
    return (
        wordy
        or counted
        or any(ADDRESS.fullmatch(words) is not None for words in (value, shown))
        or (len(value) == 1 and value.isascii())
        or _LABELLED.match(value) is not None
    )


def _stands_before(one: Words, other: Words) -> bool:
    """Whether a place that is not around another one comes before it, in the first record that has both."""
    both = next(filter(other.values.__contains__, one.values), None)
    if both is None or one.place.nodes[both] >= other.place.nodes[both]:
        return False
    return one.values != other.values and not under(other.place.path, one.place.path)


def _is_loose(words: Words, candidates: Sequence[Words]) -> bool:
    """Whether another place inside this one says less of the same: what is around it there is none of the name."""
    return any(
        one.values != words.values
        and under(one.place.path, words.place.path)
        and one.values.keys() >= words.values.keys()
        and (one.distinct > 1 or len(words.values) == 1)
        for one in candidates
    )


def _pictured_addresses(held: Held) -> set[str | None]:
    """Where the pictures of a record lead to."""
    tree = held.page.tree
    images = tree.named("img")
    pictures = images[bisect_left(images, held.cut.start) : bisect_left(images, held.cut.end)]
    links = (tree.attributes[up] for node in pictures for up in (tree.parents[node],) if tree.tags[up] == "a")
    return {link["href"] for link in links if "href" in link}


def _own_numbers(held: Held) -> set[str]:
    """The numbers in the id of a record or of the mark at its beginning, which other records do not have."""
    attributes = held.page.tree.attributes[held.cut.start : held.cut.start + _HEAD]
    ids = (one[key] for one in attributes if one for key in ("id", "name") if key in one)
    return {number for value in ids for number in digits_in(value) if len(number) > 1}


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
    """Whether one place tells what another says; what stands around a name tells it too, and is no finer for that."""
    return not under(other.place.path, one.place.path) and _tells(one, other) and not _tells(other, one)


def known_of(words: Words, known: Known) -> float:
    """How much of what a place shows is known of authors. All other evidence stands without that."""
    last = words.place.path[-1] if words.place.path else None
    alike = last is not None and last in known.looks and bool(last.classes)  # a mere tag looks like many others
    return max(float(alike), _known_share(words, known.names) if known.names else 0.0)


def _known_share(words: Words, known: Collection[str]) -> float:
    shown = words.values.values()
    hits = sum(value in known or any(word in known for word in value.split(" ")) for value in shown)
    return hits / max(1, len(shown))


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


def _are_senders(records: Sequence[Held], words: Words, said: Mapping[int, str]) -> bool:
    """Whether most words are the name before an address of mail, in the signs that part both in letters."""
    count = sum(_is_sender(records[number].page, words.place.nodes[number], said[number]) for number in said)
    return count > _HALF * len(said)


def _is_sender(page: Sample, node: int, name: str) -> bool:
    if not name:
        return False
    _, found, rest = page.text(element_of(page.tree, node)).partition(name)
    return bool(found) and MAILBOX.match(rest) is not None


def template_of(words: Words) -> tuple[str, str]:
    """The words before and after the name that are the same in nearly all records."""
    return _template(frozenset(words.values.values()), len(words.values) > 1)


@lru_cache(maxsize=512)  # records of several proposals stand in one another and show the same
def _template(shown: frozenset[str], several: bool) -> tuple[str, str]:
    values = [value.split(" ") for value in shown]
    first = _shared_words(values)
    last = _shared_words([value[::-1] for value in values])
    if len(values) < _FEW_NAMES:  # what so few share may be a name; labels are known by their colon
        labels = [at for at, word in enumerate(first) if word.endswith(_COLONS)]
        first = first[: labels[0] + 1] if labels else []
        alone = several and len(values) == 1  # several records say the same: that is all label
        last = last[:1] if last and last[0].endswith(_COLONS) and not alone else []
    suffix = " ".join(["", *last[::-1]]).rstrip()
    return " ".join([*first, ""]).lstrip(), _shared_ending(values, suffix) + suffix


def _shared_ending(values: Sequence[Sequence[str]], suffix: str) -> str:
    """What nearly all names end with, glued to them: a comma or a dash, or what a language adds ("Annさん")."""
    names = [" ".join(value).removesuffix(suffix) for value in values]
    ending = ""
    while len(names) >= _FEW_NAMES:
        longer, count = Counter(name[-len(ending) - 1 :] for name in names).most_common(1)[0]
        if count < _NEARLY_ALL * len(names) or longer == ending:
            break
        ending = longer
    sign = ending[-1:]
    return ending if len(names) >= _MANY_NAMES else sign if sign in _BETWEEN else ""


def _shared_words(values: Sequence[Sequence[str]]) -> list[str]:
    shared: list[str] = []
    while len(shared) < _LONGEST_TEMPLATE:
        place = len(shared)
        counts = Counter(value[place] for value in values if len(value) > place + 1)
        word, count = counts.most_common(1)[0] if counts else ("", 0)
        alone = [*shared, word]  # where the name stands in an element of its own, these words are all that is left
        if count < _NEARLY_ALL * sum(list(value) != alone for value in values):
            break
        shared.append(word)
    return shared
