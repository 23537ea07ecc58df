"""The best joint explanation of a site: which families are its threads, which its boards, and where it is entered.

Opinions of single families are weighed in `roles`; here plain logic joins them. A row has one title, so of several
links of a row that lead to threads one is the thread's own address and the rest are ways into it. Boards are what
leads, from the entry page and in rows, to pages that list threads. What is likely but not needed is kept in reserve:
the crawl tries a few of it at the end, and follows it only if it brings what nothing else brought.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.entry import above
from thrawl.learn.structure.evidence import Opinion, looks_of
from thrawl.learn.structure.families import Atlas, Family, Sighting, adds_to
from thrawl.page.features import print_length

_LIKELY: Final = 0.5  # likelier than not
_SURE: Final = 0.9
_POSSIBLE: Final = 0.15  # worth a few requests at the end of the crawl
_SPARE: Final = 0.3  # of a family that is tried at the end of the crawl: a few requests at even odds or little less
_MOST_SPARE: Final = 8  # families in reserve, so that all of them together cost some thirty requests at the most
_SAMPLE: Final = 40  # URLs of a family that are compared with others
_OWN_TITLES: Final = 0.2  # of a family's rows in which it is the title: FoCUS' share of what is no noise
_AUTHORS: Final = 0.3  # of a family's sightings in posts: boards hardly stand there, authors do
_LAST_NUMBER: Final = re.compile(r".*?(\d+)\D*\Z", re.DOTALL)
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
    """What a site is: its entry page, boards and threads, the likeliest first.

    `listed` is how many boards (or, at less, threads) the entry page shows, `second_entry` the page that shows most
    beside it.
    """

    entry: Sampled
    boards: tuple[Chosen, ...]
    threads: tuple[Chosen, ...]
    listed: float = 0.0
    second_entry: str | None = None
    second_listed: float = 0.0

    @property
    def is_connected(self) -> bool:
        """Whether the entry page leads to threads, by its boards or by rows of its own."""
        listed = (
            at.in_rows for one in self.threads for at in one.family.sightings if at.seen.sampled.url == self.entry.url
        )
        return any(not one.reserve for one in self.boards) or any(listed)


def infer(
    atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float = _LIKELY
) -> Explanation | None:
    """The best explanation; None where nothing is likely to be threads."""
    return _Inference(atlas, opinions, start, likely).explanation()


class _Inference:
    def __init__(self, atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float) -> None:
        self._likely = likely
        self._atlas = atlas
        self._opinions = opinions
        self._start = start
        self._menus: dict[int, bool] = {}
        self._gateways: set[Family] = set()
        self._previews: set[Family] = set()
        self._looks = {family: looks_of(atlas, family) for family in atlas.families}

    def explanation(self) -> Explanation | None:
        threads = self._of_the_start(self._titles())
        if not threads:
            return None
        lists = self._lists(threads)
        scored = self._scored_homes(lists, threads)
        entry = self._as_asked(_best_home(scored))
        primary = self._reached(entry, [one for one in lists if one not in self._gateways], threads)
        if not any(self._leads_to(one, thread) for one in primary for thread in threads):
            primary = self._reached(entry, lists, threads)  # landing pages stand before the lists
        spare = [one for one in lists if one not in primary and self._is_spare(one, primary)][:_MOST_SPARE]
        boards = [
            Chosen(family, self._opinions[family].board, family not in primary)
            for family in [*primary, *spare]
            if set(family.urls) != {entry.url}
        ]
        chosen = [Chosen(family, self._opinions[family].thread) for family in threads]
        chosen = _of_one_form(chosen)
        listed = {page.url: score for page, score in scored}
        second = max((url for url in listed if url != entry.url), key=lambda url: listed[url], default=None)
        return Explanation(
            entry,
            tuple(boards),
            (*self._ends(threads), *chosen),
            listed.get(entry.url, 0.0),
            second,
            0.0 if second is None else listed[second],
        )

    def _is_spare(self, family: Family, primary: Sequence[Family]) -> bool:
        if self._repeats(family, primary):
            return False
        # a list sorted another way; what rows of the whole site's list link to may be parts of it that go further
        if self._shows_itself(family) and not self._parts_the_whole(family):
            return False
        return family in self._previews or self._opinions[family].board >= _SPARE

    def _repeats(self, family: Family, primary: Sequence[Family]) -> bool:
        """Whether most links of a family show boards that are followed anyway: sorted, filtered, from page 1."""
        bases = [url for one in primary for url in list(one.urls)[:_SAMPLE]]
        members = list(family.urls)[:_SAMPLE]
        return 2 * sum(any(adds_to(url, base) for base in bases) for url in members) > len(members)

    def _parts_the_whole(self, family: Family) -> bool:
        """Whether links stand in rows of a page that is no board itself."""
        boards = [one for one, opinion in self._opinions.items() if opinion.board >= _LIKELY and len(one.urls) > 1]
        return any(
            one.in_rows and not any(board.fits(self._atlas.plain_form(one.seen)) for board in boards)
            for one in family.sightings
        )

    # -- threads -------------------------------------------------------------------------------------------------

    def _titles(self) -> list[Family]:
        """The families of threads without those that stand beside a better title in nearly all of their rows."""
        looking = [one for one, opinion in self._opinions.items() if opinion.thread >= self._likely]
        likely = [one for one in looking if self._atlas.destinations(one)]
        # the threads of other boards, in whose folders nobody looked
        likely += [one for one in looking if one not in likely and any(_is_part(one, other) for other in likely)]
        likely += [one for one in self._opinions if one not in likely and self._leads_into(one, likely)]
        self._previews = {one for one in likely if self._lists_titles(one, likely)}
        likely = [one for one in likely if one not in self._previews]
        won: Counter[Family] = Counter()
        rows: Counter[Family] = Counter()
        for found in self._rows_of_threads(likely):
            rows.update(found)
            won[max(found, key=self._strength)] += 1
        direct = [one for one in likely if self._looks[one].moved < _LIKELY] or likely
        titled = [one for one in likely if rows[one] and won[one] >= _OWN_TITLES * rows[one]]
        asked_directly = sum(won[one] for one in titled if one in direct)
        # rows that lead to threads by a redirect count where hardly any row leads to them directly
        titled = [one for one in titled if one in direct or won[one] > asked_directly]
        loose = [one for one in direct if not rows[one] and self._looks[one].in_posts < _LIKELY]
        kept = titled or loose or direct
        # a single address explains nothing but itself, unless it has the form of others
        holed = [one for one in kept if any(pattern.holes for pattern in one.patterns)]
        kept = [one for one in kept if one in holed or not holed or any(_is_part(one, other) for other in holed)]
        return sorted(kept, key=lambda one: -self._opinions[one].thread * (won[one] + 1))

    def _leads_into(self, family: Family, threads: Sequence[Family]) -> bool:
        """Whether the titles of a family are redirected to threads: what it is, is what they are."""
        looks = self._looks[family]
        if looks.moved < _LIKELY or looks.named < _LIKELY:
            return False
        return any(thread.fits(page.url) for page in self._atlas.destinations(family) for thread in threads)

    def _lists_titles(self, family: Family, likely: Sequence[Family]) -> bool:
        """Whether most pages of a family list titles of another one: lists that show whole posts, as blogs do."""
        pages = self._atlas.destinations(family)
        listing = [
            any(
                other is not family
                and other in likely
                and at.in_rows
                and self._opinions[other].thread >= self._opinions[family].thread
                and len(other.urls) > len(family.urls)
                and not self._is_menu(at)
                for other, at in self._atlas.on_page(page.url)
            )
            for page in pages
        ]
        return 2 * sum(listing) > len(listing)

    def _ends(self, threads: Sequence[Family]) -> list[Chosen]:
        """Where rows link to addresses that answer elsewhere: the addresses that they lead to, by the rows' numbers."""
        found = []
        for family in threads:
            if self._looks[family].moved >= _LIKELY:
                reached = {url: page.url for url in family.urls if (page := self._atlas.sampler.known(url)) is not None}
                ends = Family(urls={end: family.urls[url] for url, end in reached.items() if end != url})
                ids = {end: last_number(url) for url, end in reached.items()}
                for other in self._opinions:  # the same addresses, as other pages link them
                    if other not in threads and any(map(other.fits, ends.urls)):
                        ends.urls.update(other.urls)
                found.append(Chosen(ends, self._opinions[family].thread, ids=ids))
        return found

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
        reached = self._reached_from(self._start.url)
        own = [one for one in threads if one.fits(self._start.url) or one in reached]
        if not own:
            return list(threads)
        return [one for one in threads if one in own or self._is_listed_with(one, own)]

    def _reached_from(self, url: str) -> set[Family]:
        """The families that a page leads to by what is no menu, also through pages that are no threads."""
        found: set[Family] = set()
        pages, looked_at = [url], set()
        while pages:
            page = pages.pop()
            looked_at.add(page)
            for family in self._standing_on(page):
                if family not in found:
                    found.add(family)
                    through = self._opinions[family].thread < _LIKELY and self._looks[family].in_posts < _AUTHORS
                    pages += [one for one in self._pages_of(family) if through and one not in looked_at]
        return found

    def _standing_on(self, url: str) -> list[Family]:
        """The families that a page links to, its menus left out."""
        return [family for family, sighting in self._atlas.on_page(url) if not self._is_menu(sighting)]

    def _is_menu(self, sighting: Sighting) -> bool:
        if id(sighting) not in self._menus:
            self._menus[id(sighting)] = self._atlas.is_menu(sighting)
        return self._menus[id(sighting)]

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
            likely = opinion.board >= _POSSIBLE and opinion.board >= opinion.thread
            if family in threads or not (likely or family in self._previews):
                continue
            if any(self._leads_to(family, thread) for thread in threads):
                found.append(family)
        for family, opinion in self._opinions.items():  # pages before lists: landing pages, categories
            if family in found or family in threads or opinion.thread >= _LIKELY:
                continue
            lists_lists = opinion.board >= _LIKELY and any(self._leads_to(family, other) for other in found)
            if self._is_gateway(family, found):
                self._gateways.add(family)
                found.append(family)
            elif lists_lists:
                found.append(family)
        return sorted(found, key=lambda one: -self._opinions[one].board)

    def _is_gateway(self, family: Family, lists: Sequence[Family]) -> bool:
        """Whether the pages of a family are the only ones, beside each other, that lead to some list."""
        shown = (one for one in family.sightings if not self._is_thread(one.seen.sampled.url))
        listed = any(len(one.candidate.urls) > 1 for one in shown)
        pages = {page.url for page in self._atlas.destinations(family)}
        if not listed or self._looks[family].in_posts >= _AUTHORS or not pages:
            return False
        for other in lists:
            on = {one.seen.sampled.url for one in other.sightings if not self._is_thread(one.seen.sampled.url)}
            if on & pages and self._opinions[other].board >= _LIKELY and not (on - pages - self._pages_of(other)):
                return True
        return False

    def _is_thread(self, url: str) -> bool:
        return any(opinion.thread >= self._likely and family.fits(url) for family, opinion in self._opinions.items())

    def _pages_of(self, family: Family) -> set[str]:
        return {page.url for page in self._atlas.destinations(family)}

    def _reached(self, entry: Sampled, lists: Sequence[Family], threads: Sequence[Family]) -> list[Family]:
        """The lists that the entry page and the boards below it show as their own: what stands everywhere is a menu.

        What stands below a doubtful board is more doubtful than it looks: chances multiply on the way down.
        """
        reached: list[Family] = []
        pages = [(entry.url, 1.0)]
        while pages:
            url, chance = pages.pop()
            for family, sighting in self._atlas.on_page(url):
                if family in reached or family not in lists or not self._is_board(family, sighting, threads):
                    continue
                here = chance if family in self._gateways else chance * self._opinions[family].board
                # a link of which there is one must be sure; tried at the end it costs no more than one request
                if here >= (_LIKELY if len(family.urls) > 1 else _SURE):
                    reached.append(family)
                    pages += [(page, here) for page in self._pages_of(family)]
        return reached

    def _is_board(self, family: Family, sighting: Sighting, threads: Sequence[Family]) -> bool:
        """Whether links on an index page are its boards: not in rows of threads, where tags and authors stand too."""
        opinion = self._opinions[family]
        if opinion.board < _LIKELY and family not in self._gateways:
            return False
        if self._looks[family].in_posts >= _AUTHORS:
            return False
        if self._is_menu(sighting) or self._shows_itself(family):
            return False
        if sighting.candidate.region < 0:  # outside of rows only what surely lists threads by itself
            if _are_views(sighting):
                return False
            direct = any(self._leads_to(family, thread) for thread in threads)
            return len(family.urls) > 1 and (family in self._gateways or (direct and opinion.board >= _SURE))
        beside = {
            one
            for one, at in self._atlas.on_page(sighting.seen.sampled.url)
            if at.candidate.region == sighting.candidate.region and one in threads
        }
        return not beside or self._comes_first(sighting, beside)

    def _shows_itself(self, family: Family) -> bool:
        """Whether links show the page that they stand on another way: sorted, or its next rows."""
        told = [
            adds_to(url, self._atlas.plain_form(one.seen)) and page.template == one.seen.template
            for one in family.sightings
            if one.seen.sampled.url not in family.urls
            for url in one.candidate.urls
            if (known := self._atlas.sampler.known(url)) is not None
            and (page := self._atlas.seen.get(known.url)) is not None
        ]
        return 2 * sum(told) > len(told)

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

    def _scored_homes(self, lists: Sequence[Family], threads: Sequence[Family]) -> list[tuple[Sampled, float]]:
        """Pages that may be the entry with what they list, the likeliest first."""
        return [(page, self._listed(page, lists, threads)) for page in self._homes(lists, threads)]

    def _as_asked(self, home: Sampled) -> Sampled:
        """The home under the address that a person gave, where both show the same."""
        here, asked = self._atlas.seen.get(home.url), self._atlas.seen.get(self._start.url)
        return self._start if here is not None and asked is not None and here.links == asked.links else home

    def _homes(self, lists: Sequence[Family], threads: Sequence[Family]) -> list[Sampled]:
        """Pages that may be the entry, the likeliest first: the start page, what stands above it, what all link to.

        A board or a thread is none; but menus list homes beside boards.
        """
        folders = {folder.rstrip("/") for folder in above(self._start.url)}
        several = [one for one in lists if len(one.urls) > 1 or self._shows_itself(one)]
        own = [one for one in several if any(not self._is_menu(at) for at in one.sightings)]
        members = {url for one in own for url in one.urls}
        pages = [one.sampled for one in self._atlas.seen.values()]
        homes = [one for one in pages if one.url not in members and not any(kind.fits(one.url) for kind in threads)]
        linked = Counter(page.url for page in homes for one in self._atlas.seen.values() if page.url in one.links)

        def rank(page: Sampled) -> tuple[bool, bool, int]:
            is_home = linked[page.url] * 2 > len(pages)
            is_above = page.url.rstrip("/") in folders or page.url == self._start.url
            return not is_home, not is_above, len(page.url)

        known = [page for page in homes if not all(rank(page)[:2])]
        return sorted(known or homes or [self._start], key=rank)

    def _listed(self, page: Sampled, lists: Sequence[Family], threads: Sequence[Family]) -> float:
        """How many boards a page lists; threads count where no board does."""
        boards: set[str] = set()
        titles: set[str] = set()
        for family, sighting in self._atlas.on_page(page.url):
            inside = sighting.candidate.region >= 0
            if self._is_menu(sighting):
                continue
            if family in lists and self._looks[family].in_posts < _AUTHORS:
                weight = self._opinions[family].board >= _LIKELY
                boards.update(sighting.candidate.urls if weight else ())
            elif family in threads and inside:
                titles.update(sighting.candidate.urls)
        return len(boards) + 0.2 * len(titles)


