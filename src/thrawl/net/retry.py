"""When another try is worth it, and how long to wait for it."""

from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime

from thrawl.errors import FetchError, LimitExceeded
from thrawl.limits import FEW_RETRIES, MAX_BACKOFF_SECONDS
from thrawl.net.options import FetchLimits

BUSY_STATUSES = frozenset((429, 503))
# Answers that will be the same next time.
_FINAL_5XX = frozenset((501, 505))


class Transient(FetchError):
    """No usable answer came, but another try may bring one. `slows` says that the host seems overloaded;
    `few` that more than a few tries would be in vain."""

    def __init__(self, url: str, reason: str, *, few: bool = False, slows: bool = False) -> None:
        super().__init__(url, reason)
        self.few = few
        self.slows = slows

    def __reduce__(self) -> tuple[type[FetchError], tuple[str, str]]:
        return FetchError, (self.url, self.reason)


class TooSlow(LimitExceeded):
    """The deadline of a whole answer passed: not worth another try, but a sign that the host is overloaded."""


class TooManyRedirects(LimitExceeded):
    """The chain of hops is too long or goes in a circle."""


def status_retries(status: int, limits: FetchLimits) -> int:
    """How many more tries an error status deserves."""
    if status in BUSY_STATUSES:
        return limits.retries
    if 500 <= status <= 599 and status not in _FINAL_5XX:
        return min(FEW_RETRIES, limits.retries)
    return 0


def failure_retries(failure: Transient, limits: FetchLimits) -> int:
    return min(FEW_RETRIES, limits.retries) if failure.few else limits.retries


def backoff(tried: int, limits: FetchLimits, retry_after: float | None = None) -> float:
    """Seconds to wait after `tried` tries: what the server asked for, else doubling, with jitter either way."""
    if retry_after:
        return retry_after + random.uniform(0, min(0.1 * retry_after, 1.0))
    longest = min(limits.backoff_seconds * 2 ** (tried - 1), MAX_BACKOFF_SECONDS)
    return random.uniform(longest / 2, longest)


def retry_after_seconds(value: str | None, limits: FetchLimits, now: float | None = None) -> float | None:
    """A Retry-After header in seconds, whether it is a number or a date, capped; None when it says nothing."""
    text = (value or "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), limits.retry_after_seconds)
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return min(max(0.0, moment - (time.time() if now is None else now)), limits.retry_after_seconds)
