"""Requests in a time: `3000/day`. They are spaced evenly, so that no window of that length sees more.

What a request costs beyond itself (redirects, robots.txt) is paid by the ones after it. Nothing is saved up: a watch
that slept, or a site that was down, is followed by no storm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from thrawl.errors import UsageError

SECONDS: Final = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86_400.0, "week": 604_800.0}
_BUDGET: Final = re.compile(r"\s*(\d{1,9}(?:\.\d+)?)\s*(?:/|per|a)\s*(second|minute|hour|day|week|s|min|h|d|w)\s*")
_DURATION: Final = re.compile(r"\s*(\d{1,9}(?:\.\d+)?)\s*(seconds?|minutes?|hours?|days?|weeks?|s|min|m|h|d|w)\s*")
_SHORT: Final = {"s": "second", "min": "minute", "m": "minute", "h": "hour", "d": "day", "w": "week"}


@dataclass(frozen=True, slots=True)
class Budget:
    """So many requests in so many seconds."""

    requests: float
    seconds: float

    @classmethod
    def parse(cls, text: str) -> Budget:
        found = _BUDGET.fullmatch(text)
        requests = float(found[1]) if found else 0.0
        if found is None or requests <= 0:
            raise UsageError(f"{text!r} is no budget; give it as 3000/day or 100/hour.")
        return cls(requests, SECONDS[_SHORT.get(found[2], found[2])])

    @property
    def step(self) -> float:
        """Seconds from one request to the next."""
        return self.seconds / self.requests

    def __str__(self) -> str:
        unit = next(name for name, seconds in SECONDS.items() if seconds == self.seconds)
        return f"{self.requests:g}/{unit}"


def parse_duration(text: str) -> float:
    """Seconds of `2h`, `30 minutes` or `1 day`."""
    found = _DURATION.fullmatch(text)
    seconds = float(found[1]) * SECONDS[_SHORT.get(found[2], found[2].rstrip("s"))] if found else 0.0
    if seconds <= 0:
        raise UsageError(f"{text!r} is no time span; give it as 30min, 2h or 1d.")
    return seconds


class Purse:
    """When the next request may be made. `next_at` lives in the archive, so a restart brings no request forward."""

    def __init__(self, budget: Budget, now: float, next_at: float = 0.0) -> None:
        self._step = budget.step
        # A clock that was set back must not make the watch wait for more than a turn.
        self.next_at = min(max(now, next_at), now + self._step)

    def take(self, now: float) -> None:
        """A request is made now."""
        self.next_at = max(now, self.next_at) + self._step

    def wait(self, until: float) -> None:
        """No request before then, though it could be afforded."""
        self.next_at = max(self.next_at, until)
