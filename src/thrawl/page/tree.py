"""One page as a flat tree: parsed once by lexbor, walked once, then only lists of numbers and strings.

Nodes are numbered in document order, so a subtree is a range: the nodes below `i` are `i + 1` to
`ends[i] - 1`. That makes records, paths and texts slices instead of walks, keeps depth out of the
recursion limit, and lets a page of 3,000 levels cost no more than a flat one.

Scripts, styles, templates and comments are left out: they show nothing. What stands in `<noscript>`
is kept: pagers hide there. Elements that stand very deep become each other's siblings, as in browsers: so whatever
walks up from a node has a bound.

The loops over every sign and node of a page stand here in Python and, compiled, in `_flat` and `_walks`: used where
those were built.
There, pages that close what they open are laid out as they stand, and lexbor is asked only for the others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from thrawl import limits
from thrawl.errors import PageError
from thrawl.page.floods import MANY_TAGS, made_plain
from thrawl.page.mending import unframed, with_written_times
from thrawl.page.tags import IN_HEAD, INLINE, NO_ATTRIBUTES, TAG, TAGS, raw_text, unescaped

if TYPE_CHECKING:
    from thrawl.page.links import Resolver

Lists = tuple[list[str], list[int], list[int], list[int], list[dict[str, str]], list[str]]
"""The lists of a tree: tags, parents, ends, depths, attributes, texts."""
TEXT: Final = "#text"
_NO_ROWS: Final = frozenset({TEXT, "hr"})
_MANY_INSIDE: Final = 3  # links in a link; around a row it may hold the row's author and its last post
_LEAST_OF_A_ROW: Final = 2  # nodes: an element and its text
_LONGEST_PAUSE: Final = 63  # pages: a site whose pages all need the parser loses a hundredth by the tries


@dataclass(frozen=True, slots=True)
class Tree:
    """The visible nodes of a page, in document order; node 0 is the root element.

    `tags[i]` is the element's name or TEXT; `texts[i]` the text of a TEXT node (else empty); `parents[0]` is -1.
    `head` keeps what `<head>` says: title, base, links and metas, as (tag, attributes, text).
    """

    tags: list[str]
    parents: list[int]
    ends: list[int]
    depths: list[int]
    attributes: list[dict[str, str]]
    texts: list[str]
    head: tuple[tuple[str, dict[str, str], str], ...]
    _named: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _rows: dict[tuple[int, str], list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)
    resolvers: dict[str, Resolver] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What turns the hrefs of this page into addresses, kept by `links.resolver_of`."""

    def __len__(self) -> int:
        return len(self.tags)

    def children(self, node: int) -> Iterator[int]:
        """The direct children of a node, text nodes included."""
        child, end = node + 1, self.ends[node]
        while child < end:
            yield child
            child = self.ends[child]

    def before(self, node: int) -> Iterator[int]:
        """The siblings before a node, the nearest first; each costs no more than the depth of what it holds."""
        parent = self.parents[node]
        while parent >= 0 and node - 1 > parent:
            node -= 1
            while self.parents[node] != parent:
                node = self.parents[node]
            yield node

    def elements(self, node: int) -> Iterator[int]:
        """The direct children of a node that are elements."""
        return (child for child in self.children(node) if self.tags[child] != TEXT)

    def row(self, parent: int, tag: str = "") -> list[int]:
        """The children of a node that are elements, or those of one tag, worked out once. Not to be changed.

        Rules between others (`<hr>`) belong to none of them.
        """
        found = self._rows.get((parent, tag))
        if found is None:
            tags = self.tags
            found = [one for one in self.children(parent) if (tags[one] == tag if tag else tags[one] not in _NO_ROWS)]
            self._rows[parent, tag] = found
        return found

    def turn(self, node: int, tag: str = "") -> int:
        """How many elements, or elements of one tag, stand before a node under the same parent."""
        return bisect_left(self.row(self.parents[node], tag), node) if node > 0 else 0

    def below(self, node: int) -> range:
        """Every node under this one, in document order."""
        return range(node + 1, self.ends[node])

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above this one, nearest first."""
        parent = self.parents[node]
        while parent >= 0:
            yield parent
            parent = self.parents[parent]

    def beginning(self, end: int) -> Tree:
        """The tree of the first nodes alone."""
        return Tree(
            self.tags[:end],
            self.parents[:end],
            [min(one, end) for one in self.ends[:end]],
            self.depths[:end],
            self.attributes[:end],
            self.texts[:end],
            self.head,
        )

    def without_middle(self, most: int) -> Tree:
        """The tree of the first nodes and, a fifth, of the last ones: lists are alike all through, but what leads to
        their next pages stands above or below them."""
        return self if len(self) <= most else self.without(most - most // 5, len(self) - most // 5)

    def without(self, first: int, last: int) -> Tree:
        """The tree of the nodes before `first`, those from `last` on, and what these stand in."""
        around = [one for one in self.ancestors(last) if one >= first][::-1]
        return self._of([*range(first), *around, *range(last, len(self))])

    def thinned(self, most: int) -> Tree:
        """The tree with so many elements of one tag in a row at most, the first and, a quarter, the last ones: rows of
        one list are alike. Elements that hold no more than a text are left alone, they cost little."""
        rows: dict[tuple[int, str], list[int]] = {}
        for node, (parent, tag) in enumerate(zip(self.parents, self.tags, strict=True)):
            if self.ends[node] - node > _LEAST_OF_A_ROW:
                rows.setdefault((parent, tag), []).append(node)
        left_out = {one for row in rows.values() for one in row[most - most // 4 : max(0, len(row) - most // 4)]}
        if not left_out:
            return self
        kept, node = [], 0
        while node < len(self):
            if node not in left_out:
                kept.append(node)
            node = self.ends[node] if node in left_out else node + 1
        return self._of(kept)

    def _of(self, kept: Sequence[int]) -> Tree:
        """The tree of some nodes, in order, with all that they stand in."""
        places = {one: place for place, one in enumerate(kept)}
        return Tree(
            [self.tags[one] for one in kept],
            [places.get(self.parents[one], -1) for one in kept],
            [bisect_left(kept, self.ends[one]) for one in kept],
            [self.depths[one] for one in kept],
            [self.attributes[one] for one in kept],
            [self.texts[one] for one in kept],
            self.head,
        )

    def named(self, tag: str) -> list[int]:
        """The nodes with this tag, in document order. Not to be changed by the caller."""
        if not self._named:
            self._named.update(index(self.tags))
        return self._named.get(tag) or []

    def long_texts(self, least: int) -> list[int]:
        """The nodes with texts of so many letters and more."""
        return long_texts(self.texts, least)

    def classes(self, node: int) -> tuple[str, ...]:
        return tuple(self.attributes[node].get("class", "").split())

    def text(self, node: int) -> str:
        """What a reader sees of this subtree, on one line, white space folded."""
        return self.text_of(node, self.ends[node])

    def text_of(self, start: int, end: int) -> str:
        """The visible words of the nodes from `start` to `end` (exclusive), on one line, white space folded.

        Text runs of one line of print are joined as they stand; block elements part words where they begin and end.
        """
        return text_between(self.tags, self.texts, self.ends, start, end)

    @property
    def title(self) -> str:
        return next((text for tag, _, text in self.head if tag == "title"), "")


def parse(html: str, most_nodes: int = limits.MAX_NODES) -> Tree:
    """The flat tree of a page, of its first `most_nodes`. Raises PageError for input that no forum page would be."""
    if len(html) > limits.MAX_PAGE_CHARS:
        raise PageError(f"the page has {len(html):,} characters, more than the {limits.MAX_PAGE_CHARS:,} that are read")
    html = with_written_times(html)
    laid_out = _LUCK.regular(html, most_nodes)
    if laid_out is not None:
        return laid_out
    if not is_plain(html, limits.MAX_TAG_ATTRIBUTES, MANY_TAGS):
        html = made_plain(html)
    parser = LexborHTMLParser(unframed(html).encode("utf-8", "replace"))
    root = parser.root
    if root is None:
        return Tree(["html"], [-1], [1], [0], [NO_ATTRIBUTES], [""], ())
    head = Head()
    return _with_closed_links(Tree(*flatten(root.html or "", most_nodes, limits.MAX_LEVELS, head), head.result()))


def _with_closed_links(tree: Tree) -> Tree:
    """A page without the links around much of it: somebody forgot where they end. A parser ends a link where the next
    one begins, but not at the cells of a table, and all that is said there would be the words of one link."""
    links = tree.named("a")
    found = [link for link, inner in zip(links, links[_MANY_INSIDE:], strict=False) if inner < tree.ends[link]]
    if found:
        for link in found:
            tree.tags[link] = "span"
        tree._named.clear()
    return tree


class _Luck:
    """Lays out pages that need no parser; where they keep needing one, it is tried only now and then."""

    def __init__(self) -> None:
        self._pause = 0
        self._left = 0

    def regular(self, html: str, most_nodes: int) -> Tree | None:
        if self._left:
            self._left -= 1
            return None
        head = Head()
        found = regular(html, most_nodes, limits.MAX_LEVELS, limits.MAX_DEPTH, limits.MAX_MENU_OPTIONS, head)
        if found is None:
            self._left = self._pause
            self._pause = min(2 * self._pause + 1, _LONGEST_PAUSE)
            return None
        self._pause = 0
        return Tree(*found, head.result())


class Head:
    """Gathers what `<head>` says, wherever it stands on the page."""

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[str, dict[str, str], str]]] = {name: [] for name in IN_HEAD}

    def add(self, name: str, attributes: dict[str, str]) -> None:
        self._found[name].append((name, attributes, ""))

    def title(self, text: str) -> None:
        """The words of the title that was added last."""
        if self._found["title"]:
            name, attributes, _ = self._found["title"][-1]
            self._found["title"][-1] = (name, attributes, " ".join(text.split()))

    def result(self) -> tuple[tuple[str, dict[str, str], str], ...]:
        return tuple(item for items in self._found.values() for item in items)


def flatten_slowly(html: str, most_nodes: int, most_levels: int, head: Head) -> Lists:
    """One pass over texts and tags by turns, with local names and few calls: it is the hottest loop of a crawl."""
    tags: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    depths: list[int] = []
    attributes: list[dict[str, str]] = []
    texts: list[str] = []
    parent, depth, joins = -1, 0, False
    too_deep = 0  # elements that are open and stand beside each other, not inside
    known = TAGS
    every = iter(TAG.split(html))
    left = zip(every, every, strict=False)  # after the last tag stands nothing
    node = 0
    for text, written in left:
        act, name, own, joins_before, joins_after = known[written]
        if text:
            if "&" in text:
                text = unescaped(text)
            if (joins and joins_before) or not text.isspace():
                tags.append(TEXT)
                parents.append(parent)
                depths.append(depth)
                attributes.append(NO_ATTRIBUTES)
                texts.append(text)
                node += 1
                ends.append(node)
        joins = joins_after
        if act == "close":
            if too_deep:
                too_deep -= 1
            # Another name can only come out of a script that holds its own end tag; the rest of that is no tag.
            elif tags[parent] == name:
                ends[parent] = node
                parent = parents[parent]
                depth -= 1
            if name == "title":
                head.title(text)
        elif act == "open" or act == "empty":
            if node >= most_nodes:
                break
            tags.append(name)
            parents.append(parent)
            depths.append(depth)
            attributes.append(own)
            texts.append("")
            if act == "open":
                if depth < most_levels:
                    parent = node
                    depth += 1
                else:
                    too_deep += 1
            node += 1
            ends.append(node)
            if name in IN_HEAD:
                head.add(name, own)
        elif act == "silent":
            _pass_over(name, left, head)
        elif act == "raw":
            tags += (name, TEXT)
            parents += (parent, node)
            depths += (depth, depth + 1)
            attributes += (own, NO_ATTRIBUTES)
            texts += ("", raw_text(written))
            node += 2
            ends += (node, node)
    while parent >= 0:
        ends[parent] = len(tags)
        parent = parents[parent]
    return tags, parents, ends, depths, attributes, texts


def _pass_over(silent: str, left: Iterator[tuple[str, str]], head: Head) -> None:
    """Leave out a silent element; what it says of the page is kept."""
    depth = 1
    for text, written in left:
        act, name, own, _, _ = TAGS[written]
        if act == "close":
            if name == "title" and silent != "template":
                head.title(unescaped(text))
            depth -= name == silent
            if not depth:
                return
        elif name == silent:
            depth += 1
        elif name in IN_HEAD and silent != "template":
            head.add(name, own)


def index_slowly(tags: list[str]) -> dict[str, list[int]]:
    """The nodes of each tag."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for node, tag in enumerate(tags):
        found[tag].append(node)
    return found


