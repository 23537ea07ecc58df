"""Families: links that seem to lead to pages of one kind, proposed over all pages that were fetched.

A link group of one page is a proposal. Groups of several pages are one family where they share URLs, where one has the
form of the other, or where they stand at the same place of pages that are made alike. A family says nothing of what its
pages are: that is a question for the evidence, and no family is ever dropped here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, zip_longest
from statistics import mode
from typing import Final

from thrawl.learn.refine import learn_patterns
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.groups import Candidate, Form, candidates, form_of, head_of
from thrawl.learn.structure.signs import Sign, signs
from thrawl.learn.together import overlap, skeleton_of
from thrawl.learn.varying import texts_of
from thrawl.profile.patterns import NUMBER, Pattern
from thrawl.profile.urls import Structure, take_apart

_MOST: Final = 0.8  # of a group's URLs: single links of another kind stray into most columns
_ALIKE: Final = 0.6  # of the places that hold words: pages of one template share most, pages of two few
_PATTERNED_BY: Final = 3  # URLs before their pattern is believed: two may agree by chance
_KEY_CHARS: Final = 16  # of a word without a hyphen: hashes are longer, words of any language seldom
_ANY_HEAD: Final = 6  # ways to begin: a family with so many may have any other
_NUMBER: Final = re.compile(r"\d+")
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}")  # a letter of another alphabet, not a number
_NO_NUMBER: Final = re.compile(r"\D+")
_NO_TEMPLATE: Final = -1
_MOST_SIGNS: Final = 3  # by which URLs of one form are told apart: four kinds are more than any site was seen to have
_MOST_GROUPS: Final = 60  # of a page: a page with more is a site map or hostile, and its largest groups tell enough


Shape = tuple[Structure, tuple[str, ...], str]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A page that was fetched, the number of its template, where it links to, and its texts: are they links?"""

    sampled: Sampled
    template: int
    links: frozenset[str]
    texts: Mapping[str, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A group of a family's links as it stood on one page."""

    seen: Seen
    candidate: Candidate

    @property
    def in_rows(self) -> bool:
        """Whether the links stand in repeated records, so that they may be the titles of rows."""
        return self.candidate.region >= 0 and len(self.candidate.urls) > 1

    def first_nodes(self) -> dict[int, int]:
        """The first link in each row of its region, by the row's number."""
        return self.candidate.first_nodes(self.seen.sampled.page)


@dataclass(eq=False)
class Family:
    """URLs that seem to be of one kind, with their anchors, and where they were seen."""

    sightings: list[Sighting] = field(default_factory=list)
    urls: dict[str, str] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    _places: set[tuple[object, ...]] = field(default_factory=set)
    _patterns: tuple[Pattern, ...] | None = None
    _shapes: set[Shape] | None = None
    _numbering: set[bool] | None = None

    def add(self, seen: Seen, candidate: Candidate) -> Sighting:
        sighting = Sighting(seen, candidate)
        self.add_sighting(sighting)
        return sighting

    def add_sighting(self, sighting: Sighting) -> None:
        candidate = sighting.candidate
        for url, anchor in zip(candidate.urls, candidate.anchors, strict=True):
            if len(anchor) > len(self.urls.get(url, "")):
                self.urls[url] = anchor
            self.urls.setdefault(url, anchor)
        self.heads |= candidate.heads
        self.sightings.append(sighting)
        self._places.add(_place(sighting.seen, candidate))
        self._patterns = self._shapes = self._numbering = None

    def holding(self, urls: dict[str, str]) -> Family:
        """The family with these URLs alone."""
        return Family(self.sightings, urls, self.heads, self._places)

    def is_one_with(self, other: Family) -> bool:
        """Whether two families are one: most URLs of the smaller are the larger's, or have its form."""
        smaller, larger = sorted((self, other), key=lambda one: len(one.urls))
        return sum(map(larger.fits, smaller.urls)) >= _MOST * len(smaller.urls)

    def joins(self, candidate: Candidate, place: tuple[object, ...]) -> bool:
        """Whether a group of a page, which stands at a place, is of this family."""
        shared = sum(url in self.urls for url in candidate.urls)
        most = _MOST if len(candidate.heads) > 1 else 0.5
        if shared > most * len(candidate.urls) or place in self._places:
            return True
        begins_alike = candidate.heads <= self.heads or len(self.heads) >= _ANY_HEAD
        if len(self.urls) < _PATTERNED_BY or not begins_alike:
            return False
        if self._numbering is None:
            self._numbering = _numbered(self.urls)
        if _numbered(candidate.urls).isdisjoint(self._numbering):
            return False  # the ones have a number, the others have none
        patterns = [one for one in self.patterns if _is_telling(one) or self._stands_like(candidate)]
        fitting = sum(any(one.match(url) is not None for one in patterns) for url in candidate.urls)
        return bool(patterns) and fitting >= _MOST * len(candidate.urls)

    def _stands_like(self, candidate: Candidate) -> bool:
        """Whether the links of a group stand where this family's do, in rows or not: words in a URL tell little."""
        return any(
            one.candidate.place.path[-2:] == candidate.place.path[-2:]
            and (one.candidate.region >= 0) == (candidate.region >= 0)
            for one in self.sightings
        )

    @property
    def shapes(self) -> set[Shape]:
        """The structures of its URLs, where numbers stand in what varies, and the words of the query.

        Folders may be those of boards; `x=thread` and `x=user` are a program's words.
        """
        if self._shapes is None:
            self._shapes = {
                (parts.structure, tuple(map(_number_frame, parts.slots)), head_of(parts.url).partition("?")[2])
                for parts in map(take_apart, self.urls)
            }
        return self._shapes

    @property
    def forms(self) -> set[tuple[Structure, str]]:
        """The structures of its URLs, where they stand (a root tells nothing), and where numbers are in their names."""
        found = set()
        for url in self.urls:
            parts = take_apart(url)
            folder, _, _ = head_of(url).rpartition("/")
            path = [slot for slot in parts.slots[: parts.structure.segments] if slot]
            if parts.structure.names:
                found.add((parts.structure, head_of(url)))
            elif folder:
                found.add((parts.structure, f"{folder}/{_number_frame(path[-1])}"))
        return found

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        if self._patterns is None:
            self._patterns = learn_patterns(self.urls)
        return self._patterns

    def fits(self, url: str) -> bool:
        return url in self.urls or any(pattern.match(url) is not None for pattern in self.patterns if pattern.holes)

    def tells_of(self, other: Family) -> bool:
        """Whether all URLs of another family have a form of this one that hardly any fits by chance."""
        telling = [one for one in self.patterns if _is_telling(one)]
        return all(any(one.match(url) is not None for one in telling) for url in other.urls)


def _number_frame(name: str) -> str:
    """Where numbers stand in a name: `list-2-3.html` is `a0a0a`."""
    return _NO_NUMBER.sub("a", _NUMBER.sub("0", _ESCAPE.sub("a", name)))


def _numbered(urls: Iterable[str]) -> set[bool]:
    """Whether there are URLs with a number behind their host, and others without."""
    return {_NUMBER.search(_ESCAPE.sub("a", url), url.find("/", len("https://"))) is not None for url in urls}


def _is_telling(pattern: Pattern) -> bool:
    """Whether URLs hardly fit a pattern by chance: it has a number."""
    return any(hole.kind == NUMBER for hole in pattern.holes)


def _place(seen: Seen, candidate: Candidate) -> tuple[object, ...]:
    """Where a group stands: the same place of pages that are made alike, with URLs of one form, means the same."""
    tags = tuple(label.partition(".")[0] for label in candidate.place.path)
    first = take_apart(candidate.urls[0])
    frames = tuple(map(_frame, first.slots))
    place = candidate.place
    head = _head_seen_from(candidate, seen.sampled.url)
    return seen.template, candidate.region < 0, tags, place.kind, place.ordinal, first.structure, frames, head


def _head_seen_from(candidate: Candidate, page_url: str) -> tuple[str, ...]:
    """How the URLs of a group begin, left open where they differ or repeat the page's own address.

    A board's name in them is the page's, not a word of the program.
    """
    here = head_of(page_url).split("/")
    own = take_apart(page_url).slots
    columns = zip_longest(*(head.split("/") for head in candidate.heads), fillvalue="")
    common = [steps[0] if len(set(steps)) == 1 else "" for steps in columns]
    return tuple(
        "" if at > 0 and (here[at : at + 1] == [step] or step in own) else step for at, step in enumerate(common)
    )


def _frame(slot: str) -> str:
    """What URLs of one kind have in common at a slot: whether it begins or ends with a number, or has none."""
    if not slot:
        return ""
    if len(slot) >= _KEY_CHARS and slot.isalnum():
        return "key"  # letters and digits in any order
    return ("0" if slot[0].isdigit() else "a") + ("0" if slot[-1].isdigit() else "a")


def _turns_pages(family: Family) -> bool:
    """Whether links differ from the pages that they stand on in one of several numbers, as flips do."""
    return any(_turns(one.seen.sampled.url, url) for one in family.sightings for url in one.candidate.urls)


def _turns(page_url: str, url: str) -> bool:
    own, other = (_NUMBER.findall("/".join(one.split("/")[3:])) for one in (page_url, url))
    if len(own) < 2 or len(own) != len(other) or _NUMBER.sub("0", page_url) != _NUMBER.sub("0", url):
        return False
    return [one == another for one, another in zip(own, other, strict=True)].count(False) == 1


def adds_to(url: str, page_url: str) -> bool:
    """Whether a URL is another's with more in its query: the same list sorted or filtered, its next rows."""
    path, _, query = url.partition("?")
    own_path, _, own_query = page_url.partition("?")
    items = set(query.split("&"))
    return bool(query) and path == own_path and url != page_url and items >= set(filter(None, own_query.split("&")))


class Atlas:
    """All that was seen of a site while learning: its pages by template, its link groups by family."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.seen: dict[str, Seen] = {}
        self.families: list[Family] = []
        self._templates: list[frozenset[int]] = []
        self._signs: dict[Form, tuple[Sign, ...]] = {}
        self._standing: dict[str, list[tuple[Family, Sighting]]] = {}
        self._answered: dict[Family, tuple[tuple[int, int], list[Sampled], int]] = {}
        self._plain: dict[str, str] = {}
        self.leads: dict[Sighting, float] = {}
        """How far the anchors of a group lead those beside it: asked of every group after every page, and fixed."""

    def add(self, sampled: Sampled) -> None:
        """Look at a page, once: its link groups join families or found new ones."""
        if sampled.url in self.seen:
            return
        links = frozenset(link.url for link in sampled.page.links)
        self._plain.clear()
        seen = self.seen[sampled.url] = Seen(sampled, self._template(sampled), links, texts_of(sampled.page))
        self._group(seen)

    def _group(self, seen: Seen) -> None:
        found = (part for one in candidates(seen.sampled.page)[:_MOST_GROUPS] for part in one.split(self._kind))
        for candidate in found:
            family = self._family_for(seen, candidate)
            sighting = family.add(seen, candidate)
            self._standing.setdefault(seen.sampled.url, []).append((family, sighting))
        self._join_by_template(seen.sampled.url)

    def _kind(self, url: str) -> tuple[bool, ...]:
        """Which of the signs a URL has by which those of its form are told apart."""
        return tuple(sign.is_on(url) for sign in self._signs.get(form_of(url), ())) if self._signs else ()

    def take_apart(self) -> bool:
        """Form the families anew where the pages behind one are of two kinds that a sign tells apart; was there one?

        In rows, links of one place are of one kind: a sign that some of them have and others have not tells nothing.
        """
        for family in self.families:
            forms = [one for one in set(map(form_of, family.urls)) if len(self._signs.get(one, ())) < _MOST_SIGNS]
            rows = [one.candidate.urls for one in family.sightings if one.in_rows]
            found = signs(self.types_of(family)) if forms else iter(())
            sign = next((one for one in found if not any(map(one.parts, rows))), None)
            if sign is not None:
                self._signs.update({form: (*self._signs.get(form, ()), sign) for form in forms})
                self.families.clear()
                self._standing.clear()
                self.leads.clear()
                for seen in self.seen.values():
                    self._group(seen)
                return True
        return False

    def types_of(self, family: Family) -> dict[str, str]:
        """The pages of a family by their type, as far as all pages of their template are of it."""
        made: dict[int, list[Sampled]] = defaultdict(list)
        for page in self.destinations(family):
            if page.url in self.seen and page.url in family.urls:
                made[self.seen[page.url].template].append(page)
        types = {template: self.sampler.classify([one.page for one in pages]).type for template, pages in made.items()}
        return {page.url: types[template] for template, pages in made.items() for page in pages}

    def _join_by_template(self, url: str) -> None:
        """Join the families of a page with those whose URLs have its form and whose pages are made like it.

        Boards below boards are met one by one, and one or two URLs have no pattern that could tell.
        """
        for family in [one for one in self.families if url in one.urls]:
            if family not in self.families or any(map(_is_telling, family.patterns)) or _turns_pages(family):
                continue  # joined already, known by its pattern, or pages of the lists that it stands on
            forms, templates = family.forms, set(self._templates_of(family))
            alike = [one for one in self.families if one is not family and one.forms & forms]
            alike = [one for one in alike if self._are_one_kind(one.urls, family.urls)]
            joined = [family, *(one for one in alike if not templates.isdisjoint(self._templates_of(one)))]
            largest, *others = sorted(joined, key=lambda one: -len(one.urls))
            for other in others:
                self._merge(largest, other)

    def join_alike(self, roles: Mapping[Family, str]) -> bool:
        """Join two families of one role whose URLs have one shape, if their pages are made alike or the pattern of one
        is the other's; were there any?

        Threads stand in the folders of their boards, each folder with a pattern of its own.
        """
        found = [(one, role) for one, role in roles.items() if self.destinations(one) and not _turns_pages(one)]
        for (smaller, its_role), (larger, role) in permutations(found, 2):
            if role != its_role or len(smaller.urls) > len(larger.urls) or not smaller.shapes <= larger.shapes:
                continue
            if not self._are_one_kind(smaller.urls, larger.urls):
                continue
            if self._template_of(smaller) == self._template_of(larger) or larger.tells_of(smaller):
                self._merge(larger, smaller)
                return True
        return False

    def _template_of(self, family: Family) -> int:
        """The template of most pages of a family that were seen."""
        return mode(self._templates_of(family) or [_NO_TEMPLATE])

    def _templates_of(self, family: Family) -> list[int]:
        """The templates of the pages of a family that were seen, one for each page."""
        pages = (self.seen.get(one.url) for one in self.destinations(family))
        return [seen.template for seen in pages if seen is not None]

    def _family_for(self, seen: Seen, candidate: Candidate) -> Family:
        """The family that a group belongs to; families that it shows to be one are joined."""
        place = _place(seen, candidate)
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
        return self._kind(next(iter(urls))) == self._kind(next(iter(others)))

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

    def _template(self, sampled: Sampled) -> int:
        skeleton = skeleton_of(sampled.page)
        for number, known in enumerate(self._templates):
            if overlap(known, skeleton) >= _ALIKE:
                return number
        self._templates.append(skeleton)
        return len(self._templates) - 1

    def destinations(self, family: Family) -> list[Sampled]:
        """The pages of a family that were fetched, each once."""
        return self._answers(family)[0]

    def is_destination(self, url: str) -> bool:
        """Whether a page was met as one of several links of a kind."""
        return any(url in family.urls for family in self.families if len(family.urls) > 1)

    def is_menu(self, sighting: Sighting) -> bool:
        """Whether links stand at the same place of most pages, the same ones: a menu, a sidebar, a jump list."""
        mine, path = set(sighting.candidate.urls), sighting.candidate.place.path
        repeated = sum(
            any(
                other.candidate.place.path == path and 2 * len(mine.intersection(other.candidate.urls)) > len(mine)
                for _, other in self.on_page(url)
            )
            for url in self.seen
        )
        return len(self.seen) > 2 and 2 * repeated > len(self.seen)

    def plain_form(self, seen: Seen) -> str:
        """The shortest address of a page that was seen: a list that is sorted shows the list without that."""
        own = seen.sampled.url
        found = self._plain.get(own)
        if found is None:
            shorter = (url for url, one in self.seen.items() if one.template == seen.template and adds_to(own, url))
            found = self._plain[own] = min(shorter, key=len, default=own)
        return found

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
