"""Where a site is entered (FoCUS 4.5): the page above the start page that leads to most threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.entry import above
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.scene import LIKELY, Scene

_NEARLY: Final = 0.6  # of the threads below the page that leads to most: the home may leave out a few boards


@dataclass(frozen=True, slots=True)
class Home:
    """A page that may be the entry, and how many threads it leads to, by the boards that it lists or directly."""

    page: Sampled
    listed: float


def homes(scene: Scene, lists: Sequence[Family], threads: Sequence[Family]) -> list[Home]:
    """Pages that may be the entry, the best first: what lists nearly most, a home above the others before them."""
    ranked = [Home(page, _listed(scene, page, lists, threads)) for page in _ranked(scene, lists, threads)]
    most = max(one.listed for one in ranked)
    best = next(one for one in ranked if one.listed >= _NEARLY * most)
    others = sorted((one for one in ranked if one is not best), key=lambda one: -one.listed)
    return [Home(_as_asked(scene, best.page), best.listed), *others]


def _as_asked(scene: Scene, home: Sampled) -> Sampled:
    """The home under the address that a person gave, where both show the same."""
    here, asked = scene.atlas.seen.get(home.url), scene.atlas.seen.get(scene.start.url)
    return scene.start if here is not None and asked is not None and here.links == asked.links else home


def _ranked(scene: Scene, lists: Sequence[Family], threads: Sequence[Family]) -> list[Sampled]:
    """Pages that may be the entry, the likeliest first: the start page, what stands above it, what all link to.

    A thread is none, and a board only if it stands above the start page: menus list homes beside boards.
    """
    folders = {folder.rstrip("/") for folder in above(scene.start.url)}
    several = [one for one in lists if len(one.urls) > 1 or scene.shows_itself(one)]
    own = [one for one in several if any(not scene.is_menu(at) for at in one.sightings)]
    members = {url for one in own for url in one.urls}
    pages = [one.sampled for one in scene.atlas.seen.values()]
    stands_above = {page.url for page in pages if page.url.rstrip("/") in folders or page.url == scene.start.url}
    others = [one for one in pages if one.url in stands_above or one.url not in members]
    found = [one for one in others if not any(kind.fits(one.url) for kind in threads)]
    linked = Counter(page.url for page in found for one in scene.atlas.seen.values() if page.url in one.links)

    def rank(page: Sampled) -> tuple[bool, bool, int]:
        is_home = linked[page.url] * 2 > len(pages)
        return not is_home, page.url not in stands_above, len(page.url)

    known = [page for page in found if not all(rank(page)[:2])]
    return sorted(known or found or [scene.start], key=rank)


def _listed(scene: Scene, page: Sampled, lists: Sequence[Family], threads: Sequence[Family]) -> float:
    """How many threads a page and the boards that it lists show, as far as boards were looked at.

    A board that stands above the start page shows its threads as a board, not as a home; views of a list are no boards.
    """
    boards: dict[str, float] = {}
    for family, sighting in scene.atlas.on_page(page.url):
        likely = family in lists and scene.opinions[family].board >= LIKELY and not scene.shows_itself(family)
        if likely and not scene.names_authors(family) and not scene.is_menu(sighting):
            boards.update(dict.fromkeys(sighting.candidate.urls, 1 + _threads_each(scene, family, threads)))
    is_board = any(len(one.urls) > 1 and page.url in one.urls for one in lists)
    return sum(boards.values()) + (0 if is_board else len(_titles_on(scene, page.url, threads)))


def _threads_each(scene: Scene, family: Family, threads: Sequence[Family]) -> float:
    """How many threads a page of a family lists in the mean."""
    return fmean([len(_titles_on(scene, url, threads)) for url in scene.pages_of(family)] or [0])


def _titles_on(scene: Scene, url: str, threads: Sequence[Family]) -> set[str]:
    return {
        title
        for family, sighting in scene.atlas.on_page(url)
        if family in threads and sighting.candidate.region >= 0 and not scene.is_menu(sighting)
        for title in sighting.candidate.urls
    }
