"""The features of table 1 of the list-wise paper, computed from the times of a list's records.

Differences, where the paper is silent: intervals that a short list does not have are the site's mean interval; the 15
states are clustered on logarithms of the intervals, because with raw ones a few giant gaps take nearly all centres;
the inactivity state is given to post lists too, since it is threads that fall silent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log1p, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.refresh.regression import KMeans

FloatArray = npt.NDArray[np.float64]

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
INTERVALS: Final = 5
STATES: Final = 15
# Deviations above the mean gap after which a list counts as silent (the paper's alpha, whose value it does not tell).
ALPHA: Final = 0.0
# Where the features of the moment stand: 24 hours, their mean interval, 7 days, theirs.
MOMENT_PLACES: Final = slice(INTERVALS + 3, INTERVALS + 3 + 24 + 1 + 7 + 1)
WIDTH: Final = INTERVALS + 3 + 24 + 1 + 7 + 1 + STATES + 1


@dataclass(slots=True)
class ListTimes:
    """The times of one list's records, summed up: enough for every feature, whatever the list's length.

    `known` is a model and what it makes of these records, kept by the model until a record is added.
    """

    count: int = 0
    last: float = 0.0
    recent: deque[float] = field(default_factory=lambda: deque(maxlen=INTERVALS))
    mean: float = 0.0
    squares: float = 0.0
    known: tuple[object, float] | None = None

    def add(self, time: float) -> None:
        if self.count:
            gap = max(0.0, time - self.last)
            self.recent.append(gap)
            delta = gap - self.mean
            self.mean += delta / self.count
            self.squares += delta * (gap - self.mean)
        self.last = max(time, self.last)
        self.count += 1
        self.known = None

    @property
    def deviation(self) -> float:
        return sqrt(self.squares / (self.count - 1)) if self.count > 2 else 0.0

    def silent(self, now: float, site_mean: float) -> bool:
        """The inactivity state ds: no record for longer than the mean gap and alpha deviations."""
        waited = now - self.last - (self.mean if self.count > 2 else site_mean)
        if waited <= 0 or not ALPHA:
            return waited > 0
        return waited > ALPHA * (self.deviation if self.count > 3 else site_mean)


@dataclass(slots=True)
class SiteTimes:
    """Site-wide mean intervals: over all lists of a kind, and by hour and by weekday of the record before."""

    total: float = 0.0
    count: int = 0
    hours: FloatArray = field(default_factory=lambda: np.zeros((2, 24)))
    days: FloatArray = field(default_factory=lambda: np.zeros((2, 7)))

    @classmethod
    def of_gaps(cls, times: Sequence[float], gaps: Sequence[float]) -> SiteTimes:
        """From records and the gaps that followed them."""
        moments, waits = np.array(times, dtype=np.float64), np.array(gaps, dtype=np.float64)
        hours = (moments % DAY // HOUR).astype(np.int64)
        days = (moments // DAY % 7).astype(np.int64)
        return cls(sum(gaps), len(gaps), _sums_by(hours, waits, 24), _sums_by(days, waits, 7))

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else DAY

    def of_hour(self, time: float) -> float:
        total, count = self.hours[:, _hour(time)]
        return float(total / count) if count else self.mean

    def of_day(self, time: float) -> float:
        total, count = self.days[:, _day(time)]
        return float(total / count) if count else self.mean


def _sums_by(places: npt.NDArray[np.int64], waits: FloatArray, size: int) -> FloatArray:
    """The sum of waits at each place, and how many there are."""
    return np.stack([np.bincount(places, weights, size) for weights in (waits, None)])


def last_intervals(times: ListTimes, site: SiteTimes) -> list[float]:
    """The last five intervals, newest first."""
    known = list(times.recent)[::-1]
    return known + [site.mean] * (INTERVALS - len(known))


def log_intervals(intervals: list[float]) -> list[float]:
    return [log1p(interval / 60) for interval in intervals]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the row of a list at a moment is made of; seconds."""

    intervals: list[float]
    mean: float
    count: int
    moment: float
    silent: bool


def facts_of(times: ListTimes, site: SiteTimes, now: float) -> Facts:
    mean = times.mean if times.count > 1 else site.mean
    return Facts(last_intervals(times, site), mean, times.count, now, times.silent(now, site.mean))


def feature_rows(facts: Sequence[Facts], site: SiteTimes, states: KMeans) -> FloatArray:
    """Many rows at once, for training."""
    rows = np.zeros((len(facts), WIDTH))
    intervals = np.array([one.intervals for one in facts]).reshape(-1, INTERVALS)
    rows[:, :INTERVALS] = intervals
    rows[:, INTERVALS] = [one.mean for one in facts]
    rows[:, INTERVALS + 1] = site.mean
    rows[:, INTERVALS + 2] = [one.count * HOUR for one in facts]
    moments = {key: moment_features(site, key * HOUR) for key in {int(one.moment // HOUR) for one in facts}}
    rows[:, MOMENT_PLACES] = [moments[int(one.moment // HOUR)] for one in facts]
    labels = states.predict(np.log1p(intervals / 60))
    rows[np.arange(len(facts)), MOMENT_PLACES.stop + labels] = HOUR
    rows[:, -1] = [HOUR * one.silent for one in facts]
    return rows / HOUR


def moment_features(site: SiteTimes, now: float) -> FloatArray:
    """The part of the row that depends on the moment alone: hour and day, each with its mean interval; in seconds."""
    part = np.zeros(24 + 1 + 7 + 1)
    part[_hour(now)] = HOUR
    part[24] = site.of_hour(now)
    part[25 + _day(now)] = HOUR
    part[32] = site.of_day(now)
    return part


def _hour(time: float) -> int:
    return int(time % DAY // HOUR)


def _day(time: float) -> int:
    return int(time // DAY % 7)
