"""The traversal strategy of Wang et al. 2008: skeleton links, and the links among them that flip pages.

It needs no training: near-duplicates alone tell which links of the sitemap lead to pages worth having. Where the paper
is silent: a combination of links is better where coverage times informativeness is higher, or equal with fewer links;
the search begins with the state that Fig. 5 sets up, all links selected, as the best so far, because without one its
pruning prunes nothing; links are decided in the order of what they bring, least and deepest first, and after
`_MOST_STATES` states the best so far is taken, without the links that it does not need. A page met in the crawl is of
the vertex whose layout it has; one like none leads nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from thrawl.lab.rivals.look import Looks, PageLook
from thrawl.lab.rivals.measures import coverage, informativeness
from thrawl.lab.rivals.sampling import SAMPLE, draw_sample
from thrawl.lab.rivals.sitemap import SiteLink, Sitemap, Vertex
from thrawl.lab.rivals.way import Found, Moves, Say, Step
from thrawl.net.message import Fetcher
from thrawl.page.pagekind import PageKind
from thrawl.profile.urls import same_site

TH_COV: Final = 0.8
"""A state that covers less than this share of the best state's unique pages lost a skeleton link."""
TH_INFO: Final = 0.8
"""A state whose informativeness is less than this share of the best state's selected a link to duplicates."""
_MOST_STATES: Final = 3_000


@dataclass(frozen=True, slots=True)
class Traversal:
    """The links to follow, and which of them flip pages."""

    skeleton: tuple[SiteLink, ...]
    flips: tuple[SiteLink, ...]


def explore(sitemap: Sitemap) -> Traversal:
    """Fig. 3: vertices from the top level down; the links from processed vertices to each are its candidates."""
    processed: set[int] = set()
    skeleton: list[SiteLink] = []
    for vertex in sorted(sitemap.vertices, key=lambda one: (one.depth, -len(one.pages), one.number)):
        processed.add(vertex.number)
        links = [one for one in sitemap.links if one.target == vertex.number and one.source in processed]
        skeleton.extend(skeleton_links(sitemap, vertex, links))
    flips: list[SiteLink] = []
    for vertex in sitemap.vertices:
        flips.extend(sitemap.flips([one for one in skeleton if one.is_loop and one.target == vertex.number]))
    return Traversal(tuple(skeleton), tuple(flips))


def skeleton_links(sitemap: Sitemap, vertex: Vertex, links: Sequence[SiteLink]) -> list[SiteLink]:
    """GetSkeletonLinks of Fig. 5: the combination of links that performs best by both criteria."""
    unique = [{url: sitemap.unique_of(url) for url in link.targets} for link in links]
    depths = {one.number: one.depth for one in sitemap.vertices}
    order = sorted(range(len(links)), key=lambda at: (len(set(unique[at].values())), -depths[links[at].source], -at))
    search = _Search([unique[at] for at in order], len(vertex.unique))
    return [links[order[at]] for at in search.best()]


@dataclass(slots=True)
class _Search:
    """The binary tree of Fig. 4 over links, each given as the URLs that it brings and the unique page of each."""

    links: Sequence[dict[str, int]]
    unique: int
    _selected: list[bool] = field(default_factory=list)
    _best: list[bool] = field(default_factory=list)
    _best_worth: tuple[float, int] = (0.0, 0)
    _cov_max: float = 0.0
    _info_max: float = 0.0
    _states: int = 0

    def best(self) -> list[int]:
        self._selected = [True] * len(self.links)
        self._best = [False] * len(self.links)
        self._keep_if_better(*self._criteria())
        self._judge(0)
        self._drop_needless()
        return [at for at, selected in enumerate(self._best) if selected]

    def _judge(self, at: int) -> None:
        """JudgeSkeletonLink of Fig. 5."""
        if at == len(self.links):
            self._keep_if_better(*self._criteria())
            return
        for selected in (False, True):
            self._selected[at] = selected
            cov, info = self._criteria()
            if cov >= TH_COV * self._cov_max and info >= TH_INFO * self._info_max and self._states < _MOST_STATES:
                self._judge(at + 1)
        self._selected[at] = True

    def _drop_needless(self) -> None:
        """Where the search ran out of states: links that the best combination is as good without."""
        self._selected = list(self._best)
        for at, selected in enumerate(self._best):
            if selected:
                self._selected[at] = False
                self._keep_if_better(*self._criteria())
                self._selected = list(self._best)

    def _criteria(self) -> tuple[float, float]:
        self._states += 1
        brought: dict[str, int] = {}
        for link, selected in zip(self.links, self._selected, strict=True):
            if selected:
                brought.update(link)
        sizes = Counter(brought.values())
        return coverage(len(sizes), self.unique), informativeness(list(sizes.values()))

    def _keep_if_better(self, cov: float, info: float) -> None:
        worth = cov * info, -sum(self._selected)
        if worth > self._best_worth:
            self._best, self._best_worth = list(self._selected), worth
            self._cov_max, self._info_max = cov, info


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Samples the site, then follows skeleton links only."""

    sample: int = SAMPLE
    seed: int = 1
    name: str = "skeleton"

    async def find_way(self, start: str, fetcher: Fetcher, looks: Looks, say: Say) -> Found:
        sample = await draw_sample(start, fetcher, looks, size=self.sample, seed=self.seed, say=say)
        sitemap = Sitemap(sample)
        traversal = explore(sitemap)
        say(
            f"sitemap of {len(sitemap.vertices)} kinds of pages and {len(sitemap.links)} kinds of links, "
            f"{len(traversal.skeleton)} of them skeleton links"
        )
        return Found(SkeletonWay(sample.start, sitemap, traversal), tuple(sample.pages), sample.requests)


class SkeletonWay:
    """From a page of a vertex, along links whose pattern and location are those of a skeleton link."""

    def __init__(self, start: str, sitemap: Sitemap, traversal: Traversal) -> None:
        self._start = start
        self._sitemap = sitemap
        self._follow = _rules(traversal.skeleton, "skeleton link") | _rules(traversal.flips, "page-flipping link")

    @property
    def starts(self) -> Sequence[Step]:
        return (Step(self._start, PageKind.ENTRY, "the entry page"),)

    def onward(self, look: PageLook, rule: str) -> Moves:
        vertex = self._sitemap.vertex_for(look)
        if vertex is None:
            return Moves()
        steps = []
        for link in look.links:
            if link.nofollow or not same_site(link.url, self._start):
                continue
            leads = self._follow.get((vertex, self._sitemap.forms.form(link.url), link.location))
            if leads is not None:
                steps.append(Step(link.url, PageKind.OTHER, leads))
        return Moves(steps)


def _rules(links: Iterable[SiteLink], name: str) -> dict[tuple[int, str, int], str]:
    return {(one.source, one.form, one.location): f"a {name} to vertex {one.target}" for one in links}
