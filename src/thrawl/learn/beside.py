"""Boards of a forum whose entry page lists threads: found beside the rows (Figure 1 of FoCUS, paths 3 and 4).

Blogs, question sites and "latest" pages show threads first. Their boards are linked from each row ("in
Lenses") or listed at the side, among other lists of threads: tags, months, authors, popular ones. The
boards are the family that nearly every row links to and that the page also lists as a whole; and they are
complete: a board with a full page of rows flips. Where there is no such family, one list of all threads,
linked once, must do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.learn.explore import Explorer
from thrawl.learn.families import Family
from thrawl.learn.flips import tells_of_more
from thrawl.learn.groups import Candidate, candidates, merge_into, vote
from thrawl.learn.sampler import Sampled, same_site
from thrawl.page.reading import Page
from thrawl.profile.urls import Structure

_FAMILIES_TRIED: Final = 4
_SINGLES_TRIED: Final = 6
_ROW_SHARE: Final = 0.6
_MOST_A_ROW: Final = 1.5
_WHOLE: Final = 0.9
_MOST_POSTS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Beside:
    """A possible board family: the share of rows that link to it, how many of its members a row links to, and the
    share of the members in rows that are also listed apart, as a menu of boards lists them all."""

    candidate: Candidate
    row_share: float
    links_a_row: float
    listed: int
    listed_share: float

    @property
    def is_plausible(self) -> bool:
        """A thread is in one board but has many tags; and boards stand in the rows or in a menu."""
        return self.links_a_row <= _MOST_A_ROW and (self.row_share >= _ROW_SHARE or self.listed >= 2)

    @property
    def is_whole(self) -> bool:
        """Every row names its board, and a menu lists them all: no thread is outside of these boards."""
        return self.row_share >= _WHOLE and self.listed_share >= _WHOLE

    @property
    def order(self) -> tuple[float, int, int]:
        """Best first; of equally good families the one with fewer members: boards are fewer than authors."""
        fewer = len(self.candidate.urls) if self.row_share else -self.candidate.anchor_chars
        return -(self.row_share + self.listed_share), fewer, -self.candidate.anchor_chars


async def find_boards(explorer: Explorer, hub: Sampled) -> None:
    """Add the family of boards to the explorer, where the hub lists threads and has boards beside them."""
    threads = explorer.of("thread")
    if await _best_family(explorer, hub, threads):
        return
    if tells_of_more(hub.page):
        return
    await _all_threads(explorer, hub, threads)


async def _best_family(explorer: Explorer, hub: Sampled, threads: Sequence[Family]) -> bool:
    plausible = sorted((one for one in _beside(hub.page, threads) if one.is_plausible), key=lambda one: one.order)
    for one in plausible[:_FAMILIES_TRIED]:
        result = await vote(explorer.sampler, one.candidate.urls)
        if result is None or result.type != "index":
            continue
        family = Family("index", confidences=[result.confidence])
        family.add(one.candidate)
        lists = [page for page in result.pages if lists_threads(page.page, threads)]
        if lists and complete(lists, threads) and not _are_people(family, threads, explorer.sampler.sampled):
            explorer.families.append(family)
            explorer.whole = one.is_whole
            return True
    return False


def _are_people(family: Family, threads: Sequence[Family], sampled: Sequence[Sampled]) -> bool:
    """Whether posts link to members of this family, as they do to their authors: a user's page lists threads, too."""
    posts = linking = 0
    for page in (one.page for one in sampled if any(thread.fits(one.url) for thread in threads)):
        members = [link.node for link in page.links if family.fits(link.url)]
        if len(page.records) > 1:
            posts += len(page.records)
            linking += sum(any(one.start <= node < one.end for node in members) for one in page.records)
    return linking > _MOST_POSTS * posts


