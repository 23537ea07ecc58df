"""One page as a flat tree: parsed once by lexbor, walked once, then only lists of numbers and strings.

Nodes are numbered in document order, so a subtree is a range: the nodes below `i` are `i + 1` to
`ends[i] - 1`. That makes records, paths and texts slices instead of walks, keeps depth out of the
recursion limit, and lets a page of 3,000 levels cost no more than a flat one.

Scripts, styles, templates and comments are left out: they show nothing. What stands in `<noscript>`
is kept: pagers hide there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from thrawl import limits
from thrawl.errors import PageError

TEXT: Final = "#text"
_SILENT: Final = frozenset({"script", "style", "template", "head", "svg", "math"})
_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike"
    " strong sub sup time tt u var wbr".split()
)
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_QUOTED: Final = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
_SELECT: Final = re.compile(r"<(/?)select\b", re.IGNORECASE)
# elements that end by themselves, so that a page may leave any number of them open
_UNNESTED: Final = frozenset(
    "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr".split()
)
_JOINED: Final = _INLINE | {"-comment", "-text"}
_NO_ATTRIBUTES: Final[dict[str, str]] = {}


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

    def __len__(self) -> int:
        return len(self.tags)

    def children(self, node: int) -> Iterator[int]:
        """The direct children of a node, text nodes included."""
        child, end = node + 1, self.ends[node]
        while child < end:
            yield child
            child = self.ends[child]

    def elements(self, node: int) -> Iterator[int]:
        """The direct children of a node that are elements."""
        return (child for child in self.children(node) if self.tags[child] != TEXT)

    def below(self, node: int) -> range:
        """Every node under this one, in document order."""
        return range(node + 1, self.ends[node])

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above this one, nearest first."""
        parent = self.parents[node]
        while parent >= 0:
            yield parent
            parent = self.parents[parent]

    def classes(self, node: int) -> tuple[str, ...]:
        return tuple(self.attributes[node].get("class", "").split())

    def text(self, node: int) -> str:
        """What a reader sees of this subtree, on one line, white space folded."""
        return self.text_of(node, self.ends[node])

    def text_of(self, start: int, end: int) -> str:
        """The visible words of the nodes from `start` to `end` (exclusive), on one line, white space folded.

        Text runs of one line of print are joined as they stand; block elements part words.
        """
        pieces: list[str] = []
        for node in range(start, end):
            if self.tags[node] == TEXT:
                pieces.append(self.texts[node])
            elif self.tags[node] not in _INLINE:
                pieces.append(" ")
        return " ".join("".join(pieces).split())

    @property
    def title(self) -> str:
        return next((text for tag, _, text in self.head if tag == "title"), "")


def parse(html: str) -> Tree:
    """The flat tree of a page. Raises PageError for input that no forum page would be."""
    if len(html) > limits.MAX_PAGE_CHARS:
        raise PageError(f"the page has {len(html):,} characters, more than the {limits.MAX_PAGE_CHARS:,} that are read")
    _refuse_attribute_floods(html)
    _refuse_nesting_floods(html)
    parser = LexborHTMLParser(_without_huge_menus(html).encode("utf-8", "replace"))
    root = parser.root
    if root is None:
        return Tree(["html"], [-1], [1], [0], [_NO_ATTRIBUTES], [""], ())
    return _flatten(root, _read_head(parser))


def _refuse_attribute_floods(html: str) -> None:
    raw = False
    for piece in html.split(">"):
        start = piece.rfind("<")
        if raw:
            raw = "</" not in piece[-10:]
            continue
        if (
            len(piece) - start > limits.MAX_TAG_ATTRIBUTES
            and start >= 0
            and _attribute_count(piece[start:]) > (limits.MAX_TAG_ATTRIBUTES)
        ):
            raise PageError(f"a tag of the page has more than {limits.MAX_TAG_ATTRIBUTES:,} attributes")
        raw = piece[start + 1 : start + 7].lower() in ("script", "style")


def _attribute_count(tag: str) -> int:
    """Words of an opening tag, those inside quotes not counted; 0 for a bracket that opens no tag."""
    return len(_QUOTED.sub("=", tag).split()) if tag[1:2].isalpha() else 0


def _refuse_nesting_floods(html: str) -> None:
    """Count open elements the cheap way: the parser's own time is quadratic in depth."""
    if html.count("<") - html.count("</") * 2 < limits.MAX_DEPTH:
        return
    depth = 0
    for closing, name in _TAG.findall(html):
        if name.lower() in _UNNESTED:
            continue
        depth = max(0, depth - 1) if closing else depth + 1
        if depth > limits.MAX_DEPTH:
            raise PageError(f"the page nests more than {limits.MAX_DEPTH:,} elements")


def _without_huge_menus(html: str) -> str:
    """Rename `<select>` where a page has very many options: the parser's time is quadratic in the options of one."""
    if html.lower().count("<option") < limits.MAX_MENU_OPTIONS:
        return html
    return _SELECT.sub(r"<\1x-select", html)


def _read_head(parser: LexborHTMLParser) -> tuple[tuple[str, dict[str, str], str], ...]:
    found = []
    for tag in ("title", "base", "link", "meta"):
        for node in parser.css(tag):
            text = " ".join(node.text().split()) if tag == "title" else ""
            found.append((tag, _attributes(node), text))
    return tuple(found)


def _attributes(node: LexborNode) -> dict[str, str]:
    raw = node.attributes
    return {key: value or "" for key, value in raw.items()} if raw else _NO_ATTRIBUTES


def _flatten(root: LexborNode, head: tuple[tuple[str, dict[str, str], str], ...]) -> Tree:
    tags: list[str] = []
    parents: list[int] = []
    depths: list[int] = []
    attributes: list[dict[str, str]] = []
    texts: list[str] = []
    stack: list[tuple[LexborNode, int, int]] = [(root, -1, 0)]
    while stack and len(tags) < limits.MAX_NODES:
        node, parent, depth = stack.pop()
        tag = node.tag or ""
        text, own = "", _NO_ATTRIBUTES
        if tag == "-text":
            text = node.text_content or ""
            if not text or (text.isspace() and not _joins_words(node)):
                continue
            tag = TEXT
        elif tag in _SILENT or tag.startswith(("-", "!")):
            continue
        else:
            own = _attributes(node)
            child = node.last_child
            while child is not None:
                stack.append((child, len(tags), depth + 1))
                child = child.prev
        tags.append(tag)
        parents.append(parent)
        depths.append(depth)
        attributes.append(own)
        texts.append(text)
    return Tree(tags, parents, _ends(parents), depths, attributes, texts, head)


def _joins_words(node: LexborNode) -> bool:
    """White space between two inline neighbours is a word break that a reader sees; elsewhere it is layout."""
    before, after = node.prev, node.next
    return before is not None and after is not None and before.tag in _JOINED and after.tag in _JOINED


def _ends(parents: list[int]) -> list[int]:
    ends = list(range(1, len(parents) + 1))
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        if ends[node] > ends[parent]:
            ends[parent] = ends[node]
    return ends
