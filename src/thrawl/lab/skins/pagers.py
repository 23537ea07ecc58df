"""Pagers: which pages a list links from one of its pages."""

from __future__ import annotations

from dataclasses import dataclass

from thrawl.lab.skins.routes import SitePage
from thrawl.lab.skins.values import Visit


@dataclass(frozen=True, slots=True)
class Flip:
    """One place of a pager: a page with its address, or a gap between pages."""

    label: str
    href: str
    current: bool = False

    def link(self, css: str = "") -> str:
        """The current page and gaps are no links."""
        look = f' class="{css}"' if css else ""
        if self.current or not self.href:
            return f"<b>{self.label}</b>" if self.current else f"<span>{self.label}</span>"
        return f'<a{look} href="{self.href}">{self.label}</a>'


def flip_to(visit: Visit, place: SitePage, page: int, label: str) -> Flip:
    """A flip keeps the form of its list: page 2 of a sorted board is sorted."""
    href = visit.to(place.what, place.id, page, key=place.key, form=place.form)
    return Flip(label, href, page == place.page)


def numbered(visit: Visit, place: SitePage, around: int = 1) -> list[Flip]:
    """1 2 3 … 9: the ends and the neighbours of the current page, gaps between."""
    last = visit.skin.page_count(place, visit.view)
    near = range(place.page - around, place.page + around + 1)
    shown = sorted({page for page in (1, 2, 3, last, *near) if 1 <= page <= last})
    flips: list[Flip] = []
    for page in shown:
        if flips and page - 1 not in shown:
            flips.append(Flip("…", ""))
        flips.append(flip_to(visit, place, page, str(page)))
    return flips


def next_flip(visit: Visit, place: SitePage, label: str) -> Flip | None:
    if place.page >= visit.skin.page_count(place, visit.view):
        return None
    return flip_to(visit, place, place.page + 1, label)


def previous_flip(visit: Visit, place: SitePage, label: str) -> Flip | None:
    return flip_to(visit, place, place.page - 1, label) if place.page > 1 else None


def last_flip(visit: Visit, place: SitePage, label: str) -> Flip | None:
    last = visit.skin.page_count(place, visit.view)
    return flip_to(visit, place, last, label) if place.page < last else None
