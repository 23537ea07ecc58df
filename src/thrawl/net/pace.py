"""Politeness: how many requests a host gets at once, and how long after one the next may start.

The delay counts from start to start, and once more from write to write: connections take their time, and a request
that waited for one must not arrive on the heels of the next. A host in trouble (429, 503, timeouts) doubles it, each
success takes some of that back, so the pace finds what the host can bear. Requests that were already under way when the
host slowed down do not slow it again: eight refusals of one burst are one sign, not eight.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from thrawl.limits import DEFAULT_DELAY_SECONDS, MAX_DELAY_SECONDS, MAX_HOSTS

# The smallest delay that a host in trouble gets, in seconds, for a user who asked for none.
_FIRST_SLOWDOWN: Final = 0.1
# What a success leaves of the extra delay.
_RECOVERY: Final = 0.5
_NOTHING: Final = 0.01


@dataclass(frozen=True, slots=True)
class PaceState:
    """What a progress display shows of one host: the delay now, the usual one, and seconds of pause left.

    `trouble` is what the host was slowed down for, last.
    """

    host: str
    delay: float
    usual_delay: float
    pause: float
    active: int
    trouble: str


class HostPace:
    """The pace of one host: `start`, a connection, `go`, the request, `end`; what was learned in `trouble` and
    `success`."""

    def __init__(
        self,
        delay: float,
        concurrency: int,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._usual = delay
        self._extra = 0.0
        self._clock = clock
        self._sleep = sleep
        self._slots = asyncio.Semaphore(concurrency)
        self._next = 0.0
        self._started = float("-inf")
        self._written = float("-inf")
        self._paused_until = 0.0
        self._slowed_at = float("-inf")
        self._streak = 0
        self._trouble = ""
        self.active = 0

    @property
    def delay(self) -> float:
        return min(self._usual + self._extra, MAX_DELAY_SECONDS)

    async def start(self) -> float:
        """Wait for a turn; the moment it began is given back, for `trouble`."""
        self.active += 1
        try:
            await self._slots.acquire()
        except BaseException:
            self.active -= 1
            raise
        try:
            return await self._turn()
        except BaseException:
            self.end()
            raise

    async def go(self) -> None:
        """Wait until the request, whose connection stands, may be written; it is to be written without another wait."""
        now = self._clock()
        while (due := max(self._written + self.delay, self._paused_until)) > now:
            await self._sleep(due - now)
            now = self._clock()
        self._written = now
        if self.delay:  # the process may be held up before it writes: the next one counts from the loop's next step
            asyncio.get_running_loop().call_soon(self._note_written)

    def end(self) -> None:
        self.active -= 1
        self._slots.release()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way, and nothing that was would hold up a request now."""
        now = self._clock()
        return not self.active and max(self._next, self._paused_until, self._written + self.delay) <= now

    def ask_for_delay(self, seconds: float) -> None:
        """A Crawl-delay: the host's own wish, which only ever slows."""
        self._usual = max(self._usual, min(seconds, MAX_DELAY_SECONDS))
        self.wait(self._usual)

    def wait(self, seconds: float) -> None:
        """The next request starts no sooner than so many seconds from now."""
        self._next = max(self._next, self._clock() + seconds)

    def trouble(self, started: float, why: str = "", *, retry_after: float | None = None, sure: bool = False) -> None:
        """The host refused or did not answer. Retry-After pauses the whole host when it is `sure` to be about
        all of it (429), or when there was no success in between; a lone 503 is often about one page."""
        now = self._clock()
        self._streak += 1
        self._trouble = why
        if retry_after is not None and (sure or self._streak > 1):
            self._paused_until = max(self._paused_until, now + retry_after)
        if started > self._slowed_at:
            self._slowed_at = now
            self._extra = min(max(_FIRST_SLOWDOWN, 2 * self._extra + self._usual), MAX_DELAY_SECONDS)

    def success(self) -> None:
        self._streak = 0
        if self._extra:
            self._extra *= _RECOVERY
            if self._extra < _NOTHING:
                self._extra = 0.0

    def state(self, host: str) -> PaceState:
        pause = max(0.0, self._paused_until - self._clock())
        return PaceState(host, self.delay, self._usual, pause, self.active, self._trouble)

    async def _turn(self) -> float:
        now = self._clock()
        begin = max(now, self._next, self._paused_until)
        self._next = begin + self.delay
        while begin > now:
            await self._sleep(begin - now)
            now = self._clock()
            begin = max(begin, self._paused_until, self._started + self.delay)
        # on a busy machine it starts later than it was to: the next one counts from there
        self._started = now
        self._next = max(self._next, now + self.delay)
        return now

    def _note_written(self) -> None:
        self._written = max(self._written, self._clock())


class Pace:
    """The paces of all hosts of one client."""

    def __init__(
        self,
        delay: float = DEFAULT_DELAY_SECONDS,
        concurrency: int = 1,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._delay = delay
        self._concurrency = concurrency
        self._clock = clock
        self._sleep = sleep
        self._hosts: OrderedDict[str, HostPace] = OrderedDict()

    def host(self, name: str) -> HostPace:
        found = self._hosts.get(name)
        if found is None:
            found = self._hosts[name] = HostPace(self._delay, self._concurrency, self._clock, self._sleep)
            self._forget_one()
        self._hosts.move_to_end(name)
        return found

    def states(self) -> tuple[PaceState, ...]:
        """Every host's pace, the one used last at the end."""
        return tuple(pace.state(host) for host, pace in self._hosts.items())

    def _forget_one(self) -> None:
        if len(self._hosts) > MAX_HOSTS:
            idle = next((name for name, pace in self._hosts.items() if pace.is_idle), None)
            if idle is not None:
                del self._hosts[idle]
