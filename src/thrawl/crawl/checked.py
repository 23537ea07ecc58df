"""The crawl checks what was learned: fetch all that the profile explains, ask the ledger, try what nothing explains,
mend the profile, and crawl on, until nothing leads on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thrawl.archive import Archive
from thrawl.archive.facts import Facts
from thrawl.archive.values import FoundUrl, PageState
from thrawl.crawl import lists, update
from thrawl.crawl.allowance import Allowance, Bounded
from thrawl.crawl.counts import Counts
from thrawl.crawl.crawler import Crawler, Watch
from thrawl.crawl.kept import KeptPages
from thrawl.crawl.ledger import missing_of
from thrawl.crawl.mending import Learn, Trial, to_fetch, unexplained, without_keys
from thrawl.crawl.options import CrawlOptions, Tally
from thrawl.crawl.outcomes import KIND_OF_MISFIT, other_outcome
from thrawl.crawl.probing import Probe
from thrawl.crawl.rereading import Rereading
from thrawl.crawl.saver import Saver
from thrawl.crawl.suspects import suspects
from thrawl.crawl.values import UNKNOWN
from thrawl.crawl.workers import Readers
from thrawl.errors import LearnError
from thrawl.net.message import Fetcher, Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

if TYPE_CHECKING:  # a crawl by a known profile learns nothing, and starts faster without
    from thrawl.learn.learner import Learned


@dataclass(slots=True)
class CheckedCrawl:
    """One forum, crawled by a profile that is mended on the way.

    `pages` were fetched already and are not asked for again: those of learning, then those of each look around.
    """

    archive: Archive
    forum_id: int
    start: str
    profile: Profile
    pages: Sequence[Response]
    fetcher: Fetcher
    allowance: Allowance
    learn: Learn
    readers: Readers
    options: CrawlOptions
    tally: Tally
    stop: asyncio.Event
    watch: Watch
    say: Callable[[str], None]
    _entry: str = field(init=False)
    _saver: Saver = field(init=False)
    _probes: int = 0
    _asked_numbers: bool = False

    def __post_init__(self) -> None:
        self._entry = self.profile.entry  # by which the archive knows the forum, whatever is learned later
        self._saver = Saver(self.archive, self.forum_id, self.profile, self.options, self.tally)

    @property
    def _bounded(self) -> Fetcher:
        return Bounded(self.fetcher, self.allowance)

    async def run(self) -> None:
        """Crawl until nothing leads on, `stop` is set, or the run may ask for no more."""
        while await self._crawled():
            if self._saver.must_relearn:
                await self._learn_redesign()
            elif not (await self._unkeyed() or await self._probed() or await self._mended() or await self._left_out()):
                self._save_rest()
                return

    async def _crawled(self) -> bool:
        """Fetch what the frontier holds; whether the crawl may go on behind that."""
        kept = KeptPages(self._bounded, self.pages, UrlTypes(self.profile).clean)
        crawler = Crawler(
            self.archive, self.forum_id, kept, self.readers, self._saver, self.options, self.stop, self.watch
        )
        await crawler.run()
        self.pages = kept.rest()
        self._note_unread()
        return not (self.stop.is_set() or crawler.spent)

    def _note_unread(self) -> None:
        """How much of the thread pages stands in no post; of a few pages nobody can tell."""
        unread = self._saver.evidence.unread
        if unread.tells:
            self.archive.note_read(self.forum_id, unread.read, unread.letters)

    async def _learn_redesign(self) -> None:
        """Learn a site again whose pages stopped fitting; where that cannot be, the old profile stays."""
        self.say("many pages stopped fitting what was learned: learning the site again")
        self.allowance.answers.clear()  # the site has changed
        learned = await self._learned_again(self._entry)
        if learned is None:
            self._saver.change(None)
            return
        self._adopt(learned.profile, learned.pages)
        self._queue(self._misfits())

    def _misfits(self) -> Iterable[FoundUrl]:
        """Pages that did not fit the old profile get another chance."""
        kinds = [kind for misfit, kind in KIND_OF_MISFIT.items() if misfit.means_redesign]
        for page in self.archive.pages():
            if page.state is PageState.FAILED and page.failure_kind in kinds:
                yield FoundUrl(
                    page.url, page.kind, update.REDESIGN, page.list_url, page.page_number, page.priority, again=True
                )

    async def _unkeyed(self) -> bool:
        """Go on without keys that name two threads, as numbers do that count within a board: rows give them two titles,
        and posts that nobody read stand behind the other address."""
        clashes = dict(self._saver.planner.clashes)
        self._saver.planner.clashes.clear()
        if not clashes or not self.options.mends:
            return False
        # asked for beyond the allowance: nothing would tell the next run that two threads have one name
        probe = Probe(self.archive, self.forum_id, self.fetcher, self.readers)
        found = await probe.clashing(tuple(clashes))
        self._count(probe)
        if found:
            self._queue(found)
            self._adopt(without_keys(self.profile, set(clashes.values())), probe.fetched)
        return bool(found)

    async def _probed(self) -> bool:
        """Try what nothing explains; whether that leads on."""
        kept = KeptPages(self._bounded, self.pages, UrlTypes(self.profile).clean)
        probe = Probe(self.archive, self.forum_id, kept, self.readers)
        facts = self.archive.facts(self.forum_id)
        planner = self._saver.planner
        found = [*planner.threads_at(page.url for page in self.pages), *probe.left_alone(facts), *probe.lost(facts)]
        found += await self._rereading().found(self.pages, self._saver.evidence.barren)
        found += probe.skipped(facts, planner.flip_url)
        self._queue(found)
        if found or self._probes >= self.options.mends + self.tally.mends or not self._lacks():
            return bool(found)
        suspected = suspects(facts, self.profile)
        if not suspected or not facts.threads:  # where nothing is known of threads, there is all to learn
            return False
        self._probes += 1
        self.say("the site shows links that nothing explains: trying a few of them")
        found = await probe.find(suspected)
        self._queue(found)
        self._count(probe, kept.given)
        self.pages = [*kept.rest(), *probe.fetched]
        return bool(found)

    async def _mended(self) -> bool:
        """Adopt a profile that explains what the ledger finds missing, if there is one."""
        if self.tally.mends >= self.options.mends:
            return False
        await self._look_further()
        if not self._saver.evidence.pages or not self._lacks():
            return False
        facts = self.archive.facts(self.forum_id)
        self.tally.mends += 1
        self.say("the site promises more than was got: learning again from the pages that tell so")
        for start in dict.fromkeys((self.profile.entry, self.start)):
            learned, cuts_alike = await self._better(start, facts)
            if learned is not None:
                before = self.profile
                self._adopt(learned.profile, learned.pages)
                self._queue(self._entry_and_seeds())
                self._queue(to_fetch(self.archive, facts, learned.profile, before, cuts_alike=cuts_alike))
                return True
        return False

    async def _look_further(self) -> None:
        """See whether the fullest pages go on in a way that nobody follows; if they do, the ledger says so."""
        ahead = self._saver.evidence.going_on.ahead()
        if not ahead or Counts(self.archive.facts(self.forum_id)).vouch_for_all:
            return
        probe = self._probe()
        await probe.further(ahead)
        self._count(probe)

    async def _better(self, start: str, facts: Facts) -> tuple[Learned | None, bool]:
        """What is learned from a page and all that contradicts the profile, if it explains more than the profile; and
        whether that cuts posts as the profile does."""
        evidence = self._saver.evidence
        also = (*evidence.doubted, *unexplained(facts, self.profile, self.start))
        learned = await self._learned_again(start, evidence.pages, also)
        if learned is None:
            return None, False
        trial = Trial(self.archive, self._bounded, self.readers)
        best = await trial.best(learned.profile, self.profile, evidence, learned.pages)
        pages = (*learned.pages, *trial.fetched)
        return None if best is None else replace(learned, profile=best, pages=pages), trial.cuts_alike

    def _entry_and_seeds(self) -> list[FoundUrl]:
        entry = self.profile.entry
        firsts = UrlTypes(self.profile).first_pages(self.profile.seeds)
        seeds = (FoundUrl(url, PageKind.INDEX, update.MENDED, url, 1, lists.INDEX) for url in firsts)
        return [FoundUrl(entry, PageKind.ENTRY, update.MENDED, entry, 1, lists.ENTRY), *seeds]

    async def _left_out(self) -> bool:
        """Follow what the numbers of posts say to be left out: threads by their numbers, if one of a few proves to be
        missing, and refused links that lead to something new; asked for once a run, when nothing else leads on."""
        if self._asked_numbers or not self.options.mends:
            return False
        self._asked_numbers = True
        probe = self._probe()
        facts = self.archive.facts(self.forum_id)
        found = await probe.numbered(facts, only_proof=self.profile.threaded)
        if Counts(facts).leaves_out:
            found += await probe.behind(self.archive.refused_as(UNKNOWN), self._rereading())
        self._queue(found)
        self._count(probe)
        self.pages = [*self.pages, *probe.fetched]
        return bool(probe.fetched)

    def _lacks(self) -> bool:
        """Whether something is missing that the site does not refuse."""
        return not all(one.refused for one in missing_of(self.archive, self.forum_id))

    def _probe(self) -> Probe:
        return Probe(self.archive, self.forum_id, self._bounded, self.readers)

    def _rereading(self) -> Rereading:
        return Rereading(self.archive, self.profile, self.readers, self._saver.planner.unled)

    def _count(self, probe: Probe, given: int = 0) -> None:
        """Count what was asked for, but for what was `given` without a request; what leads on counts as it is read."""
        self.tally.asked += probe.requests - given
        if probe.requests:
            self.tally.requests[PageKind.OTHER] += probe.requests - len(probe.fetched)

    def _queue(self, found: Iterable[FoundUrl]) -> None:
        self.archive.add_urls(self.forum_id, list(found))

    def _adopt(self, profile: Profile, pages: Sequence[Response]) -> None:
        """Go on by a new profile, and with the pages that brought it; the forum keeps the name that it has in the
        archive."""
        self.profile = profile
        self.pages = [*self.pages, *pages]
        self.readers.change(profile)
        self.archive.put_forum(self._entry, urlsplit(self._entry).netloc, profile.to_json())
        self.archive.note_read(self.forum_id, 0, 0)  # another profile reads other words
        self._saver.change(profile)

    async def _learned_again(
        self, entry: str, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned | None:
        try:
            learned = await self.learn(entry, self.allowance, known, also)
        except LearnError as error:
            self.say(f"learning again failed ({error}); going on with what was learned before")
            return None
        self.tally.learning_pages += learned.profile.pages_fetched
        return learned

    def _save_rest(self) -> None:
        """Pages that learning looked at and the crawl has no use for are on record, too, once all else is fetched."""
        known = self.archive.page
        rest = [page for page in self.pages if known(page.requested) is None and known(page.url) is None]
        if rest:
            self.archive.save_all(other_outcome(self.forum_id, page) for page in rest)
            self.tally.requests[PageKind.OTHER] += len(rest)
