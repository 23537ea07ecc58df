"""The layout of a page in numbers: the eight features of FoCUS' Table 1, and those that proved to help.

All are taken from the main region. Lengths and counts are logarithms: what matters is ten or a hundred, not 480 or
500. Shares run from 0 to 1.

Height is estimated without rendering: a record is as high as its lines of print, and a line ends at each block
element, row or break and after some 90 characters; table cells stand side by side and add nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from math import log1p
from statistics import mean, median, pstdev
from typing import Final

from thrawl.page.links import Link, LinkGroup
from thrawl.page.records import Mention, Record, Region, text_weights
from thrawl.page.shape import Shapes
from thrawl.page.tree import TEXT, Tree
from thrawl.page.users import user_group

_LINE_CHARS: Final = 90
_LINE_ENDS: Final = frozenset(
    "address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p"
    " pre section table tr ul".split()
)
_IMAGE_LINES: Final = 2


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
    run_over_anchor: float
    text_spread: float
    page_share: float
    numbers: float
    self_links: float
    links_per_record: float
    pager: float
    text_field: float
    secret_field: float
    page_run: float
    page_link_share: float

    def vector(self) -> tuple[float, ...]:
        return astuple(self)


NAMES: Final = tuple(field.name for field in fields(Features))


def features_of(
    page: Shapes,
    url: str,
    regions: Sequence[Region],
    links: Sequence[Link],
    groups: Sequence[LinkGroup],
    times: Sequence[Mention],
) -> Features:
    """The features of a page, from what was found on it."""
    tree = page.tree
    records = regions[0].records if regions else ()
    inside = _links_by_record(records, links)
    texts = text_weights(tree)
    anchors = [sum(len(link.anchor) for link in found) for found in inside]
    plain = [max(0, texts[one.end] - texts[one.start] - chars) for one, chars in zip(records, anchors, strict=True)]
    whole = max(1, texts[-1])
    covered = sum(texts[one.end] - texts[one.start] for one in records)
    runs = [_longest_run(tree, one.start, one.end) for one in records]
    longest = [max((len(link.anchor) for link in found), default=0) for found in inside]
    users = user_group(groups, 0, len(records)) if records else None
    own = _address(url)
    return Features(
        record_count=log1p(len(records)),
        max_anchor=log1p(max(longest, default=0)),
        max_height=log1p(max((_height(tree, one) for one in records), default=0)),
        max_text=log1p(max(plain, default=0)),
        average_text=log1p(mean(plain)) if plain else 0.0,
        has_time=_share_with_time(records, times),
        time_order=0.0,
        has_user=min(1.0, len(users.links) / len(records)) if users else 0.0,
        link_share=sum(anchors) / max(1, covered),
        longest_run=log1p(median(runs)) if runs else 0.0,
        run_over_anchor=median(log1p(run) - log1p(anchor) for run, anchor in zip(runs, longest, strict=True))
        if runs
        else 0.0,
        text_spread=min(2.0, pstdev(plain) / (mean(plain) + 1)) if plain else 0.0,
        page_share=covered / whole,
        numbers=_share_with_numbers(tree, records),
        self_links=_share(any(_address(link.url) == own for link in found) for found in inside),
        links_per_record=log1p(mean(map(len, inside))) if inside else 0.0,
        pager=float(any(group.is_pager and not group.in_region for group in groups)),
        text_field=float("textarea" in tree.tags),
        secret_field=float(any(one.get("type", "").lower() == "password" for one in tree.attributes)),
        page_run=log1p(_longest_run(tree, 0, len(tree))),
        page_link_share=min(1.0, sum(len(link.anchor) for link in links) / whole),
    )


def _share(answers: object) -> float:
    known = list(answers)  # type: ignore[call-overload]
    return sum(known) / len(known) if known else 0.0


def _address(url: str) -> str:
    return url.split("#", 1)[0]


def _links_by_record(records: Sequence[Record], links: Sequence[Link]) -> list[list[Link]]:
    found: list[list[Link]] = [[] for _ in records]
    at = 0
    for link in links:
        while at < len(records) and records[at].end <= link.node:
            at += 1
        if at < len(records) and records[at].start <= link.node:
            found[at].append(link)
    return found


def _longest_run(tree: Tree, start: int, end: int) -> int:
    """The longest text without a link: users write sentences, templates write words."""
    longest = 0
    closed = -1
    for node in range(start, end):
        if tree.tags[node] == "a":
            closed = max(closed, tree.ends[node])
        elif node >= closed and len(tree.texts[node]) > longest:
            longest = max(longest, len(tree.texts[node].strip()))
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


def _share_with_time(records: Sequence[Record], times: Sequence[Mention]) -> float:
    if not records:
        return 0.0
    nodes = sorted(time.node for time in times)
    count, at = 0, 0
    for one in records:
        while at < len(nodes) and nodes[at] < one.start:
            at += 1
        count += at < len(nodes) and nodes[at] < one.end
    return count / len(records)


def _share_with_numbers(tree: Tree, records: Sequence[Record]) -> float:
    """Records that show a bare number: replies, views, posts of a board."""
    if not records:
        return 0.0
    found = 0
    for one in records:
        found += any(
            text.strip().replace(",", "").replace(".", "").isdigit() for text in tree.texts[one.start : one.end] if text
        )
    return found / len(records)
