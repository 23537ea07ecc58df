"""The best joint explanation of a site: which families are its threads, which its boards, and where it is entered.

Opinions of single families are weighed in `roles`; here plain logic joins them. A row has one title, so of several
links of a row that lead to threads one is the thread's own address and the rest are ways into it. Boards are what
leads, from the entry page and in rows, to pages that list threads. What is likely but not needed is kept in reserve:
the crawl tries a few of it at the end, and follows it only if it brings what nothing else brought.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Final
from urllib.parse import urlsplit

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.entry import above
from thrawl.learn.structure.evidence import Opinion, looks_of
from thrawl.learn.structure.families import Atlas, Family, Sighting
from thrawl.page.features import print_length

_LIKELY: Final = 0.5  # likelier than not
_POSSIBLE: Final = 0.15  # worth a few requests at the end of the crawl
_OWN_TITLES: Final = 0.2  # of a family's rows in which it is the title: FoCUS' share of what is no noise
_MENU: Final = 0.7  # of the site's pages: what most of them link to is its menu
_AUTHORS: Final = 0.3  # of a family's sightings in posts: boards hardly stand there, authors do
_NEARLY: Final = 0.6  # of the boards of the page that lists most: the home may leave out a few


@dataclass(frozen=True, slots=True)
class Chosen:
    """A family with its part in the explanation; `reserve`: it may bring nothing that others do not.

    `ids`: for URLs that rows reach by a redirect, the number by which the row asks for them.
    """

    family: Family
    probability: float
    reserve: bool = False
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a site is: its entry page, boards and threads, the likeliest first."""

    entry: Sampled
    boards: tuple[Chosen, ...]
    threads: tuple[Chosen, ...]


def infer(atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled) -> Explanation | None:
    """The best explanation; None where nothing is likely to be threads."""
    return _Inference(atlas, opinions, start).explanation()


