"""What a predictor says of one thread from now on: posts expected in a span, and their rate at a moment.

With these two a list's looks are bought by price (see `refresh.activity`): one is due when n x n / r / 2 reaches the
price, n being the posts expected since the last look and r their rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Protocol, runtime_checkable

from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts

# Posts a second that are taken as none: one in thirty million years.
SLOWEST_RATE: Final = 1e-15
# Seconds; no wait is shorter: the report's frame of time is the minute.
SHORTEST_WAIT: Final = 60.0
# Seconds; no wait is longer, or a thread once thought dead would never be looked at again.
LONGEST_WAIT: Final = 10 * 365 * 86_400.0
# How near to the price the worth of a look has to be, and how near to its moment: a rhythm by hours makes it jump.
PRICE_TOLERANCE: Final = 0.02
WAIT_TOLERANCE: Final = 1.01


class Forecast(Protocol):
    """Of one thread, given its visible posts."""

    def rate(self, now: float) -> float:
        """Posts a second at a moment after the last visible post."""
        ...

    def expected(self, since: float, now: float) -> float:
        """Posts between two moments after the last visible post."""
        ...


class Predictor(Protocol):
    """`fit` on threads as far as they are known; then ask for any thread as it is visible at a moment."""

    def fit(self, threads: Sequence[ThreadPosts], until: float | None = None) -> Predictor:
        """Learn from threads that were watched until a moment, or each until its last post."""
        ...

    def predict(self, threads: Sequence[ThreadPosts]) -> FloatArray:
        """Seconds from the last visible post of each thread to its next."""
        ...

    def follow(self, thread: ThreadPosts, now: float | None = None) -> Forecast:
        """The forecast of one thread with its visible posts, given that it had no other until now."""
        ...


@runtime_checkable
class OnlinePredictor(Predictor, Protocol):
    """Goes on learning at run time."""

    def partial_fit(self, threads: Sequence[ThreadPosts]) -> OnlinePredictor:
        """Learn the newest gap of each thread, which a visit has just revealed."""
        ...


@dataclass(frozen=True, slots=True)
class Exponential:
    """A point forecast as a rate: an exponential waiting time with that mean."""

    mean: float

    def rate(self, now: float) -> float:
        return 1.0 / self.mean

    def expected(self, since: float, now: float) -> float:
        return max(0.0, now - since) / self.mean


def worth(forecast: Forecast, since: float, now: float) -> float:
    """Seconds of waiting that a look now saves, if the last was at `since`."""
    posts = forecast.expected(since, now)
    return posts * posts / 2 / max(forecast.rate(now), SLOWEST_RATE)


def wait_until(price: float, forecast: Forecast, since: float, guess: float = 0.0) -> float:
    """Seconds after a look until another is worth the price; sooner found from a good guess."""
    wait = guess if guess > 0 else sqrt(2 * price / max(forecast.rate(since), SLOWEST_RATE))
    low, high = SHORTEST_WAIT, LONGEST_WAIT
    while high > low * WAIT_TOLERANCE:
        wait = min(max(wait, low), high)
        ratio = worth(forecast, since, since + wait) / price
        if abs(ratio - 1) < PRICE_TOLERANCE:
            return wait
        low, high = (wait, high) if ratio < 1 else (low, wait)
        # A steady rate makes the worth grow with the square of the wait.
        wait *= min(max(ratio**-0.5, 0.2), 5.0) if ratio > 0 else 5.0
        if not low < wait < high:
            wait = sqrt(low * high)
    return high
