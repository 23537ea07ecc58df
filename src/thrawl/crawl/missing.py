"""What is missing, in words and as data; and the pages that were asked for and not got, which are the surest of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from thrawl.archive.facts import Facts
from thrawl.archive.values import FailureKind
from thrawl.page.pagekind import PageKind

NOTICED: Final = 0.02  # of what is promised; a crawl that lacks 3 % must be noticed, deleted posts are fewer
FEW: Final = 2  # threads or boards that may fall short for reasons of their own


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that the site promises and the archive lacks: where, what, how much, and why it is thought so.

    `refused`: the site does not give it to us, so that no other profile would help.
    """

    where: str
    what: str
    promised: int | None
    got: int | None
    why: str
    refused: bool = False

    def plain(self) -> dict[str, str | int | None]:
        """As --json says it."""
        told = {"where": self.where, "what": self.what, "promised": self.promised}
        return {**told, "got": self.got, "why": self.why}

    def sentence(self) -> str:
        numbers = f": {self.got} of {self.promised}" if self.promised is not None and self.got is not None else ""
        return f"{self.what} of {self.where}{numbers} ({self.why})"


_WHY: Final = {
    FailureKind.ROBOTS: "robots.txt forbids them",
    FailureKind.LOGIN: "they ask for a login; give --cookies",
    FailureKind.FORBIDDEN: "the site does not show them to us; --cookies may help",
    FailureKind.TROUBLE: "the site did not answer, or with an error; run again later, or now with --retry-failed",
    FailureKind.CHALLENGE: "the site asks for a browser",
    FailureKind.NO_POSTS: "no posts were found on them",
    FailureKind.NO_ROWS: "no rows were found on them",
    FailureKind.UNREADABLE: "they could not be read",
    FailureKind.KILLED: "they took too long or too much memory to read",
    FailureKind.STATUS: "the site refused them",
    FailureKind.FRUITLESS: "their pattern brought nothing and was stopped",
    FailureKind.BOUNDS: "they break a limit",
    FailureKind.GONE: "lists name them, and they are not there",
    FailureKind.ELSEWHERE: "they lead to what is no list, and no other page shows how a list goes on",
}
_SURELY_THERE: Final = frozenset(
    {FailureKind.ROBOTS, FailureKind.LOGIN, FailureKind.FORBIDDEN, FailureKind.TROUBLE, FailureKind.CHALLENGE}
    | {FailureKind.KILLED, FailureKind.UNREADABLE, FailureKind.BOUNDS}
)


_LISTS: Final = frozenset({PageKind.INDEX, PageKind.INDEX_FLIP})


def failed(facts: Facts, *, with_lists: bool = True) -> Iterator[Missing]:
    """Pages that are there and were not got; empty ones count where they are more than a few.

    Without lists where all threads are there: what a list would have shown is known.
    """
    flipped = any(one.pages > 1 for one in facts.lists)
    for failure in facts.failures:
        why = _WHY.get(failure.failure)
        if why is None or failure.kind is PageKind.OTHER or (failure.kind in _LISTS and not with_lists):
            continue
        if failure.failure is FailureKind.GONE and failure.kind is not PageKind.THREAD:  # pagers lie
            continue
        if failure.failure is FailureKind.ELSEWHERE and (failure.kind is not PageKind.INDEX_FLIP or flipped):
            continue
        much = failure.number > max(FEW, NOTICED * facts.thread_pages)
        if failure.failure in _SURELY_THERE or much:
            pages = "page" if failure.number == 1 else "pages"
            what = f"{failure.number} {_KIND[failure.kind]} {pages}"
            refused = failure.failure in _SURELY_THERE
            yield Missing(failure.sample, what, failure.number, 0, why, refused)


_KIND: Final = {
    PageKind.ENTRY: "entry",
    PageKind.INDEX: "index",
    PageKind.INDEX_FLIP: "index",
    PageKind.THREAD: "thread",
    PageKind.THREAD_FLIP: "thread",
    PageKind.OTHER: "other",
}
