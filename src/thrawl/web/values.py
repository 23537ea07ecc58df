"""What pages show, ready for their templates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from markupsafe import Markup

_AROUND: Final = 2  # pages before and after the one that is shown
_NEAR: Final = 1  # pages at both ends


@dataclass(frozen=True, slots=True)
class Crumb:
    title: str
    href: str | None


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board in the list of boards. `promised` are the posts that its rows promise, where they tell."""

    title: str
    href: str
    depth: int
    threads: int
    posts: int | None = None
    promised: int | None = None
    kept: int | None = None
    original: str | None = None

    @property
    def lacks(self) -> int:
        """Posts that rows promise and the archive lacks."""
        return max(0, (self.promised or 0) - (self.kept or 0))


@dataclass(frozen=True, slots=True)
class ThreadLine:
    title: str
    href: str | None
    author: str | None
    posts: int
    promised: int | None
    last: datetime | None
    last_author: str | None
    sticky: bool
    vanished: bool


@dataclass(frozen=True, slots=True)
class FileLine:
    """A file of a post that is offered as a download, or the reason why there is none."""

    name: str
    href: str | None
    bytes: int | None
    failure: str | None


@dataclass(frozen=True, slots=True)
class Wording:
    """What a post said before."""

    until: datetime
    body: Markup


@dataclass(frozen=True, slots=True)
class Said:
    """A post that is answered or quoted: who wrote it, and where it stands."""

    author: str
    href: str


@dataclass(frozen=True, slots=True)
class PostView:
    id: int
    position: int
    author: str | None
    published: datetime | None
    published_text: str | None
    edited: datetime | None
    vanished: datetime | None
    original: str | None
    depth: int
    body: Markup
    wordings: tuple[Wording, ...] = ()
    files: tuple[FileLine, ...] = ()
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One link of a pager; `href` is None for the page that is shown, and for the gap between pages."""

    label: str
    href: str | None
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class Pager:
    """The pages of a list: the first, the last, and those around the one that is shown."""

    page: int
    last: int
    before: str | None
    after: str | None
    turns: tuple[Turn, ...]


def pages_shown(page: int, last: int) -> Iterator[int | None]:
    """The numbers that a pager shows, with None for each gap."""
    wanted = {*range(1, _NEAR + 1), *range(last - _NEAR + 1, last + 1), *range(page - _AROUND, page + _AROUND + 1)}
    previous = 0
    for number in sorted(one for one in wanted if 1 <= one <= last):
        if number > previous + 1:
            yield None
        yield number
        previous = number


def pages_of(items: int, size: int) -> int:
    """How many pages that many items fill; an empty list has one."""
    return max(1, -(-items // size))
