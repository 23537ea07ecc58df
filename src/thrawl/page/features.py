"""The layout of a page in numbers: the eight features of FoCUS' Table 1, and those that proved to help.

All are taken from the main region. Lengths and counts are logarithms: what matters is ten or a hundred, not 480 or
500. Shares run from 0 to 1.

Height is estimated without rendering: a record is as high as its lines of print, and a line ends at each block
element, row or break and after some 90 characters; table cells stand side by side and add nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from itertools import islice
from math import log1p
from statistics import mean
from typing import Final

from thrawl.page.links import Link, LinkGroup
from thrawl.page.order import time_order
from thrawl.page.records import Record, Region, text_weights
from thrawl.page.shape import Shapes
from thrawl.page.times import TimeMention
from thrawl.page.tree import TEXT, Tree
from thrawl.page.users import address_form, user_group

_LINE_CHARS: Final = 90  # of a line of print on a wide screen, which the papers measure in pixels
_LINE_ENDS: Final = frozenset(
    "address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p"
    " pre section table tr ul".split()
)
_IMAGE_LINES: Final = 2  # that a picture takes: most are icons and avatars
_PROSE_CHARS: Final = 80  # about a sentence; labels and titles are shorter
_LOOKS: Final = re.compile(r"\.[^\[]*")
_WIDE: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]")
_NO_TITLE_CHARS: Final = 8  # in print; buttons ("Reply") and short names have no more
_LONG_TITLE: Final = 40  # beyond which a title is no better
_TOP_CHARS: Final = 120  # of a row before its title: a state, an icon's words, a prefix
_TOP_OF_ONE_CHARS: Final = 80  # of a single record, above whose words a title stands
_HEADING: Final = re.compile(r"h[1-6]\b")
_IN_HEADING: Final = 6  # characters that a heading is worth: what stands in one names its record
_TYPED: Final = frozenset({"", "text", "password", "email", "search", "url", "tel", "number"})
_FORM_FIELDS: Final = 2  # that are typed into: one alone is a search box
_NUMBERED_STEM: Final = re.compile(r"/([A-Za-z_-]*)[^/?]*\d[^/?]*(?:\?|$)")
_MOST_PROSE: Final = 200  # characters of a text by which pages are compared
_SMALL_SHARE: Final = 0.2  # of the page; a list that holds less stands beside something
_SMALL_UNTIMED_SHARE: Final = 0.4  # twice that where no time says that it is no menu
_TITLE_CHARS: Final = 14  # beyond the least: at 22 characters nearly all anchors are titles


@dataclass(frozen=True, slots=True)
class Features:
    """One number a field, in this order in the model file."""

    record_count: float
    max_anchor: float
    max_height: float
    max_text: float
    average_text: float
    has_time: float
    time_order: float
    has_user: float
    titled: float
    prose: float
    dated_prose: float
    link_share: float
    page_share: float
    single: float

    def vector(self) -> tuple[float, ...]:
        return astuple(self)


NAMES: Final = tuple(field.name for field in fields(Features))
_NOTHING: Final = Features(*([0.0] * len(NAMES)))


@dataclass(frozen=True, slots=True)
class Layout:
    """The features of a page and the words behind them, so that pages of one template can be read together.

    `titles` are the links that name the records, `prose` the longest text of each record outside links (cut).
    """

    features: Features = _NOTHING
    titles: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()


def layout_of(
    page: Shapes,
    url: str,
    regions: Sequence[Region],
    links: Sequence[Link],
    groups: Sequence[LinkGroup],
    times: Sequence[TimeMention],
) -> Layout:
    """The features of a page, from what was found on it."""
    if not regions:
        return Layout()
    tree, main = page.tree, regions[0]
    records = main.records
    inside = _links_by_record(records, links)
    texts = text_weights(tree)
    sizes = [texts[one.end] - texts[one.start] for one in records]
    anchors = [sum(len(link.anchor) for link in found) for found in inside]
    plain = [max(0, size - chars) for size, chars in zip(sizes, anchors, strict=True)]
    runs = [_longest_run(tree, one) for one in records]
    users = user_group(groups, 0, len(records))
    has_time = len(main.anchors) / len(records)
    prose = mean(prose_worth(run.chars) for run in runs)
    page_share = sum(sizes) / max(1, texts[-1])
    titles = _titles(groups, users, records, runs, texts, _Elsewhere(page, url, times))
    # without times, only a list that is most of the page is surely no menu
    titled = titles.worth * min(1.0, page_share / (_SMALL_SHARE if main.timed else _SMALL_UNTIMED_SHARE))
    if len(records) == 1 and _holds_a_form(tree, records[0]):
        titles, titled, prose = _Titles(), 0.0, 0.0
    features = Features(
        record_count=log1p(len(records)),
        max_anchor=log1p(max(len(link.anchor) for found in inside for link in found) if any(inside) else 0),
        max_height=log1p(max(_height(tree, one) for one in records)),
        max_text=log1p(max(plain)),
        average_text=log1p(mean(plain)),
        has_time=has_time,
        time_order=time_order(page, main, times) * (1 - 1 / len(records)),
        has_user=min(1.0, len(users.links) / len(records)) if users else 0.0,
        titled=titled,
        prose=prose,
        dated_prose=has_time * prose * (1 - titled),
        link_share=min(1.0, sum(anchors) / max(1, sum(sizes))),
        page_share=page_share,
        single=float(len(records) == 1),
    )
    said = tuple(" ".join(tree.texts[run.node][:_MOST_PROSE].split()) for run in runs) if prose else ()
    return Layout(features, titles.anchors, said)


@dataclass(frozen=True, slots=True)
class _Run:
    """The longest text of a record outside links: where its record starts, where it stands, how long it is."""

    start: int
    end: int
    node: int
    chars: int


def _by_plain_place(groups: Iterable[LinkGroup]) -> list[LinkGroup]:
    """Join the groups of words at one place of the records whose looks differ: pinned, closed and unread titles."""
    joined: dict[tuple[tuple[str, ...], int], list[LinkGroup]] = defaultdict(list)
    for group in groups:
        joined[tuple(_LOOKS.sub("", step) for step in group.place.path), group.place.ordinal].append(group)
    return [
        LinkGroup(
            tuple(sorted((link for one in found for link in one.links), key=lambda link: link.node)), found[0].place, 0
        )
        for found in joined.values()
        if len(found) > 1
    ]


@dataclass(frozen=True, slots=True)
class _Titles:
    """The links that name the records, and how much they look like titles, 0 to 1."""

    worth: float = 0.0
    anchors: tuple[str, ...] = ()


def _titles(
    groups: Sequence[LinkGroup],
    users: LinkGroup | None,
    records: Sequence[Record],
    runs: Sequence[_Run],
    texts: Sequence[int],
    elsewhere: _Elsewhere,
) -> _Titles:
    """The links that name the records best: one a record, each different, near its top, leading elsewhere."""
    own = [group for group in groups if group.region == 0 and group.place.kind == "words"]
    if users is not None and not elsewhere.leads_like_times(users, own):
        own = _without_users(own, users)
    found = [
        _Titles(_title_worth(group, len(records)), group.anchors)
        for group in (*own, *_by_plain_place(own))
        if _names_records(group, len(records))
        and _leads_records(group, records, texts)
        and sum(map(elsewhere.leads, group.links)) > 0.5 * len(group.links)
        and _stands_above(group, runs)
    ]
    return max(found, key=lambda one: one.worth, default=_Titles())


def _without_users(groups: Iterable[LinkGroup], users: LinkGroup) -> list[LinkGroup]:
    """Groups that do not name the users: some designs write each name twice, for wide and for narrow screens."""
    known = set(users.urls)
    return [group for group in groups if sum(url in known for url in group.urls) * 2 <= len(group.links)]


def _title_worth(group: LinkGroup, records: int) -> float:
    """0 for names of up to 8 characters, 1 from 22 on; words and headings count extra where records repeat."""
    # in a single record, "show all posts" is as good as a title, so that its words count no extra
    length = _title_length if records > 1 else print_length
    headed = _IN_HEADING if records > 1 and any(map(_HEADING.match, group.place.path)) else 0
    usual = mean(length(link.anchor) for link in group.links) + headed
    return max(0.0, min(1.0, (usual - _NO_TITLE_CHARS) / _TITLE_CHARS))


def _holds_a_form(tree: Tree, record: Record) -> bool:
    """Whether the only record has fields to type into: login, search and writing pages do, posts and rows do not."""
    inside = slice(record.start, record.end)
    fields_shown = (
        tag in ("textarea", "select") or (tag == "input" and attributes.get("type", "").lower() in _TYPED)
        for tag, attributes in zip(tree.tags[inside], tree.attributes[inside], strict=True)
    )
    return sum(fields_shown) >= _FORM_FIELDS


def _leads_records(group: LinkGroup, records: Sequence[Record], texts: Sequence[int]) -> bool:
    """Whether most links stand near the top of their records, where titles are; below are buttons and users' links."""
    near = _TOP_CHARS if len(records) > 1 else _TOP_OF_ONE_CHARS
    top, at = 0, 0
    for link in group.links:
        while at + 1 < len(records) and records[at].end <= link.node:
            at += 1
        top += texts[link.node] - texts[records[at].start] <= near
    return top * 2 > len(group.links)


