"""The watch's own time: it never runs back, and does not stand still either.

The system's clock may be set back, and jumps ahead while a laptop sleeps; the monotonic one never goes back but stops
while it sleeps. Taken together: time goes on with the monotonic clock, and follows the system's where that is ahead.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

# Seconds for which one sleep is asked; afterwards the clock is read again, for a laptop may have slept meanwhile.
LONGEST_SLEEP: Final = 30.0


class Clock(Protocol):
    """Whatever tells a watch the time and lets it wait."""

    def now(self) -> float: ...

    async def sleep_until(self, moment: float, stop: asyncio.Event) -> bool:
        """Wait until then; False when `stop` was set before."""


class SystemClock:
    """The clock of this machine."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._moment = wall()
        self._mark = monotonic()

    def now(self) -> float:
        mark = self._monotonic()
        gone = self._moment + max(0.0, mark - self._mark)
        self._moment, self._mark = max(gone, self._wall()), mark
        return self._moment

    async def sleep_until(self, moment: float, stop: asyncio.Event) -> bool:
        while not stop.is_set():
            left = moment - self.now()
            if left <= 0:
                return True
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), min(left, LONGEST_SLEEP))
        return False
