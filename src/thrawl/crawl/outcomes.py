"""From an answer to what is saved: the outcome of a page, and how answers that are no content are told apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from thrawl import limits
from thrawl.archive.values import (
    BoardRef,
    FailureClass,
    FailureKind,
    PageOutcome,
    PendingPage,
    Promise,
    Stray,
    ThreadRef,
)
from thrawl.crawl.options import CrawlOptions
from thrawl.crawl.plan import Plan
from thrawl.crawl.suspects import IN_VAIN
from thrawl.crawl.values import Misfit, Reading
from thrawl.errors import FetchError, LimitExceeded, NotInReplay, RobotsDenied, UrlRefused
from thrawl.net.message import Response
from thrawl.net.retry import TooSlow
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import PostRecord

NOT_MODIFIED: Final = 304
GONE: Final = frozenset({404, 410})
_REFUSED: Final = frozenset({401, 402, 403, 407, 451})
KIND_OF_MISFIT: Final = {
    Misfit.LOGIN: FailureKind.LOGIN,
    Misfit.CHALLENGE: FailureKind.CHALLENGE,
    Misfit.NO_POSTS: FailureKind.NO_POSTS,
    Misfit.NO_ROWS: FailureKind.NO_ROWS,
    Misfit.NOT_HTML: FailureKind.NOT_HTML,
    Misfit.UNREADABLE: FailureKind.UNREADABLE,
    Misfit.KILLED: FailureKind.KILLED,
}
_LONGEST_POWER: Final = 5  # of 4, times half a minute: a page that keeps failing waits for some hours
_FOR_GOOD: Final = (UrlRefused, RobotsDenied, LimitExceeded, NotInReplay)


@dataclass(frozen=True, slots=True)
class ListPage:
    """Where an answer belongs: its list in the form under which it is followed, and the page in that list."""

    list_url: str
    page_number: int


def read_outcome(
    page: PendingPage,
    response: Response,
    place: ListPage,
    reading: Reading,
    posts: tuple[PostRecord, ...],
    plan: Plan,
    names: Iterable[str | None],
) -> PageOutcome:
    """The outcome of a page that was read; `names` are others of its thread."""
    thread = None
    if posts:
        aliases = tuple(name for name in (page.list_url, *names) if name and name != place.list_url)
        thread = ThreadRef(place.list_url, reading.title, aliases)
    return PageOutcome(
        forum_id=page.forum_id,
        url=page.url,
        kind=page.kind,
        fetched=response.fetched,
        page_number=place.page_number,
        list_url=place.list_url,
        reason=page.reason,
        status=response.status,
        etag=response.header("etag"),
        last_modified=response.header("last-modified"),
        body_hash=body_hash(response.body),
        also=also_shown_by(page.url, response),
        thread=thread,
        posts=posts,
        boards=board_refs(reading),
        rows=plan.rows,
        found=plan.found,
        refused=plan.refused,
        records=len(posts) or _records(reading),
        digest=reading.digest,
        last_page=reading.flips.last,
        unfollowed=reading.sighting.unfollowed,
        promises=tuple(Promise(one.subject, one.place, one.words, one.number) for one in reading.sighting.told),
        strays=strays_of(reading),
    )


def messages_of(list_url: str, posts: tuple[PostRecord, ...]) -> tuple[str, ...]:
    """The addresses of a thread's other messages, where it has that of its first one: each shows a part of it."""
    own = [post.post_url.partition("#")[0] for post in posts if post.post_url and post.post_id]
    return tuple(own[1:]) if own[:1] == [list_url] else ()


def _records(reading: Reading) -> int:
    """The rows of an index page; where far more threads stand together elsewhere on it, another list was cut."""
    cut, seen = len(reading.rows), reading.sighting.threads
    return cut if 2 * cut > seen else seen


def strays_of(reading: Reading) -> tuple[Stray, ...]:
    return tuple(Stray(one.url, one.title) for one in reading.sighting.strays)


def failed_outcome(
    page: PendingPage,
    moment: datetime,
    reason: str,
    kind: FailureKind,
    *,
    status: int | None = None,
    retry_at: datetime | None = None,
    again_at: datetime | None = None,
    plan: Plan | None = None,
) -> PageOutcome:
    """The outcome of a page that brought nothing, now or for good."""
    return PageOutcome(
        forum_id=page.forum_id,
        url=page.url,
        kind=page.kind,
        fetched=moment,
        page_number=page.page_number,
        list_url=page.list_url,
        status=status,
        failure=reason,
        failure_kind=kind,
        retry_at=retry_at,
        again_at=again_at,
        found=plan.found if plan else (),
        refused=plan.refused if plan else (),
        strays=plan.strays if plan else (),
    )


def unchanged_outcome(page: PendingPage, response: Response) -> PageOutcome:
    return PageOutcome(
        forum_id=page.forum_id,
        url=page.url,
        kind=page.kind,
        fetched=response.fetched,
        page_number=page.page_number,
        list_url=page.list_url,
        status=response.status,
    )


