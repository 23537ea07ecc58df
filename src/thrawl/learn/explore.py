"""From a hub to the boards and threads of a forum (FoCUS 4.3.1.1, algorithm 1, repeated through index pages).

The hub is the entry page or a stand-in for it. Two kinds of forum exist: the hub lists boards, and the
boards list threads; or the hub itself lists threads (blogs, question sites, "latest" pages) and boards are
found beside the rows. Beyond the paper, groups are voted on until the page is explained, since a page can
show boards and threads; and of several forms of a thread's URL the one in the title column of a board wins:
last-post links also lead to thread pages, but one thread has many of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.families import Family
from thrawl.learn.groups import Candidate, PageType, candidates, spread, vote
from thrawl.learn.listrows import not_empty, numbers_in_rows, regions_in_rows
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.varying import type_by_content
from thrawl.page.reading import Page
from thrawl.page.records import Record
from thrawl.profile.urls import take_apart

_LOOKED_AT: Final = 14
_HUB_VOTES: Final = 5
BOARD_VOTES: Final = 2
_BOARDS: Final = 12
_COLUMNS: Final = 4
_FEW: Final = 3
_OWN_ROW: Final = 0.95
_SLIGHT: Final = 0.2
_SECOND_OPINION: Final = 0.6
_EVERYWHERE: Final = 0.8
_TOGETHER: Final = 0.5
_HEADING: Final = re.compile(r"h[1-6]\b")
_LAST_NUMBER: Final = re.compile(r".*?(\d+)\D*\Z", re.DOTALL)


class Explorer:
    """Looks at index pages, votes on their link groups, and collects the families of boards and threads.

    `whole`: the boards list every thread, so that a list of all threads beside them brings nothing.
    """

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.families: list[Family] = []
        self.index_pages: dict[str, Sampled] = {}
        self.whole = False
        self._numbers: dict[str, list[int]] = {}

    def of(self, kind: str) -> list[Family]:
        return [family for family in self.families if family.type == kind]

    def urls_of(self, kind: str) -> list[str]:
        return [url for family in self.of(kind) for url in family.urls]

    async def explore(self, hub: Sampled) -> None:
        """Learn the families that lead from the hub to all threads."""
        await self.look_at(hub, _HUB_VOTES)
        seen = {hub.url}
        while len(self.index_pages) < _BOARDS + 1 and not self.sampler.spent:
            board = next((url for url in self._next_boards() if url not in seen), None)
            if board is None:
                break
            seen.add(board)
            sampled = await self.sampler.get(board)
            if sampled is not None:
                await self.look_at(sampled, BOARD_VOTES)
        self._drop_lists()
        self._drop_navigation()
        self._prefer_titles(hub)

    async def look_at_headings(self, hub: Sampled) -> None:
        """Find the pages of categories: headings over the boards of a hub that lead to some of them."""
        boards = self.of("index")
        shown = links_in_records(hub.page)
        for candidate in [one for one in candidates(hub.page) if len(one.urls) > 1][:_LOOKED_AT]:
            known = any(family.joins(candidate) for family in self.families)
            if known or not shown.isdisjoint(candidate.urls) or not self._is_own(candidate):
                continue
            result = await vote(self.sampler, candidate.urls)
            lists = result is not None and all(self._lists(page.page, boards) for page in result.pages)
            if result is not None and result.type == "index" and lists:
                family = Family("index", confidences=[result.confidence])
                family.add(candidate)
                self.families.append(family)
            return

    def _is_own(self, candidate: Candidate) -> bool:
        """Whether links stand together on the hub and hardly elsewhere: the links of a menu are on every page."""
        pages = [{link.url for link in page.page.links} for page in self.sampler.sampled]
        present = sum(len(links.intersection(candidate.urls)) for links in pages)
        return present < _TOGETHER * len(pages) * len(candidate.urls)

    def _lists(self, page: Page, families: Iterable[Family]) -> bool:
        links = {link.url for link in page.links if link.url != page.url}
        return any(url in family.urls for family in families for url in links)

    async def look_at(self, sampled: Sampled, votes: int) -> None:
        """Explain the groups of an index page by families, voting where none fits.

        One group a region is enough: the others of its records lead to the same threads or to their authors.
        A page that lists threads is not asked for boards here, since tags, months and authors look like them.
        """
        self.index_pages[sampled.url] = sampled
        explained: set[int] = set()
        unknown = []
        lists_threads = False
        for candidate in self._worth_a_look(sampled):
            family = next((one for one in self.families if one.joins(candidate)), None)
            if family is None:
                unknown.append(candidate)
                continue
            family.add(candidate)
            lists_threads = self._explained(sampled.page, candidate, family, explained) or lists_threads
        # A single link is no list; it is looked at last, for a forum with one board.
        for candidate in sorted(unknown, key=lambda one: len(one.urls) < 2):
            wanted = self._needs_a_vote(sampled.page, candidate, explained)
            if votes > 0 and ((wanted and not lists_threads) or self._may_be_boards(sampled.page, candidate)):
                votes -= 1
                family = await self._voted(
                    candidate, not_empty(sampled.page, candidate), longest=candidate is unknown[0] and not explained
                )
                lists_threads = self._explained(sampled.page, candidate, family, explained) or lists_threads

    def _may_be_boards(self, page: Page, candidate: Candidate) -> bool:
        """Rows of boards may show the titles of their last threads, which are longer than the boards' own names.

        The boards' names then stand before those titles, each row its own, and the titles are no headings.
        """
        headed = any(
            _HEADING.match(label) for family in self.of("thread") for one, _ in family.places for label in one.path
        )
        if candidate.region < 0 or headed:
            return False
        titles = {url for family in self.of("thread") for url in family.urls}
        nodes = {link.node: link.url for link in page.links}
        rows = [
            [nodes[node] for node in range(one.start, one.end) if node in nodes]
            for one in page.regions[candidate.region].records
        ]
        mine = set(candidate.urls)
        before = [
            next((url for url in row if url in mine or url in titles), None)
            for row in rows
            if not mine.isdisjoint(row) and not titles.isdisjoint(row)
        ]
        own = {url for url in before if url in mine}
        return len(before) > 1 and len(own) >= _OWN_ROW * len(before)

    def _explained(self, page: Page, candidate: Candidate, family: Family | None, explained: set[int]) -> bool:
        """Note what a group's family tells of its region; True where it lists threads."""
        if family is None or family.type == "other" or family.shortcut:
            return False
        self._note_sizes(page, candidate)
        explained.update({candidate.region}, regions_in_rows(page, candidate))
        return family.type == "thread"

    def _needs_a_vote(self, page: Page, candidate: Candidate, explained: set[int]) -> bool:
        if candidate.region < 0 or len(candidate.urls) < 2:
            return not explained and (candidate.region >= 0 or len(candidate.urls) > 1)
        if candidate.region in explained:
            return False
        # A menu is a region, too, but a slight one beside the boards.
        best = max((page.regions[region].score for region in explained if region >= 0), default=0.0)
        return page.regions[candidate.region].score >= _SLIGHT * best

    def _worth_a_look(self, sampled: Sampled) -> list[Candidate]:
        """The groups with the longest anchors, those in records first.

        Left out: groups that stand on every page, or that show this page another way.
        """
        page = sampled.page
        is_board = sampled.url in self.urls_of("index")
        elsewhere = [
            {link.url for link in other.page.links} for other in self.sampler.sampled if other.page is not page
        ]
        kept = []
        for candidate in candidates(page)[: 3 * _LOOKED_AT]:
            half = 0.5 * len(candidate.urls)
            shared = sum(any(url in links for links in elsewhere) for url in candidate.urls)
            # a board with few threads or none has hardly any rows: what repeats most on it is a menu
            loose = candidate.region < 0 or (is_board and _is_everywhere(candidate.urls, elsewhere))
            navigation = loose and bool(elsewhere) and shared > half
            variants = sum(is_variant(url, page.url) for url in candidate.urls) > half
            if not navigation and not variants:
                kept.append(candidate)
        return sorted(kept[:_LOOKED_AT], key=lambda one: one.region < 0)

    async def _voted(self, candidate: Candidate, voters: Sequence[str], *, longest: bool) -> Family | None:
        result = await vote(self.sampler, voters)
        if result is None:
            return None
        if result.type == "other" and longest:
            result = replace(result, type=_second_opinion(result.pages) or "other", confidence=_SECOND_OPINION)
        family = next((one for one in self.of(result.type) if self._same_column(one, candidate)), None)
        if family is None:
            family = Family(result.type)
            self.families.append(family)
        family.confidences.append(result.confidence)
        family.add(candidate)
        family.shortcut = family.shortcut or result.shortcut
        return family

    def _same_column(self, family: Family, candidate: Candidate) -> bool:
        structures = {take_apart(url).structure for url in family.urls}
        return (candidate.place, candidate.page) in family.places and candidate.structure in structures

    def _note_sizes(self, page: Page, candidate: Candidate) -> None:
        for url, numbers in numbers_in_rows(page, candidate).items():
            self._numbers.setdefault(url, numbers[-_COLUMNS:])

    def longest(self, urls: Sequence[str], number: int) -> list[str]:
        """The lists whose rows show the largest numbers, looking at each column of numbers from the right by itself:
        which one counts replies is not known yet."""
        found: dict[str, None] = {}
        rows = {url: self._numbers[url] for url in urls if self._numbers.get(url)}
        for column in range(1, _COLUMNS + 1):
            counted = [url for url, numbers in rows.items() if len(numbers) >= column]
            ranked = sorted(counted, key=lambda url: -rows[url][-column])
            found.update(dict.fromkeys(ranked[:number]))
        return list(found)

    def _next_boards(self) -> list[str]:
        boards = self.urls_of("index")
        return [*self.longest(boards, 1), *spread(boards, _BOARDS)]

    def _drop_lists(self) -> None:
        """Families that lead to pages which list threads of another family are no threads, whatever they look like.

        On a blog an index page shows whole posts, so its looks mislead; what its titles link to does not.
        """
        for family in self.of("thread"):
            others = [one for one in self.of("thread") if one is not family]
            pages = [page for url in family.urls if (page := self.sampler.known(url)) is not None]
            listing = [page for page in pages if self._title_family(page, others) is not None]
            if pages and len(listing) * 2 > len(pages):
                family.type = "other"

    def _drop_navigation(self) -> None:
        """A few lists that every page links to ("unanswered", "active today") are not boards where there are boards."""
        pages = self.sampler.sampled
        boards = max((len(family.urls) for family in self.of("index")), default=0)
        for family in self.of("index"):
            everywhere = sum(not {link.url for link in page.page.links}.isdisjoint(family.urls) for page in pages)
            if len(family.urls) <= min(_FEW, boards - 1) and everywhere >= _EVERYWHERE * len(pages):
                family.type = "other"

    def _prefer_titles(self, hub: Sampled) -> None:
        """Of several families that lead to threads keep those that are titles on boards, where there are boards.

        Shortcuts that redirect are dropped unless nothing else leads to threads.
        """
        direct = [family for family in self.of("thread") if not family.shortcut] or self._destinations()
        direct = [family for family in direct if not any(family.extends(other) for other in direct)] or direct
        boards = [page for url, page in self.index_pages.items() if url != hub.url]
        titled = [family for page in boards if (family := self._title_family(page, direct)) is not None]
        counted = Counter(map(id, titled))
        most = max(counted.values(), default=0)
        kept = {number for number, count in counted.items() if count >= 0.2 * most} or set(map(id, direct))
        if kept and not all(family.shortcut for family in direct):
            self.families = [one for one in self.families if one.type != "thread" or id(one) in kept]

    def _destinations(self) -> list[Family]:
        """Where rows link only to a redirecting form: the form that it leads to, beside the one in the rows."""
        shortcuts = self.of("thread")
        for family in list(shortcuts):
            reached = {url: page for url in family.urls if (page := self.sampler.known(url)) is not None}
            ends = Family("thread", {page.url: family.urls[url] for url, page in reached.items()})
            ends.confidences.extend(family.confidences)
            ends.ids.update({page.url: _LAST_NUMBER.sub(r"\1", url) for url, page in reached.items()})
            self.families.append(ends)
        return shortcuts

    def _title_family(self, page: Sampled, families: Iterable[Family]) -> Family | None:
        """The family of the titles that a page lists in its records."""
        for candidate in self._worth_a_look(page):
            for family in families if candidate.region >= 0 and len(candidate.urls) > 1 else ():
                if family.joins(candidate):
                    return family
        return None


