"""The values that go into an archive and come out of it.

A crawler hands over one `PageOutcome` for every page it asked for; all of it lands in one transaction.
Times are aware datetimes on this side of the border; the tables keep seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from thrawl.page.pagekind import PageKind
from thrawl.page.shown import PostRecord, Quote, ThreadRow


class PageState(StrEnum):
    PENDING = "pending"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


class FailureClass(StrEnum):
    """What can be done about a page that failed."""

    FOR_GOOD = "for good"
    FOR_NOW = "for now"
    LOGIN = "needs a login"
    LOOK = "needs a look"


class FailureKind(StrEnum):
    """Why a page brought nothing, as data; `PageOutcome.failure` says the same in words."""

    GONE = "gone"
    ROBOTS = "robots"
    BOUNDS = "bounds"
    ELSEWHERE = "elsewhere"
    NOT_HTML = "not-html"
    FRUITLESS = "fruitless"
    NEEDLESS = "needless"
    TROUBLE = "trouble"
    FORBIDDEN = "forbidden"
    LOGIN = "login"
    CHALLENGE = "challenge"
    NO_POSTS = "no-posts"
    NO_ROWS = "no-rows"
    UNREADABLE = "unreadable"
    KILLED = "killed"
    STATUS = "status"

    @property
    def failure_class(self) -> FailureClass:
        if self in _FOR_GOOD:
            return FailureClass.FOR_GOOD
        if self is FailureKind.TROUBLE:
            return FailureClass.FOR_NOW
        return FailureClass.LOGIN if self in (FailureKind.FORBIDDEN, FailureKind.LOGIN) else FailureClass.LOOK


_FOR_GOOD = frozenset(
    {
        FailureKind.GONE,
        FailureKind.ROBOTS,
        FailureKind.BOUNDS,
        FailureKind.ELSEWHERE,
        FailureKind.NOT_HTML,
        FailureKind.FRUITLESS,
        FailureKind.NEEDLESS,
    }
)


@dataclass(frozen=True, slots=True)
class FoundUrl:
    """A URL to fetch, and why. `again` asks for a page that was fetched before to be fetched once more."""

    url: str
    kind: PageKind
    reason: str
    list_url: str | None = None
    page_number: int = 1
    priority: int | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class RefusedUrl:
    """A URL that will not be fetched, and why. URLs of one `pattern` share one line of the record."""

    url: str
    reason: str
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class BoardRef:
    """One step of a breadcrumb. A step without a link has no URL."""

    title: str
    url: str | None


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """The thread that a page belongs to. `aliases` are other URLs under which index pages link it."""

    url: str
    title: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Promise:
    """A number that a page says of a list, or of the whole site where `subject` is empty.

    `place` names where it stands, alike for all lists that are told of in one way; `words` are those beside it.
    """

    subject: str
    place: str
    words: str
    number: int


@dataclass(frozen=True, slots=True)
class Stray:
    """A link that stands where the threads of a list stand, and that no pattern explains."""

    url: str
    title: str


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """All that came of asking for one URL.

    `also` are further URLs that showed this very page (where redirects led); they are done with it.
    `failure` says why nothing could be read; with `retry_at` the page is asked for again then. A page that is given
    up has `again_at` instead where a later run shall try it.
    `boards` runs from the root to the board that the page belongs to (for an index page: itself).
    For the ledger: `records` are the posts or rows on the page, `digest` stands for the words of its posts,
    `last_page` is the last page that its pager shows, `unfollowed` that of a pager that no pattern explains.
    `misread_since`: the page is read by a mended profile; what was taken for posts on it since then, and is no more
    read, was none.
    """

    forum_id: int
    url: str
    kind: PageKind
    fetched: datetime
    page_number: int = 1
    list_url: str | None = None
    reason: str | None = None
    status: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    body_hash: str | None = None
    also: tuple[str, ...] = ()
    thread: ThreadRef | None = None
    posts: tuple[PostRecord, ...] = ()
    boards: tuple[BoardRef, ...] = ()
    rows: tuple[ThreadRow, ...] = ()
    found: tuple[FoundUrl, ...] = ()
    refused: tuple[RefusedUrl, ...] = ()
    failure: str | None = None
    failure_kind: FailureKind | None = None
    retry_at: datetime | None = None
    again_at: datetime | None = None
    records: int | None = None
    digest: str | None = None
    last_page: int | None = None
    unfollowed: int | None = None
    promises: tuple[Promise, ...] = ()
    strays: tuple[Stray, ...] = ()
    misread_since: datetime | None = None

    @property
    def was_asked(self) -> bool:
        """Whether a request was made for it."""
        if self.failure is None:
            return self.status is not None
        return self.failure_kind not in (FailureKind.FRUITLESS, FailureKind.NEEDLESS)


@dataclass(frozen=True, slots=True)
class PendingPage:
    """A page leased to a fetcher, with all that a request and the reading of its answer need."""

    url: str
    forum_id: int
    kind: PageKind
    list_url: str | None
    page_number: int
    priority: int
    tries: int
    reason: str | None
    etag: str | None
    last_modified: str | None
    body_hash: str | None


NUMBERED: Final = "no page names it: its number was left out, and such a number led to a thread that was missing"
EMPTY: Final = "it was taken for a thread, shows no post, and leads to what no list showed"


@dataclass(frozen=True, slots=True)
class StoredForum:
    id: int
    entry_url: str
    host: str
    profile: str | None


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board with its place in the tree, as titles from the root."""

    id: int
    forum: str
    url: str | None
    title: str
    path: tuple[str, ...]
    parent_url: str | None


