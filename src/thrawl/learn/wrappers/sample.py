"""The sampled pages as evidence: what of their text is data and what is template, and where their times stand.

What is written once on the whole sample is data; what comes back is template, a name, a signature or a quotation. So
a text node weighs its characters if its words stand nowhere else, and nothing if they do (a first post that is repeated
on the pages of its thread stands once; a long line that comes back on one page is quoted there, and weighs where it
stands first); words inside links, forms and times weigh nothing either, nor do those that the page's `<title>` repeats:
they name the thread. That one number finds the posts, their bodies, and the first post that nothing repeats.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import accumulate, islice
from operator import attrgetter, itemgetter
from typing import Final
from urllib.parse import urlsplit

from thrawl.page.reading import Page
from thrawl.page.shape import Shapes, element_of
from thrawl.page.timeformat import TimeFormat
from thrawl.page.times import TimeMention
from thrawl.page.timesettle import PageTimes, settle
from thrawl.page.timezones import shown_zone
from thrawl.page.tree import TEXT, Tree
from thrawl.profile.kinds import Cut, Kind, id_form
from thrawl.profile.nodes import address_of, text_at

_DIGITS: Final = re.compile(r"\d+")
_HIDDEN: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_WEIGHTLESS: Final = frozenset("a button select option textarea label input nav h1 title".split())
_SHORT_LINE: Final = 48  # characters; in a longer one numbers are part of what somebody says
_TITLE_CHARS: Final = 8  # letters; fewer of a title are too few to know a thread by
_MOST_NODES: Final = 15_000  # of one page; twice what the usual large page has
# Of a page that is read alone, perhaps one in a crawl of thousands: 139 of 142 pages of real sites have no more.
_MOST_ALONE: Final = 6_000
# Of its nodes, on the whole: as many steps it takes to look into each element. The deepest pages of real forums have
# 22; where thousands of posts stand inside one another, the beginning of them is enough.
_MOST_LEVELS: Final = 25
LEAST_LEFT: Final = 20  # characters outside of known records that are worth a look
_EMPTY: Final = 3  # nodes of an element that only marks a place; it belongs to a record if it stands in a cell
_STEPS: Final = 4  # labels above a time that tell its place
_FORM_PARTS: Final = frozenset("input select option textarea button label meta img".split())
_MOST_CHARS: Final = 600  # of one text node; a novel must not outweigh a hundred answers


class Places:
    """Where words stand on a page, in document order: records that stand in one another are asked for the same."""

    def __init__(self, words: Iterable[tuple[str, int]]) -> None:
        self._places: dict[str, list[int]] = defaultdict(list)
        for word, node in words:
            self._places[word].append(node)

    def count(self, word: str, start: int, end: int) -> int:
        """How many of the nodes from `start` to `end` (exclusive) say this."""
        places = self._places.get(word)
        return bisect_left(places, end) - bisect_left(places, start) if places else 0


@dataclass(frozen=True)
class Sample:
    """One page of the sample. `weights[b] - weights[a]` is the weight of the nodes from a to b (exclusive).

    `words` are the text nodes that can carry data, with
    their words folded; `headings` are those that the page's title repeats. Candidates ask for the same texts and cuts
    again and again, so these are kept, also for a sample that is weighed anew.
    """

    url: str
    tree: Tree
    shapes: Shapes
    times: tuple[TimeMention, ...]
    words: list[tuple[int, str]]
    headings: list[int]
    weights: list[int]
    _texts: dict[int, str] = field(default_factory=dict)
    _cuts: dict[Kind, list[Cut]] = field(default_factory=dict)
    _addresses: dict[int, str | None] = field(default_factory=dict)
    _children: dict[int, dict[str, list[int]]] = field(default_factory=dict)

    def weight(self, start: int, end: int) -> int:
        return self.weights[end] - self.weights[start]

    def text(self, node: int) -> str:
        """The words at a node, folded to one line."""
        found = self._texts.get(node)
        if found is None:
            found = self._texts[node] = text_at(self.tree, node)
        return found

    def words_between(self, start: int, end: int) -> int:
        """A number that stands for the words of these nodes."""
        return hash(tuple(filter(None, self.tree.texts[start:end])))

    def address(self, node: int) -> str | None:
        """The href of the link that a node is, holds alone or stands in."""
        if node not in self._addresses:
            self._addresses[node] = address_of(self.tree, node)
        return self._addresses[node]

    def cut(self, kind: Kind) -> list[Cut]:
        """All records of a kind on the page, in document order."""
        found = self._cuts.get(kind)
        if found is None:
            found = self._cuts[kind] = kind.cut(self.tree)
        return found

    @cached_property
    def hidden(self) -> list[bool]:
        """Whether each node is hidden, or stands in something hidden."""
        found: list[bool] = []
        for parent, attributes in zip(self.tree.parents, self.tree.attributes, strict=True):
            found.append(_is_hidden(attributes) or (parent >= 0 and found[parent]))
        return found

    def children(self, node: int, without: Set[int] = frozenset()) -> dict[str, list[int]]:
        """The children of a node that show something, by their tags, some nodes left out. Not to be changed."""
        found = None if without else self._children.get(node)
        if found is None:
            tree, found = self.tree, defaultdict(list)
            for child in tree.children(node):
                tag = tree.tags[child]
                if child not in without and not (tag == TEXT and tree.texts[child].isspace()):
                    found[tag].append(child)
            if not without:
                self._children[node] = found
        return found

    @cached_property
    def marks(self) -> list[tuple[int, tuple[str, ...]]]:
        """The nodes of times with what is around them, and those of ids with their forms."""
        above = ((time.node, islice(self.tree.ancestors(time.node), _STEPS)) for time in self.times)
        places = ((node, tuple(self.shapes.labels[up] for up in around)) for node, around in above)
        return sorted((*places, *self.numbered), key=itemgetter(0))

    @cached_property
    def numbered(self) -> list[tuple[int, tuple[str, ...]]]:
        """Elements whose id or name holds a number, with its form: posts have one, also where no time is shown."""
        return list(_numbered(self.tree))

    @cached_property
    def said(self) -> Places:
        """Where texts stand, without the space around them."""
        return Places((text.strip(), node) for node, text in enumerate(self.tree.texts) if text)

    @cached_property
    def called(self) -> Places:
        """Where pictures, and what is pointed at, bear names."""
        named = ((node, one) for node, one in enumerate(self.tree.attributes) if one)
        return Places((one[key], node) for node, one in named for key in ("title", "alt") if key in one)

    @cached_property
    def letters(self) -> list[tuple[int, int]]:
        """How many letters stand before each node, and how many of them in links."""
        return list(_letters(self.tree))

    def times_in(self, start: int, end: int) -> tuple[TimeMention, ...]:
        """The times at the nodes from `start` to `end` (exclusive)."""
        first, last = (bisect_left(self.times, node, key=attrgetter("node")) for node in (start, end))
        return self.times[first:last]

    @cached_property
    def time_elements(self) -> list[int]:
        """The elements that show times, in document order, each once."""
        return sorted({element_of(self.tree, mention.node) for mention in self.times})


def take_samples(pages: Sequence[Page]) -> list[Sample]:
    """Weigh the pages of one site against each other."""
    return weigh([_sample(page.url, page.shapes, page.mentions, _MOST_NODES) for page in pages])


def sample_alone(url: str, shapes: Shapes, mentions: Sequence[TimeMention]) -> Sample:
    """A page that is learned from to be read at once, with nothing known of its site."""
    return weigh([_sample(url, shapes, mentions, _MOST_ALONE)])[0]


def _sample(url: str, shapes: Shapes, mentions: Sequence[TimeMention], most: int) -> Sample:
    """A page to learn from, of very large ones the beginning: a hundred posts tell as much as thousands."""
    tree = shapes.tree
    end = bisect_right(list(accumulate(tree.depths[:most])), _MOST_LEVELS * most)
    if end < len(tree):
        tree = tree.beginning(end)
        shapes = Shapes(tree, shapes.labels[:end], shapes.paths[:end], shapes.tag_paths[:end])
    times = _own_times(tree, [time for time in mentions if time.node < end])
    words = _words(tree, url, times)
    return Sample(url, tree, shapes, times, words, _headings(tree), [])


def _own_times(tree: Tree, times: Sequence[TimeMention]) -> tuple[TimeMention, ...]:
    """The times outside of quotations: those inside are of other posts. Where fewer times stand outside than there are
    boxes with times, and most words inside, the boxes are the posts themselves, which old pages indent in this way."""
    closed, boxes = 0, [0] * len(tree)
    for node in range(len(tree)):
        if node >= closed and tree.tags[node] == "blockquote":
            closed = tree.ends[node]
            boxes[node:closed] = [node] * (closed - node)
    outside = tuple(time for time in times if not boxes[time.node])
    timed = {boxes[time.node] for time in times} - {0}
    if len(timed) <= len(outside):
        return outside
    said = Counter[bool]()
    for node in tree.named(TEXT):
        said[boxes[node] in timed] += len(tree.texts[node])
    return tuple(times) if said[True] > said[False] else outside


def weigh(samples: Sequence[Sample]) -> list[Sample]:
    """The samples with their weights against each other, whatever they weighed before."""
    threads = _threads([sample.tree.title for sample in samples])
    homes: dict[str, set[int]] = defaultdict(set)
    for sample, thread in zip(samples, threads, strict=True):
        for text, count in Counter(text for _, text in sample.words).items():
            quoted = count > 1 and len(text) > _SHORT_LINE
            homes[text].update((thread,) if count == 1 or quoted else (thread, -1))
    single = {text for text, found in homes.items() if len(found) == 1}
    return [replace(sample, weights=_weights(sample.tree, sample.words, single)) for sample in samples]


def settle_times(
    samples: Sequence[Sample], lines: Mapping[int, Sequence[TimeMention]], fetched: datetime | None
) -> TimeFormat:
    """How the site writes its times. `lines` are the times of its records in order, by the `id` of their sample."""
    return settle(
        [
            PageTimes(sample.times, fetched, (tuple(lines.get(id(sample), ())),), shown_zone(sample.tree))
            for sample in samples
        ]
    )


def _threads(titles: Sequence[str]) -> list[int]:
    """A number for each page, the same for pages of one thread: their titles begin alike, the site's words aside."""
    named = [title for title in titles if title] or [""]
    first, last = min(named), max(named)
    shared = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    begins = [fold(title[shared:])[:_TITLE_CHARS] for title in titles]
    homes: dict[str, int] = {}
    return [homes.setdefault(start, page) if len(start) >= _TITLE_CHARS else page for page, start in enumerate(begins)]


