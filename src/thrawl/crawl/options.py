"""What a caller can choose about a crawl, what it can watch, and what it gets at the end."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from thrawl import limits
from thrawl.crawl.missing import Missing
from thrawl.errors import UsageError
from thrawl.page.pagekind import PageKind


class MediaMode(StrEnum):
    """Which files of posts are fetched: none, the pictures that they show, or attachments too."""

    NONE = "none"
    IMAGES = "images"
    ALL = "all"


def media_mode(name: str) -> MediaMode:
    """The mode of that name."""
    try:
        return MediaMode(name)
    except ValueError:
        raise UsageError(f"'{name}' is no choice of media; take none, images or all.") from None


@dataclass(slots=True)
class MediaTally:
    """The files that a run asked for and got, counted apart from its pages; those `put_off` wait for the next run."""

    requests: int = 0
    kept: int = 0
    missing: int = 0
    bytes: int = 0
    put_off: int = 0
    failures: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """`workers` 0 reads pages in this very process; None takes one worker a core. `max_pages` counts requests.

    `until_known`: an update goes on to the next page of a list only where no row was as before. A watch, which looks
    often and at every list, needs no more; a crawl that runs again after a year reads on while anything changed.
    """

    concurrency: int = 1
    max_pages: int | None = None
    workers: int | None = None
    retry_seconds: float = limits.PAGE_RETRY_SECONDS
    tries: int = limits.PAGE_TRIES
    relearn: int = limits.MAX_RELEARN
    mends: int = limits.MAX_MENDS
    retry_failed: bool = False
    with_cookies: bool = False
    media: MediaMode = MediaMode.IMAGES
    until_known: bool = False


@dataclass(slots=True)
class Tally:
    """A crawl in numbers, as it runs. Only this run is counted; the archive has the rest.

    `asked` are the requests of crawling so far, without those that learning made and handed over; `learning` those of
    learning, none once it is over. `by_general_reader` are those of the `thread_pages` that the site's wrapper could
    not cut.
    """

    requests: Counter[PageKind] = field(default_factory=Counter)
    learning_pages: int = 0
    learning: int = 0
    asked: int = 0
    useful: int = 0
    posts: int = 0
    thread_pages: int = 0
    by_general_reader: int = 0
    relearned: int = 0
    mends: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)
    last_url: str = ""
    media: MediaTally = field(default_factory=MediaTally)

    @property
    def pages(self) -> int:
        """All requests of this run."""
        return self.requests.total()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    @property
    def useful_share(self) -> float:
        return self.useful / max(self.pages, 1)


@dataclass(frozen=True, slots=True)
class Finished:
    """How a crawl ended. `waiting` pages are left for the next run; `interrupted` was asked for from outside.

    `missing` is what the ledger says that the site promises and the archive lacks, once all is fetched; `spent`
    tells that as many pages were asked for as the caller wished before the site was learned, or looked through.
    """

    entry: str
    tally: Tally
    waiting: int
    interrupted: bool
    updated: bool
    ended: datetime
    missing: tuple[Missing, ...] = ()
    spent: bool = False

    @property
    def fetched_all(self) -> bool:
        """Whether nothing is left to fetch."""
        return self.waiting == 0 and not self.interrupted and not self.spent

    @property
    def complete(self) -> bool:
        """Whether nothing is left to fetch, and the ledger agrees that this was all."""
        return self.fetched_all and not self.missing
