"""Curve-fitting and bound-based, after Olston and Pandey, "Recrawl scheduling based on information longevity" (2008).

Taken from there: a page's divergence D(t) from the version held grows with the time t since it was fetched; fetching it
after t is worth U(t) = t D(t) - (integral of D up to t); with one threshold T for the whole site, each page is best
fetched whenever U reaches T, and T follows from the bandwidth. Curve-fitting fits D from what the visits saw and solves
U(t) = T. Bound-based fits nothing: visits bound D, hence U, from below and above, and the refresh period is doubled or
halved when a bound is on the wrong side of T.

Adapted to forums as section 4.2 of the list-wise paper says: new URLs first (`pagewise`); the conditions on the
interval are relaxed, because content that stays for ever is never too short-lived to be worth a visit: D is linear in
t, not saturating, and a period may shrink after every visit that proves it too long. Both start with what watching the
archive's pages so far would have taught them, the time since each last changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

from thrawl.refresh.pages import PageRef
from thrawl.refresh.policies.pagewise import DAY, HOUR, PageWise

# The share of a page that a single change is taken to have replaced, where only its time is known.
ONE_CHANGE: Final = 0.1
FORGETTING: Final = 0.7
NEW_PAGE_PERIOD: Final = 2 * HOUR
SHORTEST_PERIOD: Final = 60.0
LONGEST_PERIOD: Final = 365 * DAY


@dataclass(slots=True)
class _Curve:
    """Sums of a least-squares line through the origin: new content against time, older visits forgotten."""

    time: float
    change: float

    @property
    def slope(self) -> float:
        return self.change / self.time


class Longevity(PageWise):
    """The threshold T and the bandwidth: T rises while pages wait beyond their moment, and falls while none does."""

    def _prepare(self, now: float) -> None:
        self._threshold = 1.0
        self._step = 2.0 / max(len(self._visited), 1000)

    def _paid(self, now: float, due: float) -> None:
        self._threshold *= 1 + self._step if due < now else 1 - self._step

    def _scale(self, periods: Iterable[float]) -> float:
        """By how much periods must be stretched to fit the bandwidth."""
        return self._site.seconds_per_request * sum(1 / period for period in periods)


class CurveFitting(Longevity):
    def _prepare(self, now: float) -> None:
        super()._prepare(now)
        self._curves = {ref: _Curve(self._silence(ref, now), ONE_CHANGE) for ref in self._visited}
        self._threshold *= self._scale(self._period(ref) for ref in self._visited) ** 2

    def _first_period(self, ref: PageRef, now: float) -> float:
        return self._period(ref)

    def _next_period(self, ref: PageRef, now: float, passed: float, change: float) -> float:
        curve = self._curves.setdefault(ref, _Curve(NEW_PAGE_PERIOD, ONE_CHANGE))
        kept = FORGETTING if change > 0 else 1.0
        curve.time = kept * curve.time + passed
        curve.change = kept * curve.change + change
        return self._period(ref)

    def _period(self, ref: PageRef) -> float:
        return max(SHORTEST_PERIOD, sqrt(2 * self._threshold / self._curves[ref].slope))


@dataclass(slots=True)
class _Profile:
    """What the visits since a reference time told: the bounds of the integral of D, and D itself."""

    period: float
    age: float = 0.0
    divergence: float = 0.0
    integral_low: float = 0.0
    integral_high: float = 0.0

    def visit(self, passed: float, change: float) -> None:
        """The change came somewhere between the visits: at the very end at best, at the very start at worst."""
        self.integral_low += passed * self.divergence
        self.divergence += change
        self.integral_high += passed * self.divergence
        self.age += passed

    @property
    def utility_low(self) -> float:
        return self.age * self.divergence - self.integral_high

    @property
    def utility_high(self) -> float:
        return self.age * self.divergence - self.integral_low

    def restart(self, period: float) -> None:
        self.period = min(max(period, SHORTEST_PERIOD), LONGEST_PERIOD)
        self.age = self.divergence = self.integral_low = self.integral_high = 0.0


class BoundBased(Longevity):
    def _prepare(self, now: float) -> None:
        super()._prepare(now)
        scale = self._scale(self._silence(ref, now) for ref in self._visited)
        self._profiles = {ref: _Profile(scale * self._silence(ref, now)) for ref in self._visited}
        self._threshold = ONE_CHANGE * scale * NEW_PAGE_PERIOD

    def _first_period(self, ref: PageRef, now: float) -> float:
        return self._profiles[ref].period

    def _next_period(self, ref: PageRef, now: float, passed: float, change: float) -> float:
        profile = self._profiles.setdefault(ref, _Profile(NEW_PAGE_PERIOD))
        profile.visit(passed, change)
        if profile.utility_high < self._threshold:
            profile.period = min(2 * profile.period, LONGEST_PERIOD)
        elif profile.utility_low >= self._threshold or change > 0:
            profile.restart(profile.period / 2)
        return profile.period