def _second_opinion(pages: Sequence[Sampled]) -> PageType | None:
    """The type of pages by their content, unless more of them look like the other type by themselves."""
    opinion = type_by_content([one.page for one in pages])
    looks = Counter(one.verdict.type for one in pages)
    against = looks["thread" if opinion == "index" else "index"]
    return opinion if opinion is not None and looks[opinion] >= against else None


def _is_everywhere(urls: Sequence[str], pages: Sequence[set[str]]) -> bool:
    """Whether most of these URLs stand among the links of nearly every page."""
    return sum(2 * len(links.intersection(urls)) > len(urls) for links in pages) >= _EVERYWHERE * len(pages)


def links_in_records(page: Page) -> set[str]:
    """Where the records of a page's main region link to."""
    return links_in(page, page.main.records if page.main else ())


def links_in(page: Page, records: Iterable[Record]) -> set[str]:
    """Where these records of a page link to."""
    inside = {node for record in records for node in range(record.start, record.end)}
    return {link.url for link in page.links if link.node in inside}


def is_variant(url: str, page_url: str) -> bool:
    """Whether a URL shows the same list another way: the same address with more in its query."""
    mine, theirs = take_apart(page_url), take_apart(url)
    first = mine.structure.segments
    if mine.slots[:first] != theirs.slots[: theirs.structure.segments] or not mine.structure.names:
        return False
    items = set(zip(theirs.structure.names, theirs.slots[first:], strict=True))
    return set(zip(mine.structure.names, mine.slots[first:], strict=True)) < items
