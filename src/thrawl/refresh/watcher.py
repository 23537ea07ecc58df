"""The watch of one forum: a policy chooses pages, within a budget; what they show goes into the archive and back to it.

All that must not be lost is the archive's: what is held, what waits in the frontier, what rows showed, when the next
request may be made. A watch that is killed begins again from there. Beside what the policy chooses, a few requests go
to pages that earlier runs left in the frontier, and a small share to old pages drawn at random, for edits and deletions
that nothing tells of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, StoredForum, from_seconds
from thrawl.archive.watching import HOUR, Planned, Spent, Watching
from thrawl.crawl import update
from thrawl.crawl.options import CrawlOptions, Tally
from thrawl.crawl.saver import Saver
from thrawl.crawl.update import Updater
from thrawl.crawl.workers import Readers, WorkerPool
from thrawl.errors import InputError
from thrawl.net.message import Fetcher
from thrawl.profile.profile import Profile
from thrawl.refresh.addresses import Addresses
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.clock import Clock
from thrawl.refresh.pages import UNCHANGED, History, Layer, PageRef, Shown, Site
from thrawl.refresh.policy import Policy, Walker
from thrawl.refresh.showing import Showing
from thrawl.refresh.signals import SignalKind, Signals
from thrawl.refresh.survey import LASTS, Quiet, Surveyed, Surveyor
from thrawl.refresh.tidying import tidy
from thrawl.refresh.turns import Turns, WatchOver
from thrawl.refresh.visitor import Answer, Visitor
from thrawl.refresh.watchvalues import Look, NewPosts, Tell, WatchOptions, WatchTally

AUDITED: Final = "update: a look at an old page, for edits and deletions"
# Of the requests that poll; what earlier runs left over is no more urgent than that.
LEFTOVER_TURN: Final = 3
# Failures in a row after which the watch slows down, and the longest pause between two tries, in seconds.
DOWN_AFTER: Final = 5
LONGEST_PAUSE: Final = 900.0
# Failures in a row after which a page waits in the frontier no more: a site that is down for days brings fewer.
TRIES: Final = 100
# Posts and rows a page where the archive has no list of several pages to tell.
ALL_ON_ONE_PAGE: Final = 100_000


@dataclass(slots=True)
class Watcher:
    """Watches one forum of an archive. `tell` gets every new post, `look` is called after every request."""

    archive: Archive
    forum: StoredForum
    fetcher: Fetcher
    policy: Policy
    options: WatchOptions
    clock: Clock
    tell: Tell | None = None
    look: Look = lambda _: None
    say: Callable[[str], None] = lambda _: None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    tally: WatchTally = field(default_factory=WatchTally)
    seed: int | None = None
    lend: Callable[[Profile], Readers] | None = None
    """Gives readers that others read with, too; else the watch has its own."""

    async def run(self) -> WatchTally:
        """Watch until the time is over, the round is, or `stop` is set."""
        if self.forum.profile is None:
            raise InputError(
                f"{self.forum.entry_url} was never learned; crawl it first: thrawl crawl URL --archive FILE"
            )
        profile = Profile.from_json(self.forum.profile, "the profile in the archive")
        readers = self.lend(profile) if self.lend else _readers(profile, self.options.workers)
        try:
            await _Run(self, profile, readers).run()
        finally:
            await readers.close()
        self.tally.interrupted = self.stop.is_set()
        return self.tally


class _Run:
    """What lives no longer than the process."""

    def __init__(self, watcher: Watcher, profile: Profile, readers: Readers) -> None:
        self._watcher = watcher
        self._policy = watcher.policy
        self._options = watcher.options
        self._clock = watcher.clock
        self._tally = watcher.tally
        archive, forum_id = watcher.archive, watcher.forum.id
        self._archive = archive
        self._forum_id = forum_id
        self._profile = profile
        self._watching = Watching(archive, forum_id)
        self._atlas = Atlas(self._watching)
        options = CrawlOptions(tries=TRIES, relearn=0, until_known=True)
        self._saver = Saver(archive, forum_id, profile, options, Tally())
        self._updater = Updater(archive, forum_id)
        self._draw = Random(watcher.seed)
        self._state = self._watching.state()
        self._turns = Turns(
            watcher.options,
            watcher.clock,
            watcher.stop,
            self._watching,
            float(self._state.get("next_at", 0.0)),
            tally=watcher.tally,
            say=watcher.say,
            keep=self._keep,
        )
        self._visitor = Visitor(archive, forum_id, watcher.fetcher, readers, self._saver, self._turns.another)
        self._asking = Layer.ENTRY
        self._is_over = False
        self._failures = 0
        self._polls = 0
        self._owed_audits = 0.0
        # by the address of a list, since when its pages are being read: the rows that a kill leaves as known
        self._walks: dict[str, float] = dict(self._state.get("walks", {}))
        self._addresses = Addresses(archive, profile.entry, self._saver.planner, self._atlas)
        self._signals = Signals((), self._state.get("trust", {}), self._clock.now())
        self._showing = Showing(profile, self._saver.planner, self._atlas)

    async def run(self) -> None:
        try:
            await self._run()
        except WatchOver:
            self._keep(spent=self._spent(self._asking, 1 + self._turns.others))

    async def _run(self) -> None:
        history = self._begin()
        found, met = await self._survey(history)
        now = self._clock.now()
        # a clock that was set back has lists looked at in times to come: they are taken as looked at now
        looked = {one: min(moment, now) for one, moment in self._atlas.looked.items()}
        self._policy.begin(self._site(found), history, looked, now)
        self._signals.begin(self._policy)
        for seen, shown in met:
            self._policy.observe(self._clock.now(), seen, shown)
        self._walks = {url: since for url, since in self._walks.items() if self._atlas.knows_board(url)}
        for url in list(self._walks):
            self._end_walk(self._atlas.board(url))
        self._keep()
        while await self._turns.come():
            now = self._clock.now()
            ref = self._policy.choose(now)
            if await self._aside(ref):
                continue
            if ref is not None:
                await self._visit(ref, "the policy chose it")
            elif self._options.once:
                if not await self._leftover():
                    return
            else:
                self._turns.wait(self._options.budget.step)

    def _begin(self) -> History:
        """What the archive holds; the first watch has it fetched what the crawl saw rows tell of, and did not get."""
        history = self._atlas.begin(self._clock.now(), self._walks)
        if "next_at" in self._state:
            return replace(history, uncertain=True)
        behind = self._atlas.behind(history)
        urls = [url for thread in behind if (url := self._atlas.thread_url(thread)) is not None]
        self._archive.add_urls(
            self._forum_id, [page for url in urls for page in self._updater.last_page(url, update.GREW)]
        )
        return replace(history, told=[*history.told, *behind])

    # --- turns

    async def _aside(self, ref: PageRef | None) -> bool:
        """Use this turn for an old page, or for one that an earlier run left over, if it is time for that."""
        is_poll = ref is not None and ref.kind is not Layer.POSTS and ref.page == 1
        if not is_poll or self._options.once:
            return False
        self._polls += 1
        if self._polls % LEFTOVER_TURN == 0 and await self._leftover():
            return True
        if self._owed_audits >= 1.0:
            self._owed_audits -= 1.0
            return await self._audit()
        return False

    def _take(self, now: float, ref: PageRef) -> None:
        """A request is about to be made. The archive knows of it before the site does."""
        if ref.kind is Layer.INDEX:
            self._walks.setdefault(self._atlas.board_url(ref.list), now)
        self._asking = ref.kind
        self._turns.take()
        self._owed_audits += self._options.audit_share
        self._keep()

    def _keep(self, **more: Any) -> None:
        state = {**self._state, "next_at": self._turns.next_at}
        state |= {"walks": self._walks, "trust": self._signals.to_json(), "reliability": self._signals.reliability()}
        self._state = state
        self._watching.remember(state, **more)

    def _end_walk(self, board: int) -> None:
        """Forget a walk of index pages, unless the policy goes on with it."""
        if not isinstance(self._policy, Walker) or not self._policy.is_walking(board):
            self._walks.pop(self._atlas.board_url(board), None)

    # --- visits

    async def _visit(self, ref: PageRef, why: str) -> Answer | None:
        wanted = self._addresses.wanted(ref)
        if wanted is None:
            self._policy.failed(self._clock.now(), ref, gone=True)
            return None
        self._take(self._clock.now(), ref)
        answer = await self._visitor.visit(wanted, self._clock.now())
        if answer is None:
            self._policy.failed(self._clock.now(), ref, gone=True)
            return None
        self._take_in(ref, answer, why)
        return answer

    async def _leftover(self) -> bool:
        """Fetch a page that an earlier run left in the frontier, and that the policy does not know of."""
        now = self._clock.now()
        pages = self._archive.lease(1, from_seconds(now), forum_id=self._forum_id)
        if not pages:
            return False
        page = pages[0]
        ref = self._addresses.ref_of(page)
        self._take(now, ref)
        self._take_in(ref, await self._visitor.take(page), "an earlier run left it")
        return True

    async def _audit(self) -> bool:
        """Look at an old page; one that lost posts has its whole thread looked at."""
        drawn = self._watching.any_thread_page(self._draw)
        if drawn is None:
            return False
        url, list_url, number, kind = drawn
        ref = PageRef(Layer.POSTS, self._atlas.thread(list_url), number)
        self._take(self._clock.now(), ref)
        wanted = FoundUrl(url, kind, AUDITED, list_url, number, again=True)
        answer = await self._visitor.visit(wanted, self._clock.now())
        if answer is None:
            return False
        self._take_in(ref, answer, "an old page, for edits and deletions")
        return True

    # --- what came of a visit

    def _take_in(self, ref: PageRef, answer: Answer, why: str) -> None:
        now = self._clock.now()
        cost = max(answer.cost, 1 + self._turns.others)
        new: list[tuple[int, int]] = []
        rows: dict[str, tuple[int | None, int | None]] = {}
        useful = False
        if answer.failed:
            self._fail(now, ref, answer)
        else:
            self._failures = 0
            if ref.kind is Layer.POSTS:
                new = self._new_posts(ref, answer)
            shown = self._showing.shown(ref, answer, new)
            tidy(self._watching, self._atlas, ref, answer.page.list_url or answer.page.url, shown)
            self._policy.observe(now, ref, shown)
            for other, also in self._showing.also_shown(ref, answer):
                self._policy.observe(now, other, also)
            if self._signals.measure(self._policy, now):
                self._follow_signal()
            useful = bool(new) if ref.kind is Layer.POSTS else shown is not UNCHANGED
            if answer.reading is not None and answer.reading.board_rows:
                rows = self._showing.board_rows(answer)
        if ref.kind is Layer.INDEX:
            self._end_walk(ref.list)
        self._tally.last_url, self._tally.last_why = answer.page.url, why
        spent = self._spent(ref.kind, cost, int(useful), len(new))
        self._keep(planned=[self._planned(ref, answer, now, why)], spent=spent, rows=rows)
        if new:
            self._tell(ref, new)
        self._watcher.look(self._tally)

    def _spent(self, kind: Layer, requests: int, useful: int = 0, posts: int = 0) -> Spent:
        name = kind.name.lower()
        self._tally.requests[name] += requests
        return Spent(int(self._clock.now()) // HOUR, name, requests, useful, posts)

    def _fail(self, now: float, ref: PageRef, answer: Answer) -> None:
        self._tally.failed += 1
        self._policy.failed(now, ref, gone=answer.gone)
        if answer.gone:
            return
        self._failures += 1
        if self._failures >= DOWN_AFTER:
            pause = self._options.budget.step * 2.0 ** min(self._failures - DOWN_AFTER, 20)
            self._turns.wait(min(max(pause, 1.0), LONGEST_PAUSE))

    def _new_posts(self, ref: PageRef, answer: Answer) -> list[tuple[int, int]]:
        thread = self._atlas.archived(ref.list)
        if thread is None or answer.reading is None or answer.fetched is None:
            return []
        if answer.page.reason == AUDITED and self._watching.lost_posts(thread, answer.page.page_number):
            whole = self._updater.whole_thread(answer.page.list_url or answer.page.url, update.SHRANK)
            self._archive.add_urls(self._forum_id, list(whole))
        new = self._watching.new_posts(thread, answer.fetched)
        if new:
            self._atlas.last_times[ref.list] = max(self._atlas.last_times.get(ref.list, 0), new[-1][1])
        return new

    def _tell(self, ref: PageRef, new: list[tuple[int, int]]) -> None:
        thread = self._atlas.archived(ref.list)
        assert thread is not None
        self._tally.posts += len(new)
        stored = self._watching.stored(thread, (post for post, _ in new))
        opened = any(post.position == 1 for post in stored)
        self._tally.threads += opened
        if self._watcher.tell is not None:
            self._watcher.tell(NewPosts(tuple(stored), opened))

    def _planned(self, ref: PageRef, answer: Answer, now: float, why: str) -> Planned:
        due_of = getattr(self._policy, "due", None)
        due = None if due_of is None else due_of(ref)
        return Planned(ref.kind.name.lower(), answer.page.list_url or answer.page.url, now, due, why)

    # --- what the site tells

    def _site(self, found: Surveyed) -> Site:
        rows, posts = self._watching.page_sizes()
        return Site(
            boards=self._atlas.boards,
            rows_per_page=rows or ALL_ON_ONE_PAGE,
            posts_per_page=posts or ALL_ON_ONE_PAGE,
            has_feed=self._signals.current is not None,
            has_entry_rows=found.entry_rows,
            has_index_rows=found.index_rows,
            seconds_per_request=self._options.budget.step,
            sorted_rows=found.sorted_rows,
        )

    async def _survey(self, history: History) -> tuple[Surveyed, list[tuple[PageRef, Shown]]]:
        """How the site tells of its changes, looked for unless it is known; and what pages showed meanwhile."""
        found = Surveyed.from_json(self._state.get("site"))
        now = self._clock.now()
        met: list[tuple[PageRef, Shown]] = []
        if found is None or not 0 <= now - found.moment < LASTS:
            quiet = Quiet()
            self._policy, policy = quiet, self._policy
            try:
                parts = (self._profile, self._atlas, self._addresses, self._showing, self._look_at)
                surveyor = Surveyor(*parts, with_cookies=self._options.with_cookies)
                found = await surveyor.survey(history, now, self._state.get("survey", {}), self._keep_survey)
            finally:
                self._policy = policy
            met = quiet.met
            if not self._is_over:
                self._state["site"] = found.to_json()
                self._keep_survey({})
        self._showing.posts_place = found.posts_place
        self._signals = Signals(found.signals, self._state.get("trust", {}), now)
        self._follow_signal()
        return found, met

    def _keep_survey(self, parts: dict[str, Any]) -> None:
        """The next run goes on from here; what could not be looked at since the watch was over is not known."""
        if not self._is_over:
            self._state["survey"] = parts
            self._keep()

    def _follow_signal(self) -> None:
        current = self._signals.current
        self._addresses.feed = None if current is None else current.url
        self._showing.signal = SignalKind.FEED if current is None else current.kind

    async def _look_at(self, ref: PageRef) -> Answer | None:
        """Fetch a page in full: one that is as it was tells nothing of its rows."""
        wanted = self._addresses.wanted(ref)
        self._is_over = self._is_over or not await self._turns.come()
        if wanted is None or self._is_over:
            return None
        self._take(self._clock.now(), ref)
        answer = await self._visitor.visit(wanted, self._clock.now(), full=True)
        if answer is not None:
            self._take_in(ref, answer, "how does the site tell of its changes?")
        return answer


def _readers(profile: Profile, workers: int) -> Readers:
    if workers:
        return WorkerPool(profile, workers)
    from thrawl.crawl.inprocess import InProcess  # the reader's libraries load slowly, and mostly elsewhere

    return InProcess(profile)
