"""When a watch may make its next request: evenly spaced by its budget, or in a round as long as the budget lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from thrawl.archive.watching import Watching
from thrawl.refresh.budget import Purse
from thrawl.refresh.clock import Clock
from thrawl.refresh.watchvalues import WatchOptions, WatchTally


class WatchOver(Exception):
    """The watch ends while a page is being fetched, which is asked for again by the next one."""


class Turns:
    """`others` counts the requests that the last one took beside itself; `keep` saves when the next may be made."""

    def __init__(
        self,
        options: WatchOptions,
        clock: Clock,
        stop: asyncio.Event,
        watching: Watching,
        next_at: float,
        *,
        tally: WatchTally,
        say: Callable[[str], None],
        keep: Callable[[], None],
    ) -> None:
        self._options = options
        self._clock = clock
        self._stop = stop
        self._watching = watching
        self._tally = tally
        self._say = say
        self._keep = keep
        now = clock.now()
        self._end = float("inf") if options.seconds is None else now + options.seconds
        self._purse = Purse(options.budget, now, next_at)
        self.others = 0

    @property
    def next_at(self) -> float:
        return self._purse.next_at

    async def come(self) -> bool:
        """Wait for the next request; False when the watch is over."""
        if self._options.once:
            return not self._stop.is_set() and self._has_left()
        self._tally.next_at = self._purse.next_at
        waited = await self._clock.sleep_until(min(self._purse.next_at, self._end), self._stop)
        return waited and self._clock.now() < self._end

    def take(self) -> None:
        """A request is made now."""
        self.others = 0
        self._purse.take(self._clock.now())

    async def another(self) -> None:
        """robots.txt had to be asked for, or the answer leads elsewhere: the next request has a turn of its own."""
        goes_on = self._has_left(self.others + 1) if self._options.once else await self.come()
        if not goes_on:
            raise WatchOver
        self.others += 1
        self._purse.take(self._clock.now())
        self._keep()

    def wait(self, seconds: float) -> None:
        """No request before that time has passed, though it could be afforded."""
        self._purse.wait(self._clock.now() + seconds)

    def _has_left(self, asked: int = 0) -> bool:
        """A round is not spaced, beyond what politeness asks: it ends when the budget of its time is spent.

        `asked` requests are not in the books yet.
        """
        budget = self._options.budget
        spent = sum(one.requests for one in self._watching.spent(self._clock.now() - budget.seconds))
        if spent + asked < budget.requests:
            return True
        self._say(f"the budget of {budget} is spent; the next round goes on")
        return False
