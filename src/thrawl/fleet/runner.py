"""A process of the fleet: hundreds of forums in one event loop, each in its turns.

It takes forums from the registry as long as it has room, lets those that had their turn go when others wait, holds the
leases of their hosts, and says what it does. Several processes on one PostgreSQL share the work: each may come and go
at any time.
"""

from __future__ import annotations

import asyncio
import os
import platform
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Final

from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.options import CrawlOptions, MediaMode
from thrawl.crawl.workers import worker_pool
from thrawl.errors import ArchiveAway
from thrawl.fleet import inbox, leases, partitions
from thrawl.fleet.budget import FleetBudget
from thrawl.fleet.learning import Learners
from thrawl.fleet.marks import Marks
from thrawl.fleet.pace import Addresses, FleetPace
from thrawl.fleet.registry import Registry
from thrawl.fleet.turn import ForumTurn, Shared
from thrawl.fleet.values import FleetForum, Hold, Turn, WorkerSeen
from thrawl.fleet.watchturn import WatchTurn
from thrawl.limits import FLEET_AWAY_SECONDS, FLEET_FORUMS_AT_ONCE, FLEET_TURN_SECONDS
from thrawl.net.options import ClientOptions
from thrawl.net.proxy import Proxies
from thrawl.net.url import target_of
from thrawl.refresh.rhythm import DAY

_TICK_SECONDS: Final = 0.5  # how often the leases, the turns and the queue are looked at
_TELL_SECONDS: Final = 2.0
_QUEUE_SECONDS: Final = 2.0  # how often the queue is asked while no turn ends
_SPEED_SECONDS: Final = 60.0
_A_HOST: Final = 4  # forums of one host under way at once: while one is learned, others are crawled
_LONGEST_LEARNING: Final = 3600.0  # seconds that a forum may be learned while others wait for its place
_SHARE_SECONDS: Final = 60.0  # how often the budget is divided anew
_QUICKEST: Final = 0.01  # seconds between two requests of a watch, where no delay is asked for
_GRACE_SECONDS: Final = 120.0  # for the pages in hand of a forum that was asked to stop: longer than any one fetch


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """`at_once` forums are under way in one process. Pictures are kept in `media_dir`, or beside archives in files; on
    PostgreSQL without one there is no place for them. With a `budget` those that are complete are watched, for
    `seconds` or until it is stopped; without one it ends when nothing is left to crawl."""

    client: ClientOptions
    crawl: CrawlOptions = field(default_factory=lambda: CrawlOptions(media=MediaMode.NONE))
    at_once: int = FLEET_FORUMS_AT_ONCE
    turn_seconds: float = FLEET_TURN_SECONDS
    workers: int | None = None
    budget: FleetBudget | None = None
    seconds: float | None = None
    media_dir: str | None = None


@dataclass(slots=True)
class FleetTally:
    """What a process of the fleet did."""

    turns: int = 0
    pages: int = 0
    posts: int = 0
    failed: int = 0
    history: deque[tuple[float, int]] = field(default_factory=deque)

    def speed(self, pages: int) -> float:
        """Pages a second of the last minute."""
        now = time.monotonic()
        self.history.append((now, pages))
        while now - self.history[0][0] > _SPEED_SECONDS:
            self.history.popleft()
        began, before = self.history[0]
        return (pages - before) / (now - began) if now > began else 0.0


Look = Callable[["FleetRunner"], None]


