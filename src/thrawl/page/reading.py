"""Read one page: everything that `page/` can say of it, from one parse."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from thrawl.page import links, records, shape
from thrawl.page.features import Features, features_of
from thrawl.page.links import Link, LinkGroup
from thrawl.page.records import Region
from thrawl.page.shape import Shapes
from thrawl.page.times import TimeMention, find_times
from thrawl.page.tree import Tree, parse


@dataclass(frozen=True, slots=True)
class Page:
    """What one page shows. `regions` has the main one first; `shapes` are the labels and paths of the tree."""

    url: str
    tree: Tree
    shapes: Shapes
    regions: tuple[Region, ...]
    links: tuple[Link, ...]
    groups: tuple[LinkGroup, ...]
    times: tuple[TimeMention, ...]
    features: Features

    @property
    def main(self) -> Region | None:
        return self.regions[0] if self.regions else None


def read_page(html: str, url: str, *, reference: datetime | None = None) -> Page:
    """Parse a page and find its times, regions and links. `reference` is the moment that "yesterday" refers to."""
    tree = parse(html)
    looks = shape.shapes(tree)
    times = find_times(tree, reference)
    regions = records.regions_of(looks, times)
    found = links.find_links(tree, url)
    groups = links.groups_of(looks, found, regions)
    return Page(url, tree, looks, regions, found, groups, times, features_of(looks, url, regions, found, groups, times))