def fold(text: str) -> str:
    """Letters alone, without case."""
    return "".join(filter(str.isalpha, text)).casefold()


def _numbered(tree: Tree) -> Iterator[tuple[int, tuple[str, ...]]]:
    for node, attributes in enumerate(tree.attributes):
        for name in ("id", "name"):
            value = attributes.get(name, "") if attributes else ""
            if not value or tree.tags[node] in _FORM_PARTS or not any(map(str.isdigit, value)):
                continue
            says = tree.ends[node] - node > _EMPTY or len(tree.text(node)) >= LEAST_LEFT
            if says or tree.tags[tree.parents[node]] in ("td", "th"):
                yield node, ("id", tree.tags[node], name, id_form(value))


def _letters(tree: Tree) -> Iterator[tuple[int, int]]:
    every = linked = closed = 0
    yield every, linked
    for node, text in enumerate(tree.texts):
        if tree.tags[node] == "a":
            closed = max(closed, tree.ends[node])
        shown = sum(map(str.isalpha, text)) if text else 0
        every += shown
        linked += shown if node < closed else 0
        yield every, linked


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether an element says that it is not shown: by attribute, style, or the class that style sheets call so."""
    if not attributes:
        return False
    return (
        "hidden" in attributes
        or "hidden" in attributes.get("class", "").split()
        or _HIDDEN.search(attributes.get("style", "")) is not None
    )


def _words(tree: Tree, url: str, times: Sequence[TimeMention]) -> list[tuple[int, str]]:
    """The text nodes that can carry data, with their words folded."""
    timed = {mention.node for mention in times}
    title = tree.title.casefold()
    host = urlsplit(url).hostname
    found: list[tuple[int, str]] = []
    closed = 0
    for node, tag in enumerate(tree.tags):
        if node < closed:
            continue
        weightless = tag in _WEIGHTLESS and not (tag == "a" and _leads_away(tree.attributes[node], host))
        if weightless or _is_hidden(tree.attributes[node]):  # a hidden copy of a post is none
            closed = tree.ends[node]
        elif tag == TEXT and node not in timed:
            text = " ".join(tree.texts[node].split()).casefold()
            if sum(map(str.isalpha, text[:80])) > 2 and text not in title:
                # short lines that differ in their numbers alone ("7 answers, 3 voices") are template as well
                found.append((node, _DIGITS.sub("", text) if len(text) <= _SHORT_LINE else text))
    return found


def _headings(tree: Tree) -> list[int]:
    """The text nodes that name the thread: the page's title repeats them; shorter ones are the site's name, or tags."""
    title = fold(tree.title)
    words = ((node, fold(tree.texts[node])) for node in range(len(tree)) if tree.tags[node] == TEXT)
    named = [(node, len(text)) for node, text in words if len(text) >= _TITLE_CHARS and text in title]
    longest = max((chars for _, chars in named), default=0)
    return [node for node, chars in named if 2 * chars >= longest]


def _leads_away(attributes: Mapping[str, str], host: str | None) -> bool:
    """Whether a link leads to another host: somebody says its words, while the site's own links are its template."""
    href = attributes.get("href", "")
    return href.startswith("http") and urlsplit(href).hostname != host


def _weights(tree: Tree, words: Sequence[tuple[int, str]], single: Set[str]) -> list[int]:
    sums = [0] * (len(tree) + 1)
    seen: set[str] = set()
    for node, text in words:
        if text in single and text not in seen:
            seen.add(text)
            sums[node + 1] = min(len(text), _MOST_CHARS)
    total = 0
    for place, weight in enumerate(sums):
        total += weight
        sums[place] = total
    return sums
