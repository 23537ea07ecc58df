"""Pages of one template, read together: what all of them say is said by the template, not by users.

A page with one record shows nothing that repeats, so a link home looks like the title of a row, and "0.63 posts a
day" like a sentence. Its neighbours tell: such words stand on all of them. The features are taken again without
them. Words are compared with numbers and the words of the page's own title left open, since "send Ann a message" is
template, too.

Neighbours are pages whose address has the same form and whose skeleton of labels is alike; types are not asked for.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Final

from thrawl.page.features import Features, print_length, prose_worth
from thrawl.page.reading import Page
from thrawl.page.tree import TEXT
from thrawl.page.users import address_form

_TEMPLATE_SHARE: Final = 0.75  # of the pages: words of the template lack where a visitor may not do something
_NEARLY_ALL: Final = 0.9  # of titles, or of kinds of pages: one in ten is an exception
_SAME_PAGE: Final = 0.8  # of what both say: two orders of one list differ in a few rows at its end
_LIKE: Final = 0.4  # of the places that hold words: pages of one form of address need not share as many
_MOST_NEIGHBOURS: Final = 4  # with the page itself FoCUS' five votes
_SHORTEST_WORD: Final = 3  # letters: shorter ones are of the language, not of one title
_WHOLE_PAGE: Final = ("html", "body")
_WORD: Final = re.compile(r"\w+")
_DIGITS: Final = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Sight:
    """What reading together needs of a page: features, how many records, and the words behind the features.

    `said` tells for each title and each text of prose the words with what varies left open.
    """

    url: str
    features: Features
    records: int
    titles: tuple[str, ...]
    prose: tuple[str, ...]
    said: dict[str, str]
    skeleton: frozenset[int]


def sight_of(page: Page) -> Sight:
    """Keep of a page what reading it with others needs; trees are large."""
    layout = page.layout
    own = {word for word in _WORD.findall(_folded(page.tree.title)) if len(word) >= _SHORTEST_WORD}
    said = {text: _opened(text, own) for text in (*layout.titles, *layout.prose)}
    return Sight(page.url, layout.features, len(page.records), layout.titles, layout.prose, said, skeleton_of(page))


def read_together(sights: Sequence[Sight]) -> list[Features]:
    """The features of each page without what the template says."""
    distinct = _distinct(sights)
    if len(distinct) < 2:
        return [one.features for one in sights]
    seen = Counter(words for one in distinct for words in set(one.said.values()))
    template = {words for words, count in seen.items() if count >= _TEMPLATE_SHARE * len(distinct)}
    return [_without(one, template) for one in sights]


def neighbours(sight: Sight, others: Iterable[Sight]) -> list[Sight]:
    """A few pages that seem to be of the same template, the most alike first."""
    form = address_form(sight.url)
    alike = [
        (likeness, other)
        for other in others
        if other is not sight
        and address_form(other.url) == form
        and (likeness := overlap(sight.skeleton, other.skeleton)) >= _LIKE
    ]
    return [other for _, other in sorted(alike, key=lambda pair: -pair[0])[:_MOST_NEIGHBOURS]]


def _distinct(sights: Sequence[Sight]) -> list[Sight]:
    """Each page once: sorted views of one list and links into one thread show the same, and that is no template."""
    kept: list[Sight] = []
    for one in sights:
        if not any(overlap(one.said.keys(), other.said.keys()) >= _SAME_PAGE for other in kept):
            kept.append(one)
    return kept


def _without(sight: Sight, template: set[str]) -> Features:
    shared = sum(sight.said[title] in template for title in sight.titles)
    titled = 0.0 if shared >= _NEARLY_ALL * len(sight.titles) else sight.features.titled
    own = [0.0 if sight.said[text] in template else prose_worth(print_length(text)) for text in sight.prose]
    prose = mean(own) if own else 0.0
    return replace(
        sight.features, titled=titled, prose=prose, dated_prose=sight.features.has_time * prose * (1 - titled)
    )


def _folded(text: str) -> str:
    return _DIGITS.sub("0", text.casefold())


def _opened(text: str, own: set[str]) -> str:
    return _WORD.sub(lambda word: "*" if word[0] in own else word[0], _folded(text))


def skeleton_of(page: Page) -> frozenset[int]:
    """The places of a page that hold words, as chains of labels from the root.

    The classes of a whole page say which part of the site it is of as well as how it is made: those that repeat a word
    of its address are left out, or each part would seem to be made in its own way.
    """
    tree, labels = page.tree, page.shapes.labels
    own = {word for word in _WORD.findall(_folded(page.url)) if len(word) >= _SHORTEST_WORD}
    chains: list[int] = []
    for node, parent in enumerate(tree.parents):
        label = labels[node] if tree.tags[node] not in _WHOLE_PAGE else _unnamed(labels[node], own)
        chains.append(hash((chains[parent] if parent >= 0 else 0, label)))
    return frozenset(
        chain for chain, tag, text in zip(chains, tree.tags, tree.texts, strict=True) if tag == TEXT and text.strip()
    )


def shared_by_kinds(skeletons: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """The places that nearly all kinds of pages have, by the form of their addresses: the frame of a site."""
    kinds: dict[str, list[frozenset[int]]] = defaultdict(list)
    for url, skeleton in skeletons.items():
        kinds[address_form(url)].append(skeleton)
    counts = Counter(place for pages in kinds.values() for place in frozenset.intersection(*pages))
    return frozenset(place for place, count in counts.items() if count >= _NEARLY_ALL * len(kinds))


def _unnamed(label: str, own: set[str]) -> str:
    """A label without the classes that hold a word of the page's address; its tag stays: addresses end in `.html`."""
    tag, *classes = label.split(".")
    return ".".join([tag, *(one for one in classes if own.isdisjoint(_WORD.findall(one.casefold())))])


def overlap(one: Iterable[Hashable], other: Iterable[Hashable]) -> float:
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / max(1, len(first | second))
