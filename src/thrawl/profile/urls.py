"""A URL taken apart into slots, so that URLs can be compared place by place.

The structure of a URL is what the program behind it reads: host, number of path segments, names of the
query's parameters. What stands in between are the slots: path segments, parameter values, and bare query
items (`list.php?3,45`). Two URLs of one structure differ only in their slots, and a pattern is a structure
with something learned about each slot (Koppula et al. 2010 align URLs the same way, as key-value pairs).
Programs without rewritten addresses put a path where the query stands (`index.php?/board/7-oars`, or
`index.php?boards/oars.7/`, which begins with a word of the program, or `list.pl?b-oars/s-20/`, which ends like a
folder): its steps are path segments, and the file with its question mark begins them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

_FOR_PROGRAMS: Final = re.compile(r"\.(?:rss|xml|atom|json|rdf)\Z", re.IGNORECASE)
_NAME: Final = re.compile(r"[A-Za-z_][\w.\[\]%-]*\Z")
_PATH: Final = re.compile(r"[A-Za-z_]*/|[^=&;]*/(?:[&;]|\Z)")  # a title has hyphens, or a number before it, and no end
FILE_ENDING: Final = re.compile(r"\.[A-Za-z]{2,5}\Z")  # what a program calls its pages, whatever stands before it
_SIGNS: Final = tuple("/&,;:_.~-")  # at which something may be added to a path
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_DIGITS: Final = re.compile(r"\d+")
_JOINTS: Final = re.compile(r"[/?&=;,]")


@dataclass(frozen=True, slots=True)
class Structure:
    """Everything of a URL but its slots. `names` has one entry a query item: its name, or None for a bare one."""

    origin: str
    segments: int
    names: tuple[str | None, ...]
    separator: str = "&"


@dataclass(frozen=True, slots=True)
class UrlParts:
    """A URL as its structure and its slots: path segments first, then the values of the query's items."""

    structure: Structure
    slots: tuple[str, ...]

    def with_slot(self, number: int, value: str) -> UrlParts:
        slots = (*self.slots[:number], value, *self.slots[number + 1 :])
        return UrlParts(self.structure, slots)

    def without_item(self, name: str) -> UrlParts:
        """The same URL without a parameter of its query."""
        first = self.structure.segments
        kept = [
            (item, slot)
            for item, slot in zip(self.structure.names, self.slots[first:], strict=True)
            if item is None or item.lower() != name.lower()
        ]
        structure = Structure(self.structure.origin, first, tuple(item for item, _ in kept), self.structure.separator)
        return UrlParts(structure, self.slots[:first] + tuple(slot for _, slot in kept))

    @property
    def url(self) -> str:
        first = self.structure.segments
        path = "/" + "/".join(self.slots[:first]) if first else ""
        items = [
            slot if name is None else f"{name}={slot}"
            for name, slot in zip(self.structure.names, self.slots[first:], strict=True)
        ]
        mark = self.structure.separator if any("?" in slot for slot in self.slots[:first]) else "?"
        query = mark + self.structure.separator.join(items) if items else ""
        return self.structure.origin + path + query


@lru_cache(maxsize=8192)  # the menus of a site stand on each of its pages
def take_apart(url: str) -> UrlParts:
    """The parts of an absolute http(s) URL; its fragment is dropped. `take_apart(url).url` is the URL again."""
    split = urlsplit(url)
    origin = f"{split.scheme}://{split.netloc}"
    separator = separator_of(split.query)
    items = split.query.split(separator) if split.query else []
    path = split.path or "/"
    if _PATH.match(split.query):
        path = f"{path}?{items.pop(0)}"
    segments = path[1:].split("/") if path.startswith("/") else path.split("/")
    names: list[str | None] = []
    values: list[str] = []
    for item in items:
        name, equals, value = item.partition("=")
        named = bool(equals) and _NAME.match(name) is not None
        names.append(name if named else None)
        values.append(value if named else item)
    structure = Structure(origin, len(segments), tuple(names), separator)
    return UrlParts(structure, (*segments, *values))


def separator_of(query: str) -> str:
    """What parts the items of a query: some programs write `;`."""
    return ";" if "&" not in query and ";" in query else "&"


def items_of(url: str) -> list[str]:
    """The items of a URL's query, as they are written."""
    return _parted(url)[1]


