"""Where a site is entered (FoCUS 4.5): the page above the start page that lists most boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.entry import above
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.scene import LIKELY, Scene

_NEARLY: Final = 0.6  # of the boards of the page that lists most: the home may leave out a few
_THREAD: Final = 0.2  # worth of a thread beside a board: five threads on a page tell of one list


@dataclass(frozen=True, slots=True)
class Home:
    """A page that may be the entry, and how many boards (or, at less, threads) it lists."""

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

    A board or a thread is none; but menus list homes beside boards.
    """
    folders = {folder.rstrip("/") for folder in above(scene.start.url)}
    several = [one for one in lists if len(one.urls) > 1 or scene.shows_itself(one)]
    own = [one for one in several if any(not scene.is_menu(at) for at in one.sightings)]
    members = {url for one in own for url in one.urls}
    pages = [one.sampled for one in scene.atlas.seen.values()]
    found = [one for one in pages if one.url not in members and not any(kind.fits(one.url) for kind in threads)]
    linked = Counter(page.url for page in found for one in scene.atlas.seen.values() if page.url in one.links)

    def rank(page: Sampled) -> tuple[bool, bool, int]:
        is_home = linked[page.url] * 2 > len(pages)
        is_above = page.url.rstrip("/") in folders or page.url == scene.start.url
        return not is_home, not is_above, len(page.url)

    known = [page for page in found if not all(rank(page)[:2])]
    return sorted(known or found or [scene.start], key=rank)


def _listed(scene: Scene, page: Sampled, lists: Sequence[Family], threads: Sequence[Family]) -> float:
    """How many boards a page lists; threads count where no board does."""
    boards: set[str] = set()
    titles: set[str] = set()
    for family, sighting in scene.atlas.on_page(page.url):
        if scene.is_menu(sighting):
            continue
        if family in lists and not scene.names_authors(family):
            boards.update(sighting.candidate.urls if scene.opinions[family].board >= LIKELY else ())
        elif family in threads and sighting.candidate.region >= 0:
            titles.update(sighting.candidate.urls)
    return len(boards) + _THREAD * len(titles)
