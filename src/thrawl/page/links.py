"""The link table of a page: its links, grouped by the place where they stand (section 4.3.1.1 of FoCUS).

Inside records links are aligned by their place in the record: the titles of all rows are one group, the last posters
another. Outside they are grouped by their path from the root. Table cells count as columns. Pagers, breadcrumbs and
jump menus come out as groups of their own, also where an old layout puts them into the same cell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final
from urllib.parse import urldefrag, urljoin

from thrawl import limits
from thrawl.page.shape import Shapes, shapes
from thrawl.page.tree import Tree

if TYPE_CHECKING:  # readers of pages start without the search for records
    from thrawl.page.records import Record, Region

_BREAKS: Final = re.compile(r"[\t\r\n]+")
_BLANK: Final = "".join(map(chr, range(0x21)))
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_PLAIN_BASE: Final = re.compile(r"(https?://[^/?#\s]+)(/[^?#]*)?(?:[?#].*)?", re.DOTALL)
# a path without dot segments, colons or doubled slashes, with or without a query; or a query alone
_SIMPLE_HREF: Final = re.compile(
    r"(?!.*(?:^|/)\.)(?!//)/?[\w%~+,=!$&'()*@.-][\w%~+,=!$&'()*@./-]*(?:\?[^#\s]+)?|\?[^#\s]+"
)
# an absolute address that joining would leave as it stands
_WHOLE_HREF: Final = re.compile(r"https?://[\w.:-]+/[\w%~+,=!$&'()*@./-]*(?:\?[^#\s]+)?", re.ASCII)
_PAGE_NUMBER: Final = re.compile(r"[\[(]?\s*(\d{1,6}|[«»‹›<>←→|.…]+)\s*[\])]?")
_COLUMNS: Final = frozenset({"td", "th"})
_PAGER_STEPS: Final = frozenset({"li", "span", "b", "strong", "u", "em", "i", "font"})
_NOWHERE: Final[frozenset[int]] = frozenset()
_LAST_ORDINAL: Final = 3  # links of one look in a record that are told apart: first, second, third, and all others
_LONG_WORD: Final = 20  # characters; no page number and no word for one is longer
_MENU_ENDS: Final = (".html", ".htm", ".php")
_DEEPEST: Final = 64  # levels; real pages have 22
_DIGITS: Final = re.compile(r"\d+")
_WORD_OF_ALL: Final = re.compile(r"[A-Za-z_-]{1,16}")  # `#t`, `#comments`: the same for every page of a kind


@dataclass(frozen=True, slots=True)
class Link:
    """One link as a reader can follow it: absolute, without its fragment, which is kept beside it."""

    node: int
    url: str
    anchor: str
    rel: str
    title: str
    fragment: str


def names_a_place(fragment: str) -> bool:
    """Whether a fragment names one of the places of a page, as a post's number does."""
    return bool(fragment) and _WORD_OF_ALL.fullmatch(fragment) is None


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """Where links stand: the path of labels (from the record's root inside records, else from the page's root).

    `kind` tells links at one path apart that do different work: words, images, page numbers, menu options.
    `ordinal` counts the links of one record at the same path; it is 0 outside records.
    """

    path: tuple[str, ...]
    kind: str
    ordinal: int
    in_record: bool


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """All links of a page at one place; `region` is the index of the region they stand in, -1 outside."""

    links: tuple[Link, ...]
    place: LinkPlace
    region: int

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(link.url for link in self.links)

    @property
    def anchors(self) -> tuple[str, ...]:
        return tuple(link.anchor for link in self.links)

    @property
    def anchor_chars(self) -> int:
        return sum(len(link.anchor) for link in self.links)

    @property
    def is_pager(self) -> bool:
        return self.place.kind == "pager"


