"""A whole forum into an archive: learn it unless it is known, crawl it, learn it again when its pages stop fitting.

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
from thrawl.archive.facts import Facts
from thrawl.archive.mediastore import MediaStore
from thrawl.archive.values import FailureClass, FailureKind, FoundUrl, PageKind, PageState
from thrawl.crawl import lists, update
from thrawl.crawl.allowance import Allowance, Bounded, Spent
from thrawl.crawl.counts import Counts
from thrawl.crawl.crawler import Crawler, Watch
from thrawl.crawl.evidence import leads_to_forum
from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.kept import AskedBefore, KeptPages
from thrawl.crawl.ledger import folder_of, missing_of, profile_of
from thrawl.crawl.media import MediaCrawl, share_of
from thrawl.crawl.mending import Learn, Trial, to_fetch, unexplained, without_keys
from thrawl.crawl.options import CrawlOptions, Finished, MediaMode, Tally
from thrawl.crawl.outcomes import KIND_OF_MISFIT, forbidden_outcome, other_outcome, start_outcome
from thrawl.crawl.plan import Planner
from thrawl.crawl.probing import Probe
from thrawl.crawl.remembered import Remembered
from thrawl.crawl.rereading import Rereading
from thrawl.crawl.saver import Saver
from thrawl.crawl.suspects import suspects
from thrawl.crawl.update import Updater
from thrawl.crawl.values import UNKNOWN
from thrawl.crawl.workers import Readers, WorkerPool, worker_pool
from thrawl.errors import LearnError
from thrawl.limits import MAX_LEARNING_PAGES
from thrawl.net.message import Fetcher, Response
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
    _probes: int = 0
    _asked_numbers: bool = False
    _is_spent: bool = False
    _allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self._allowance = Allowance(self.options.max_pages)

    @property
    def _bounded(self) -> Fetcher:
        """Fetches pages, as many as the run may ask for; files have a share of their own."""
        return Bounded(self.fetcher, self._allowance)

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
            with collecting_rarely():  # around all turns of it: the second one would look through all of the first
                await self._crawl(forum_id, profile, pages, readers)
        except Spent:  # in the middle of a look around: the next run looks again
            self._is_spent = True
        finally:
            await readers.close()
        await self._fetch_media(forum_id, profile.entry)
        return self._finished(forum_id, profile.entry, updates)

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
        try:
            return await self.learn(self.start, self._allowance)
        except LearnError:
            self._remembered.forget()
            raise
        finally:
            self._allowance.remembered = None

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
        seeds = [FoundUrl(url, PageKind.INDEX, why, url, 1, rank(url)) for url in profile.seeds]
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
        stray = start is not None and not await leads_to_forum(start, profile, readers)
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

    async def _crawl(self, forum_id: int, profile: Profile, pages: Iterable[Response], readers: Readers) -> None:
        saver = Saver(self.archive, forum_id, profile, self.options, self.tally)
        entry = profile.entry
        while True:
            kept = KeptPages(self._bounded, pages, UrlTypes(profile).clean)
            crawler = Crawler(self.archive, forum_id, kept, readers, saver, self.options, self.stop, self.watch)
            await crawler.run()
            self._note_unread(forum_id, saver)
            if self.stop.is_set() or crawler.spent:
                return
            left = kept.rest()
            if saver.must_relearn:
                learned = await self._redesigned(forum_id, entry, saver, readers)
            elif (plain := await self._unkeyed(forum_id, profile, saver.planner, readers)) is not None:
                profile, pages = plain[0], [*left, *plain[1]]
                self._adopt(forum_id, entry, saver, profile)
                continue
            else:
                leads, left = await self._probed(forum_id, profile, saver, left, readers)
                if leads:
                    pages = left
                    continue
                learned = await self._mended(forum_id, profile, saver, readers)
                if learned is None and (further := await self._left_out(forum_id, profile, saver.planner, readers)):
                    pages = [*left, *further]
                    continue
                if learned is None:
                    self._save_rest(forum_id, left)
                    return
            if learned is not None:
                profile = learned.profile
                pages = (*left, *learned.pages)

    async def _redesigned(self, forum_id: int, entry: str, saver: Saver, readers: Readers) -> Learned | None:
        """Learn a site again whose pages stopped fitting; None where it cannot be, and the old profile stays."""
        self.say("many pages stopped fitting what was learned: learning the site again")
        self._allowance.answers.clear()  # the site has changed
        learned = await self._learned_again(entry)
        if learned is None:
            saver.change(None)
            return None
        readers.change(learned.profile)
        self._adopt(forum_id, entry, saver, learned.profile)
        self.archive.add_urls(forum_id, list(self._misfits()))
        return learned

    def _note_unread(self, forum_id: int, saver: Saver) -> None:
        """How much of the thread pages stands in no post; of a few pages nobody can tell."""
        unread = saver.evidence.unread
        if unread.tells:
            self.archive.note_read(forum_id, unread.read, unread.letters)

    def _lacks(self, forum_id: int) -> bool:
        """Whether something is missing that the site does not refuse."""
        return not all(one.refused for one in missing_of(self.archive, forum_id))

    async def _probed(
        self, forum_id: int, profile: Profile, saver: Saver, pages: list[Response], readers: Readers
    ) -> tuple[bool, list[Response]]:
        """Try what nothing explains; whether that leads on, and the pages of learning that are left then."""
        kept = KeptPages(self._bounded, pages, UrlTypes(profile).clean)
        probe = Probe(self.archive, forum_id, kept, readers)
        facts = self.archive.facts(forum_id)
        planner = saver.planner
        found = [*planner.threads_at(page.url for page in pages), *probe.left_alone(facts), *probe.lost(facts)]
        rereading = Rereading(self.archive, profile, readers, planner.unled)
        found += await rereading.found(pages, saver.evidence.barren)
        found += probe.skipped(facts, planner.flip_url)
        self.archive.add_urls(forum_id, found)
        if found:
            return True, pages
        if self._probes >= self.options.mends + self.tally.mends or not self._lacks(forum_id):
            return False, pages
        suspected = suspects(facts, profile)
        if not suspected or not facts.threads:  # where nothing is known of threads, there is all to learn
            return False, pages
        self._probes += 1
        self.say("the site shows links that nothing explains: trying a few of them")
        found = await probe.find(suspected)
        self.archive.add_urls(forum_id, found)
        self._count(probe, kept.given)
        return bool(found), [*kept.rest(), *probe.fetched]

    def _count(self, probe: Probe, given: int = 0) -> None:
        """Count what was asked for, but for what was `given` without a request; what leads on counts as it is read."""
        self.tally.asked += probe.requests - given
        if probe.requests:
            self.tally.requests[PageKind.OTHER] += probe.requests - len(probe.fetched)

    async def _unkeyed(
        self, forum_id: int, profile: Profile, planner: Planner, readers: Readers
    ) -> tuple[Profile, list[Response]] | None:
        """The profile without keys that name two threads, as numbers do that count within a board: rows give them two
        titles, and posts that nobody read stand behind the other address. None where that is not so."""
        clashes = dict(planner.clashes)
        planner.clashes.clear()
        if not clashes or not self.options.mends:
            return None
        probe = Probe(self.archive, forum_id, self.fetcher, readers)
        found = await probe.clashing(tuple(clashes))
        self._count(probe)
        if not found:
            return None
        plain = without_keys(profile, set(clashes.values()))
        readers.change(plain)
        self.archive.add_urls(forum_id, found)
        return plain, probe.fetched

    async def _left_out(self, forum_id: int, profile: Profile, planner: Planner, readers: Readers) -> list[Response]:
        """Follow what the numbers of posts say to be left out: threads by their numbers, if one of a few proves to be
        missing, and refused links that lead to something new; asked for once a run, when nothing else leads on. What
        was fetched of them."""
        if self._asked_numbers or not self.options.mends:
            return []
        self._asked_numbers = True
        probe = Probe(self.archive, forum_id, self._bounded, readers)
        facts = self.archive.facts(forum_id)
        found = await probe.numbered(facts, only_proof=profile.threaded)
        if Counts(facts).leaves_out:
            rereading = Rereading(self.archive, profile, readers, planner.unled)
            found += await probe.behind(self.archive.refused_as(UNKNOWN), rereading)
        self.archive.add_urls(forum_id, found)
        self._count(probe)
        return probe.fetched

    async def _mended(self, forum_id: int, profile: Profile, saver: Saver, readers: Readers) -> Learned | None:
        """A profile that explains what the ledger finds missing; None where all is well, or none does."""
        if self.tally.mends >= self.options.mends:
            return None
        await self._look_further(forum_id, saver, readers)
        if not saver.evidence.pages or not self._lacks(forum_id):
            return None
        facts = self.archive.facts(forum_id)
        self.tally.mends += 1
        self.say("the site promises more than was got: learning again from the pages that tell so")
        for start in dict.fromkeys((profile.entry, self.start)):
            learned = await self._better(start, facts, profile, saver, readers)
            if learned is not None:
                self._adopt(forum_id, profile.entry, saver, learned.profile)
                self.archive.add_urls(forum_id, self._entry_of(learned.profile))
                self.archive.add_urls(forum_id, list(to_fetch(self.archive, facts, learned.profile, profile)))
                return learned
        return None

    async def _look_further(self, forum_id: int, saver: Saver, readers: Readers) -> None:
        """See whether the fullest pages go on in a way that nobody follows; if they do, the ledger says so."""
        ahead = saver.evidence.going_on.ahead()
        if not ahead or Counts(self.archive.facts(forum_id)).vouch_for_all:
            return
        probe = Probe(self.archive, forum_id, self._bounded, readers)
        await probe.further(ahead)
        self._count(probe)

    async def _better(
        self, start: str, facts: Facts, profile: Profile, saver: Saver, readers: Readers
    ) -> Learned | None:
        """What is learned from a page and all that contradicts the profile, if it explains more than the profile."""
        evidence = saver.evidence
        also = (*evidence.doubted, *unexplained(facts, profile, self.start))
        learned = await self._learned_again(start, evidence.pages, also)
        if learned is None:
            return None
        trial = Trial(self.archive, self._bounded, readers)
        best = await trial.best(learned.profile, profile, evidence, learned.pages)
        return None if best is None else replace(learned, profile=best, pages=(*learned.pages, *trial.fetched))

    def _entry_of(self, profile: Profile) -> list[FoundUrl]:
        seeds = (FoundUrl(url, PageKind.INDEX, update.MENDED, url, 1, lists.INDEX) for url in profile.seeds)
        return [FoundUrl(profile.entry, PageKind.ENTRY, update.MENDED, profile.entry, 1, lists.ENTRY), *seeds]

    def _adopt(self, forum_id: int, entry: str, saver: Saver, profile: Profile) -> None:
        """Go on by a new profile; the forum keeps the name that it has in the archive."""
        self.archive.put_forum(entry, urlsplit(entry).netloc, profile.to_json())
        self.archive.note_read(forum_id, 0, 0)  # another profile reads other words
        saver.change(profile)

    def _save_rest(self, forum_id: int, pages: list[Response]) -> None:
        """Pages that learning looked at and the crawl has no use for are on record, too, once all else is fetched."""
        known = self.archive.page
        rest = [page for page in pages if known(page.requested) is None and known(page.url) is None]
        if rest:
            self.archive.save_all(other_outcome(forum_id, page) for page in rest)
            self.tally.requests[PageKind.OTHER] += len(rest)

    def _save_forbidden(self, forum_id: int, types: UrlTypes, urls: Iterable[str]) -> None:
        """What robots.txt kept from learning is on record; what a pattern explains, the crawl meets by itself."""
        unknown = [url for url in urls if types.type(url) is None and self.archive.page(url) is None]
        self.archive.save_all(forbidden_outcome(forum_id, url, datetime.now(UTC)) for url in unknown)

    async def _learned_again(
        self, entry: str, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned | None:
        try:
            learned = await self.learn(entry, self._allowance, known, also)
        except LearnError as error:
            self.say(f"learning again failed ({error}); going on with what was learned before")
            return None
        self.tally.learning_pages += learned.profile.pages_fetched
        return learned

    def _misfits(self) -> Iterable[FoundUrl]:
        """Pages that did not fit the old profile get another chance."""
        kinds = [kind for misfit, kind in KIND_OF_MISFIT.items() if misfit.means_redesign]
        for page in self.archive.pages():
            if page.state is PageState.FAILED and page.failure_kind in kinds:
                yield FoundUrl(
                    page.url, page.kind, update.REDESIGN, page.list_url, page.page_number, page.priority, again=True
                )
