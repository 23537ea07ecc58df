"""The sitemap of a site (Wang et al., sections 3 and 4): kinds of pages, and the kinds of links between them.

A vertex is a cluster of pages with similar layout. A link joins two vertices and is described by the pattern of its
URLs and by their location on the page, so there may be several links between two vertices. It holds the URLs of the
sample that it leads to: for the criteria of section 5.1.1 each URL is a page, and pages with one fingerprint are
duplicates. URLs that redirect to one page are duplicates, too: a crawler has to ask for each of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from thrawl.lab.rivals.fingerprint import Uniques
from thrawl.lab.rivals.layout import ALIKE, Regions, Weights, single_linkage
from thrawl.lab.rivals.look import PageLook
from thrawl.lab.rivals.measures import connectivity, informativeness
from thrawl.lab.rivals.sampling import Sample
from thrawl.lab.rivals.urlforms import UrlForms

_ANCHORS: Final = 3
_LAYOUTS: Final = 2_000  # layouts that are remembered with their vertex; a page of another is compared with all of them


@dataclass(frozen=True, slots=True)
class Vertex:
    """A kind of pages: their URLs, the layouts that they have, and how far from the entry page they stand.

    `typical` is the page whose layout most of them have. `unique` are the pages without their duplicates, by number.
    """

    number: int
    pages: tuple[str, ...]
    layouts: tuple[Regions, ...]
    depth: float
    typical: str
    unique: frozenset[int]
    informativeness: float


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A kind of links: `ways` are pairs of a page and a URL on it, `anchors` the most common words."""

    source: int
    target: int
    form: str
    location: int
    ways: tuple[tuple[str, str], ...]
    anchors: tuple[str, ...]

    @property
    def is_loop(self) -> bool:
        """Whether it leads from a vertex back to it."""
        return self.source == self.target

    @property
    def targets(self) -> frozenset[str]:
        return frozenset(url for _, url in self.ways)


class Sitemap:
    """Vertices and links of one site, and what tells the vertex of a page that was not in the sample."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        looks = list(sample.looks.values())
        self.weights = Weights.of(look.regions for look in looks)
        clusters = single_linkage([look.regions for look in looks], self.weights)
        self._vertex_of = {look.url: cluster for look, cluster in zip(looks, clusters, strict=True)}
        uniques = Uniques()
        self._unique_of = {look.url: uniques.add(look.fingerprint) for look in looks}
        self.forms = UrlForms(link.url for look in looks for link in look.links)
        self.entry = self._vertex_of[sample.start]
        self.links = tuple(self._find_links(looks))
        self.vertices = tuple(self._vertices(looks, clusters))
        self._by_layout = {layout: one.number for one in self.vertices for layout in one.layouts}

    def page_of(self, url: str) -> str | None:
        """The page of the sample that a URL shows."""
        page = self._sample.page_of(url)
        return None if page is None else page.url

    def unique_of(self, url: str) -> int:
        """The number of the unique page that a URL of the sample shows."""
        page = self._sample.page_of(url)
        assert page is not None
        return self._unique_of[page.url]

    def vertex_for(self, look: PageLook) -> int | None:
        """The vertex whose layout a page has; None where it is like no page of the sample."""
        known = self._by_layout.get(look.regions)
        if known is None:
            likeness = [(self.weights.likeness(look.regions, layout), -one) for layout, one in self._by_layout.items()]
            best, number = max(likeness, default=(0.0, 0))
            if best < ALIKE:
                return None
            known = -number
            if len(self._by_layout) < _LAYOUTS:
                self._by_layout[look.regions] = known
        return known

    def connectivity_of(self, link: SiteLink) -> float | None:
        """Equation 3, along the pages of the sample; None where the link connects no two of them."""
        return connectivity((page, at) for page, url in link.ways if (at := self.page_of(url)) is not None)

    def flips(self, loops: Sequence[SiteLink]) -> list[SiteLink]:
        """Those of a vertex's loop-back links that flip pages: connectivity above the vertex's average (section 5.2).

        A loop that stands alone is its own average; it flips pages where most of its paths lead back.
        """
        scored = [(link, score) for link in loops if (score := self.connectivity_of(link)) is not None]
        if len(scored) == 1:
            return [link for link, score in scored if score > 0.5]
        average = sum(score for _, score in scored) / max(len(scored), 1)
        return [link for link, score in scored if score > average or score == average == 1.0]

    def _find_links(self, looks: Iterable[PageLook]) -> Iterable[SiteLink]:
        ways: dict[tuple[int, int, str, int], list[tuple[str, str]]] = defaultdict(list)
        words: dict[tuple[int, int, str, int], Counter[str]] = defaultdict(Counter)
        for look in looks:
            source = self._vertex_of[look.url]
            for link in look.links:
                page = None if link.nofollow else self.page_of(link.url)
                if page is None or page == look.url:
                    continue
                key = source, self._vertex_of[page], self.forms.form(link.url), link.location
                ways[key].append((look.url, link.url))
                words[key][link.anchor] += 1
        for key, found in ways.items():
            anchors = tuple(anchor for anchor, _ in words[key].most_common(_ANCHORS) if anchor)
            yield SiteLink(*key, tuple(dict.fromkeys(found)), anchors)

    def _vertices(self, looks: Sequence[PageLook], clusters: Sequence[int]) -> Iterable[Vertex]:
        members: dict[int, list[PageLook]] = defaultdict(list)
        for look, cluster in zip(looks, clusters, strict=True):
            members[cluster].append(look)
        depths = self._depths(members)
        for number, pages in sorted(members.items()):
            layouts = Counter(look.regions for look in pages)
            usual = layouts.most_common(1)[0][0]
            sizes = Counter(self._unique_of[look.url] for look in pages)
            yield Vertex(
                number,
                tuple(look.url for look in pages),
                tuple(layouts),
                depths[number],
                next(look.url for look in pages if look.regions == usual),
                frozenset(sizes),
                informativeness(list(sizes.values())),
            )

    def _depths(self, members: Mapping[int, Sequence[PageLook]]) -> Mapping[int, float]:
        """How many clicks from the entry page the pages of each vertex stand, on average.

        The paper's level of a vertex. The nearest page does not tell it: an entry page has shortcuts to a few threads,
        and still threads stand below boards. The entry page's own vertex is the top, whatever else looks like it.
        """
        clicks = {self._sample.start: 0}
        waiting = deque([self._sample.start])
        while waiting:
            url = waiting.popleft()
            for link in self._sample.looks[url].links:
                page = self.page_of(link.url)
                if page is not None and page not in clicks:
                    clicks[page] = clicks[url] + 1
                    waiting.append(page)
        levels = {number: fmean(clicks.get(one.url, len(clicks)) for one in pages) for number, pages in members.items()}
        return {**levels, self.entry: 0.0}