class Resolver:
    """Turns hrefs of one page into absolute URLs; forum pages repeat the same few, so answers are kept.

    The common forms are put together by hand, as the standard library's `urljoin` was a fifth of all reading time;
    whatever has dots to resolve or looks odd goes through it.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self.folder = base[: base.rfind("/") + 1]
        self.origin = "/".join(base.split("/", 3)[:3])
        self._known: dict[str, tuple[str, str] | None] = {}
        plain = None if "/." in base else _PLAIN_BASE.fullmatch(base)
        self._origin, path = (plain[1], plain[2] or "/") if plain else ("", "")
        self._page = self._origin + path
        self._folder = self._origin + path[: path.rfind("/") + 1]

    def resolve(self, href: str) -> tuple[str, str] | None:
        """The absolute URL and the fragment, or None for what is not a web page."""
        if href not in self._known:
            self._known[href] = self._resolve(href)
        return self._known[href]

    def _resolve(self, href: str) -> tuple[str, str] | None:
        if not href.isprintable() or " " in (href[:1], href[-1:]):
            href = "".join(part.strip(_BLANK) for part in _BREAKS.split(href))
        url, _, fragment = href.partition("#")
        joined = self._join(url)
        if joined is None or len(joined) > limits.MAX_URL_CHARS:
            return None
        return joined, fragment

    def _join(self, url: str) -> str | None:
        if _WHOLE_HREF.fullmatch(url):
            return url
        plain = url[2:] if url[:2] == "./" and url[2:3] not in "/?" else url
        if self._origin and _SIMPLE_HREF.fullmatch(plain):
            start = self._origin if plain[0] == "/" else self._page if plain[0] == "?" else self._folder
            return start + plain
        scheme = _SCHEME.match(url)
        if scheme and scheme[0].lower() not in ("http:", "https:"):
            return None
        try:
            joined = urldefrag(urljoin(self._base, url))[0]
        except ValueError:
            return None
        return joined if joined.startswith(("http://", "https://")) else None


def base_of(tree: Tree, url: str) -> str:
    """The address that relative links of a page start from."""
    for tag, attributes, _ in tree.head:
        if tag == "base" and attributes.get("href"):
            resolved = Resolver(url).resolve(attributes["href"])
            return resolved[0] if resolved else url
    return url


def resolver_of(tree: Tree, url: str) -> Resolver:
    """What turns the hrefs of the page at `url` into addresses; one for all who read the page."""
    found = tree.resolvers.get(url)
    if found is None:
        found = tree.resolvers[url] = Resolver(base_of(tree, url))
    return found


def find_links(tree: Tree, base_url: str, most: int | None = None) -> tuple[Link, ...]:
    """Every link and jump menu option of a page, in document order; of more than `most` the first and the last."""
    resolver = resolver_of(tree, base_url)
    hrefs = ((node, resolver.resolve(href), tree.attributes[node]) for node, href in hrefs_of(tree))
    found = [(node, resolved, attributes) for node, resolved, attributes in hrefs if resolved is not None]
    if most is not None and len(found) > most:
        found = found[: most // 2] + found[-most // 2 :]
    return tuple(
        Link(
            node,
            url,
            _anchor(tree, node),
            attributes.get("rel", ""),
            attributes.get("title") or attributes.get("aria-label", ""),
            fragment,
        )
        for node, (url, fragment), attributes in found
    )


def hrefs_of(tree: Tree) -> list[tuple[int, str]]:
    """The nodes that lead somewhere and where they say they lead, in document order."""
    attributes = tree.attributes
    found = [(node, href) for node in tree.named("a") if (href := attributes[node].get("href"))]
    others = [(node, href) for node in tree.named("area") if (href := attributes[node].get("href"))]
    for node in tree.named("option"):
        value = attributes[node].get("value")
        if value and ("/" in value or "?" in value or value.endswith(_MENU_ENDS)):
            others.append((node, value))
    return sorted((*found, *others)) if others else found


def _anchor(tree: Tree, node: int) -> str:
    words = tree.text(node)
    if words:
        return words
    return next((alt for below in tree.below(node) if (alt := tree.attributes[below].get("alt", "").strip())), "")


def link_groups(tree: Tree, base_url: str, regions: Sequence[Region]) -> tuple[LinkGroup, ...]:
    """The link table: groups in the order of their first link."""
    return groups_of(shapes(tree), find_links(tree, base_url), regions)


def groups_of(page: Shapes, links: Sequence[Link], regions: Sequence[Region]) -> tuple[LinkGroup, ...]:
    """As `link_groups`, on links and shapes that are known."""
    numbered = _parents_of_page_numbers(page.tree, links)
    groups: dict[tuple[int, LinkPlace], list[Link]] = defaultdict(list)
    ordinals: dict[tuple[int, tuple[str, ...], str], int] = defaultdict(int)
    paths = _Paths(page)
    for link, region, record in _located(links, regions):
        kind = _kind(page.tree, link, numbered if record is None else _NOWHERE)
        if record is None:
            place = LinkPlace(paths.from_root(link.node), kind, 0, False)
        else:
            path = paths.within(link.node, record)
            ordinal = ordinals[record.start, path, kind]
            ordinals[record.start, path, kind] += 1
            place = LinkPlace(path, kind, 0 if kind == "pager" else min(ordinal, _LAST_ORDINAL), True)
        groups[region, place].append(link)
    return tuple(LinkGroup(tuple(found), place, region) for (region, place), found in groups.items())


def _located(links: Iterable[Link], regions: Sequence[Region]) -> Iterator[tuple[Link, int, Record | None]]:
    """Each link with its region and record; both lists run in document order, so one pass does."""
    records = sorted(
        ((one, index) for index, region in enumerate(regions) for one in region.records), key=lambda one: one[0].start
    )
    at = 0
    for link in links:
        while at < len(records) and records[at][0].end <= link.node:
            at += 1
        if at < len(records) and records[at][0].start <= link.node:
            yield link, records[at][1], records[at][0]
        else:
            yield link, -1, None


def _parents_of_page_numbers(tree: Tree, links: Iterable[Link]) -> frozenset[int]:
    """Elements with page numbers right inside, or each in a list item or an inline element of its own."""
    found = set()
    for link in links:
        if link.anchor.isdigit() and len(link.anchor) < 7:
            found.add(_run_of(tree, link.node))
    return frozenset(found)


def _run_of(tree: Tree, node: int) -> int:
    """The element in which a link stands side by side with its like."""
    parent = tree.parents[node]
    return tree.parents[parent] if tree.tags[parent] in _PAGER_STEPS else parent


def _kind(tree: Tree, link: Link, numbered: frozenset[int]) -> str:
    """What work a link does; words beside page numbers turn pages too, except in rows, where they are titles."""
    if tree.tags[link.node] == "option":
        return "option"
    if len(link.anchor) < _LONG_WORD:
        beside = _run_of(tree, link.node) in numbered
        if _PAGE_NUMBER.fullmatch(link.anchor) or (beside and "img" not in tree.tags[link.node : tree.ends[link.node]]):
            return "pager"
    return "words" if _has_words(tree, link.node) else "image"


def _has_words(tree: Tree, node: int) -> bool:
    return any(text and not text.isspace() for text in tree.texts[node : tree.ends[node]])


class _Paths:
    """Label paths with table columns, built from the path of the parent and kept."""

    def __init__(self, page: Shapes) -> None:
        self._page = page
        self._steps: dict[int, str] = {}
        self._roots: dict[int, tuple[str, ...]] = {}

    def from_root(self, node: int) -> tuple[str, ...]:
        parent = self._page.tree.parents[node]
        above = self._roots.get(parent)
        if above is None:
            chain = [parent, *islice(self._page.tree.ancestors(parent), _DEEPEST)] if parent >= 0 else []
            above = self._roots[parent] = tuple(self._named(one) for one in reversed(chain))
        return (*above, self._step(node))

    def within(self, node: int, record: Record) -> tuple[str, ...]:
        tree = self._page.tree
        steps = [self._step(node)]
        parent = tree.parents[node]
        while parent >= record.start and len(steps) < _DEEPEST:
            # the looks of the root tell records apart (sticky, unread, even), not places inside them
            steps.append(tree.tags[parent] if parent in record.parts else self._step(parent))
            parent = tree.parents[parent]
        if len(record.parts) > 1:
            steps.append(f"part {sum(part <= node for part in record.parts)}")
        return tuple(reversed(steps))

    def _named(self, node: int) -> str:
        name = self._page.tree.attributes[node].get("id")
        return f"{self._step(node)}#{_DIGITS.sub('0', name)}" if name else self._step(node)

    def _step(self, node: int) -> str:
        step = self._steps.get(node)
        if step is None:
            if self._page.tree.tags[node] in _COLUMNS:
                self._number_columns(self._page.tree.parents[node])
                return self._steps[node]
            step = self._steps[node] = self._page.labels[node]
        return step

    def _number_columns(self, row: int) -> None:
        """All cells of a row at once: asking each cell for its place would be quadratic in the row."""
        for column, cell in enumerate(self._page.tree.elements(row)):
            self._steps[cell] = f"{self._page.labels[cell]}[{column}]"


__all__ = [
    "Link",
    "LinkGroup",
    "LinkPlace",
    "Resolver",
    "base_of",
    "find_links",
    "groups_of",
    "link_groups",
    "resolver_of",
]
