"""Learning ITF regexes from training sets (FoCUS 4.3.2, after Koppula et al. 2010).

From `*` down: URLs part by the order of their tokens, then by the words at one place, again and again, until no more
specific pattern can be made. A pattern is kept if it matches more than 0.2 of all URLs (FoCUS' own modification). Where
both papers are silent: numbers are never made literal (a board's number in its threads' URLs would be), and a place
where most URLs have words of their own is data, not a choice.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from thrawl.lab.rivals.urlregex import NUMBER, OPEN, OTHER, tokens

THRESHOLD: Final = 0.2
"""The share of all URLs that a pattern has to match (FoCUS 4.3.2)."""
_OWN_WORDS: Final = 0.5  # distinct words a URL from which a place holds names and titles


def learn_regexes(urls: Iterable[str]) -> tuple[str, ...]:
    """The regexes of one training set, anchored by their use."""
    distinct = list(dict.fromkeys(urls))
    least = THRESHOLD * len(distinct)
    orders: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for url in distinct:
        orders[tuple((kind, text if kind == OTHER else "") for kind, text in tokens(url))].append(url)
    kept = (group for group in orders.values() if len(group) > least)
    return tuple(dict.fromkeys(regex for group in kept for regex in _refined(group, least)))


def _refined(urls: Sequence[str], least: float) -> Iterator[str]:
    places = list(zip(*map(tokens, urls), strict=True))
    for number, place in _choices(places):
        frequent = [word for word, count in Counter(text for _, text in place).items() if count > least]
        if frequent:
            for word in frequent:
                yield from _refined([url for url in urls if tokens(url)[number][1] == word], least)
            return
    yield "".join(_piece(place) for place in places)


def _choices(places: Sequence[Sequence[tuple[str, str]]]) -> list[tuple[int, Sequence[tuple[str, str]]]]:
    """The places where URLs differ in a few words, the fewest first."""
    found = []
    for number, place in enumerate(places):
        distinct = len({text for _, text in place})
        if place[0][0] not in (NUMBER, OTHER) and 1 < distinct <= _OWN_WORDS * len(place):
            found.append((distinct, number, place))
    return [(number, place) for _, number, place in sorted(found, key=lambda one: one[:2])]


def _piece(place: Sequence[tuple[str, str]]) -> str:
    kind, text = place[0]
    if kind == NUMBER or len({one for _, one in place}) > 1:
        return OPEN[kind]
    return re.escape(text)
