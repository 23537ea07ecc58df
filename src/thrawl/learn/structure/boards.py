"""Which families are the boards of a site: what leads, from the entry page and in rows, to pages that list threads.

What is likely but not needed is kept in reserve: the crawl tries a few of it at the end, and follows it only if it
brings what nothing else brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from thrawl.learn.flips import likely_flips
from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.explanation import SURE
from thrawl.learn.structure.families import Family, Sighting
from thrawl.learn.structure.scene import LIKELY, Scene
from thrawl.profile.urls import adds_something, adds_to

_POSSIBLE: Final = 0.15  # worth a few requests at the end of the crawl
_SPARE: Final = 0.3  # of a family that is tried at the end of the crawl: a few requests at even odds or little less
_MOST_SPARE: Final = 8  # families in reserve, so that all of them together cost some thirty requests at the most
_SAMPLE: Final = 40  # URLs of a family that are compared with others
_SEVERAL: Final = 3  # pages of a family, without which nothing is said of all of them
_EACH_ITS_OWN: Final = 0.95  # of the rows with a board that no other row has: a link board or two stand twice


class Boards:
    """The lists of a site; `previews` are families that look like threads and list them."""

    def __init__(self, scene: Scene, threads: Sequence[Family], previews: Iterable[Family]) -> None:
        self._scene = scene
        self._threads = threads
        self._previews = set(previews)
        self._gateways: set[Family] = set()
        self._behind: set[Family] = set()
        self._alone = {one for one in scene.opinions if self._lists_alone(one)}
        self.lists = self._lists()

    def below(self, entry: Sampled) -> tuple[list[Family], list[Family]]:
        """The boards that are followed from an entry page, and those kept in reserve."""
        followed = self._reached(entry, [one for one in self.lists if one not in self._gateways])
        if not any(self._scene.leads_to(one, thread) for one in followed for thread in self._threads):
            followed = self._reached(entry, self.lists)  # landing pages stand before the lists
        spare = [one for one in self.lists if one not in followed and self._is_spare(one, followed)]
        if not followed and not likely_flips(entry.page):  # nothing leads on from what the entry page shows
            spare += [one for one in self.lists if one not in spare and self._brings_news(one)]
        return followed, spare[:_MOST_SPARE]

    def are_likely(self, family: Family) -> bool:
        """Whether pages list threads or boards: by what they look like, or because nothing else does."""
        return self._scene.opinions[family].board >= LIKELY or self._are_proven(family)

    def _are_proven(self, family: Family) -> bool:
        return family in self._gateways or family in self._alone

    def _lists(self) -> list[Family]:
        """The families whose pages list threads, or lead to pages that do."""
        scene = self._scene
        found: list[Family] = []
        for family, opinion in scene.opinions.items():
            likely = opinion.board >= _POSSIBLE and opinion.board >= opinion.thread
            likely = likely or family in self._previews or self._brings_news(family)
            if family in self._threads or not likely:
                continue
            if any(scene.leads_to(family, thread) for thread in self._threads):
                found.append(family)
        rest = [one for one in scene.opinions if one not in found and one not in self._threads]
        while before := [one for one in rest if one not in found and self._stands_before(one, found)]:
            found += before
        return sorted(found, key=lambda one: -scene.opinions[one].board)

    def _stands_before(self, family: Family, lists: Sequence[Family]) -> bool:
        """Whether pages stand before lists: landing pages, categories, and what stands before these."""
        opinion = self._scene.opinions[family]
        if opinion.thread >= LIKELY:
            return False
        if self._is_gateway(family, lists):
            self._gateways.add(family)
            return True
        return opinion.board >= LIKELY and any(self._scene.leads_to(family, other) for other in lists)

    def _lists_alone(self, family: Family) -> bool:
        """Whether pages must be lists, however little they look like it: threads are hardly listed anywhere else.

        So are the months of a small forum, with a thread or two each. What stands beside threads or posts is a tag.
        """
        scene = self._scene
        pages = scene.pages_of(family)
        if family in self._threads or len(pages) < _SEVERAL or scene.opinions[family].thread >= LIKELY:
            return False
        if any(self._stands_among_threads(one) or scene.is_menu(one) for one in family.sightings):
            return False
        listing = {page for one in self._threads for page in self._shown_on(one)}
        return 2 * len(listing & pages) > max(len(listing), len(pages))

    def _stands_among_threads(self, sighting: Sighting) -> bool:
        """Whether links stand on a thread's page, or in the rows of threads."""
        page, region = sighting.seen.sampled.url, sighting.candidate.region
        beside = (one for one, at in self._scene.atlas.on_page(page) if at.candidate.region == region >= 0)
        return self._scene.is_thread(page) or any(one in self._threads for one in beside)

    def _shown_on(self, family: Family) -> set[str]:
        """The pages that show links of a family, those of threads left out."""
        pages = (one.seen.sampled.url for one in family.sightings if not self._scene.is_menu(one))
        return {page for page in pages if not self._scene.is_thread(page)}

    def _is_gateway(self, family: Family, lists: Sequence[Family]) -> bool:
        """Whether the pages of a family are the only ones, beside each other, that lead to some list."""
        scene = self._scene
        shown = (one for one in family.sightings if not scene.is_thread(one.seen.sampled.url))
        pages = scene.pages_of(family)
        listed = any(len(one.candidate.urls) > 1 and not scene.is_menu(one) for one in shown)
        if not pages or scene.names_authors(family) or not listed:
            return False
        for other in filter(self.are_likely, lists):
            on = {one.seen.sampled.url for one in other.sightings if not scene.is_thread(one.seen.sampled.url)}
            below = {
                page for one in lists if one is other or scene.leads_to(other, one) for page in scene.pages_of(one)
            }
            if on & pages and all(page in below or family.fits(page) for page in on):
                self._behind.add(other)
                return True
        return False

    def _reached(self, entry: Sampled, lists: Sequence[Family]) -> list[Family]:
        """The lists that the entry page and the boards below it show as their own: what stands everywhere is a menu.

        What stands below a doubtful board is more doubtful than it looks: chances multiply on the way down.
        """
        reached: list[Family] = []
        pages = [(entry.url, 1.0)]
        while pages:
            url, chance = pages.pop()
            for family, sighting in self._scene.atlas.on_page(url):
                if family in reached or family not in lists or not self._are_listed(family, sighting):
                    continue
                here = chance if self._are_proven(family) else chance * self._scene.opinions[family].board
                # a link of which there is one must be sure; tried at the end it costs no more than one request
                if here >= (LIKELY if len(family.urls) > 1 else SURE):
                    reached.append(family)
                    pages += [(page, here) for page in self._scene.pages_of(family)]
        return reached

    def _are_listed(self, family: Family, sighting: Sighting) -> bool:
        """Whether links on an index page are its boards: not in rows of threads, where tags and authors stand too."""
        scene, opinion = self._scene, self._scene.opinions[family]
        if not self.are_likely(family):
            return False
        if scene.names_authors(family) or scene.is_menu(sighting) or scene.shows_itself(family):
            return False
        if self._acts_on_lists(family):
            return False
        if sighting.candidate.region < 0:  # outside of rows only what surely lists threads by itself
            direct = any(scene.leads_to(family, thread) for thread in self._threads)
            sure = self._are_proven(family) or (direct and (opinion.board >= SURE or family in self._behind))
            return len(family.urls) > 1 and sure and not _are_views(sighting)
        if 2 * len(sighting.first_nodes()) < sighting.row_count and not sighting.in_rows:
            return False  # who wrote last in one of several rows
        beside = {
            one
            for one, at in scene.atlas.on_page(sighting.seen.sampled.url)
            if at.candidate.region == sighting.candidate.region and self._is_title_beside(one, family)
        }
        return not beside or self._comes_first(family, sighting, beside)

    def _is_title_beside(self, other: Family, family: Family) -> bool:
        """Whether rows are another family's own: threads, or likelier boards, behind which their last authors stand."""
        opinions = self._scene.opinions
        surer = other in self.lists and len(other.urls) > 1 and opinions[other].board > opinions[family].board
        return other in self._threads or surer

    def _acts_on_lists(self, family: Family) -> bool:
        """Whether each list has one link to itself with more in its query: to mark it as read, to sort it."""
        shown = {self._scene.plain_form_of(one): set(one.candidate.urls) for one in family.sightings}
        own = (len(urls) == 1 and adds_to(min(urls), page) for page, urls in shown.items())
        return len(shown) >= _SEVERAL and all(own)

    def _are_each_its_own(self, family: Family, sighting: Sighting) -> bool:
        """Whether the rows of all pages of one kind have a link each that no other row has: authors come back.

        The page of a category shows a part of what the entry page shows, in the same rows.
        """
        place = sighting.seen.template, sighting.candidate.tags
        columns = {
            frozenset(at.candidate.urls): len(at.first_nodes())
            for at in family.sightings
            if at.candidate.region >= 0 and (at.seen.template, at.candidate.tags) == place
        }
        whole = [urls for urls in columns if not any(urls < other for other in columns)]
        return len(frozenset().union(*whole)) >= _EACH_ITS_OWN * sum(columns[urls] for urls in whole) > 1

    def _comes_first(self, family: Family, sighting: Sighting, threads: Iterable[Family]) -> bool:
        """Whether links stand before the threads of their rows: names of boards before their newest threads."""
        mine = sighting.first_nodes()
        theirs: dict[int, int] = {}
        for one, other in self._scene.atlas.on_page(sighting.seen.sampled.url):
            if one in threads and other.candidate.region == sighting.candidate.region:
                for number, node in other.first_nodes().items():
                    theirs[number] = min(node, theirs.get(number, node))
        shared = mine.keys() & theirs.keys()
        first = sum(mine[number] < theirs[number] for number in shared)
        return 2 * first > len(shared) and self._are_each_its_own(family, sighting)

    def _is_spare(self, family: Family, followed: Sequence[Family]) -> bool:
        if self._repeats(family, followed):
            return False
        # a list sorted another way; what rows link to may be parts of it that go further
        if self._scene.shows_itself(family) and not any(one.in_rows for one in family.sightings):
            return False
        return family in self._previews or self._scene.opinions[family].board >= _SPARE

    def _brings_news(self, family: Family) -> bool:
        """Whether pages that are no threads list threads that no page of another kind lists."""
        may_list = self._scene.opinions[family].thread < LIKELY and not self._scene.names_authors(family)
        return may_list and bool(self._scene.atlas.news_of(family, self._threads))

    def _repeats(self, family: Family, followed: Sequence[Family]) -> bool:
        """Whether most links of a family show boards that are followed anyway: sorted, filtered, from page 1."""
        bases = [url for one in followed for url in list(one.urls)[:_SAMPLE]]
        members = list(family.urls)[:_SAMPLE]
        is_more = adds_something if self._scene.shows_itself(family) else adds_to
        return 2 * sum(any(is_more(url, base) for base in bases) for url in members) > len(members)


def _are_views(sighting: Sighting) -> bool:
    """Whether most links of a group, and few others of their page, begin with the page's own address."""
    own = sighting.seen.sampled.url.rstrip("/")
    mine = [url.startswith(own) for url in sighting.candidate.urls]
    others = [url.startswith(own) for url in sighting.seen.links.difference(sighting.candidate.urls)]
    return 2 * sum(mine) > len(mine) and 2 * sum(others) <= len(others)
