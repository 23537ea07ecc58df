"""Trying what the ledger suspects, with a few requests: do links that nobody explains lead to more of the forum?

Boards that breadcrumbs or rows name, the page that breadcrumbs begin with, and links that stand where threads stand are
asked for, a few of each shape. Where they show threads or posts that the archive lacks, all of their shape are followed
from then on, whatever the patterns say. Where they show nothing new, that is on record, and the ledger believes it.
A page behind a row is a thread's if its heading says what the row says: that no list of names or tags can fake.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.facts import Facts
from thrawl.archive.selection import Selection
from thrawl.archive.values import NUMBERED, FailureKind, FoundUrl
from thrawl.crawl import lists
from thrawl.crawl.counts import Counts
from thrawl.crawl.goingon import Ahead
from thrawl.crawl.mending import spread
from thrawl.crawl.news import has_news
from thrawl.crawl.numbers import by_example, guesses, left_out, nearest
from thrawl.crawl.outcomes import forbidden_outcome, further_outcome, other_outcome, tried_outcome
from thrawl.crawl.rereading import Rereading
from thrawl.crawl.suspects import IN_VAIN, NO_LIST, KnownPages, Shape, Suspect, shape_of
from thrawl.crawl.values import PageJob, Reading, Role
from thrawl.crawl.workers import Readers
from thrawl.errors import FetchError, InputError, RobotsDenied
from thrawl.net.message import Fetcher, Request, Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.folding import fold

_EACH: Final = 3  # URLs of one shape that are tried; one may be an exception
_SHAPES: Final = 4  # shapes that are tried, those with the most URLs first: a dozen requests at the most
_GOOD: Final = 0.5  # of those that answered, from which on all of the shape are followed
_LISTED: Final = 2  # threads that make a list; a page of anything else may have a link that looks like one
LEFT_ALONE: Final = "its board says to hold more threads than other lists showed of it"
_MOST_BEHIND: Final = 40  # links of a sort of which one proved right
_WORD: Final = re.compile(r"(?:.*[/=])?([^\W\d]+)(?=[-_.,~][^/=]*$)")  # a program's word before an id
_GUESSES: Final = 5  # numbers that are asked for; of those that are left out, one in three is a thread's or none is
_MOST_NUMBERED: Final = 20_000  # threads whose numbers are held in memory
_FEW_SKIPPED: Final = 0.2  # of a list's pages
SKIPPED: Final = "nearly all pages of its list were fetched"
CLASHED: Final = "its row has another title than the thread that it was taken for"
LOST: Final = "a row names this thread, and it was taken for a page of a list"
FOUND: Final = "the ledger found it unexplained, and others like it led to what was missing"


@dataclass(frozen=True, slots=True)
class _Tried:
    """What came of a suspect; `shown` are the threads and lists that a page links to, all of them known."""

    suspect: Suspect
    response: Response
    kind: PageKind
    shown: frozenset[str] = frozenset()


@dataclass(slots=True)
class Probe:
    """Tries suspects of one forum; `fetched` are the answers that lead on, for the crawl to use."""

    archive: Archive
    forum_id: int
    fetcher: Fetcher
    readers: Readers
    fetched: list[Response] = field(default_factory=list)
    requests: int = 0

    async def find(self, suspected: Sequence[Suspect]) -> list[FoundUrl]:
        """What is to be followed from now on."""
        groups: dict[Shape, list[Suspect]] = defaultdict(list)
        for one in suspected:
            groups[shape_of(one.url)].append(one)
        found: list[FoundUrl] = []
        for group in sorted(groups.values(), key=len, reverse=True)[:_SHAPES]:
            found.extend(await self._try(group))
        return found

    async def further(self, ahead: Iterable[Ahead]) -> bool:
        """Whether links that stand on full pages alone show more of their lists; those that do are put on record."""
        proven = False
        asked: set[tuple[Role, str]] = set()
        for one in ahead:
            known = (one.role, one.sort) in asked or self.archive.page(one.url) is not None
            page = None if known else await self._asked(one.url)
            if page is None:
                continue
            asked.add((one.role, one.sort))
            more = await self._is_more(one, page)
            proven = proven or more
            outcome = further_outcome(self.forum_id, page, one.list_url) if more else tried_outcome(self.forum_id, page)
            self.archive.save(outcome)
        return proven

    async def _asked(self, url: str) -> Response | None:
        try:
            response = await self.fetcher.fetch(Request(url))
        except FetchError:
            return None
        self.requests += 1
        return response

    async def _is_more(self, ahead: Ahead, page: Response) -> bool:
        """Whether a page shows further threads of a list, or posts of a thread that nothing showed."""
        if page.status != 200 or not page.is_html:
            return False
        reading = await self._read(page, ahead.role, ahead.list_url)
        if ahead.role is not Role.THREAD:
            return any(link.is_thread and not self.archive.knows(link.url) for link in reading.links)
        thread = self.archive.thread(ahead.list_url)
        if thread is None or reading.general or not _same_words(thread.title or "", reading.title or ""):
            return False
        known = {post.text for post in self.archive.posts(thread_id=thread.id)}
        return any(post.text not in known for post in reading.posts)  # among those that are, where "more" adds to them

    def left_alone(self, facts: Facts) -> list[FoundUrl]:
        """Lists that seemed needless, of boards that have more threads than were got: some stand on no other list. So
        may those of boards that threads name, where the numbers of posts say that many are missing."""
        counts = Counts(facts)
        named = [board.url for board in facts.boards if board.url and board.threads] if counts.leaves_out else []
        found = (self.archive.page(url) for url in dict.fromkeys((*counts.short_boards(), *named)))
        pages = (page for page in found if page is not None)
        needless = (page.url for page in pages if page.failure_kind is FailureKind.NEEDLESS)
        return [FoundUrl(url, PageKind.INDEX, LEFT_ALONE, url, 1, lists.INDEX, again=True) for url in needless]

    def skipped(self, facts: Facts, flip_url: Callable[[str, int], str | None]) -> list[FoundUrl]:
        """The few pages that are left of lists of which nearly all were fetched: sure for little."""
        found: list[FoundUrl] = []
        for one in facts.lists:
            if 0 < one.pages_shown - one.pages <= max(1, _FEW_SKIPPED * one.pages_shown):
                got = {page.page_number: page.url for page in self.archive.pages_of_list(one.url)}
                numbers = (page for page in range(2, one.pages_shown + 1) if page not in got)
                left = ((flip_url(one.url, page) or by_example(got, page), page) for page in numbers)
                new = ((url, page) for url, page in left if url is not None and self.archive.page(url) is None)
                found.extend(
                    FoundUrl(url, PageKind.INDEX_FLIP, SKIPPED, one.url, page, lists.INDEX_FLIP) for url, page in new
                )
        return found

    async def numbered(self, facts: Facts, *, only_proof: bool = False) -> list[FoundUrl]:
        """Threads by numbers that nobody named, where one that was asked for proves that some are missing.

        `only_proof`: that one alone, where each message has an address: the others may be messages of one thread.
        """
        if (counts := Counts(facts)).vouch_for_lists or counts.has_no_holes:
            return []
        known = (thread.url for thread in islice(self.archive.threads(), _MOST_NUMBERED))
        holes = left_out(known, facts.numbers, self.archive.post_numbers(self.forum_id))
        for url in guesses(holes, _GUESSES):
            if self.archive.page(url) is not None:
                continue
            page = await self._asked(url)
            if page is not None and await self._is_unknown_thread(page):
                self.fetched.append(page)
                wanted = [url] if only_proof else nearest(holes)
                return [FoundUrl(one, PageKind.THREAD, NUMBERED, one, 1, lists.THREAD) for one in wanted]
        return []

    async def behind(self, refused: Iterable[str], rereading: Rereading) -> list[FoundUrl]:
        """Lists and threads behind links that no pattern explains, a few of each sort; of a sort that proves right,
        all that are on record."""
        groups: dict[tuple[Shape, str], list[str]] = defaultdict(list)
        for url in refused:
            if self.archive.page(url) is None:
                groups[shape_of(url), _word_of(url)].append(url)
        found: list[FoundUrl] = []
        for group in sorted(groups.values(), key=len, reverse=True)[:_SHAPES]:
            tried = spread(group, _EACH)
            first = [await self._shown_by(url, rereading) for url in tried]
            rest = [url for url in group[:_MOST_BEHIND] if url not in tried] if any(first) else []
            found += [one for one in (*first, *[await self._shown_by(url, rereading) for url in rest]) if one]
        return found

    async def _shown_by(self, url: str, rereading: Rereading) -> FoundUrl | None:
        page = await self._asked(url)
        found = None if page is None else await rereading.shown_by(page)
        if page is not None and found is not None:
            self.fetched.append(page)
        elif page is not None:
            self.archive.save(other_outcome(self.forum_id, page))
        return found

    async def clashing(self, urls: Sequence[str]) -> list[FoundUrl]:
        """Threads that were taken for others because of their keys, where one of a few shows posts of its own."""
        for url in spread(urls, _EACH):
            page = await self._asked(url)
            if page is not None and page.status == 200 and page.is_html:
                self.fetched.append(page)
                if has_news(self.archive, await self._read(page, Role.THREAD)):
                    return [FoundUrl(one, PageKind.THREAD, CLASHED, one, 1, lists.THREAD) for one in urls]
        return []

    async def _is_unknown_thread(self, page: Response) -> bool:
        if page.status != 200 or not page.is_html or self.archive.thread(page.url) is not None:
            return False
        return has_news(self.archive, await self._read(page, Role.THREAD))

    def lost(self, facts: Facts) -> list[FoundUrl]:
        """Threads whose pages were taken for those of a list: they are read as what their rows call them."""
        urls = (url for url in facts.lost if (page := self.archive.page(url)) is not None and page.reason != LOST)
        return [FoundUrl(url, PageKind.THREAD, LOST, url, 1, lists.THREAD, again=True) for url in urls]

    async def _try(self, group: Sequence[Suspect]) -> list[FoundUrl]:
        known = KnownPages(self.archive)
        if any(known.in_vain(one.url) for one in group):  # boards without a list may have one by now
            group = [one for one in group if known.has_no_list(one.url)]
        unknown = [one for one in group if not self.archive.knows(one.url)]
        tried = [answer for one in spread(unknown, _EACH) if (answer := await self._answer(one)) is not None]
        self._save_in_vain(tried)
        answers = [one.kind for one in tried]
        for kind in (PageKind.THREAD, PageKind.INDEX):
            if answers and answers.count(kind) >= _GOOD * len(answers):
                rank = lists.THREAD if kind is PageKind.THREAD else lists.INDEX
                return [FoundUrl(one.url, kind, FOUND, one.url, 1, rank) for one in unknown]
        return []

    def _save_in_vain(self, tried: Sequence[_Tried]) -> None:
        """Put on record what shows nothing new; but boards have lists, and where one shows no thread and no list that
        others of its kind do not show as well, its list stands elsewhere: a box of newest threads is on all pages."""
        alike = frozenset.intersection(*(one.shown for one in tried)) if len(tried) > 1 else frozenset()
        for one in tried:
            if one.kind is PageKind.OTHER:
                reason = NO_LIST if self._is_board(one.suspect) and one.shown <= alike else IN_VAIN
                self.archive.save(tried_outcome(self.forum_id, one.response, reason))

    def _is_board(self, suspect: Suspect) -> bool:
        return suspect.has_threads and not self._is_person(suspect.name)

    def _is_person(self, name: str) -> bool:
        """Whether somebody of that name wrote something: links to people may stand where breadcrumbs do elsewhere."""
        try:
            return any(True for _ in self.archive.posts(selection=Selection(author=name)))
        except InputError:
            return False

    async def _answer(self, suspect: Suspect) -> _Tried | None:
        """What a suspect is: a thread, a list, or neither; None where nothing tells."""
        try:
            response = await self.fetcher.fetch(Request(suspect.url))
        except RobotsDenied:
            self.archive.save(forbidden_outcome(self.forum_id, suspect.url, datetime.now(UTC)))
            return None
        except FetchError:
            return None
        self.requests += 1
        other = _Tried(suspect, response, PageKind.OTHER)
        if response.status != 200 or not response.is_html:
            return replace(other, suspect=replace(suspect, has_threads=False))
        listed = await self._read(response, Role.INDEX)
        if self._is_list(suspect, listed):
            self.fetched.append(response)
            return replace(other, kind=PageKind.INDEX)
        reading = await self._read(response, Role.THREAD)
        if suspect.title and has_news(self.archive, reading):  # lists may show whole posts
            if not _same_words(suspect.title, reading.title or ""):
                return None
            self.fetched.append(response)
            return replace(other, kind=PageKind.THREAD)
        return replace(other, shown=frozenset(link.list_url for link in listed.links))

    def _is_list(self, suspect: Suspect, reading: Reading) -> bool:
        """Whether a page shows threads or boards that were never met; behind the name of a board, any list is news.

        So is one that goes on, of a board that threads name: nobody knows what its further pages show.
        """
        named = not suspect.title
        goes_on = reading.flips.last > 1 or reading.flips.next_url is not None or reading.sighting.unfollowed > 1
        if goes_on and reading.sighting.threads >= _LISTED and self._is_board(suspect):
            return True
        return any((named or not link.reserve) and not self.archive.knows(link.url) for link in reading.links)

    async def _read(self, response: Response, role: Role, list_url: str | None = None) -> Reading:
        job = PageJob(response.url, role, list_url or response.url, response.body, response.charset, response.moment)
        return await self.readers.read(job)


def _word_of(url: str) -> str:
    """The word that an address has before what names one page among others of its sort."""
    found = _WORD.match(url)
    return found[1] if found else ""


def _same_words(one: str, other: str) -> bool:
    """Whether a title is another one, or the beginning of it: rows cut long ones."""
    short, long = sorted((fold(one), fold(other)), key=len)
    return bool(short) and short in long