def _title_length(anchor: str) -> int:
    """The length of a title; a second and a third word count extra, as names of users have one."""
    return min(_LONG_TITLE, print_length(anchor) + 6 * min(2, anchor.count(" ")))


def _names_records(group: LinkGroup, records: int) -> bool:
    count = len(group.links)
    return (
        max(min(2, records), 0.6 * records) <= count <= 1.5 * records
        and len(set(group.anchors)) >= 0.8 * count
        and len(set(group.urls)) >= 0.8 * count
    )


def _stands_above(group: LinkGroup, runs: Sequence[_Run]) -> bool:
    """Whether most links come before the words of their records: a title does, a list of admirers does not."""
    above, at = 0, 0
    for link in group.links:
        while at + 1 < len(runs) and runs[at].end <= link.node:
            at += 1
        above += runs[at].chars < _PROSE_CHARS or link.node < runs[at].node
    return above * 2 > len(group.links)


class _Elsewhere:
    """Tells links to other pages' topics from permalinks, dated links and repetitions of the page's own title."""

    def __init__(self, page: Shapes, url: str, times: Sequence[TimeMention]) -> None:
        tree = page.tree
        self._own = url.split("#", 1)[0]
        self._site = "/".join(url.split("/", 3)[:3])
        self._title = tree.title.casefold()
        self._attributes = tree.attributes
        self._dated = {
            parent: len(time.text) for time in times for parent in (time.node, *islice(tree.ancestors(time.node), 3))
        }

    @cached_property
    def _places(self) -> set[str]:
        """The places of the page that a fragment can lead to; few pages have a link that asks."""
        return {one[key] for one in self._attributes for key in ("id", "name") if key in one}

    def leads_like_times(self, users: LinkGroup, groups: Iterable[LinkGroup]) -> bool:
        """Whether what look like users lead to the same kind of page as the links on times: then they are titles."""
        forms = {_fine_form(link.url) for group in groups for link in group.links if self._is_dated(link)}
        return bool(forms) and sum(_fine_form(link.url) in forms for link in users.links) * 2 > len(users.links)

    def _is_dated(self, link: Link) -> bool:
        return self._dated.get(link.node, 0) * 2 > len(link.anchor)

    def leads(self, link: Link) -> bool:
        if link.url == self._own or not link.url.startswith(self._site) or link.url[len(self._site) :] in ("", "/"):
            return False
        if self._is_dated(link):
            return False
        if link.fragment and link.fragment in self._places:
            return False
        return link.anchor.casefold() not in self._title


