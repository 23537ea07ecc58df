"""Which place of a record names its author.

Every place that shows short words is proposed. No sign decides alone: each is a figure (`authorevidence`), and a small
model trained on mirrors and random forums (`authors.json`) weighs them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from thrawl.learn.wrappers.authorevidence import (
    Around,
    AuthorEvidence,
    Known,
    known_of,
    template_of,
    weigh_author,
)
from thrawl.learn.wrappers.facts import TimePlace, Words, looks_like_names, words_at
from thrawl.learn.wrappers.growth import Held, Place
from thrawl.page.timewords import look_up
from thrawl.page.tree import TEXT
from thrawl.profile.fields import AuthorField
from thrawl.profile.models import shipped_model
from thrawl.profile.nodes import under
from thrawl.profile.places import Path

AUTHORS: Final = "learn/wrappers/authors"  # the model that weighs places
_FEW: Final = 2  # records that may say the same beside their times and mean who wrote them; and threads of one person
_WITHOUT_DIGITS: Final = str.maketrans("", "", "0123456789")
_LEAST_PRESENCE: Final = 0.5  # of the records: guests may be written at another place
_MOST_NODES: Final = 40  # a name with its icon and card; more is a block
_MOST_PLACES: Final = 60  # that are compared with each other, the nearest to the time; a post has some twenty
_LIKELY: Final = 0.35  # a place that is less likely to name the author names nobody: null, never a guess


@dataclass(frozen=True, slots=True)
class AuthorProposal:
    """A place that may name the author, with what speaks for it."""

    words: Words
    evidence: AuthorEvidence


def find_author(
    proposals: Sequence[AuthorProposal], times: Sequence[TimePlace], known: Known | None
) -> AuthorField | None:
    """The author's place of those that were proposed when nothing was known; None where nothing looks like names."""
    return next(_rank([with_known(one, known) for one in proposals] if known else proposals, times, _LIKELY), None)


def with_known(one: AuthorProposal, known: Known) -> AuthorProposal:
    told = known_of(one.words, known)
    return one if told == one.evidence.known else replace(one, evidence=replace(one.evidence, known=told))


def rank_authors(
    records: Sequence[Held],
    places: Sequence[Place],
    body: Path,
    times: Sequence[TimePlace],
    known: Known | None = None,
    least: float = _LIKELY,
    own: Path | None = None,
) -> list[AuthorField]:
    """All places that are so likely to name authors, the best first, each set of names once."""
    return list(_rank(propose_authors(records, places, body, times, known, own), times, least))


def _rank(proposals: Sequence[AuthorProposal], times: Sequence[TimePlace], least: float) -> Iterator[AuthorField]:
    model = shipped_model(AUTHORS)
    judged = [(model.probability(one.evidence), one.words) for one in proposals]
    seen: list[Words] = []
    for probability, words in sorted(judged, key=lambda one: -one[0]):
        if probability >= least and not any(_same(words, other) for other in seen):
            seen.append(words := _widest(words, [one for _, one in judged]))
            yield AuthorField(words.place.path, *template_of(words), _is_mixed(words, times))


def _widest(words: Words, candidates: Sequence[Words]) -> Words:
    """The place around or inside a chosen one that says the same, and says it in more records: with link or without."""
    wider = [
        one
        for one in candidates
        if words.values.items() <= one.values.items()
        if under(one.place.path, words.place.path) or under(words.place.path, one.place.path)
    ]
    return max(wider, key=lambda one: len(one.values), default=words)


def propose_authors(
    records: Sequence[Held],
    places: Sequence[Place],
    body: Path,
    times: Sequence[TimePlace],
    known: Known | None = None,
    own: Path | None = None,
) -> list[AuthorProposal]:
    """Every place that shows short words outside of the body, with its evidence; `own` leads to the post's own time."""
    timed = _held_times(times)
    spread = [time for time in times if any(one.end - one.node > 1 for one in time.mentions.values())]
    inside = {
        (number, node)
        for time in spread
        for number, one in time.mentions.items()
        for node in range(one.node + 1, one.end)
    }
    candidates = [
        words
        for place in places
        if len(place.nodes) >= _LEAST_PRESENCE * len(records) and _is_small(records, place)
        if not (body and (under(place.path, body) or under(body, place.path)))
        if inside.isdisjoint(place.nodes.items()) or not any(_is_part_of(place, time) for time in spread)
        if looks_like_names(words := _without_times(records, place, timed.get(id(place), ())))
        and 2 * sum("\x00" in value for value in words.values.values()) <= len(words.values)  # times are less
        and not (words.worded == 1 and len(words.values) > _FEW and _tells_of_time(words, times))
        and not (body and (_is_everybodys(records, words) or _is_of_answers(records, words)))
    ]
    around = Around(records, body, [time for time in times if time.place.path == own] or times)
    if len(candidates) > _MOST_PLACES:
        candidates = sorted(candidates, key=lambda words: -around.near(words.place))[:_MOST_PLACES]
    distinct = list({tuple(words.values.items()): words for words in candidates}.values())
    return [
        AuthorProposal(words, weigh_author(records, words, around, distinct, known or Known())) for words in candidates
    ]


