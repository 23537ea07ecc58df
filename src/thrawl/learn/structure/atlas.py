"""All that was seen of a site while learning: its pages by template, the groups of their links by family.

Groups of several pages are one family where they share URLs, where one has the form of the other, or where they stand
at the same place of pages that are made alike. Families are joined, and taken apart, by what the pages behind them are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from statistics import mode
from typing import Final

from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.families import Family, Seen, Sighting, is_telling, place_of, turns_pages
from thrawl.learn.structure.groups import Candidate, Form, candidates, form_of
from thrawl.learn.structure.signs import Sign, signs
from thrawl.learn.together import overlap, shared_by_kinds, skeleton_of
from thrawl.learn.varying import texts_of
from thrawl.profile.urls import added_to_path, adds_to

ALIKE: Final = 0.6  # of the places that hold words: pages of one template share most, pages of two few
_COLUMN: Final = 3  # links that make a column, in as many records; the thread before and the one after are two
_NO_TEMPLATE: Final = -1
_FIRST_LOOK: Final = 8  # pages after which a frame may be known: fewer are of too few kinds
_MOST_SIGNS: Final = 3  # by which URLs of one form are told apart: four kinds are more than any site was seen to have
_MOST_GROUPS: Final = 60  # of a page: a page with more is a site map or hostile, and its largest groups tell enough


class Atlas:
    """All that was seen of a site while learning: its pages by template, its link groups by family."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.seen: dict[str, Seen] = {}
        self.families: list[Family] = []
        self._templates: list[frozenset[int]] = []
        self._skeletons: dict[str, frozenset[int]] = {}
        self._frame: frozenset[int] = frozenset()
        self._look_again = _FIRST_LOOK
        self._signs: dict[Form, tuple[Sign, ...]] = {}
        self._standing: dict[str, list[tuple[Family, Sighting]]] = {}
        self._answered: dict[Family, tuple[tuple[int, int], list[Sampled], int]] = {}
        self._ways: dict[str, dict[tuple[str, ...], list[frozenset[str]]]] = {}
        self._plain: dict[str, str] = {}
        self.shown: Counter[str] = Counter()
        """On how many pages each text stands outside of links."""
        self.leads: dict[Sighting, float] = {}
        """How far the anchors of a group lead those beside it: asked of every group after every page, and fixed."""

    def add(self, sampled: Sampled) -> None:
        """Look at a page, once: its link groups join families or found new ones."""
        if sampled.url in self.seen:
            return
        links = frozenset(link.url for link in sampled.page.links)
        self._plain.clear()
        self._skeletons[sampled.url] = skeleton_of(sampled.page)
        seen = self.seen[sampled.url] = Seen(sampled, self._template(sampled.url), links, texts_of(sampled.page))
        self.shown.update(text for text, linked in seen.texts.items() if not linked)
        if self._sees_frame():
            self._group_anew()
        else:
            self._group(seen)

    def _sees_frame(self) -> bool:
        """Number the templates anew if what all kinds of pages share alone makes them alike; did they change?

        Portals show the same dozen boxes on every page. Asked when the pages that were seen have doubled.
        """
        if len(self.seen) < self._look_again:
            return False
        self._look_again = 2 * len(self.seen)
        frame = shared_by_kinds(self._skeletons)
        if 2 * sum(overlap(frame, one) >= ALIKE for one in self._skeletons.values()) <= len(self.seen):
            return False
        self._frame = frame
        self._templates.clear()
        numbers = {url: self._template(url) for url in self.seen}
        changed = any(numbers[url] != seen.template for url, seen in self.seen.items())
        self.seen = {url: replace(seen, template=numbers[url]) for url, seen in self.seen.items()}
        return changed

    def _group(self, seen: Seen) -> None:
        found = (part for one in candidates(seen.sampled.page)[:_MOST_GROUPS] for part in one.split(self._kind))
        for candidate in found:
            family = self._family_for(seen, candidate)
            sighting = family.add(seen, candidate)
            self._standing.setdefault(seen.sampled.url, []).append((family, sighting))
            ways = self._ways.setdefault(seen.sampled.url, {})
            ways.setdefault(candidate.tags, []).append(frozenset(candidate.urls))
        self._join_by_template(seen.sampled.url)

    def _kind(self, url: str) -> tuple[bool, ...]:
        """Which of the signs a URL has by which those of its form are told apart."""
        return tuple(sign.is_on(url) for sign in self._signs.get(form_of(url), ())) if self._signs else ()

    def take_apart(self) -> bool:
        """Form the families anew where the pages behind one are of two kinds that a sign tells apart; was there one?

        In rows, links of one place are of one kind: a sign that some of them have and others have not tells nothing.
        Two records are no rows yet: a menu above another one looks like them.
        """
        for family in self.families:
            if len(set(self.templates_of(family))) < 2:
                continue  # its pages are made in one way
            forms = [one for one in set(map(form_of, family.urls)) if len(self._signs.get(one, ())) < _MOST_SIGNS]
            columns = (one for one in family.sightings if one.in_rows and one.row_count >= _COLUMN)
            rows = [one.candidate.urls for one in columns if not self.is_menu(one)]
            rows = [urls for urls in rows if len(urls) >= _COLUMN]
            found = self._signs_in(family) if forms else iter(())
            sign = next((one for one in found if not any(map(one.parts, rows))), None)
            if sign is not None:
                self._signs.update({form: (*self._signs.get(form, ()), sign) for form in forms})
                self._group_anew()
                return True
        return False

    def _group_anew(self) -> None:
        """Form all families again: what tells kinds or templates apart has changed."""
        self.families.clear()
        self._standing.clear()
        self._ways.clear()
        self.leads.clear()
        for seen in self.seen.values():
            self._group(seen)

    def _signs_in(self, family: Family) -> Iterator[Sign]:
        """What may tell two kinds of pages of a family apart: by their types, else by how they are made and a word.

        A box on all pages can make all of them look the same.
        """
        yield from signs(self.types_of(family))
        yield from (one for one in signs(self._makes_of(family)) if one.is_word_of_all(family.urls))

    def types_of(self, family: Family) -> dict[str, str]:
        """The pages of a family by their type, as far as all pages of their template are of it."""
        made: dict[str, list[str]] = defaultdict(list)
        for url, make in self._makes_of(family).items():
            made[make].append(url)
        types: dict[str, str] = {}
        for urls in made.values():
            types |= dict.fromkeys(urls, self.sampler.classify([self.seen[url].sampled.page for url in urls]).type)
        return types

    def _makes_of(self, family: Family) -> dict[str, str]:
        """The pages of a family by their template."""
        pages = (one.url for one in self.destinations(family) if one.url in family.urls and one.url in self.seen)
        return {url: str(self.seen[url].template) for url in pages}

    def _join_by_template(self, url: str) -> None:
        """Join the families of a page with those whose URLs have its form and whose pages are made like it.

        Boards below boards are met one by one, and one or two URLs have no pattern that could tell.
        """
        for family in [one for one in self.families if url in one.urls]:
            if family not in self.families or any(map(is_telling, family.patterns)) or turns_pages(family):
                continue  # joined already, known by its pattern, or pages of the lists that it stands on
            forms, templates = family.forms, set(self.templates_of(family))
            alike = [one for one in self.families if one is not family and one.forms & forms]
            alike = [one for one in alike if self._are_one_kind(one.urls, family.urls)]
            joined = [family, *(one for one in alike if not templates.isdisjoint(self.templates_of(one)))]
            largest, *others = sorted(joined, key=lambda one: -len(one.urls))
            for other in others:
                self._merge(largest, other)

    def join_alike(self, roles: Mapping[Family, str]) -> bool:
        """Join two families of one role whose URLs have one shape, if their pages are made alike or the pattern of one
        is the other's; were there any?

        Threads stand in the folders of their boards, each folder with a pattern of its own.
        """
        found = [(one, role) for one, role in roles.items() if self.destinations(one) and not turns_pages(one)]
        for (smaller, its_role), (larger, role) in permutations(found, 2):
            if role != its_role or len(smaller.urls) > len(larger.urls):
                continue
            if self._are_one_kind(smaller.urls, larger.urls) and self._is_like(smaller, larger, role):
                self._merge(larger, smaller)
                return True
        return False

    def _is_like(self, family: Family, other: Family, role: str) -> bool:
        """Whether one family has the shape of another and its template or pattern.

        Words of a query are a program's or names of boards: in one column of a page they are names. The folders of
        threads are names of boards; those of lists are a program's, unless both stand in rows at one place of pages
        made alike: tags and boards list threads alike, but stand elsewhere. Nor are folders that stand side by side
        in rows names of boards: `topic/7/` and `post/91/` lead to the same thread.
        """
        if self._template_of(family) != self._template_of(other):
            return family.shapes <= other.shapes and other.tells_of(family)
        if family.shapes <= other.shapes:
            apart = family.forms.isdisjoint(other.forms) and self._are_columns(family, other)
            return not apart if role == "thread" else bool(family.heads & other.heads) or family.stands_like(other)
        open_to_words = {shape[:2] for shape in family.shapes} <= {shape[:2] for shape in other.shapes}
        return open_to_words and bool(_columns(family) & _columns(other))

    def _are_columns(self, family: Family, other: Family) -> bool:
        """Whether two families stand side by side in rows, as titles and the ways to the last posts do."""
        return any(self._stands_beside(at.seen, at.candidate, other) for at in family.sightings)

    def kin_of(self, families: Sequence[Family]) -> list[Family]:
        """The families with pages made like those of others, and whose addresses add to theirs or they to them."""
        found = []
        for one in self.families:
            made = set(self.templates_of(one))  # the page of an answer that has none is made like few others
            alike = [other for other in families if not made.isdisjoint(self.templates_of(other))]
            kin = any(one.lengthens(other) or other.lengthens(one) for other in alike)
            if one not in families and self.destinations(one) and kin:
                found.append(one)
        return found

    def are_alike(self, family: Family, other: Family) -> bool:
        """Whether all URLs of a family have a form of another's, and its pages are made like the other's."""
        fits = bool(self.destinations(family)) and family.is_part_of(other)
        return fits and self._template_of(family) == self._template_of(other)

    def _template_of(self, family: Family) -> int:
        """The template of most pages of a family that were seen."""
        return mode(self.templates_of(family) or [_NO_TEMPLATE])

    def templates_of(self, family: Family) -> list[int]:
        """The templates of the pages of a family that were seen, one for each page."""
        pages = (self.seen.get(one.url) for one in self.destinations(family))
        return [seen.template for seen in pages if seen is not None]

    def _family_for(self, seen: Seen, candidate: Candidate) -> Family:
        """The family that a group belongs to; families that it shows to be one are joined."""
        place = place_of(seen, candidate)
        joined = [
            one
            for one in self.families
            if self._are_one_kind(one.urls, candidate.urls)
            and one.joins(candidate, place)
            and not self._stands_beside(seen, candidate, one)
        ]
        if not joined:
            self.families.append(family := Family())
            return family
        for other in joined[1:]:
            if joined[0].is_one_with(other):
                self._merge(joined[0], other)
        return joined[0]

    def _are_one_kind(self, urls: Iterable[str], others: Iterable[str]) -> bool:
        """Whether two groups of links, each of one kind in itself, are of one kind by their signs."""
        return not self._signs or self._kind(next(iter(urls))) == self._kind(next(iter(others)))

    def _stands_beside(self, seen: Seen, candidate: Candidate, family: Family) -> bool:
        """Whether a group stands in the same rows as other links of a family: columns of a row are of different kinds.

        A title and the icon before it lead to the same page, so links that are the family's own do not count.
        """
        shared = sum(url in family.urls for url in candidate.urls)
        if candidate.region < 0 or 2 * shared > len(candidate.urls):
            return False
        mine = Sighting(seen, candidate).first_nodes()
        return any(
            one is family
            and other.candidate.region == candidate.region
            and 2 * len(mine.keys() & other.first_nodes()) > len(mine)
            for one, other in self.on_page(seen.sampled.url)
        )

    def _merge(self, family: Family, other: Family) -> None:
        self.families.remove(other)
        for sighting in other.sightings:
            family.add_sighting(sighting)
            here = self._standing[sighting.seen.sampled.url]
            here[here.index((other, sighting))] = (family, sighting)

    def _template(self, url: str) -> int:
        skeleton = self._skeletons[url] - self._frame
        for number, known in enumerate(self._templates):
            if overlap(known, skeleton) >= ALIKE:
                return number
        self._templates.append(skeleton)
        return len(self._templates) - 1

    def destinations(self, family: Family) -> list[Sampled]:
        """The pages of a family that were fetched, each once."""
        return self._answers(family)[0]

    def is_destination(self, url: str) -> bool:
        """Whether a page was met as one of several links of a kind."""
        return any(url in family.urls for family in self.families if len(family.urls) > 1)

    def listed_by(self, family: Family, threads: Iterable[Family]) -> set[str]:
        """The threads that pages of a family show, beside those of menus."""
        pages = {page.url for page in self.destinations(family)}
        shown = (at for one in threads for at in one.sightings if at.seen.sampled.url in pages)
        return {url for at in shown if not self.is_menu(at) for url in at.candidate.urls}

    def news_of(self, family: Family, threads: Sequence[Family]) -> set[str]:
        """The threads that pages of a family show, and pages of no other kind: so lists are known, whatever they look
        like."""
        pages = {page.url for page in self.destinations(family)}
        others = (at for one in threads for at in one.sightings if at.seen.sampled.url not in pages)
        return self.listed_by(family, threads).difference(*(at.candidate.urls for at in others))

    def is_menu(self, sighting: Sighting) -> bool:
        """Whether links stand at the same place of most pages, the same ones: a menu, a sidebar, a jump list.

        The item of a menu that leads to the page itself is marked, and pages may be: classes tell no place apart.
        """
        mine, path = frozenset(sighting.candidate.urls), sighting.candidate.tags
        repeated = sum(
            any(2 * len(mine & urls) > len(mine) for urls in self._ways.get(url, {}).get(path, ())) for url in self.seen
        )
        return len(self.seen) > 2 and 2 * repeated > len(self.seen)

    def plain_form(self, seen: Seen) -> str:
        """The shortest address of a page that was seen: a list that is sorted shows the list without that."""
        own = seen.sampled.url
        found = self._plain.get(own)
        if found is None:
            alike = (url for url, one in self.seen.items() if one.template == seen.template)
            shorter = (url for url in alike if self.shows_again(own, url))
            found = self._plain[own] = min(shorter, key=len, default=own)
        return found

    def shows_again(self, url: str, page_url: str) -> bool:
        """Whether an address shows a page another way: with more in its query; or in its path, where the page behind is
        called as that one is, and no page elsewhere."""
        if adds_to(url, page_url) or not added_to_path(url, page_url):
            return adds_to(url, page_url)
        behind = self.sampler.known(url)
        title = behind.page.tree.title if behind is not None else ""
        called = [one for one, seen in self.seen.items() if title and seen.sampled.page.tree.title == title]
        return page_url in called and all(one == page_url or added_to_path(one, page_url) for one in called)

    def asked(self, family: Family) -> int:
        return self._answers(family)[1]

    def _answers(self, family: Family) -> tuple[list[Sampled], int]:
        """The pages of a family, and how many of its URLs were asked for: looked up when either grew, not each time."""
        grown = len(family.urls), self.sampler.changes
        known = self._answered.get(family)
        if known is None or known[0] != grown:
            found = {one.url: one for url in family.urls if (one := self.sampler.known(url)) is not None}
            asked = sum(self.sampler.asked(url) for url in family.urls)
            known = self._answered[family] = (grown, list(found.values()), asked)
        return known[1], known[2]

    def on_page(self, url: str) -> Sequence[tuple[Family, Sighting]]:
        """The families that a page links to, with where they stand on it."""
        return self._standing.get(url, ())

    def pages(self) -> Sequence[Seen]:
        return list(self.seen.values())


def _columns(family: Family) -> set[tuple[object, ...]]:
    """Where links of a family stand in rows: the page, the rows and the place in them."""
    rows = (one for one in family.sightings if one.candidate.region >= 0)
    return {(one.seen.sampled.url, one.candidate.region, one.candidate.place.path) for one in rows}