def _is_part(family: Family, other: Family) -> bool:
    """Whether all URLs of a family have a form of another's."""
    return all(map(other.fits, family.urls))


def _of_one_form(chosen: Sequence[Chosen]) -> list[Chosen]:
    """The families with those of one form as one: threads stand in the folders of their boards."""
    found: list[Chosen] = []
    for one in sorted(chosen, key=lambda one: -len(one.family.urls)):
        at = next((at for at, other in enumerate(found) if _is_part(one.family, other.family)), None)
        if at is None:
            found.append(one)
            continue
        merged = Family()
        for sighting in (*found[at].family.sightings, *one.family.sightings):
            merged.add_sighting(sighting)
        found[at] = Chosen(merged, max(one.probability, found[at].probability))
    return found


def _best_home(scored: Sequence[tuple[Sampled, float]]) -> Sampled:
    """The page that lists most boards (or, without boards, most threads), a home above the others before them."""
    most = max(score for _, score in scored)
    return next(page for page, score in scored if score >= _NEARLY * most)


def _are_views(sighting: Sighting) -> bool:
    """Whether most links of a group, and few others of their page, begin with the page's own address."""
    own = sighting.seen.sampled.url.rstrip("/")
    mine = [url.startswith(own) for url in sighting.candidate.urls]
    others = [url.startswith(own) for url in sighting.seen.links.difference(sighting.candidate.urls)]
    return 2 * sum(mine) > len(mine) and 2 * sum(others) <= len(others)


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


def last_number(url: str) -> str:
    """The last number of a URL, by which a row asks for a thread that answers elsewhere."""
    return _LAST_NUMBER.sub(r"\1", url)
