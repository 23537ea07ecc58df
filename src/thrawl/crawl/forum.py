"""A whole forum into an archive: learn it unless it is known, crawl it, learn it again when its pages stop fitting.

Run again with the same archive it goes on where it stopped; when it was complete, it updates.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, PageKind, PageState
from thrawl.crawl import lists, update
from thrawl.crawl.crawler import Crawler, Watch
from thrawl.crawl.kept import KeptPages
from thrawl.crawl.options import CrawlOptions, Finished, Tally
from thrawl.crawl.outcomes import other_outcome
from thrawl.crawl.saver import Saver
from thrawl.crawl.update import Updater
from thrawl.crawl.values import Misfit
from thrawl.crawl.workers import Readers, WorkerPool
from thrawl.errors import LearnError
from thrawl.net.message import Fetcher, Response
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

if TYPE_CHECKING:  # a crawl by a known profile learns nothing, and starts faster without
    from thrawl.learn.learner import Learned

Learn = Callable[[str], Awaitable["Learned"]]
Say = Callable[[str], None]


def learner(fetcher: Fetcher, say: Say) -> Learn:
    """Learns a site and says what it is doing."""

    async def learn_site(start: str) -> Learned:
        from thrawl.learn.learner import learn  # most runs go on with an archive and learn nothing

        say(f"learning {start}")
        learned = await learn(start, fetcher, progress=say)
        found = learned.profile
        say(
            f"learned from {found.pages_fetched} pages: entry page {found.entry}, "
            f"patterns of index URLs: {len(found.index)}, of thread URLs: {len(found.thread)}"
        )
        return learned

    return learn_site


@dataclass(slots=True)
class ForumCrawl:
    """One crawl of one forum. `learn` is asked when the archive and the caller have no profile.

    `crawling` tells whether learning is over, so that there is something in the archive to go on with.
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

    async def run(self) -> Finished:
        """Crawl until all is fetched, enough was, or `stop` is set."""
        profile, pages = await self._known_or_learned()
        forum_id = self.archive.put_forum(profile.entry, urlsplit(profile.entry).netloc, profile.to_json())
        updates = self._queue_start(forum_id, profile)
        self.crawling = True
        readers = self._readers(profile)
        try:
            await self._crawl(forum_id, profile, pages, readers)
        finally:
            await readers.close()
        waiting = sum(self.archive.pending_counts().values())
        return Finished(profile.entry, self.tally, waiting, self.stop.is_set(), updates, datetime.now(UTC))

    async def _known_or_learned(self) -> tuple[Profile, tuple[Response, ...]]:
        if self.profile is not None:
            return self.profile, ()
        host = urlsplit(self.start).netloc.removeprefix("www.")
        for forum in self.archive.forums():
            if forum.host.removeprefix("www.") == host and forum.profile is not None:
                self.say("going on with what the archive knows of this forum")
                return Profile.from_json(forum.profile, "the profile in the archive"), ()
        learned = await self.learn(self.start)
        self.tally.learning_pages += learned.profile.pages_fetched
        return learned.profile, learned.pages

    def _queue_start(self, forum_id: int, profile: Profile) -> bool:
        """Put the entry page into the frontier; on a complete archive, the heads of all lists. True for an update."""
        known = self.archive.page(profile.entry)
        types = UrlTypes(profile)
        seeds = [
            FoundUrl(
                url,
                PageKind.INDEX,
                "a board that learning found",
                url,
                1,
                lists.RESERVE if (typed := types.type(url)) is not None and typed.reserve else lists.INDEX,
            )
            for url in profile.seeds
        ]
        entry = FoundUrl(profile.entry, PageKind.ENTRY, "the entry page", profile.entry, 1, lists.ENTRY)
        self.archive.add_urls(forum_id, [entry, *seeds])
        if known is None or self._has_waiting(forum_id):
            return False
        # an entry page that could not be read does not keep the boards from being looked at again
        heads = Updater(self.archive, forum_id).begin()
        if not heads:
            return False
        self.say(f"the archive is complete: looking for news on {heads} lists")
        return True

    def _has_waiting(self, forum_id: int) -> bool:
        """Whether pages of this forum are still to fetch, now or later; an archive may hold several forums."""
        waiting = self.archive.lease(1, datetime.max.replace(year=9000, tzinfo=UTC), forum_id=forum_id)
        self.archive.release([page.url for page in waiting])
        return bool(waiting)

    def _readers(self, profile: Profile) -> Readers:
        if self.options.workers != 0:
            return WorkerPool(profile, self.options.workers)
        from thrawl.crawl.inprocess import InProcess  # the reader's libraries load slowly, and mostly elsewhere

        return InProcess(profile)

    async def _crawl(self, forum_id: int, profile: Profile, pages: Iterable[Response], readers: Readers) -> None:
        saver = Saver(self.archive, forum_id, profile, self.options, self.tally)
        entry = profile.entry
        while True:
            kept = KeptPages(self.fetcher, pages, UrlTypes(profile).clean)
            await Crawler(self.archive, kept, readers, saver, self.options, self.stop, self.watch).run()
            self._save_rest(forum_id, kept.rest())
            if not saver.must_relearn or self.stop.is_set():
                return
            self.say("many pages stopped fitting what was learned: learning the site again")
            learned = await self._learned_again(entry)
            if learned is None:
                saver.change(profile)
                continue
            profile, pages = learned.profile, learned.pages
            self.tally.learning_pages += profile.pages_fetched
            self.archive.put_forum(entry, urlsplit(entry).netloc, profile.to_json())
            saver.change(profile)
            readers.change(profile)
            self.archive.add_urls(forum_id, list(self._misfits()))

    def _save_rest(self, forum_id: int, pages: list[Response]) -> None:
        """Pages that learning looked at and the crawl has no use for are on record, too."""
        known = self.archive.page
        rest = [page for page in pages if known(page.requested) is None and known(page.url) is None]
        if rest:
            self.archive.save_all(other_outcome(forum_id, page) for page in rest)
            self.tally.requests[PageKind.OTHER] += len(rest)

    async def _learned_again(self, entry: str) -> Learned | None:
        try:
            return await self.learn(entry)
        except LearnError as error:
            self.say(f"learning again failed ({error}); going on with what was learned before")
            return None

    def _misfits(self) -> Iterable[FoundUrl]:
        """Pages that did not fit the old profile get another chance."""
        reasons = tuple(str(misfit) for misfit in Misfit if misfit.means_redesign)
        for page in self.archive.pages():
            if page.state is PageState.FAILED and (page.failure or "").startswith(reasons):
                yield FoundUrl(
                    page.url, page.kind, update.REDESIGN, page.list_url, page.page_number, page.priority, again=True
                )