async def _all_threads(explorer: Explorer, hub: Sampled, threads: Sequence[Family]) -> None:
    """Follow single links of the hub to another list of threads: boards may stand beside its rows, or it flips."""
    flipping = None
    for url in _single_links(hub.page)[:_SINGLES_TRIED]:
        sampled = await explorer.sampler.get(url)
        if sampled is None or not lists_threads(sampled.page, threads):
            continue
        explorer.index_pages[sampled.url] = sampled
        if await _best_family(explorer, sampled, threads):
            return
        if flipping is None and tells_of_more(sampled.page):
            flipping = sampled
    if flipping is not None:
        explorer.families.append(Family("index", {flipping.url: ""}, [flipping.verdict.confidence]))


def _beside(page: Page, threads: Sequence[Family]) -> list[Beside]:
    """The families of links in and beside the rows: links of one structure that begin alike."""
    families: dict[Structure, list[Candidate]] = defaultdict(list)
    outside: set[str] = set()
    for candidate in candidates(page):
        if not any(family.explains(candidate.urls) for family in threads):
            merge_into(families[candidate.structure], candidate)
            if candidate.region != page_region(page, threads):
                outside.update(candidate.urls)
    rows = _rows(page, threads)
    found = []
    for one in (one for alike in families.values() for one in alike):
        linking = [links for row in rows if (links := row & set(one.urls))]
        members = set().union(*linking)
        listed = set(one.urls) & outside
        found.append(
            Beside(
                candidate=one,
                row_share=len(linking) / len(rows) if rows else 0.0,
                links_a_row=sum(map(len, _without_parents(linking))) / len(linking) if linking else 0.0,
                listed=len(listed),
                listed_share=len(members & listed) / len(members) if members else 0.5 * (len(listed) >= 2),
            )
        )
    return found


def _without_parents(rows: Sequence[set[str]]) -> list[set[str]]:
    """The members of each row but those that another one brings along wherever it stands: "Workshop > Tools".

    A member of a single row brings nothing along: whatever stands there would seem to be its parent.
    """
    having: dict[str, list[set[str]]] = defaultdict(list)
    for row in rows:
        for member in row:
            having[member].append(row)
    parents: dict[str, set[str]] = {}
    for member, found in having.items():
        along = set.intersection(*found) if len(found) > 1 else set()
        parents[member] = {other for other in along if len(having[other]) > len(found)}
    return [row.difference(*(parents[member] for member in row)) for row in rows]


def page_region(page: Page, threads: Sequence[Family]) -> int:
    """The number of the region whose records are threads; -1 where there is none."""
    for candidate in candidates(page):
        if candidate.region >= 0 and any(family.explains(candidate.urls) for family in threads):
            return candidate.region
    return -1


def _rows(page: Page, threads: Sequence[Family]) -> list[set[str]]:
    """The links of each record that has a thread's title."""
    for region in page.regions:
        rows = []
        for record in region.records:
            urls = {link.url for link in page.links if record.start <= link.node < record.end}
            if any(family.explains([url]) for url in urls for family in threads):
                rows.append(urls)
        if len(rows) > 1:
            return rows
    return []


def _single_links(page: Page) -> list[str]:
    """Links of the site outside the rows, those with the most words first: "the full list of questions"."""
    anchors: dict[str, int] = {}
    for group in page.groups:
        for link in group.links if group.region != 0 else ():
            if same_site(link.url, page.url) and "?" not in link.url and link.url != page.url:
                anchors[link.url] = max(anchors.get(link.url, 0), len(link.anchor))
    return sorted(anchors, key=lambda url: -anchors[url])


def lists_threads(page: Page, threads: Sequence[Family]) -> bool:
    """Whether a page lists at least two known kinds of threads."""
    return sum(any(family.explains([url]) for family in threads) for url in {link.url for link in page.links}) >= 2


def complete(lists: Sequence[Sampled], threads: Sequence[Family]) -> bool:
    """Whether these lists can be whole: one of them flips, or they differ in length, as unpaged lists do."""
    if any(tells_of_more(one.page) for one in lists):
        return True
    sizes = {
        len({url for url in {link.url for link in one.page.links} if any(f.explains([url]) for f in threads)})
        for one in lists
    }
    return len(sizes) > 1 or max(sizes) < 10