class FleetRunner:
    """Runs forums until all are done, or `stop` is set: then the pages in hand are finished."""

    def __init__(self, registry: Registry, options: FleetOptions, look: Look = lambda _: None) -> None:
        self.registry = registry
        self.options = options
        self.tally = FleetTally()
        self.worker = f"{platform.node()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self.stop = asyncio.Event()
        self.under_way: dict[asyncio.Task[Turn], ForumTurn] = {}
        self.learners: Learners | None = None
        self._look = look
        self._holds: dict[int, Hold] = {}
        self._joined = time.time()
        self._told_at = 0.0
        self._renewed_at = 0.0
        self._moved: dict[int, int] = {}
        self._shared_at = float("-inf")
        self._share_of: dict[int, float] = {}
        self._next_look = 0.0
        self._ticked_at = time.monotonic()

    async def run(self) -> FleetTally:
        options = self.options
        registry = self.registry
        proxies = Proxies(options.client.proxy, use_environment=options.client.use_environment_proxies)
        addresses = Addresses(proxied=proxies.for_url("http", "") is not None)
        seconds = registry.lease_seconds if registry.place.is_shared else None
        pace = FleetPace(options.client.delay, addresses, self._hold, lease_seconds=seconds)
        async with AsyncExitStack() as closing:
            closing.enter_context(collecting_rarely())
            readers = await closing.enter_async_context(worker_pool(workers=options.workers))
            learners = self.learners = Learners(options.workers)
            closing.push_async_callback(learners.close)
            shared = Shared(
                pace,
                readers,
                learners,
                Marks(registry),
                options.client,
                options.crawl,
                watches=options.budget is not None,
                media_dir=options.media_dir,
            )
            try:
                await self._run(shared)
            finally:
                await self._end_all(pace)
        return self.tally

    @property
    def pages(self) -> int:
        """All pages that this process got so far."""
        return self.tally.pages + sum(turn.pages for turn in self.under_way.values())

    async def _run(self, shared: Shared) -> None:
        ends = float("inf") if self.options.seconds is None else time.monotonic() + self.options.seconds
        while True:
            more = False
            if time.monotonic() >= ends:
                self.stop.set()
            try:
                self._beat(shared.pace)
                if not self.stop.is_set():
                    more = await self._start_turns(shared)
                self._tell()
            except ArchiveAway:  # what is under way ends by itself, and all waits until the database is back
                more = True
            self._look(self)
            if self.under_way:
                self._end_turns()
                await asyncio.wait(self.under_way, timeout=_TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                self._collect(shared.pace)
            elif self.stop.is_set() or not more:
                return
            else:
                await self._sleep()

    def _beat(self, pace: FleetPace) -> None:
        """What must be done every few seconds, whatever else there is to do."""
        self._drop_if_away()
        self._renew(pace)

    def _drop_if_away(self) -> None:
        """A machine that slept, or a process that was stopped: what it had in hand timed out for no fault of a site."""
        now = time.monotonic()
        if now - self._ticked_at > FLEET_AWAY_SECONDS:
            for task, turn in self.under_way.items():
                turn.void()
                task.cancel()
        self._ticked_at = now

    async def _start_turns(self, shared: Shared) -> bool:
        """Take forums as long as there is room; whether there are more, now or later."""
        room = self.options.at_once - len(self.under_way)
        if room <= 0 or time.monotonic() < self._next_look:
            return True
        self._next_look = time.monotonic() + _QUEUE_SECONDS
        inbox.take(self.registry)
        candidates = self.registry.candidates(self.worker, room, self._mine(), self._full())
        await self._start_all(candidates, shared)
        if self.options.budget is not None:
            await self._start_watching(self.options.at_once - len(self.under_way), shared)
            return True
        return bool(candidates) or self.registry.next_due() is not None or self.registry.others_at_work(self.worker)

    async def _start_watching(self, room: int, shared: Shared) -> None:
        """Forums that are complete get what room the others leave."""
        forums = self.registry.to_watch(self.worker, room, self._mine()) if room > 0 else []
        await self._start_all(forums, shared, self._shares(forums))

    def _shares(self, forums: Sequence[FleetForum]) -> dict[int, float]:
        """The requests a day of all forums that are watched, by what is expected of each; divided anew for those that
        became complete since."""
        now = time.monotonic()
        is_new = any(forum.id not in self._share_of for forum in forums)
        if self.options.budget is not None and (is_new or now - self._shared_at > _SHARE_SECONDS):
            self._shared_at = now
            most = DAY / max(self.options.client.delay, _QUICKEST)
            self._share_of = self.options.budget.shares(self.registry.expected(), most)
        return self._share_of

    async def _start_all(
        self, forums: Sequence[FleetForum], shared: Shared, shares: Mapping[int, float] | None = None
    ) -> None:
        """Have forums crawled, or watched by their shares. To open hundreds of archives takes longer than a process may
        stand still, so each is opened before the next one's turn, and the leases are looked after in between."""
        for forum in forums:
            if self.stop.is_set():
                return
            await self._start(forum, shared, None if shares is None else shares[forum.id])
            await asyncio.sleep(0)
            self._beat(shared.pace)

    async def _start(self, forum: FleetForum, shared: Shared, share: float | None = None) -> None:
        """Have a forum crawled; with a share of the budget, watched."""
        key = await shared.pace.addresses.key(target_of(forum.url).host)
        if key in self._full():
            self.registry.note_key(forum, key)
            return
        hold = self.registry.claim(forum, key, self.worker, watching=share is not None)
        if hold is None:
            return
        place = self.registry.place
        fence = None
        if place.is_shared:
            fence = leases.fence(hold, place.own_schema)
            self.registry.make_schema(forum.id)
        shared.pace.took(hold)
        self._holds[forum.id] = hold
        turn = ForumTurn(forum, place.archive(forum), shared, fence)
        if share is not None:
            seconds = self.options.turn_seconds
            turn = WatchTurn(forum, place.archive(forum), shared, fence, share=share, seconds=seconds)
        self.under_way[asyncio.create_task(turn.run())] = turn

    def _end_turns(self) -> None:
        """Those that had their turn go when others wait, or when all is to stop."""
        now = time.monotonic()
        tired = any(now - turn.began > self.options.turn_seconds for turn in self.under_way.values())
        crowded = tired and len(self.under_way) >= self.options.at_once and self._others_wait()
        for task, turn in self.under_way.items():
            had_its_turn = crowded and now - turn.began > self.options.turn_seconds
            slow = crowded and now - turn.began > _LONGEST_LEARNING
            if (self.stop.is_set() or slow) and not turn.is_crawling:
                task.cancel()  # nothing is archived yet
            elif self.stop.is_set() or (had_its_turn and turn.has_much_left):
                turn.end_soon()
            if turn.ending_since is not None and now - turn.ending_since > _GRACE_SECONDS:
                task.cancel()

    def _mine(self) -> list[int]:
        return [turn.forum.id for turn in self.under_way.values()]

    def _full(self) -> list[str]:
        """Hosts with as many forums under way as are of use: they share one pace, and places are for others, too."""
        counts = Counter(hold.key for hold in self._holds.values())
        return [key for key, number in counts.items() if number >= _A_HOST]

    def _others_wait(self) -> bool:
        try:
            return bool(self.registry.candidates(self.worker, 1, self._mine(), self._full()))
        except ArchiveAway:
            return False

    def _collect(self, pace: FleetPace) -> None:
        """What became of the turns that are over."""
        for task in [task for task in self.under_way if task.done()]:
            turn = self.under_way.pop(task)
            self._next_look = 0.0
            end = turn.stopped() if task.cancelled() else task.result()
            self.tally.turns += 1
            self.tally.pages += end.pages
            self.tally.posts += end.posts
            self.tally.failed += end.failed
            self._moved.pop(turn.forum.id, None)
            self._give_back(turn, end, pace)

    def _give_back(self, turn: ForumTurn, end: Turn, pace: FleetPace) -> None:
        del self._holds[turn.forum.id]
        # hosts of no forum any more, and such that redirects led to
        idle = [hold for hold in pace.holds().keys() - set(self._holds.values()) if not pace.by_key(hold.key).active]
        for hold in idle:
            pace.left(hold)
        with suppress(ArchiveAway):  # whoever comes next finds the leases run out
            if self.registry.place.is_shared and end.state.has_archive:
                partitions.join(self.registry, turn.forum.id)
            self.registry.give_back(turn.forum, end, self.worker)
            for hold in idle:
                self.registry.leave(hold, pace.by_key(hold.key).delay)

    def _hold(self, key: str) -> Hold | None:
        return self.registry.hold(key, self.worker)

    def _renew(self, pace: FleetPace) -> None:
        now = time.monotonic()
        if now - self._renewed_at < self.registry.lease_seconds / 6:
            return
        held = pace.holds()
        lost = self.registry.renew(self.worker, held)
        self._renewed_at = now
        pace.renewed(held.keys() - lost, now)
        for hold in lost:
            pace.left(hold)

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._told_at < _TELL_SECONDS:
            return
        self._told_at = now
        moved = [turn.forum.id for turn in self.under_way.values() if self._has_moved(turn)]
        pages = self.pages
        seen = WorkerSeen(
            self.worker, platform.node(), os.getpid(), self._joined, time.time(), len(self.under_way), pages,
            round(self.tally.speed(pages), 2),
        )  # fmt: skip
        self.registry.tell(seen, moved)

    def _has_moved(self, turn: ForumTurn) -> bool:
        before = self._moved.get(turn.forum.id, -1)
        self._moved[turn.forum.id] = turn.pages
        return turn.pages > before

    async def _sleep(self) -> None:
        try:
            async with asyncio.timeout(_TICK_SECONDS):
                await self.stop.wait()
        except TimeoutError:
            return

    async def _end_all(self, pace: FleetPace) -> None:
        """Also when it was cancelled, nothing that was archived is lost; others may have the hosts at once."""
        for task in self.under_way:
            task.cancel()
        if self.under_way:
            await asyncio.wait(self.under_way)
            self._collect(pace)
        with suppress(ArchiveAway):
            for hold, delay in pace.holds().items():
                self.registry.leave(hold, delay)
            self.registry.forget_worker(self.worker)