@dataclass(frozen=True, slots=True)
class StoredThread:
    """A thread as the archive knows it. `replies` and the `last_*` fields are what index pages showed."""

    id: int
    forum: str
    board: tuple[str, ...]
    board_url: str | None
    url: str
    title: str | None
    replies: int | None
    views: int | None
    author: str | None
    last_time: datetime | None
    last_time_text: str | None
    last_author: str | None
    sticky: bool
    first_seen: datetime
    last_seen: datetime
    vanished: datetime | None


@dataclass(frozen=True, slots=True)
class StoredPost:
    """A post with its thread and its position. Up to `fetched`, the fields are those of the export contract.

    `revision` counts the wordings that were seen, from 1; `fetched` is when it was seen last.
    """

    forum: str
    board: tuple[str, ...]
    board_url: str | None
    thread_url: str
    thread_title: str | None
    post_id: str | None
    post_url: str | None
    position: int
    author: str | None
    author_url: str | None
    published: datetime | None
    published_text: str | None
    edited: datetime | None
    text: str
    html: str
    quotes: tuple[Quote, ...]
    reply_to: str | None
    depth: int | None
    first_seen: datetime
    vanished: datetime | None
    revision: int
    fetched: datetime
    id: int
    thread_id: int
    identity: str


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A URL of the frontier and what became of it."""

    url: str
    kind: PageKind
    state: PageState
    list_url: str | None
    page_number: int
    priority: int
    reason: str | None
    found_on: str | None
    status: int | None
    etag: str | None
    last_modified: str | None
    body_hash: str | None
    fetched: datetime | None
    failure: str | None
    failure_kind: FailureKind | None
    tries: int
    due: datetime | None


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What became of a URL, in short."""

    kind: PageKind
    state: PageState
    reason: str | None


@dataclass(frozen=True, slots=True)
class PostRevision:
    """An earlier wording of a post: what it said, and until when it was seen saying so."""

    text: str
    html: str
    edited: datetime | None
    last_seen: datetime
    replaced: datetime


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A post that holds the words looked for. The words stand between « and » in the snippet."""

    thread_url: str
    thread_title: str | None
    post_id: str | None
    post_url: str | None
    author: str | None
    published: datetime | None
    snippet: str


@dataclass(frozen=True, slots=True)
class Summary:
    """An archive in numbers.

    `posts_promised` is what index pages say of the threads whose reply counts they show, and `posts_kept` how many
    posts of just these threads are archived: the two together estimate how complete the archive is.
    """

    forums: int
    boards: int
    threads: int
    threads_with_posts: int
    threads_vanished: int
    posts: int
    posts_vanished: int
    posts_promised: int
    posts_kept: int
    revisions: int
    authors: int
    pages: tuple[tuple[PageKind, PageState, int], ...]
    requests: tuple[tuple[str, int], ...]
    failures: tuple[tuple[str, int], ...]
    refusals: tuple[tuple[str, int], ...]
    media: tuple[tuple[str, int], ...] = ()

    def pages_in(self, state: PageState) -> int:
        return sum(number for _, found, number in self.pages if found is state)

    @property
    def coverage(self) -> float | None:
        """The share of the posts promised by index pages that is archived; None when no counts are shown."""
        return min(1.0, self.posts_kept / self.posts_promised) if self.posts_promised else None


def to_seconds(moment: datetime) -> float:
    """Seconds since 1970; a moment without a zone is taken as UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def from_seconds(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def to_shown(moment: datetime | None) -> str | None:
    """A time that a site showed, as text that sorts; one whose zone is unknown stays without a zone."""
    if moment is None:
        return None
    return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()


def from_shown(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
