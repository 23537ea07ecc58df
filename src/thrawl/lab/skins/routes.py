"""The URLs of a skin, each form declared once and used both to build links and to understand requests.

A pattern is a path with a query, with fields in braces:

    {id} {page} {part}    whole numbers: what is shown; its page from 1; its page from 0
    {offset}              rows or posts to leave out before the page
    {slug}                the title as a path part; written, never read
    {key}                 any other word: a month, a sort order, a cursor
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

FIELDS = {
    "id": r"(?P<id>\d{1,12})",
    "page": r"(?P<page>\d{1,9})",
    "part": r"(?P<part>\d{1,9})",
    "offset": r"(?P<offset>\d{1,9})",
    "slug": r"[^/?&#]+",
    "key": r"(?P<key>[^/?&#]+)",
}


@dataclass(frozen=True, slots=True)
class SitePage:
    """What a URL stands for. A form is another way to show the same: sorted, printed, reversed."""

    what: str
    id: int = 0
    page: int = 1
    key: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    what: str
    pattern: str
    form: str = ""
    regex: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        parts = re.split(r"\{(\w+)\}", self.pattern)
        compiled = "".join(FIELDS[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))
        object.__setattr__(self, "regex", re.compile(compiled))

    @property
    def flips(self) -> bool:
        return any(name in self.pattern for name in ("{page}", "{part}", "{offset}"))

    @property
    def slugged(self) -> bool:
        return "{slug}" in self.pattern

    @property
    def keyed(self) -> bool:
        return "{key}" in self.pattern

    def build(self, place: SitePage, size: int, slug: str) -> str:
        return self.pattern.format(
            id=place.id,
            page=place.page,
            part=place.page - 1,
            offset=(place.page - 1) * size,
            slug=slug,
            key=place.key,
        )

    def read(self, target: str, size: int) -> SitePage | None:
        match = self.regex.fullmatch(target)
        if match is None:
            return None
        found = match.groupdict()
        page = int(found.get("page") or 1) + int(found.get("part") or 0) + int(found.get("offset") or 0) // size
        return SitePage(self.what, int(found.get("id") or 0), max(page, 1), found.get("key") or "", self.form)
