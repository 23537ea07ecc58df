"""The layout of a page in numbers: the eight features of FoCUS' Table 1, and those that proved to help.

All are taken from the main region. Lengths and counts are logarithms: what matters is ten or a hundred, not 480 or
500. Shares run from 0 to 1.

Height is estimated without rendering: a record is as high as its lines of print, and a line ends at each block
element, row or break and after some 90 characters; table cells stand side by side and add nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from itertools import islice
from math import log1p
from statistics import mean, median, pstdev
from typing import Final

from thrawl.page.links import Link, LinkGroup
from thrawl.page.order import time_order
from thrawl.page.records import Record, Region, text_weights
from thrawl.page.shape import Shapes
from thrawl.page.times import TimeMention
from thrawl.page.tree import TEXT, Tree
from thrawl.page.users import user_group

_LINE_CHARS: Final = 90
_LINE_ENDS: Final = frozenset(
    "address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p"
    " pre section table tr ul".split()
)
_IMAGE_LINES: Final = 2
_PROSE_CHARS: Final = 80
_WIDE: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]")
_NUMBER: Final = re.compile(r"\d{2}")


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
    link_share: float
    longest_run: float
    run_share: float
    run_over_title: float
    title: float
    timed_title: float
    timed_run: float
    text_spread: float
    page_share: float
    single: float
    numbered: float
    prose: float
    timed_prose: float

    def vector(self) -> tuple[float, ...]:
        return astuple(self)


NAMES: Final = tuple(field.name for field in fields(Features))


def features_of(
    page: Shapes,
    url: str,
    regions: Sequence[Region],
    links: Sequence[Link],
    groups: Sequence[LinkGroup],
    times: Sequence[TimeMention],
) -> Features:
    """The features of a page, from what was found on it."""
    if not regions:
        return Features(*([0.0] * len(NAMES)))
    tree, main = page.tree, regions[0]
    records = main.records
    inside = _links_by_record(records, links)
    texts = text_weights(tree)
    sizes = [texts[one.end] - texts[one.start] for one in records]
    anchors = [sum(len(link.anchor) for link in found) for found in inside]
    plain = [max(0, size - chars) for size, chars in zip(sizes, anchors, strict=True)]
    runs = [_longest_run(tree, one.start, one.end) for one in records]
    users = user_group(groups, 0, len(records))
    has_time = len(main.anchors) / len(records)
    run = log1p(median(runs))
    prose = mean(min(1.0, length / _PROSE_CHARS) for length in runs)
    title = log1p(_title_chars(groups, users, len(records), _Elsewhere(page, url, times)))
    return Features(
        record_count=log1p(len(records)),
        max_anchor=log1p(max(len(link.anchor) for found in inside for link in found) if any(inside) else 0),
        max_height=log1p(max(_height(tree, one) for one in records)),
        max_text=log1p(max(plain)),
        average_text=log1p(mean(plain)),
        has_time=has_time,
        time_order=time_order(page, main, times) * (1 - 1 / len(records)),
        has_user=min(1.0, len(users.links) / len(records)) if users else 0.0,
        link_share=min(1.0, sum(anchors) / max(1, sum(sizes))),
        longest_run=run,
        run_share=min(1.0, sum(runs) / max(1, sum(plain))),
        run_over_title=run - title,
        title=title,
        timed_title=has_time * title,
        timed_run=has_time * run,
        text_spread=min(2.0, pstdev(plain) / (mean(plain) + 1)),
        page_share=sum(sizes) / max(1, texts[-1]),
        single=float(len(records) == 1),
        prose=prose,
        timed_prose=prose * has_time,
        numbered=mean(_is_numbered(tree, one) for one in records),
    )


def _title_chars(groups: Sequence[LinkGroup], users: LinkGroup | None, records: int, elsewhere: _Elsewhere) -> float:
    """The usual length of the anchors that name each record: one a record, each different, each leading elsewhere."""
    lengths = [
        median(map(print_length, group.anchors))
        for group in groups
        if group.region == 0
        and group.place.kind == "words"
        and group is not users
        and _names_records(group, records)
        and sum(map(elsewhere.leads, group.links)) > 0.5 * len(group.links)
    ]
    return max(lengths, default=0)


class _Elsewhere:
    """Tells links that lead to another page's topic from permalinks, dated links and repetitions of the page's title."""

    def __init__(self, page: Shapes, url: str, times: Sequence[TimeMention]) -> None:
        tree = page.tree
        self._own = url.split("#", 1)[0]
        self._site = "/".join(url.split("/", 3)[:3])
        self._title = tree.title.casefold()
        self._places = {one[key] for one in tree.attributes for key in ("id", "name") if key in one}
        self._dated = {parent for time in times for parent in islice(tree.ancestors(time.node), 3)}
        self._dated.update(time.node for time in times)

    def leads(self, link: Link) -> bool:
        if link.url == self._own or not link.url.startswith(self._site) or (link.fragment and link.fragment in self._places) or link.node in self._dated:
            return False
        return link.anchor.casefold() not in self._title


def _names_records(group: LinkGroup, records: int) -> bool:
    count = len(group.links)
    return (
        max(min(2, records), 0.6 * records) <= count <= 1.5 * records
        and len(set(group.anchors)) >= 0.8 * count
        and len(set(group.urls)) >= 0.8 * count
    )


def _is_numbered(tree: Tree, record: Record) -> bool:
    """Whether an element of the record has a number in its id or name: posts can be linked to."""
    return any(
        _NUMBER.search(attributes.get("id") or attributes.get("name") or "")
        for attributes in tree.attributes[record.start : record.end]
        if attributes
    )


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


def _longest_run(tree: Tree, start: int, end: int) -> int:
    """The longest text without a link: users write sentences, templates write words."""
    longest = 0
    closed = -1
    for node in range(start, end):
        if tree.tags[node] == "a":
            closed = max(closed, tree.ends[node])
        elif node >= closed and len(tree.texts[node]) > longest:
            longest = max(longest, print_length(tree.texts[node].strip()))
    return longest


def _height(tree: Tree, record: Record) -> float:
    lines, chars = 0.0, 0
    for node in range(record.start, record.end):
        tag = tree.tags[node]
        if tag == TEXT:
            chars += len(tree.texts[node].strip())
        elif tag in _LINE_ENDS:
            lines += bool(chars) + chars // _LINE_CHARS
            chars = 0
        elif tag == "img":
            lines += _IMAGE_LINES
    return lines + bool(chars) + chars // _LINE_CHARS