def other_outcome(forum_id: int, response: Response) -> PageOutcome:
    """A page that was fetched while learning and is none of the forum's lists."""
    return PageOutcome(
        forum_id=forum_id,
        url=response.requested,
        kind=PageKind.OTHER,
        fetched=response.fetched,
        reason="looked at while learning the site",
        status=response.status,
    )


def tried_outcome(forum_id: int, response: Response, reason: str = IN_VAIN) -> PageOutcome:
    """A page that was tried because nothing explained it, and that showed nothing new."""
    return replace(other_outcome(forum_id, response), reason=reason)


def further_outcome(forum_id: int, response: Response, list_url: str) -> PageOutcome:
    """A page that shows more of a list or a thread, where nothing that was learned leads to it."""
    reason = "tried because no pattern explains it; it shows more of the list that links to it"
    found = replace(other_outcome(forum_id, response), reason=reason, list_url=list_url)
    return replace(found, strays=(Stray(response.requested, ""),))


def forbidden_outcome(forum_id: int, url: str, moment: datetime) -> PageOutcome:
    """A page that robots.txt kept from learning: nobody knows what it is."""
    return PageOutcome(
        forum_id=forum_id,
        url=url,
        kind=PageKind.OTHER,
        fetched=moment,
        reason="met while learning the site",
        failure="robots.txt forbids it",
        failure_kind=FailureKind.ROBOTS,
    )


def start_outcome(forum_id: int, url: str, moment: datetime, *, is_stray: bool) -> PageOutcome:
    """The page that a crawl was started from, known as its forum's; nothing of it is read before something links it.

    A stray one is explained by nothing that was learned.
    """
    reason = "the page that the crawl was started from"
    strays = (Stray(url, ""),) if is_stray else ()
    return PageOutcome(forum_id=forum_id, url=url, kind=PageKind.OTHER, fetched=moment, reason=reason, strays=strays)


def board_refs(reading: Reading) -> tuple[BoardRef, ...]:
    return tuple(BoardRef(step.title, step.url) for step in reading.boards)


def refusal_of(status: int) -> str | None:
    """Why an answer with this status is no content; None for one that is."""
    if 200 <= status < 300 or status == NOT_MODIFIED:
        return None
    if status in GONE:
        return f"the site has no such page (HTTP {status})"
    if status in _REFUSED:
        return f"the site does not show this page to us (HTTP {status})"
    return f"the site answered with HTTP {status}"


def kind_of_status(status: int) -> FailureKind:
    """What a refusal by its status is."""
    if status in GONE:
        return FailureKind.GONE
    if status in _REFUSED:
        return FailureKind.FORBIDDEN
    return FailureKind.TROUBLE if passes(status) else FailureKind.STATUS


def kind_of_error(error: FetchError) -> FailureKind:
    """What kept an answer from coming."""
    if isinstance(error, RobotsDenied):
        return FailureKind.ROBOTS
    if isinstance(error, NotInReplay):
        return FailureKind.GONE
    return FailureKind.BOUNDS if is_for_good(error) else FailureKind.TROUBLE


def passes(status: int) -> bool:
    """Whether the same request may get a better answer later."""
    return status == 429 or status >= 500


def retry_time(page: PendingPage, moment: datetime, options: CrawlOptions) -> datetime | None:
    """When to ask again for a page that failed for the moment; None when it was asked for often enough."""
    if page.tries + 1 >= options.tries:
        return None
    return moment + timedelta(seconds=options.retry_seconds * 4 ** min(page.tries, _LONGEST_POWER))


def again_time(page: PendingPage, kind: FailureKind, moment: datetime, options: CrawlOptions) -> datetime | None:
    """When a later run tries a page that this one gives up; None for what does not change by itself."""
    match kind.failure_class:
        case FailureClass.FOR_NOW:
            return moment + timedelta(seconds=options.retry_seconds * 4 ** min(page.tries, options.tries))
        case FailureClass.LOGIN | FailureClass.LOOK:
            return moment + timedelta(seconds=limits.LOOK_AGAIN_SECONDS)
        case FailureClass.FOR_GOOD:
            return None


def is_for_good(error: FetchError) -> bool:
    """Whether another try would be in vain: a host that is too slow now may be overloaded, or this machine."""
    return isinstance(error, _FOR_GOOD) and not isinstance(error, TooSlow)


def misfit_reason(misfit: Misfit, detail: str) -> str:
    return f"{misfit} ({detail})" if detail else str(misfit)


def body_hash(body: bytes) -> str:
    """Half of a SHA-256, for which processors have instructions of their own: a third of the time of others."""
    return sha256(body, usedforsecurity=False).hexdigest()[:32]


def also_shown_by(url: str, response: Response) -> tuple[str, ...]:
    names = (response.requested, response.url, *(hop.location for hop in response.hops))
    return tuple(name for name in dict.fromkeys(names) if name != url)