def text_between_slowly(tags: list[str], texts: list[str], ends: list[int], start: int, end: int) -> str:
    """As `Tree.text_of`."""
    if end == start + 2 and tags[start + 1] == TEXT != tags[start]:  # most links hold one text
        return " ".join(texts[start + 1].split())
    pieces: list[str] = []
    open_blocks: list[int] = []
    for node in range(start, end):
        tag = tags[node]
        if tag == TEXT:
            while open_blocks and open_blocks[-1] <= node:
                open_blocks.pop()
                pieces.append(" ")
            pieces.append(texts[node])
        elif tag not in INLINE:
            pieces.append(" ")
            open_blocks.append(ends[node])
    return " ".join("".join(pieces).split())


def long_texts_slowly(texts: list[str], least: int) -> list[int]:
    """The places of texts that are so long."""
    return [place for place, text in enumerate(texts) if len(text) >= least]


def _never_plain(html: str, most_words: int, most_tags: int) -> bool:
    """To look for what has to be mended costs as much as to mend it, here."""
    return False


def _never_regular(
    html: str, most_nodes: int, most_levels: int, most_tags: int, most_options: int, head: Head
) -> Lists | None:
    """The parser is faster than rules in Python would be."""
    return None


try:
    from thrawl.page._flat import flatten, index, is_plain, regular
except ImportError:  # not built: no compiler, or a checkout that was never installed
    flatten, index, is_plain, regular = flatten_slowly, index_slowly, _never_plain, _never_regular
try:
    from thrawl.page._walks import long_texts, text_between
except ImportError:
    long_texts, text_between = long_texts_slowly, text_between_slowly

_LUCK: Final = _Luck()
