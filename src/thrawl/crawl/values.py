"""What a page is given to a reader as, and what the reader makes of it.

Both cross the border between processes, so they hold bytes, strings and the values of `page.shown`, no trees. Nothing
here knows of databases: a worker starts in a third of the time without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from thrawl.page.shown import PostRecord, ThreadRow

UNKNOWN: Final = "it fits no pattern of the forum's boards, threads and flips"
"""Why a link of the site is refused."""


class Role(StrEnum):
    """What a page is read as; a page of newest posts is read by a watch alone."""

    ENTRY = "entry"
    INDEX = "index"
    THREAD = "thread"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class PageJob:
    """A fetched page to be read. `url` is where it was found at last, `list_url` the list that it is a page of."""

    url: str
    role: Role
    list_url: str
    body: bytes
    charset: str
    fetched: datetime


@dataclass(frozen=True, slots=True)
class LookJob:
    """A page of a site that is not known yet, to be read as a whole."""

    html: str
    url: str
    reference: datetime | None


@dataclass(frozen=True, slots=True)
class UseProfile:
    """Read by this profile from now on. One that the worker has already is named by its number alone (`profile` None);
    those to `forget` are not asked for any more."""

    number: int
    profile: str | None = None
    forget: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a page could not be read as a whole."""

    reason: str


@dataclass(frozen=True, slots=True)
class TypedLink:
    """A link that the profile knows the type of. `key` names the list where its URL alone may not.

    `reserve`: the list may bring nothing that others do not, so it is tried last.
    """

    url: str
    is_thread: bool
    list_url: str
    key: str | None = None
    reserve: bool = False


@dataclass(frozen=True, slots=True)
class RefusedLink:
    """A link that is not followed, and why."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class BoardStep:
    """One step of a breadcrumb."""

    title: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Flips:
    """The pager of a page: the pages that it links, and the last one that it shows.

    `counted` says that the learned arithmetic fits this pager, so that pages it does not link can be reached too;
    elsewhere `next_url` leads on, or one of `others` where nothing tells the way on from the way back.
    """

    linked: tuple[tuple[int, str], ...] = ()
    last: int = 1
    counted: bool = False
    next_url: str | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A number that an index page says of a list, or of the whole site where `subject` is empty.

    `place` names where it stands, alike for all lists that are told of in one way; `words` are those beside it.
    """

    subject: str
    place: str
    words: str
    number: int


@dataclass(frozen=True, slots=True)
class StrayLink:
    """A link that stands where the threads of a list stand, and that no pattern explains."""

    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """What an index page promises, and what on it nobody explains.

    `unfollowed` is the last page of a pager that no pattern explains, else 1; `threads` counts the threads in its rows.
    `beyond` are links that may lead on from a page that leads nowhere by what is known; None where nobody looked.
    """

    told: tuple[Told, ...] = ()
    strays: tuple[StrayLink, ...] = ()
    unfollowed: int = 1
    threads: int = 0
    beyond: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """What the entry page shows of a board: its numbers by their places in the row, and its last post."""

    url: str
    numbers: tuple[tuple[str, int], ...] = ()
    last_time: datetime | None = None
    last_thread: str | None = None


class Misfit(StrEnum):
    """Why a page did not show what its URL promised."""

    LOGIN = "the page asks for a login"
    CHALLENGE = "the page is a challenge for browsers, not content"
    NO_POSTS = "the page shows no posts"
    NO_ROWS = "the page links to no thread or board"
    NOT_HTML = "the answer is not a web page"
    UNREADABLE = "the page could not be read"
    KILLED = "the page took too long or too much memory to read"

    @property
    def means_redesign(self) -> bool:
        """Whether many such pages mean that the site changed; walls and traps do not."""
        return self in (Misfit.NO_POSTS, Misfit.NO_ROWS)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one page says. `general` is set where the site's wrapper failed and the general reader stepped in.

    `unread` are running texts of a thread page that stand in none of its posts (`unread.Block`).
    """

    posts: tuple[PostRecord, ...] = ()
    rows: tuple[ThreadRow, ...] = ()
    title: str | None = None
    boards: tuple[BoardStep, ...] = ()
    links: tuple[TypedLink, ...] = ()
    refused: tuple[RefusedLink, ...] = ()
    flips: Flips = Flips()
    misfit: Misfit | None = None
    detail: str = ""
    general: bool = False
    sighting: Sighting = Sighting()
    digest: str | None = None
    board_rows: tuple[BoardRow, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
