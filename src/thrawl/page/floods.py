"""Pages that the parser would take too long over: what its time is quadratic in is refused, or written otherwise."""

from __future__ import annotations

import re
from typing import Final

from thrawl import limits
from thrawl.errors import PageError
from thrawl.page.mending import mended

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_QUOTED: Final = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
_SELECT: Final = re.compile(r"<(/?)select\b", re.IGNORECASE)
_LONG_TAG: Final = 2 * limits.MAX_TAG_ATTRIBUTES  # characters: an attribute takes two at the least
# comments and scripts, to pass over them, and tags so long that they may hold a flood of attributes
_LONG: Final = re.compile(
    r"<(?:!--(?!-?>)[^-]*(?:-(?!->)[^-]*)*"
    rf"|[sS](?:[cC][rR][iI][pP][tT]|[tT][yY][lL][eE])\b[^>]{{0,{_LONG_TAG}}}>[^<]*(?:<(?!/)[^<]*)*"
    rf"|([a-zA-Z][^>]{{{_LONG_TAG},}}))"
)
# elements that end by themselves, so that a page may leave any number of them open
_UNNESTED: Final = frozenset(
    "area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr".split()
)
MANY_TAGS: Final = min(limits.MAX_DEPTH, limits.MAX_MENU_OPTIONS)


def made_plain(html: str) -> str:
    """A page as it was meant; refused where the parser would take too long over it."""
    if _may_hold_long_tags(html):
        _refuse_attribute_floods(html)
    if html.count(">") > MANY_TAGS:
        _refuse_nesting_floods(html)
        html = _without_huge_menus(html)
    return mended(html)


def _may_hold_long_tags(html: str) -> bool:
    """Whether no bracket closes for long. A long tag covers half its least length without one, wherever that begins."""
    step = _LONG_TAG // 2
    return any(html.find(">", start, start + step) < 0 for start in range(0, len(html) - step, step))


def _refuse_attribute_floods(html: str) -> None:
    """The parser's own time is quadratic in the attributes of a tag."""
    for found in _LONG.finditer(html):
        if found[1] and len(_QUOTED.sub("=", found[1]).split()) > limits.MAX_TAG_ATTRIBUTES:
            raise PageError(f"a tag of the page has more than {limits.MAX_TAG_ATTRIBUTES:,} attributes")


def _refuse_nesting_floods(html: str) -> None:
    """Count open elements the cheap way: the parser's own time is quadratic in depth."""
    if html.count("<") - html.count("</") * 2 < limits.MAX_DEPTH:
        return
    depth = 0
    for closing, name in _TAG.findall(html):
        if name.lower() in _UNNESTED:
            continue
        depth = max(0, depth - 1) if closing else depth + 1
        if depth > limits.MAX_DEPTH:
            raise PageError(f"the page nests more than {limits.MAX_DEPTH:,} elements")


def _without_huge_menus(html: str) -> str:
    """Rename `<select>` where a page has very many options: the parser's time is quadratic in the options of one."""
    if html.lower().count("<option") < limits.MAX_MENU_OPTIONS:
        return html
    return _SELECT.sub(r"<\1x-select", html)
