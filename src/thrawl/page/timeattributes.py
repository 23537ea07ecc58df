"""Times that attributes carry: `<time datetime>`, `title`, schema.org's `content`, unix seconds in `data-…`.

Attributes are written for machines, so most name the exact instant with its zone; but `title` may hold any words and
a `data-` number may be any number, so each is believed only as far as its form and its name go.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from thrawl.page.timeparts import Parts
from thrawl.page.timescan import scan
from thrawl.page.tree import Tree


@dataclass(frozen=True, slots=True)
class Exact:
    """A time in an attribute. `sure` if it is one even where no shown time stands with it."""

    attribute: str
    text: str
    parts: Parts
    sure: bool


def exact_times(tree: Tree) -> dict[int, Exact]:
    """The best time attribute of each element that has one."""
    found = {}
    for node, attributes in enumerate(tree.attributes):
        for name in attributes:
            if name not in _PLAIN:
                if best := read_attributes(attributes):
                    found[node] = best
                break
    return found


_MAX_VALUE: Final = 80  # characters; a longer attribute is a sentence or data, not a time
_PLAIN: Final = frozenset(
    "class id href src style type name value rel alt width height target for action method".split()
)
_MACHINE: Final = frozenset({"datetime"})
_WORDED: Final = frozenset({"title", "aria-label", "data-original-title", "data-title", "data-tooltip"})
_NAMED_TIME: Final = re.compile(r"time|date|stamp|epoch|created|posted|published")
_DATE_PROPERTY: Final = re.compile(r"date|time", re.IGNORECASE)
_HAS_DIGIT: Final = re.compile(r"\d")
_UNIX: Final = re.compile(r"\d{10}(?:\d{3}|\.\d{1,6})?")
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|\d{8}T\d{6}")
_FIRST_UNIX: Final = 946_684_800  # 2000-01-01
_LAST_UNIX: Final = 4_102_444_800  # 2100-01-01


def read_attributes(attributes: Mapping[str, str]) -> Exact | None:
    """The best time among the attributes of one element: with a zone before without, finer before coarser.

    Those for machines come first: where one names the instant, the words for people need not be read.
    """
    best: Exact | None = None
    for name, value in sorted(attributes.items(), key=lambda item: item[0] in _WORDED):
        if name in _PLAIN or not 4 <= len(value) <= _MAX_VALUE or not _HAS_DIGIT.search(value):
            continue
        exact = _read_attribute(name, value, attributes)
        if exact is not None and (best is None or _weight(exact) > _weight(best)):
            best = exact
            if all(_weight(best)):
                break
    return best


def _weight(exact: Exact) -> tuple[bool, bool, bool]:
    return exact.sure, exact.parts.zone is not None, exact.parts.hour is not None


def _read_attribute(name: str, value: str, attributes: Mapping[str, str]) -> Exact | None:
    if name in _MACHINE:
        return _machine(name, value, sure=True)
    if name == "content":
        prop = attributes.get("itemprop", "") or attributes.get("property", "")
        return _machine(name, value, sure=True) if _DATE_PROPERTY.search(prop) else None
    if name in _WORDED:
        return _worded(name, value)
    if name.startswith("data-") or _NAMED_TIME.search(name):
        return _machine(name, value, sure=_NAMED_TIME.search(name) is not None)
    return None


def _machine(name: str, value: str, *, sure: bool) -> Exact | None:
    value = value.strip()
    if _UNIX.fullmatch(value):
        parts = _from_unix(value)
        return Exact(name, value, parts, sure) if parts else None
    if _ISO.match(value) and (parts := _from_iso(value)):
        return Exact(name, value, parts, sure)
    return _worded(name, value, sure=sure)


def _from_unix(value: str) -> Parts | None:
    seconds = int(value[:10])
    if not _FIRST_UNIX <= seconds <= _LAST_UNIX:
        return None
    at = datetime.fromtimestamp(seconds, UTC)
    return Parts(at.year, at.month, at.day, at.hour, at.minute, at.second, zone=0)


def _from_iso(value: str) -> Parts | None:
    """The usual form by the standard library, ten times as fast as the general reader."""
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    if not 1970 <= at.year <= 2099:
        return None
    offset = at.utcoffset()
    zone = None if offset is None else int(offset.total_seconds() // 60)
    return Parts(at.year, at.month, at.day, at.hour, at.minute, at.second, at.microsecond, zone)


def _worded(name: str, value: str, *, sure: bool = True) -> Exact | None:
    """A worded attribute must be little else than a full date, which it may tell twice; a sentence around it is about
    something else."""
    found = scan(value)
    moments = {(one.parts.year, one.parts.month, one.parts.day, one.parts.hour, one.parts.minute) for one in found}
    if len(moments) != 1 or any(one.parts.kind != "absolute" for one in found):
        return None
    if 2 * sum(one.end - one.start for one in found) < len(value.strip()):
        return None
    parts = max((one.parts for one in found), key=lambda one: (one.zone is not None, one.second is not None))
    return Exact(name, value.strip(), parts, sure)