def _parted(url: str) -> tuple[str, list[str]]:
    """What a URL has before its query, a path in the place of one included, and the items of the query."""
    path, _, query = url.partition("?")
    separator = separator_of(query)
    items = query.split(separator) if query else []
    return (f"{path}?{items[0]}", items[1:]) if _PATH.match(query) else (path, items)


def with_items(url: str, names: Container[str]) -> str:
    """A URL with those items of its query alone that have some names."""
    path, items = _parted(url)
    separator = separator_of(url.partition("?")[2])
    kept = separator.join(item for item in items if item.partition("=")[0] in names)
    return path + (separator if "?" in path else "?") * bool(kept) + kept


def same_site(url: str, other: str) -> bool:
    """Whether two URLs are of one site: the same host, with or without `www.`."""
    return _site(url) == _site(other)


@lru_cache(maxsize=8192)
def _site(url: str) -> str:
    return urlsplit(url).netloc.lower().removeprefix("www.")


def is_for_programs(url: str) -> bool:
    """Whether an address ends like a file that programs read, a feed or data; a board or a thread is none."""
    return _FOR_PROGRAMS.search(url) is not None


def without_session(url: str, parameters: frozenset[str]) -> str:
    """The URL without its session parameters (also as a path parameter: `;jsessionid=…`)."""
    if not parameters:
        return url
    lowered = url.lower()
    if not any(name in lowered for name in parameters):
        return url
    parts = take_apart(url)
    for name in parameters:
        parts = parts.without_item(name)
    return _without_path_parameters(parts, parameters).url


def _without_path_parameters(parts: UrlParts, parameters: frozenset[str]) -> UrlParts:
    for number, slot in enumerate(parts.slots[: parts.structure.segments]):
        head, *rest = slot.split(";")
        kept = [item for item in rest if item.partition("=")[0].lower() not in parameters]
        if len(kept) != len(rest):
            parts = parts.with_slot(number, ";".join([head, *kept]))
    return parts


def beginnings(url: str, signs: str) -> Iterator[str]:
    """What a URL begins with, cut behind its host at each of some signs, with the sign and without; longest first."""
    first = url.find("/", len("https://")) + 1
    for at in range(len(url) - 1, first - 1, -1):
        if url[at] in signs:
            yield from (one for one in (url[: at + 1], url[:at]) if one != url)


@lru_cache(maxsize=16384)  # learning asks the same after each page
def adds_to(url: str, page_url: str) -> bool:
    """Whether a URL is another's with more in its query: the same list sorted or filtered, its next rows."""
    (path, items), (page_path, page_items) = _parted(url), _parted(page_url)
    return bool(items) and path == page_path and url != page_url and set(items) >= set(filter(None, page_items))


@lru_cache(maxsize=16384)
def added_to_path(url: str, page_url: str) -> str:
    """What an address has more in its path than another one, also before a file's ending: `/sort,views`, if that begins
    with a sign and says a word; pages are counted."""
    ending = FILE_ENDING.search(url)
    longer, shorter = (FILE_ENDING.sub("", one).rstrip("/") for one in (url, page_url))
    added = longer.removeprefix(shorter)
    alike = "?" not in url and bool(ending) == bool(FILE_ENDING.search(page_url))
    is_more = alike and shorter.count("/") > 2 and len(added) < len(longer)
    return added if is_more and added[:1] in _SIGNS and _WORD.search(added) else ""


def adds_something(url: str, page_url: str) -> bool:
    """Whether an address is another one with something more, in its query or as a word in its path."""
    return adds_to(url, page_url) or bool(added_to_path(url, page_url))


def steps_between(url: str, other: str) -> list[int] | None:
    """By how much each number of an address is larger than that of another; None where anything else differs."""
    if _DIGITS.sub("0", url) != _DIGITS.sub("0", other):
        return None
    return [int(one) - int(two) for one, two in zip(_DIGITS.findall(url), _DIGITS.findall(other), strict=True)]


def name_of(list_url: str) -> str:
    """What names a list in its address: the last part of it."""
    return next((part for part in reversed(_JOINTS.split(list_url)) if part), "")


def parts_behind_host(url: str) -> list[str]:
    """The words and numbers that an address is made of."""
    return _JOINTS.split(url)[3:]
