"""Where a site is entered (FoCUS 4.5): the page above the start page that leads to most threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.boards import Boards
from thrawl.learn.structure.entry import above, above_as_linked
from thrawl.learn.structure.families import Family, Seen
from thrawl.learn.structure.scene import Scene
from thrawl.page.pagekind import PageKind

_NEARLY: Final = 0.6  # of the threads below the page that leads to most: the home may leave out a few boards


@dataclass(frozen=True, slots=True)
class Home:
    """A page that may be the entry, and how many threads it leads to, by the boards that it lists or directly."""

    page: Sampled
    listed: float


def homes(scene: Scene, boards: Boards, threads: Sequence[Family]) -> list[Home]:
    """Pages that may be the entry, the best first: what lists nearly most, a home above the others before them.

    And what stands above that, if it lists pages most of which lead to boards: categories, landing pages. Of the parts
    of a portal only one is the forum.
    """
    reach = _Reach(scene, boards, threads)
    ranked = [Home(page, reach.of(page)) for page in _ranked(scene, boards.lists, threads)]
    most = max(one.listed for one in ranked)
    best = next(one for one in ranked if one.listed >= _NEARLY * most)
    below = {best.page.url}
    while above_it := [one for one in ranked if one.page.url not in below and reach.lists_kind(one.page, best.page)]:
        best = Home(above_it[0].page, max(above_it[0].listed, best.listed))  # it leads to all that this one leads to
        below.add(best.page.url)
    others = sorted((one for one in ranked if one.page.url not in below), key=lambda one: -one.listed)
    return [Home(_as_asked(scene, best.page), best.listed), *others]


def _as_asked(scene: Scene, home: Sampled) -> Sampled:
    """The home under the address that a person gave, where both show the same."""
    here, asked = scene.atlas.seen.get(home.url), scene.atlas.seen.get(scene.start.url)
    return scene.start if here is not None and asked is not None and here.links == asked.links else home


def _ranked(scene: Scene, lists: Sequence[Family], threads: Sequence[Family]) -> list[Sampled]:
    """Pages that may be the entry, the likeliest first: the start page, what stands above it, what all link to.

    A thread is none, also where it was asked for in another form than its row's; a board only if it stands above the
    start page: menus list homes beside boards.
    """
    pages = list(scene.atlas.seen.values())
    stands_above = {url.rstrip("/") for url in (*above(scene.start.url), *above_as_linked(scene.start))}
    if scene.start.verdict.type is not PageKind.THREAD:
        stands_above.add(scene.start.url.rstrip("/"))
    several = [one for one in lists if len(one.urls) > 1 or scene.shows_itself(one)]
    own = [one for one in several if any(not scene.is_menu(at) for at in one.sightings)]
    members = {url for one in own for url in one.urls}
    made = {seen.template for seen in pages if any(kind.fits(seen.sampled.url) for kind in threads)}

    def may_be(seen: Seen) -> bool:
        page = seen.sampled
        if any(kind.fits(page.url) for kind in threads) or (
            seen.template in made and page.verdict.type is PageKind.THREAD
        ):
            return False
        return page.url.rstrip("/") in stands_above or page.url not in members

    found = [one.sampled for one in pages if may_be(one)]
    linked = Counter(page.url for page in found for one in pages if page.url in one.links)

    def rank(page: Sampled) -> tuple[bool, bool, int]:
        is_home = linked[page.url] * 2 > len(pages)
        return not is_home, page.url.rstrip("/") not in stands_above, len(page.url)

    known = [page for page in found if not all(rank(page)[:2])]
    return sorted(known or found or [scene.start], key=rank)


class _Reach:
    """How many threads pages lead to, as far as the boards on the way were looked at."""

    def __init__(self, scene: Scene, boards: Boards, threads: Sequence[Family]) -> None:
        self._scene = scene
        self._boards = boards
        self._threads = threads
        self._by_boards = cache(self._listed_threads)
        self._titles_on = cache(self._titles)

    def of(self, page: Sampled) -> float:
        """The threads of the boards that a page lists, and its own titles.

        A board that stands above the start page shows its threads as a board, not as a home.
        """
        is_board = any(len(one.urls) > 1 and page.url in one.urls for one in self._boards.lists)
        return self._by_boards(page.url) + (0 if is_board else len(self._titles_on(page.url)))

    def lists_kind(self, page: Sampled, other: Sampled) -> bool:
        """Whether a page lists pages of another one's kind, most of which lead to boards as it does."""
        for family, sighting in self._scene.atlas.on_page(page.url):
            is_kind = other.url in family.urls and page.url not in family.urls
            if is_kind and sighting.in_rows and not self._scene.is_menu(sighting):
                pages = self._scene.pages_of(family)
                if 2 * sum(map(self._leads_on, pages)) > len(pages):
                    return True
        return False

    def _leads_on(self, url: str) -> bool:
        return self._by_boards(url) > 0

    def _listed_threads(self, url: str) -> float:
        """The threads of the boards that a page lists, each with one more for itself; views of a list are no boards."""
        scene = self._scene
        listed: dict[str, float] = {}
        for family, sighting in scene.atlas.on_page(url):
            likely = family in self._boards.lists and self._boards.are_likely(family)
            not_boards = scene.shows_itself(family) or scene.names_authors(family) or scene.is_menu(sighting)
            if likely and not not_boards and len(family.urls) > 1:  # a single link may lead to the home itself
                listed.update(dict.fromkeys(sighting.candidate.urls, 1 + self._threads_each(family)))
        return sum(listed.values())

    def _threads_each(self, family: Family) -> float:
        """How many threads most pages of a family list; one of the parts of a portal may be a forum's home."""
        return median([len(self._titles_on(url)) for url in self._scene.pages_of(family)] or [0])

    def _titles(self, url: str) -> set[str]:
        scene = self._scene
        return {
            title
            for family, sighting in scene.atlas.on_page(url)
            if family in self._threads and sighting.candidate.region >= 0 and not scene.is_menu(sighting)
            for title in sighting.candidate.urls
        }
