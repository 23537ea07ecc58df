"""Pagers of random forums: what leads from one page of a list to its others.

Each pager links, from every page, at least the next page towards the list's end, so a list can be walked whole. The
faults come on top of that: a last page that does not exist, a hidden step back that leads nowhere.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape

from thrawl.lab.random.paint import Paint
from thrawl.lab.skins.routes import SitePage

# --- icons are written as words that a font turns into a picture
_LIGATURES = ("arrow_forward", "chevron_right", "navigate_next", "east")


def pager(paint: Paint, place: SitePage) -> str:
    """The pager of a list's page; nothing where the list has one page."""
    last = paint.plan.page_count(place)
    if last < 2:
        return ""
    kind = paint.plan.pager(place.what)
    drawn = _DRAWN.get(kind, _numbers)(paint, place, last)
    drawn += _fault(paint, place, last, kind)
    return f"<div{paint.css('pager')}>{drawn}</div>" if drawn else ""


def head_links(paint: Paint, place: SitePage) -> str:
    """rel=next and rel=prev, for lists that have their pager in the head alone."""
    if paint.plan.pager(place.what) != "head":
        return ""
    links = [("next", _next(paint, place)), ("prev", place.page - 1 if place.page > 1 else None)]
    return "".join(f'<link rel="{rel}" href="{_href(paint, place, page)}">' for rel, page in links if page)


def row_pager(paint: Paint, number: int) -> str:
    """The small pager of a long thread in its row."""
    place = SitePage("thread", number)
    last = paint.plan.page_count(place)
    if last < 2 or not paint.choices.row_pager or paint.choices.thread_pager not in ("numbers", "offsets", "zero"):
        return ""
    pages = range(1, min(last, 3) + 1)
    links = " ".join(f'<a href="{_href(paint, place, page)}">{page}</a>' for page in pages)
    return f" <small{paint.css('row-pager')}>[ {links} ]</small>"


def _href(paint: Paint, place: SitePage, page: int) -> str:
    return paint.href(replace(place, page=page))


def _step(paint: Paint, place: SitePage, page: int | None, text: str, more: str = "") -> str:
    if page is None:
        return ""
    return f'<a{paint.css("step")}{more} href="{_href(paint, place, page)}">{text}</a> '


def _next(paint: Paint, place: SitePage) -> int | None:
    """The page after this one on the way from the list's opening to its end."""
    if paint.plan.opens_last(place.what):
        return place.page - 1 if place.page > 1 else None
    return place.page + 1 if place.page < paint.plan.page_count(place) else None


def _before(paint: Paint, place: SitePage) -> int | None:
    page = place.page + 1 if paint.plan.opens_last(place.what) else place.page - 1
    return page if 1 <= page <= paint.plan.page_count(place) else None


def _numbers(paint: Paint, place: SitePage, last: int) -> str:
    """1 2 3 … 9 with the neighbours of the current page, and a step on."""
    near = range(place.page - 1, place.page + 2)
    shown = sorted({page for page in (1, 2, last, *near) if 1 <= page <= last})
    parts: list[str] = []
    for before, page in zip([0, *shown], shown, strict=False):
        if page - before > 1:
            parts.append("<span>…</span>")
        here = f"<b{paint.css('here')}>{page}</b>"
        parts.append(here if page == place.page else f'<a href="{_href(paint, place, page)}">{page}</a>')
    return " ".join(parts) + " " + _step(paint, place, _next(paint, place), escape(paint.language.next))


def _steps(paint: Paint, place: SitePage, last: int) -> str:
    words = paint.language
    back = _step(paint, place, _before(paint, place), f"&laquo; {words.previous}")
    return (
        back + f"{words.page} {place.page}/{last} " + _step(paint, place, _next(paint, place), f"{words.next} &raquo;")
    )


def _only_next(paint: Paint, place: SitePage, last: int) -> str:
    return _step(paint, place, _next(paint, place), escape(paint.language.next))


def _older(paint: Paint, place: SitePage, last: int) -> str:
    return _step(paint, place, _next(paint, place), escape(paint.wording.older))


def _more(paint: Paint, place: SitePage, last: int) -> str:
    return _step(paint, place, _next(paint, place), escape(paint.wording.more))


def _icon(paint: Paint, place: SitePage, last: int) -> str:
    ligature = paint.random("ligature").choice(_LIGATURES)
    return _step(paint, place, _next(paint, place), f"<i{paint.css('icon')}>{ligature}</i>")


def _nothing(paint: Paint, place: SitePage, last: int) -> str:
    return ""


_DRAWN = {
    "steps": _steps,
    "next": _only_next,
    "cursor": _older,
    "opaque": _older,
    "more": _more,
    "icon": _icon,
    "head": _nothing,
}


def _fault(paint: Paint, place: SitePage, last: int, kind: str) -> str:
    if kind == "head":
        return ""
    if paint.choices.pager_fault == "dead" and place.page == paint.plan.opening(place):
        return f'<a{paint.css("gone")} style="display:none" href="{_href(paint, place, last + 7)}">&lt;</a>'
    lies = paint.choices.pager_fault == "last-lies" and kind in ("numbers", "offsets", "zero", "steps")
    return _step(paint, place, last + 1, escape(paint.language.last)) if lies else ""