class _Inference:
    def __init__(self, atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled) -> None:
        self._atlas = atlas
        self._opinions = opinions
        self._start = start
        self._looks = {family: looks_of(atlas, family) for family in atlas.families}

    def explanation(self) -> Explanation | None:
        threads = self._of_the_start(self._titles())
        if not threads:
            return None
        lists = self._lists(threads)
        entry = self._entry(lists, threads)
        primary = self._reached(entry, lists, threads)
        boards = [
            Chosen(family, self._opinions[family].board, family not in primary and bool(primary))
            for family in [*primary, *(one for one in lists if one not in primary)]
        ]
        chosen = [Chosen(family, self._opinions[family].thread) for family in threads]
        spare = [
            Chosen(family, opinion.thread, reserve=True)
            for family, opinion in self._opinions.items()
            if _POSSIBLE <= opinion.thread < _LIKELY and family not in threads and self._is_listed_with(family, threads)
        ]
        return Explanation(entry, tuple(boards), (*chosen, *spare))

    # -- threads -------------------------------------------------------------------------------------------------

    def _titles(self) -> list[Family]:
        """The families of threads without those that stand beside a better title in nearly all of their rows."""
        likely = [family for family, opinion in self._opinions.items() if opinion.thread >= _LIKELY]
        won: Counter[Family] = Counter()
        rows: Counter[Family] = Counter()
        for found in self._rows_of_threads(likely):
            rows.update(found)
            won[max(found, key=self._strength)] += 1
        direct = [one for one in likely if self._looks[one].moved < _LIKELY] or likely
        titled = [one for one in direct if rows[one] and won[one] >= _OWN_TITLES * rows[one]]
        loose = [one for one in direct if not rows[one] and self._looks[one].in_posts < _LIKELY]
        kept = titled or loose or direct
        return sorted(kept, key=lambda one: -self._opinions[one].thread * (won[one] + 1))

    def _rows_of_threads(self, likely: Sequence[Family]) -> Iterable[set[Family]]:
        """The families of threads in each row of each index page."""
        for url, seen in self._atlas.seen.items():
            if seen.sampled.verdict.type == "thread":
                continue
            rows: dict[tuple[int, int], set[Family]] = defaultdict(set)
            for family, sighting in self._atlas.on_page(url):
                if family in likely and sighting.candidate.region >= 0:
                    for number in _row_numbers(sighting):
                        rows[sighting.candidate.region, number].add(family)
            yield from rows.values()

    def _strength(self, family: Family) -> float:
        """How much a family looks like the titles of threads, compared with others of the same row."""
        looks = self._looks[family]
        length = mean(map(print_length, family.urls.values()))
        return (length + 1) * (1 + looks.named) * (1 - 0.9 * looks.moved) * self._opinions[family].thread

    def _of_the_start(self, threads: Sequence[Family]) -> list[Family]:
        """The threads of that part of the site to which the start page belongs."""
        own = [one for one in threads if self._belongs(one)]
        if not own:
            return list(threads)
        return [one for one in threads if one in own or self._is_listed_with(one, own)]

    def _belongs(self, family: Family) -> bool:
        start = self._start.url
        if family.fits(start):
            return True
        if self._is_menu(family):
            return False
        return any(self._leads_to(other, family) for other in self._standing_on(start)) or family in self._standing_on(
            start
        )

    def _standing_on(self, url: str) -> list[Family]:
        return [family for family, _ in self._atlas.on_page(url) if not self._is_menu(family)]

    def _is_menu(self, family: Family) -> bool:
        return self._looks[family].everywhere >= _MENU

    def _is_listed_with(self, family: Family, others: Sequence[Family]) -> bool:
        """Whether a family stands in the rows of a page beside one of the others."""
        mine = {(one.seen.sampled.url, one.candidate.region) for one in family.sightings if one.candidate.region >= 0}
        theirs = {(one.seen.sampled.url, one.candidate.region) for other in others for one in other.sightings}
        return bool(mine & theirs)

    # -- boards --------------------------------------------------------------------------------------------------

    def _leads_to(self, family: Family, other: Family) -> bool:
        """Whether a page of a family links to another family, beside what the menu of all pages links to."""
        return family is not other and any(
            one is other for page in self._atlas.destinations(family) for one in self._standing_on(page.url)
        )

    def _lists(self, threads: Sequence[Family]) -> list[Family]:
        """The families whose pages list threads, or lead to pages that do."""
        found: list[Family] = []
        for family, opinion in self._opinions.items():
            if family in threads or opinion.board < _POSSIBLE or opinion.thread > opinion.board:
                continue
            if any(self._leads_to(family, thread) for thread in threads):
                found.append(family)
        for family, opinion in self._opinions.items():  # pages before lists: landing pages, categories
            gateway = family not in found and family not in threads and opinion.thread < _LIKELY
            if gateway and self._is_gateway(family, found):
                found.append(family)
        return sorted(found, key=lambda one: -self._opinions[one].board)

    def _is_gateway(self, family: Family, lists: Sequence[Family]) -> bool:
        """Whether the pages of a family are the only ones, beside each other, that lead to some list."""
        rows = any(one.in_rows for one in family.sightings)
        pages = {page.url for page in self._atlas.destinations(family)}
        if not rows or self._looks[family].in_posts >= _AUTHORS or not pages:
            return False
        for other in lists:
            on = {one.seen.sampled.url for one in other.sightings}
            if on & pages and self._opinions[other].board >= _LIKELY and not (on - pages - self._pages_of(other)):
                return True
        return False

    def _pages_of(self, family: Family) -> set[str]:
        return {page.url for page in self._atlas.destinations(family)}

    def _reached(self, entry: Sampled, lists: Sequence[Family], threads: Sequence[Family]) -> list[Family]:
        """The lists that the entry page and the boards below it show as rows; all likely ones where none is."""
        reached: list[Family] = []
        pages = [entry.url]
        while pages:
            url = pages.pop()
            for family, sighting in self._atlas.on_page(url):
                if family in reached or family not in lists or not self._is_board(family, sighting, threads):
                    continue
                reached.append(family)
                pages += self._pages_of(family)
        if reached:
            return reached
        return [one for one in lists if self._opinions[one].board >= _LIKELY and self._looks[one].in_posts < _AUTHORS]

    def _is_board(self, family: Family, sighting: Sighting, threads: Sequence[Family]) -> bool:
        """Whether links on an index page are its boards: not in rows of threads, where tags and authors stand too."""
        if self._opinions[family].board < _LIKELY and not self._is_gateway(family, [family]):
            return False
        if self._looks[family].in_posts >= _AUTHORS:
            return False
        if sighting.candidate.region < 0:
            return len(sighting.candidate.urls) > 1 or not self._is_menu(family)
        beside = {
            one
            for one, at in self._atlas.on_page(sighting.seen.sampled.url)
            if at.candidate.region == sighting.candidate.region and one in threads
        }
        return not beside or self._comes_first(sighting, beside)

    def _comes_first(self, sighting: Sighting, threads: Iterable[Family]) -> bool:
        """Whether links stand before the threads of their rows: names of boards before their newest threads."""
        mine = _first_nodes(sighting)
        theirs: dict[int, int] = {}
        for family, other in self._atlas.on_page(sighting.seen.sampled.url):
            if family in threads and other.candidate.region == sighting.candidate.region:
                for number, node in _first_nodes(other).items():
                    theirs[number] = min(node, theirs.get(number, node))
        shared = mine.keys() & theirs.keys()
        own = len(set(sighting.candidate.urls)) >= 0.95 * len(mine)  # each row its own board
        return own and sum(mine[number] < theirs[number] for number in shared) * 2 > len(shared)

    # -- entry ---------------------------------------------------------------------------------------------------

    def _entry(self, lists: Sequence[Family], threads: Sequence[Family]) -> Sampled:
        """The page that lists most boards (or, without boards, most threads), a home above the others before them."""
        homes = self._homes(threads)
        scored = [(self._listed(page, lists, threads), page) for page in homes]
        most = max(score for score, _ in scored)
        near = [page for score, page in scored if score >= _NEARLY * most]
        return near[0]

    def _homes(self, threads: Sequence[Family]) -> list[Sampled]:
        """Pages that may be the entry, the likeliest first: above the start page, then those most linked to."""
        folders = above(self._start.url)
        pages = [one.sampled for one in self._atlas.seen.values() if not any(f.fits(one.sampled.url) for f in threads)]
        linked = Counter(page.url for page in pages for one in self._atlas.seen.values() if page.url in one.links)
        total = len(self._atlas.seen)

        def rank(page: Sampled) -> tuple[bool, bool, int]:
            is_above = any(page.url.rstrip("/") == folder.rstrip("/") for folder in folders)
            return not (linked[page.url] * 2 > total), not is_above, len(urlsplit(page.url).path + page.url)

        return sorted(pages or [self._start], key=rank)

    def _listed(self, page: Sampled, lists: Sequence[Family], threads: Sequence[Family]) -> float:
        """How many boards a page lists; threads count where no board does."""
        boards: set[str] = set()
        titles: set[str] = set()
        for family, sighting in self._atlas.on_page(page.url):
            inside = sighting.candidate.region >= 0
            if family in lists and not self._is_menu(family) and self._looks[family].in_posts < _AUTHORS:
                weight = self._opinions[family].board >= _LIKELY
                boards.update(sighting.candidate.urls if weight else ())
            elif family in threads and inside:
                titles.update(sighting.candidate.urls)
        return len(boards) + 0.2 * len(titles)


def _first_nodes(sighting: Sighting) -> dict[int, int]:
    """The first link of a sighting in each row, by the row's number."""
    records = sighting.seen.sampled.page.regions[sighting.candidate.region].records
    starts = [one.start for one in records]
    found: dict[int, int] = {}
    for node in sighting.candidate.nodes:
        number = bisect_right(starts, node) - 1
        if number >= 0 and node < records[number].end:
            found[number] = min(node, found.get(number, node))
    return found


def _row_numbers(sighting: Sighting) -> Iterable[int]:
    return _first_nodes(sighting)