def _is_small(records: Sequence[Held], place: Place) -> bool:
    """Whether a place can be a name at all: a few nodes, in the first records that have it."""
    some = list(place.nodes.items())[:3]
    return all(records[number].page.tree.ends[node] - node <= _MOST_NODES for number, node in some)


def _is_part_of(place: Place, time: TimePlace) -> bool:
    """Whether a place holds but a part of a time that is spread over several nodes, as the raised letters of "3rd", or
    says in other words what an attribute around it tells: "almost 17 years" before "ago"."""
    told = [
        mention.node < node < mention.end
        for number, node in place.nodes.items()
        if (mention := time.mentions.get(number)) is not None
        if mention.kind != "attribute" or any(map(look_up, mention.text.split()))
    ]
    return 2 * sum(told) > len(place.nodes)


def _is_mixed(words: Words, times: Sequence[TimePlace]) -> bool:
    """Whether a time stands in the same text as the name."""
    path = words.place.path
    return bool(path) and path[-1].tag == TEXT and any(time.place.path == path for time in times)


def _tells_of_time(words: Words, times: Sequence[TimePlace]) -> bool:
    """Whether words introduce a time ("on", "posted at") or end it ("ago")."""
    return _is_mixed(words, times) or all(look_up(word) for value in words.values.values() for word in value.split())


def _is_everybodys(records: Sequence[Held], words: Words) -> bool:
    """Whether all posts of a thread say the same, in each of several threads, though people answer each other there: a
    rank or the thread's subject, and no name. An answer's subject is that of the first post and a little more."""
    threads: dict[int, list[str]] = defaultdict(list)
    for number, value in words.values.items():
        threads[id(records[number].page)].append(value.translate(_WITHOUT_DIGITS) or value)
    several = [said for said in threads.values() if len(said) > 1]
    own = [(min(said, key=len), one) for said in several for one in said]
    return len(several) > _FEW and all(least in one and len(one) <= 2 * len(least) for least, one in own)


def _is_of_answers(records: Sequence[Held], words: Words) -> bool:
    """Whether posts name somebody, but hardly ever the first of a page, though it is made as they are: who is answered.

    Further pages of a thread begin with an answer, too.
    """
    pages: dict[int, list[bool]] = defaultdict(list)
    for number, held in enumerate(records):
        pages[id(held.page)].append(number in words.values)
    firsts = [told[0] for told in pages.values() if any(told[1:])]
    return firsts.count(False) > max(_FEW, 2 * sum(firsts))


def _same(one: Words, other: Words) -> bool:
    """Whether two places show the same names, or one holds the other."""
    if under(one.place.path, other.place.path) or under(other.place.path, one.place.path):
        return True
    both = one.values.keys() & other.values.keys()
    same = sum(one.values[number] == other.values[number] for number in both)
    return same > 0.95 * len(both)


def _held_times(times: Sequence[TimePlace]) -> dict[int, list[TimePlace]]:
    """The times that each place holds, by its `id`."""
    found: dict[int, list[TimePlace]] = defaultdict(list)
    for time in times:
        place: Place | None = time.place
        while place is not None:
            found[id(place)].append(time)
            place = place.above
    return found


def _without(words: str, time: str) -> str:
    """The words without a time, or without the part of it with which they end: the rest stands in other nodes."""
    if time in words:
        return words.replace(time, "\x00")
    begun = next((size for size in range(len(time) - 1, 0, -1) if words.endswith(time[:size])), 0)
    return words[: len(words) - begun] + "\x00" if begun > 1 else words


def _without_times(records: Sequence[Held], place: Place, inside: Sequence[TimePlace]) -> Words:
    """The words at a place without the times that it holds."""
    words = words_at(records, place)
    if not inside:
        return words
    shown = dict(words.values)
    for time in inside:
        for number, mention in time.mentions.items():
            if number in shown:
                shown[number] = _without(shown[number], mention.text)
    if place.path and place.path[-1].tag == TEXT:
        shown = {number: " ".join(value.replace("\x00", "").split()) for number, value in shown.items()}
    return Words(place, {number: value for number, value in shown.items() if value.strip("\x00 ")})
