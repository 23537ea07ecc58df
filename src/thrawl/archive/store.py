"""The archive: one database that holds threads and posts, and the state of the crawl that brings them.

All that comes from one page is one transaction, so that a process killed at any moment loses nothing and doubles
nothing: the page is either saved with all it brought, or pending still.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection, func, select

from thrawl.archive import check, frontier, marking, postnumbers, progress, reading, search
from thrawl.archive.access import Access
from thrawl.archive.answers import Answers
from thrawl.archive.boards import Boards
from thrawl.archive.clock import ArchiveClock
from thrawl.archive.connect import shown_location
from thrawl.archive.copying import PostCopy
from thrawl.archive.facts import Facts
from thrawl.archive.faults import faults
from thrawl.archive.known import KnownIds, Recent
from thrawl.archive.media import Media
from thrawl.archive.opening import Fence, Manner, connected, is_old
from thrawl.archive.reckoned import FORGET_SUMMARY
from thrawl.archive.reckoner import Reckoner
from thrawl.archive.saving import Saving
from thrawl.archive.selection import EVERYTHING, Selection
from thrawl.archive.statements import statements_for
from thrawl.archive.tables import pages, refusals
from thrawl.archive.values import (
    FailureKind,
    FoundUrl,
    PageOutcome,
    PageState,
    PendingPage,
    PostRevision,
    RefusedUrl,
    SearchHit,
    StoredBoard,
    StoredForum,
    StoredPage,
    StoredPost,
    StoredThread,
    Summary,
    from_seconds,
    to_seconds,
)
from thrawl.errors import ArchiveError
from thrawl.limits import FRUGAL_RECENT, MAX_REFUSALS, RECENT_THREADS
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import PostRecord

_PAGES_AN_INDEXING: Final = 200  # saved pages before their posts go to the search index together


class Archive:
    """An open archive. Use it as a context manager, or close it."""

    def __init__(self, access: Access) -> None:
        self.access = access
        self.location = access.location
        self.readonly = access.manner.readonly
        frugal, dialect = access.manner.frugal, access.connection.dialect.name
        self._statements = statements_for(dialect)
        self._boards = Boards(dialect)
        self._thread_ids = KnownIds(FRUGAL_RECENT if frugal else RECENT_THREADS)
        self._recent = Recent(FRUGAL_RECENT) if frugal else Recent()
        self._copying = None if access.file is not None else PostCopy(FRUGAL_RECENT)
        self._refusals_left: int | None = None
        self._unindexed = 0
        self.media = Media(partial(access.transaction, FORGET_SUMMARY), access.reading)
        self.answers = Answers(access.transaction, access.reading)
        # Who may be believed dead keeps no figures: they would be written after the last that it may write.
        self._keeps_figures = not self.readonly and access.manner.fence is None
        self._figures = Reckoner(access.reading, access.telling if self._keeps_figures else None)
        self.clock = ArchiveClock(lambda: access.connection.execute(select(func.max(pages.c.fetched))).scalar_one())

    @classmethod
    def open(
        cls,
        location: str | Path,
        *,
        create: bool = False,
        readonly: bool = False,
        fence: Fence | None = None,
        frugal: bool = False,
    ) -> Archive:
        """Open the archive in a file or at postgresql://…; as its one writer, unless `readonly`.

        With a `fence` there may be writers that were believed dead: it is asked in every transaction. A `frugal`
        archive keeps less in memory.
        """
        location = str(location)
        if readonly and is_old(location):
            _bring_up_to_date(location)
        manner = Manner(create, readonly, fence, frugal)
        with ExitStack() as closing, faults(shown_location(location)):
            engine, connection = connected(location, closing, manner)
            return cls(Access(location, engine, connection, closing.pop_all(), manner))

    def close(self) -> None:
        """Close the archive; a writer brings everything into the one file first."""
        with self.access.ending() as connection:
            if connection is not None:
                with connection.begin():
                    search.index_posts(connection)
                if self._keeps_figures:
                    with suppress(ArchiveError):  # who asks later is told the same, and closing must not fail by it
                        self._reckon()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def put_forum(self, entry_url: str, host: str, profile: str | None = None) -> int:
        """Add a forum, or give a known one its new profile; its id either way."""
        with self.access.transaction() as connection:
            return marking.put_forum(connection, entry_url, host, profile)

    def note_read(self, forum_id: int, read: int, unread: int) -> None:
        """Note how many letters of thread pages stand in posts, and how many in none, for the ledger."""
        with self.access.transaction() as connection:
            marking.note_read(connection, forum_id, read, unread)

    def forum_of(self, url: str) -> int | None:
        """The forum that a URL of the frontier belongs to."""
        with self.access.reading() as connection:
            return frontier.forum_of(connection, url)

    def forums(self) -> list[StoredForum]:
        with self.access.reading() as connection:
            return list(reading.iter_forums(connection))

    def save(self, outcome: PageOutcome) -> None:
        """Save all that came of one page, in one transaction."""
        self.save_all((outcome,))

    def save_all(self, outcomes: Iterable[PageOutcome]) -> None:
        """Save several pages in one transaction: all of them or none."""
        outcomes = tuple(outcomes)
        if not outcomes:
            return
        with self._saving() as saving:
            self._save(saving, outcomes)

    def add_urls(self, forum_id: int, found: Sequence[FoundUrl], refused: Sequence[RefusedUrl] = ()) -> None:
        """Put URLs into the frontier that come from no page, as the start URL does."""
        if not found and not refused:
            return  # a transaction would have all figures reckoned anew
        with self._saving() as saving:
            saving.found(forum_id, found, None)
            saving.refused(refused, None)

    def mark_vanished(self, thread_url: str, seen_since: datetime, gone_pages: Collection[int] | None = None) -> int:
        """After a whole thread was fetched again: mark the posts not seen since then; the number newly marked.

        With `gone_pages`, pages that are as they were keep their posts, which are not seen anew.
        """
        with self.access.transaction() as connection:
            return marking.mark_posts_vanished(connection, thread_url, to_seconds(seen_since), gone_pages)

    def mark_thread_vanished(self, thread_url: str, moment: datetime) -> bool:
        """Mark a thread that the site no longer has; what was archived of it stays."""
        with self.access.transaction() as connection:
            return marking.mark_thread_vanished(connection, thread_url, to_seconds(moment))

    def tell(self, now: progress.Progress) -> None:
        """Say how the crawl is doing, to those who look into the archive meanwhile."""
        progress.tell(self.access.telling, now)

    def lease(
        self, count: int, now: datetime, *, forum_id: int | None = None, after: Iterable[PageOutcome] = ()
    ) -> list[PendingPage]:
        """The next pages to fetch, most urgent first; they are this caller's until saved, released or expired.

        The pages before them, `after` which they come, are saved in the same transaction.
        """
        with self._saving() as saving:
            self._save(saving, after)
            return frontier.lease(self.access.connection, count, to_seconds(now), forum_id)

    def lease_one(self, forum_id: int, wanted: FoundUrl, now: datetime) -> PendingPage | None:
        """This very page, put into the frontier if it is not there; None for an address that cannot be kept."""
        with self._saving() as saving:
            saving.found(forum_id, (wanted,), None)
            return frontier.lease_one(self.access.connection, wanted.url, to_seconds(now))

    def end_leases(self, now: datetime) -> int:
        """Make pages whose lease is over pending again."""
        with self.access.transaction() as connection:
            return frontier.end_leases(connection, to_seconds(now))

    def release(self, urls: Sequence[str]) -> None:
        """Give leased pages back unfetched."""
        with self.access.transaction() as connection:
            frontier.release(connection, urls)

    def mark_failed(self, url: str, reason: str, *, retry_at: datetime | None = None) -> None:
        """A page could not be fetched: give it up with its reason, or have it tried again later."""
        with self.access.transaction() as connection:
            frontier.mark_failed(connection, url, reason, None if retry_at is None else to_seconds(retry_at))

    def retry_failed(self, forum_id: int, now: datetime, kinds: Iterable[FailureKind] = ()) -> int:
        """Have failed pages fetched again: those whose time has come, and all of these kinds; their number."""
        with self.access.transaction() as connection:
            return frontier.retry_failed(connection, forum_id, to_seconds(now), tuple(kinds))

    def next_due(self, forum_id: int | None = None) -> datetime | None:
        """When the next pending page may be fetched; None when the frontier is empty."""
        with self.access.reading() as connection:
            due = frontier.next_due(connection, forum_id)
        return None if due is None else from_seconds(due)

    def waiting(self, forum_id: int) -> int:
        """How many pages of a forum are still to fetch."""
        with self.access.reading() as connection:
            return frontier.waiting(connection, forum_id)

    def page_counts(self) -> tuple[tuple[PageKind, PageState, int], ...]:
        with self.access.reading() as connection:
            return frontier.counts(connection)

    def pending_counts(self) -> dict[PageKind, int]:
        """How many pages of each kind wait to be fetched."""
        return {kind: number for kind, state, number in self.page_counts() if state is PageState.PENDING}

    def knows(self, url: str) -> bool:
        """Whether the frontier holds a URL, in whatever state. Cheap: for asking about every link of a page."""
        return url in self._recent or self._finds(self._statements.knows, url)

    def why(self, url: str) -> str | None:
        """Why a URL was followed or refused, and what became of it; None when it was never met."""
        with self.access.reading() as connection:
            return frontier.why(connection, url)

    def refused_as(self, reason: str) -> list[str]:
        """Addresses that were refused for a reason, one of each sort."""
        with self.access.reading() as connection:
            return frontier.refused_as(connection, reason)

    def boards(self, *, selection: Selection = EVERYTHING) -> Iterator[StoredBoard]:
        with self.access.streaming() as (rows, lookup):
            yield from reading.iter_boards(rows, lookup, selection)

    def threads(
        self, *, board_id: int | None = None, with_vanished: bool = True, selection: Selection = EVERYTHING
    ) -> Iterator[StoredThread]:
        """All threads, or those of one board; board 0 stands for threads whose board is not known.

        A thread is selected by an author or a time when one of its posts is.
        """
        with self.access.streaming() as (rows, lookup):
            yield from reading.iter_threads(
                rows, lookup, board_id=board_id, with_vanished=with_vanished, selection=selection
            )

    def posts(
        self, *, thread_id: int | None = None, with_vanished: bool = True, selection: Selection = EVERYTHING
    ) -> Iterator[StoredPost]:
        """All posts in order, thread after thread, or those of one thread; positions are those in the whole thread."""
        with self.access.streaming() as (rows, lookup):
            yield from reading.iter_posts(
                rows, lookup, thread_id=thread_id, with_vanished=with_vanished, selection=selection
            )

    def pages(self, *, selection: Selection = EVERYTHING) -> Iterator[StoredPage]:
        """The frontier; of a selection, only the forum counts."""
        with self.access.streaming() as (rows, lookup):
            yield from reading.iter_pages(rows, lookup, selection)

    def pages_of_list(self, list_url: str) -> Iterator[StoredPage]:
        with self.access.streaming() as (rows, _):
            yield from reading.iter_list(rows, list_url)

    def page(self, url: str) -> StoredPage | None:
        with self.access.reading() as connection:
            return reading.page_at(connection, url)

    def thread(self, url: str) -> StoredThread | None:
        """The thread known under that URL."""
        if not self._finds(self._statements.thread_id, url):
            return None
        with self.access.reading() as connection:
            return reading.thread_at(connection, url)

    def address_of(self, url: str) -> str | None:
        """The address of the thread known under that URL. Cheap: for asking before every thread."""
        row = self.access.answer(self._statements.address, url)
        return None if row is None else row[0]

    def promised_replies(self, url: str) -> int | None:
        """How many replies index pages say the thread has. Cheap: for asking after every thread."""
        row = self.access.answer(self._statements.promised, url)
        return None if row is None else row[0]

    def zones(self) -> dict[str, frozenset[bool]]:
        """Of the times that sites show, by their names: whether their zones are known, of some, of all, of none."""
        with self.access.reading() as connection:
            return reading.zones(connection)

    def revisions(self, post: StoredPost) -> list[PostRevision]:
        with self.access.reading() as connection:
            return reading.revisions_of(connection, post.id)

    def search(self, words: str, limit: int = 20, selection: Selection = EVERYTHING) -> list[SearchHit]:
        """Posts that hold all the words, "phrases" and beginnings*; matching titles first, then the newest."""
        with self.access.reading() as connection:
            return search.search(connection, words, limit, selection)

    def summary(self) -> Summary:
        return self._figures.summary()

    def facts(self, forum_id: int) -> Facts:
        """What was promised and what was got of one forum, for its ledger."""
        return self._figures.facts(forum_id)

    def post_numbers(self, forum_id: int) -> frozenset[int]:
        """The numbers that a site gives its posts; none where it numbers them thread by thread, or has very many."""
        with self.access.reading() as connection:
            return postnumbers.post_numbers(connection, forum_id)

    def has_digest(self, digest: str) -> bool:
        """Whether the words of some page's posts are those that the digest stands for."""
        with self.access.reading() as connection:
            return frontier.has_digest(connection, digest)

    def other_holder(self, forum_id: int, url: str, title: str | None, posts: Sequence[PostRecord]) -> str | None:
        """Another thread than that of a URL that holds all of some posts, and has their title where one is shown."""
        with self.access.reading() as connection:
            return frontier.other_holder(connection, forum_id, url, title, posts)

    def check(self) -> list[str]:
        """What is wrong with the archive, a sentence each."""
        with self.access.reading() as connection:
            return check.check(connection)

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection of its own that reads, for those who ask the tables themselves; many may do so at once."""
        return self.access.reader()

    def _save(self, saving: Saving, outcomes: Iterable[PageOutcome]) -> None:
        for outcome in outcomes:
            saving.save(self.clock.moved(outcome))
            self._unindexed += 1
        if self._unindexed >= _PAGES_AN_INDEXING:
            search.index_posts(self.access.connection)
            self._unindexed = 0

    def _reckon(self) -> None:
        """Have figures for those who ask after this writer; where pages wait, nobody asks what is missing."""
        found = self.summary()
        waits = found.pages_in(PageState.PENDING) or found.pages_in(PageState.LEASED)
        for forum in () if waits or self.access.manner.frugal else self.forums():
            self.facts(forum.id)

    @contextmanager
    def _saving(self) -> Iterator[Saving]:
        done = False
        try:
            with self.access.transaction() as connection:
                cursor = connection.connection.cursor()
                saving = Saving(
                    cursor,
                    self._statements,
                    self._boards,
                    self._thread_ids,
                    self._recent,
                    refusals_left=self._room(connection),
                    copying=self._copying,
                )
                yield saving
                saving.finish()
                cursor.close()
            done = True
        finally:
            if done:
                self._refusals_left = saving.refusals_left
                self._recent.remember(saving.learned)
            else:
                self._boards.forget()
                self._thread_ids.forget()
                if self._copying is not None:
                    self._copying.forget()

    def _room(self, connection: Connection) -> int:
        if self._refusals_left is None:
            kept = connection.execute(select(func.count()).select_from(refusals)).scalar_one()
            self._refusals_left = MAX_REFUSALS - kept
        return self._refusals_left

    def _finds(self, statement: str, url: str) -> bool:
        return self.access.answer(statement, url) is not None


def _bring_up_to_date(location: str) -> None:
    try:
        Archive.open(location).close()
    except ArchiveError as error:
        raise ArchiveError(
            f"the archive {shown_location(location)} was written by an older Thrawl and has to be brought up to date "
            f"first, which did not work: {error}"
        ) from error
