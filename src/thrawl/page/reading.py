"""Read one page: everything that `page/` can say of it, from one parse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from thrawl import limits
from thrawl.page import links, records, shape
from thrawl.page.features import Features, Layout, layout_of
from thrawl.page.headpager import next_in_head
from thrawl.page.links import Link, LinkGroup
from thrawl.page.lone import Grower, lone_region
from thrawl.page.records import Record, Region
from thrawl.page.shape import Shapes
from thrawl.page.times import TimeMention, find_times, without_future
from thrawl.page.tree import Tree, parse

# A record that repeats is surer than one that does not.
_REPEATED_LEAD: Final = 1.5


@dataclass(frozen=True, slots=True)
class Page:
    """What one page shows. `regions` has the main one first; `shapes` are the labels and paths of the tree.

    These tell what kind of page it is and how its links are grouped; posts are found by wrappers. `mentions` are the
    times with those that lie in the future, which `times` leaves out. `ahead` are next pages that its head alone names.
    """

    url: str
    tree: Tree
    shapes: Shapes
    regions: tuple[Region, ...]
    links: tuple[Link, ...]
    ahead: tuple[Link, ...]
    groups: tuple[LinkGroup, ...]
    times: tuple[TimeMention, ...]
    mentions: tuple[TimeMention, ...]
    layout: Layout

    @property
    def features(self) -> Features:
        return self.layout.features

    @property
    def main(self) -> Region | None:
        return self.regions[0] if self.regions else None

    @property
    def records(self) -> tuple[Record, ...]:
        """Those of the main region."""
        return self.regions[0].records if self.regions else ()


def read_page(html: str, url: str, *, reference: datetime | None = None) -> Page:
    """Parse a page and find its times, regions and links. `reference` is the moment that "yesterday" refers to.

    Of a page that is larger than any real one the middle is left out, so that the cost of all that is made of it has
    a bound.
    """
    return read_tree(parse(html).without_middle(limits.MAX_STUDIED_NODES), url, reference)


def read_tree(tree: Tree, url: str, reference: datetime | None = None) -> Page:
    """The same for a page that is parsed."""
    looks = shape.shapes(tree)
    mentions = find_times(tree)
    times = mentions if reference is None else without_future(mentions, reference)
    regions = find_regions(looks, times)
    found = links.find_links(tree, url)
    groups = links.groups_of(looks, found, regions)
    layout = layout_of(looks, url, regions, found, groups, times)
    return Page(url, tree, looks, regions, found, next_in_head(tree, url), groups, times, mentions, layout)


def find_regions(looks: Shapes, times: Sequence[TimeMention]) -> tuple[Region, ...]:
    """The lists of records of a page, the main one first."""
    apart = records.without_overlaps(looks.tree, records.candidates_of(looks, times))
    return _with_lone(Grower(looks), apart, records.anchor_nodes(looks.tree, times))


def _with_lone(grower: Grower, regions: tuple[Region, ...], times: list[int]) -> tuple[Region, ...]:
    """A single record leads the regions where it holds more of the page than any repeated one."""
    lone = lone_region(grower, times, regions[:1])
    if lone is None or (regions and regions[0].score * (_REPEATED_LEAD if regions[0].timed else 1) >= lone.score):
        return regions
    only = lone.records[0]
    apart = (one for one in regions if one.records[0].start >= only.end or one.records[-1].end <= only.start)
    return (lone, *apart)
