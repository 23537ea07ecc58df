"""A site as it was seen, with what is thought of its families: what inference about threads, boards and homes asks."""

from __future__ import annotations

from collections.abc import Container, Iterable, KeysView, Mapping
from functools import cache
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.evidence import AUTHORS, Looks, Opinion, looks_of, names_authors
from thrawl.learn.structure.families import Family, Sighting
from thrawl.profile.urls import items_of, with_items

LIKELY: Final = 0.5  # likelier than not


class Scene:
    """The pages, families and opinions of one moment of learning; `likely`: what chance makes a thread of a family."""

    def __init__(self, atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float) -> None:
        self.atlas = atlas
        self.adds_to = cache(_adds_to)
        plain = self._plain_forms(opinions)
        self.opinions = {**opinions, **plain}
        self.plain = frozenset(plain)
        self.start = start
        self.likely = likely
        self.looks: dict[Family, Looks] = {family: looks_of(atlas, family) for family in atlas.families}
        self.is_menu = cache(atlas.is_menu)
        self.shows_itself = cache(self._shows_itself)
        self._plain_form = cache(atlas.plain_form)

    def _plain_forms(self, opinions: Mapping[Family, Opinion]) -> dict[Family, Opinion]:
        """Families behind which nothing was found: they are what those are that add to them, as `last=1` does."""
        found = {}
        for family in opinions:
            unseen = not self.atlas.destinations(family) and any(map(items_of, family.urls))
            longer = [one for one in opinions if self.adds_to(one, family)] if unseen else []
            surest = max((opinions[one] for one in longer), key=lambda one: one.thread, default=None)
            if surest is not None and surest.thread > opinions[family].thread:
                found[family] = surest
        return found

    def plain_form_of(self, sighting: Sighting) -> str:
        """The shortest address of the page on which links were seen."""
        return self._plain_form(sighting.seen)

    def standing_on(self, url: str) -> list[Family]:
        """The families that a page links to, its menus left out."""
        return [family for family, sighting in self.atlas.on_page(url) if not self.is_menu(sighting)]

    def rows_on(self, url: str) -> list[tuple[Family, Sighting]]:
        """The families that a page shows in rows of its own, with where they stand."""
        return [(one, at) for one, at in self.atlas.on_page(url) if at.in_rows and not self.is_menu(at)]

    def listed_on(self, url: str) -> list[Family]:
        return [one for one, _ in self.rows_on(url)]

    def listed_below(self, url: str, lists: Container[Family]) -> set[Family]:
        """The families that a page shows in its rows, and the pages of those lists that stand there, and so on."""
        found: set[Family] = set()
        pages, looked_at = [url], set()
        while pages:
            page = pages.pop()
            looked_at.add(page)
            rows = self.rows_on(page)
            found.update(one for one, _ in rows)
            linked = (link for one, at in rows if one in lists for link in at.candidate.urls)
            met = (self.atlas.sampler.known(link) for link in linked)
            pages += [one.url for one in met if one is not None and one.url not in looked_at]
        return found

    def pages_of(self, family: Family) -> KeysView[str]:
        """The addresses of its pages that were fetched, in that order: nothing may depend on how a set is ordered."""
        return dict.fromkeys(page.url for page in self.atlas.destinations(family)).keys()

    def are_made_alike(self, family: Family, other: Family) -> bool:
        """Whether pages of two families have one template: a blog beside a forum has another."""
        return not set(self.atlas.templates_of(family)).isdisjoint(self.atlas.templates_of(other))

    def leads_to(self, family: Family, other: Family) -> bool:
        """Whether a page of a family links to another family, beside what the menu of all pages links to."""
        return family is not other and any(
            one is other for page in self.atlas.destinations(family) for one in self.standing_on(page.url)
        )

    def is_thread(self, url: str) -> bool:
        return any(opinion.thread >= self.likely and family.fits(url) for family, opinion in self.opinions.items())

    def stands_in_posts(self, family: Family) -> bool:
        """Whether links stand in records of threads, of whatever sort, as often as those of authors do."""
        return self.looks[family].in_posts >= AUTHORS

    def names_authors(self, family: Family) -> bool:
        return names_authors(self.atlas, family)

    def _shows_itself(self, family: Family) -> bool:
        """Whether links show the page that they stand on another way: sorted, or its next rows."""
        told = [
            self.atlas.shows_again(url, self.plain_form_of(one)) and page.template == one.seen.template
            for one in family.sightings
            if one.seen.sampled.url not in family.urls
            for url in one.candidate.urls
            if (known := self.atlas.sampler.known(url)) is not None
            and (page := self.atlas.seen.get(known.url)) is not None
        ]
        return 2 * sum(told) > len(told)


def _adds_to(family: Family, other: Family) -> bool:
    """Whether most links of a family have the form of another's, with more in their query."""
    names = {item.partition("=")[0] for url in other.urls for item in items_of(url)} - {""}
    return 2 * sum(_is_longer(url, names, other) for url in family.urls) > len(family.urls)


def _is_longer(url: str, names: Container[str], other: Family) -> bool:
    plain = with_items(url, names)
    return plain != url and other.fits(plain)


def plain_addresses(urls: Iterable[str], family: Family) -> list[str]:
    """The addresses of a family that are left of longer ones, as those of the last pages of its threads."""
    names = {item.partition("=")[0] for url in family.urls for item in items_of(url)} - {""}
    longer = [url for url in urls if names and _is_longer(url, names, family)]
    return list(dict.fromkeys(with_items(url, names) for url in longer))
