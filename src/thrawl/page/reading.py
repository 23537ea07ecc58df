"""Read one page: everything that `page/` can say of it, from one parse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from thrawl.page import links, records, shape
from thrawl.page.links import Link, LinkGroup
from thrawl.page.records import Mention, Region
from thrawl.page.shape import Shapes
from thrawl.page.tree import TEXT, Tree, parse

_DATE: Final = re.compile(
    r"\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\b\d{1,2}:\d{2}\b|\b(?:19|20)\d\d\b|\d{4}年|\bago\b|\byesterday\b|\btoday\b",
    re.IGNORECASE,
)
_LONGEST_TIME: Final = 80


@dataclass(frozen=True, slots=True)
class ShownTime:
    node: int
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """What one page shows. `regions` has the main one first; `shapes` are the labels and paths of the tree."""

    url: str
    tree: Tree
    shapes: Shapes
    regions: tuple[Region, ...]
    links: tuple[Link, ...]
    groups: tuple[LinkGroup, ...]
    times: tuple[Mention, ...]

    @property
    def main(self) -> Region | None:
        return self.regions[0] if self.regions else None


def read_page(html: str, url: str, *, reference: datetime | None = None) -> Page:
    """Parse a page and find its times, regions and links. `reference` is the moment that "yesterday" refers to."""
    tree = parse(html)
    looks = shape.shapes(tree)
    times = _times(tree)
    regions = records.regions_of(looks, times)
    found = links.find_links(tree, url)
    return Page(url, tree, looks, regions, found, links.groups_of(looks, found, regions), times)


def _times(tree: Tree) -> tuple[ShownTime, ...]:
    shown = []
    for node, tag in enumerate(tree.tags):
        if tag == "time":
            shown.append(ShownTime(node, tree.text(node)))
        elif tag == TEXT and len(tree.texts[node]) < _LONGEST_TIME and _DATE.search(tree.texts[node]):
            shown.append(ShownTime(node, tree.texts[node].strip()))
    return tuple(shown)
