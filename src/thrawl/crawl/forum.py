"""A whole forum into an archive: learn it unless it is known, crawl it and check it, then fetch its pictures.

Run again with the same archive it goes on where it stopped; when it was complete, it updates.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from thrawl.archive import Archive
from thrawl.archive.mediastore import MediaStore
from thrawl.archive.values import FailureClass, FailureKind, FoundUrl
from thrawl.crawl import lists
from thrawl.crawl.allowance import Allowance, Spent
from thrawl.crawl.checked import CheckedCrawl
from thrawl.crawl.crawler import Watch
from thrawl.crawl.evidence import leads_to_forum
from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.kept import AskedBefore
from thrawl.crawl.ledger import folder_of, missing_of, profile_of
from thrawl.crawl.media import MediaCrawl, share_of
from thrawl.crawl.mending import Learn
from thrawl.crawl.options import CrawlOptions, Finished, MediaMode, Tally
from thrawl.crawl.outcomes import forbidden_outcome, start_outcome
from thrawl.crawl.remembered import Remembered
from thrawl.crawl.update import Updater
from thrawl.crawl.workers import Readers, WorkerPool, worker_pool
from thrawl.errors import LearnError
from thrawl.limits import MAX_LEARNING_PAGES
from thrawl.net.message import Fetcher, Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

if TYPE_CHECKING:  # a crawl by a known profile learns nothing, and starts faster without
    from thrawl.learn.learner import Learned

Say = Callable[[str], None]
_FRESH: Final = timedelta(days=1)  # pages that an earlier run learned from are asked for again when they are older


def learner(fetcher: Fetcher, say: Say) -> Learn:
    """Learns a site and says what it is doing. With `known` pages it learns once more, and asks for nothing again."""
    asked = AskedBefore(fetcher)
    spent = 0

    async def learn_site(
        start: str, allowance: Allowance, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned:
        # most runs go on with an archive and learn nothing
        from thrawl.learn.learner import learn

        nonlocal spent
        say(f"learning {start}")
        if not known:
            asked.begin(allowance)
        kept = (*asked.pages, *known) if known else ()
        with collecting_rarely():
            async with worker_pool(workers=1) as reader:
                left = max(0, MAX_LEARNING_PAGES - spent)
                learned = await learn(start, asked, known=kept, also=also, reader=reader, budget=left, progress=say)
        found = learned.profile
        spent += found.pages_fetched
        say(
            f"learned from {found.pages_fetched} pages: entry page {found.entry}, "
            f"patterns of index URLs: {len(found.index)}, of thread URLs: {len(found.thread)}"
        )
        return replace(learned, forbidden=asked.denied)

    return learn_site


@dataclass(slots=True)
class ForumCrawl:
    """One crawl of one forum. `learn` is asked when the archive and the caller have no profile.

    `crawling` tells whether learning is over, so that there is something in the archive to go on with. Without a
    `store` no pictures are fetched. `lend` gives readers that others read with, too; else the crawl has its own.
    """

    start: str
    archive: Archive
    fetcher: Fetcher
    learn: Learn
    options: CrawlOptions = field(default_factory=CrawlOptions)
    profile: Profile | None = None
    watch: Watch = lambda _: None
    say: Say = lambda _: None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    tally: Tally = field(default_factory=Tally)
    crawling: bool = False
    store: MediaStore | None = None
    lend: Callable[[Profile], Readers] | None = None
    forum_id: int | None = None
    _is_spent: bool = False
    _allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self._allowance = Allowance(self.options.max_pages)

    async def run(self) -> Finished:
        """Crawl until all is fetched, enough was, or `stop` is set."""
        try:
            profile, pages, forbidden = await self._known_or_learned()
        except Spent:
            self.tally.learning_pages = self.tally.requests[PageKind.OTHER] = self._allowance.asked
            return Finished(self.start, self.tally, 0, False, False, datetime.now(UTC), spent=True)
        forum_id = self.archive.put_forum(profile.entry, urlsplit(profile.entry).netloc, profile.to_json())
        self._remembered.forget()
        self.forum_id = forum_id
        updates = self._queue_start(forum_id, profile)
        self.crawling = True
        readers = self._readers(profile)
        try:
            await self._remember_start(forum_id, profile, pages, readers)
            self._save_forbidden(forum_id, UrlTypes(profile), forbidden)
            crawl = self._checked(forum_id, profile, pages, readers)
            with collecting_rarely():  # around all turns of it: the second one would look through all of the first
                await crawl.run()
        except Spent:  # in the middle of a look around: the next run looks again
            self._is_spent = True
        finally:
            await readers.close()
        await self._fetch_media(forum_id, profile.entry)
        return self._finished(forum_id, profile.entry, updates)

    def _checked(self, forum_id: int, profile: Profile, pages: Sequence[Response], readers: Readers) -> CheckedCrawl:
        return CheckedCrawl(
            self.archive, forum_id, self.start, profile, pages, self.fetcher, self._allowance, self.learn, readers,
            self.options, self.tally, self.stop, self.watch, self.say,
        )  # fmt: skip

    async def _fetch_media(self, forum_id: int, entry: str) -> None:
        """After the threads: what their posts show."""
        if self.store is None or self.options.media is MediaMode.NONE or self.stop.is_set():
            return
        if self.options.retry_failed:
            self.archive.media.retry(forum_id)
        crawl = MediaCrawl(
            self.archive, self.store, forum_id, entry, self.fetcher, self.options.media, self.stop,
            concurrency=self.options.concurrency,
            most=share_of(self.options.max_pages),
            tally=self.tally.media,
            watch=lambda: self.watch(self.tally),
        )  # fmt: skip
        await crawl.run()

    def _finished(self, forum_id: int, entry: str, updates: bool) -> Finished:
        waiting = self.archive.waiting(forum_id)
        missing = () if waiting or self.stop.is_set() else missing_of(self.archive, forum_id)
        return Finished(
            entry, self.tally, waiting, self.stop.is_set(), updates, datetime.now(UTC), missing, self._is_spent
        )

    async def _known_or_learned(self) -> tuple[Profile, tuple[Response, ...], tuple[str, ...]]:
        """The profile, the pages from which it was learned now, and those that robots.txt kept from learning."""
        if self.profile is not None:
            return self.profile, (), ()
        for forum in self.archive.forums():
            profile = profile_of(forum)
            if profile is not None and self._belongs(forum.id, profile):
                self.say("going on with what the archive knows of this forum")
                return profile, (), ()
        learned = await self._newly_learned()
        self.tally.learning_pages += learned.profile.pages_fetched
        fresh = datetime.now(UTC) - _FRESH
        return learned.profile, tuple(one for one in learned.pages if one.fetched >= fresh), learned.forbidden

    async def _newly_learned(self) -> Learned:
        """Learn the site, with what it answered to a run that ended before; what cannot be learned is asked anew."""
        self._allowance.remembered = self._remembered
        self._allowance.watch = self._show_learning
        try:
            return await self.learn(self.start, self._allowance)
        except LearnError:
            self._remembered.forget()
            raise
        finally:
            self._allowance.remembered = None
            self._allowance.watch = lambda: None
            self.tally.learning = 0

    def _show_learning(self) -> None:
        self.tally.learning = self._allowance.answered
        self.watch(self.tally)

    @property
    def _remembered(self) -> Remembered:
        return Remembered(self.archive, self.start, self.options.with_cookies)

    def _belongs(self, forum_id: int, profile: Profile) -> bool:
        """Whether the start URL is a page of a forum: by its patterns, or because the crawl met or began with it."""
        types = UrlTypes(profile)
        start = types.clean(self.start)
        if folder_of(start) == folder_of(profile.entry) or types.type(start) is not None:
            return True
        return any(self.archive.forum_of(url) == forum_id for url in (start, self.start))

    def _queue_start(self, forum_id: int, profile: Profile) -> bool:
        """Put the entry page into the frontier; on a complete archive, the heads of all lists. True for an update."""
        known = self.archive.page(profile.entry)
        types = UrlTypes(profile)

        def rank(url: str) -> int:
            is_spare = (typed := types.type(url)) is not None and typed.reserve
            return lists.reserve_priority(types.turn_of(url)) if is_spare else lists.INDEX

        why = "a board that learning found"
        firsts = types.first_pages(profile.seeds)
        seeds = [FoundUrl(url, PageKind.INDEX, why, url, 1, rank(url)) for url in firsts]
        entry = FoundUrl(profile.entry, PageKind.ENTRY, "the entry page", profile.entry, 1, lists.ENTRY)
        self.archive.add_urls(forum_id, [entry, *seeds])
        updates = known is not None and not self.archive.waiting(forum_id)
        self._retry_failed(forum_id)
        # an entry page that could not be read does not keep the boards from being looked at again
        heads = Updater(self.archive, forum_id).begin() if updates else 0
        if heads:
            self.say(f"the archive is complete: looking for news on {heads} lists")
        return bool(heads)

    async def _remember_start(
        self, forum_id: int, profile: Profile, pages: Sequence[Response], readers: Readers
    ) -> None:
        """The start page is known as this forum's from now on; fetched again once something leads to it."""
        if self.archive.forum_of(self.start) is not None:
            return
        start = next((page for page in pages if page.requested == self.start), None)
        stray = start is not None and not await leads_to_forum(start, profile, readers, pages)
        self.archive.save(start_outcome(forum_id, self.start, datetime.now(UTC), is_stray=stray))

    def _retry_failed(self, forum_id: int) -> None:
        """Every run begins with the failed pages whose time has come, and those that it was told to try."""
        kinds = [kind for kind in FailureKind if self._tries_again(kind)]
        again = self.archive.retry_failed(forum_id, datetime.now(UTC), kinds)
        if again:
            self.say(f"trying {again} pages again that failed before")

    def _tries_again(self, kind: FailureKind) -> bool:
        needs_login = kind.failure_class is FailureClass.LOGIN
        return self.options.retry_failed or (self.options.with_cookies and needs_login)

    def _readers(self, profile: Profile) -> Readers:
        if self.lend is not None:
            return self.lend(profile)
        if self.options.workers != 0:
            return WorkerPool(profile, self.options.workers)
        from thrawl.crawl.inprocess import InProcess  # the reader's libraries load slowly, and mostly elsewhere

        return InProcess(profile)

    def _save_forbidden(self, forum_id: int, types: UrlTypes, urls: Iterable[str]) -> None:
        """What robots.txt kept from learning is on record; what a pattern explains, the crawl meets by itself."""
        unknown = [url for url in urls if types.type(url) is None and self.archive.page(url) is None]
        self.archive.save_all(forbidden_outcome(forum_id, url, datetime.now(UTC)) for url in unknown)