def _links_by_record(records: Sequence[Record], links: Sequence[Link]) -> list[list[Link]]:
    found: list[list[Link]] = [[] for _ in records]
    at = 0
    for link in links:
        while at < len(records) and records[at].end <= link.node:
            at += 1
        if at < len(records) and records[at].start <= link.node:
            found[at].append(link)
    return found


def print_length(text: str) -> int:
    """The width of a text in print: Chinese, Japanese and Korean signs are twice as wide and say twice as much."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def prose_worth(chars: int) -> float:
    """From 0 to 1: how much a text of this width in print reads like sentences of a user."""
    return min(1.0, chars / _PROSE_CHARS)


def _fine_form(url: str) -> str:
    """The form of an address with the letters before the number that ends its path: `topic-` is not `user-`."""
    stem = _NUMBERED_STEM.search(url)
    return address_form(url) + (stem[1] if stem else "")


def _longest_run(tree: Tree, record: Record) -> _Run:
    """The longest text without a link: users write sentences, templates write words."""
    longest, place = 0, record.start
    closed = -1
    inside = slice(record.start, record.end)
    for node, (tag, text) in enumerate(zip(tree.tags[inside], tree.texts[inside], strict=True), record.start):
        if tag == "a":
            closed = max(closed, tree.ends[node])
        elif 2 * len(text) > longest and node >= closed:
            chars = print_length(text.strip())
            if chars > longest:
                longest, place = chars, node
    return _Run(record.start, record.end, place, longest)


def _height(tree: Tree, record: Record) -> float:
    lines, chars = 0.0, 0
    inside = slice(record.start, record.end)
    for tag, text in zip(tree.tags[inside], tree.texts[inside], strict=True):
        if tag == TEXT:
            chars += len(text.strip())
        elif tag in _LINE_ENDS:
            if chars:
                lines += 1 + chars // _LINE_CHARS
                chars = 0
        elif tag == "img":
            lines += _IMAGE_LINES
    return lines + bool(chars) + chars // _LINE_CHARS
