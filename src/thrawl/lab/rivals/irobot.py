"""iRobot (Cai et al. 2008), as FoCUS (section 2 and 5.3.4) and Wang et al. describe it.

The site is sampled and clustered into a sitemap; vertices that are informative are kept (FoCUS: "an informativeness
measure"; equation 2 of Wang et al. is the one that is printed); a spanning tree from the entry page's vertex gives one
link into each of them, the one that brings most unique pages first. A person looked at the result then; nobody does
here. New URLs are found by their location alone, on pages whose layout is that of a vertex; loop-back links that flip
pages are followed, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.lab.rivals.sampling import SAMPLE, draw_sample
from thrawl.lab.rivals.sitemap import SiteLink, Sitemap, Vertex
from thrawl.lab.rivals.way import Found, Moves, Say, Step
from thrawl.net.message import Fetcher
from thrawl.page.pagekind import PageKind
from thrawl.profile.urls import same_site

INFORMATIVE: Final = 0.5
"""Informativeness of a vertex that is kept: half of what pages without any duplicates have."""
_PAGES: Final = 2  # a kind of which the sample has one page only is no kind that a forum consists of


@dataclass(frozen=True, slots=True)
class IRobot:
    """Samples the site, then follows a tree of URL locations."""

    sample: int = SAMPLE
    seed: int = 1
    name: str = "irobot"

    async def find_way(self, start: str, fetcher: Fetcher, looks: Looks, say: Say) -> Found:
        sample = await draw_sample(start, fetcher, looks, size=self.sample, seed=self.seed, say=say)
        sitemap = Sitemap(sample)
        kept = informative(sitemap)
        tree = spanning_tree(sitemap, kept)
        say(f"{len(kept)} of {len(sitemap.vertices)} kinds of pages are informative; {len(tree)} are reached")
        return Found(LocationWay(sample.start, sitemap, tree), tuple(sample.pages), sample.requests)


def informative(sitemap: Sitemap) -> list[Vertex]:
    """The vertices to crawl; the entry page's is one of them whatever it is."""
    return [
        one
        for one in sitemap.vertices
        if one.number == sitemap.entry or (len(one.pages) >= _PAGES and one.informativeness >= INFORMATIVE)
    ]


def spanning_tree(sitemap: Sitemap, vertices: Sequence[Vertex]) -> dict[int, tuple[int, int]]:
    """One link into each vertex, as (source, location): always the heaviest that leads out of what is reached.

    Links at one location of one vertex are one here, whatever their URLs look like. Loops are no part of a tree.
    """
    allowed = {one.number for one in vertices}
    weights: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for link in sitemap.links:
        if not link.is_loop and link.source in allowed and link.target in allowed:
            weights[link.source, link.location, link.target] |= {sitemap.unique_of(url) for url in link.targets}
    reached = {sitemap.entry}
    tree: dict[int, tuple[int, int]] = {}
    while True:
        outward = [
            (len(pages), -source, -location, -target)
            for (source, location, target), pages in weights.items()
            if source in reached and target not in reached
        ]
        if not outward:
            return tree
        _, source, location, target = max(outward)
        tree[-target] = -source, -location
        reached.add(-target)


class LocationWay:
    """From a page of a vertex, along the links that stand where those of the tree and the page-flipping links stand."""

    def __init__(self, start: str, sitemap: Sitemap, tree: dict[int, tuple[int, int]]) -> None:
        self._start = start
        self._sitemap = sitemap
        self._follow: dict[tuple[int, int], str] = {}
        for target in (sitemap.entry, *tree):
            loops = [link for link in sitemap.links if link.is_loop and link.source == target]
            for flip in sitemap.flips(_by_location(loops)):
                self._follow[target, flip.location] = f"a page-flipping link of vertex {target}"
        for target, place in tree.items():
            self._follow[place] = f"the link to vertex {target}"

    @property
    def starts(self) -> Sequence[Step]:
        return (Step(self._start, PageKind.ENTRY, "the entry page"),)

    def onward(self, look: PageLook, rule: str) -> Moves:
        vertex = self._sitemap.vertex_for(look)
        if vertex is None:
            return Moves()
        return Moves(
            [
                Step(link.url, PageKind.OTHER, leads)
                for link in look.links
                if (leads := self._follow.get((vertex, link.location))) is not None
                and not link.nofollow
                and same_site(link.url, self._start)
            ]
        )


def _by_location(loops: Sequence[SiteLink]) -> list[SiteLink]:
    """Loops of one location as one, whatever the patterns of their URLs."""
    together: dict[int, list[SiteLink]] = defaultdict(list)
    for link in loops:
        together[link.location].append(link)
    return [
        SiteLink(
            one[0].source, one[0].target, "", location, tuple(way for link in one for way in link.ways), one[0].anchors
        )
        for location, one in together.items()
    ]
