"""A site as it was seen, with what is thought of its families: what inference about threads, boards and homes asks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.evidence import Looks, Opinion, looks_of
from thrawl.learn.structure.families import Atlas, Family, Sighting, adds_to

LIKELY: Final = 0.5  # likelier than not
SURE: Final = 0.9
_AUTHORS: Final = 0.3  # of a family's sightings in posts: boards hardly stand there, authors do


class Scene:
    """The pages, families and opinions of one moment of learning; `likely`: what chance makes a thread of a family."""

    def __init__(self, atlas: Atlas, opinions: Mapping[Family, Opinion], start: Sampled, likely: float) -> None:
        self.atlas = atlas
        self.opinions = opinions
        self.start = start
        self.likely = likely
        self.looks: dict[Family, Looks] = {family: looks_of(atlas, family) for family in atlas.families}
        self.is_menu = cache(atlas.is_menu)
        self._plain_form = cache(atlas.plain_form)

    def plain_form_of(self, sighting: Sighting) -> str:
        """The shortest address of the page on which links were seen."""
        return self._plain_form(sighting.seen)

    def standing_on(self, url: str) -> list[Family]:
        """The families that a page links to, its menus left out."""
        return [family for family, sighting in self.atlas.on_page(url) if not self.is_menu(sighting)]

    def pages_of(self, family: Family) -> set[str]:
        return {page.url for page in self.atlas.destinations(family)}

    def leads_to(self, family: Family, other: Family) -> bool:
        """Whether a page of a family links to another family, beside what the menu of all pages links to."""
        return family is not other and any(
            one is other for page in self.atlas.destinations(family) for one in self.standing_on(page.url)
        )

    def is_thread(self, url: str) -> bool:
        return any(opinion.thread >= self.likely and family.fits(url) for family, opinion in self.opinions.items())

    def names_authors(self, family: Family) -> bool:
        """Whether links stand in posts as often as those of authors do."""
        return self.looks[family].in_posts >= _AUTHORS

    def shows_itself(self, family: Family) -> bool:
        """Whether links show the page that they stand on another way: sorted, or its next rows."""
        told = [
            adds_to(url, self.plain_form_of(one)) and page.template == one.seen.template
            for one in family.sightings
            if one.seen.sampled.url not in family.urls
            for url in one.candidate.urls
            if (known := self.atlas.sampler.known(url)) is not None
            and (page := self.atlas.seen.get(known.url)) is not None
        ]
        return 2 * sum(told) > len(told)
