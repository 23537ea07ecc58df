"""When will a list get its next record: F(x), one linear model for index lists and one for post lists (section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from thrawl.refresh.features import (
    ALPHA,
    HOUR,
    MOMENT_PLACES,
    STATES,
    Facts,
    FeatureRow,
    ListTimes,
    SiteTimes,
    facts_of,
    feature_rows,
    last_intervals,
    log_intervals,
    moment_features,
)
from thrawl.refresh.regression import KMeans, LinearModel

SAMPLES: Final = 12_000
# A linear model also predicts intervals below zero; none is taken below this share of the site's mean.
SHORTEST_SHARE: Final = 0.05
# Seconds; longer gaps are counted as this in training, or a few threads revived after years would bend the whole line.
LONGEST_GAP: Final = 7 * 24 * HOUR
# A moment at which no list is silent.
NEVER: Final = 0.0


class IntervalPredictor:
    """`fit` on the record times of all lists of one kind; `predict` the seconds from one record to the next.

    A sample is a record with the gap to the next one. A list that fell silent gives one more sample at that moment,
    with the gap that followed, or the time until now if no record followed: without these the model would never see
    a silent list and expect the next post of a dead thread within hours for ever.
    """

    def __init__(self, *, lists_end: bool, seed: int = 0) -> None:
        self._lists_end = lists_end
        self.site = SiteTimes()
        self.states_ = KMeans(STATES, seed=seed)
        self.model_ = LinearModel()
        self._seed = seed
        self._hours = [0.0]
        self._silent_weight = 0.0
        self._shortest = SHORTEST_SHARE * self.site.mean
        self._mean = self.site.mean
        self._row = FeatureRow(self.site, self.states_, NEVER)

    def fit(self, lists: Iterable[Sequence[float]], now: float) -> IntervalPredictor:
        chosen = self._sample(list(lists))
        self.site = _site_times(chosen)
        self._mean, self._shortest = self.site.mean, SHORTEST_SHARE * self.site.mean
        self._fit_states(chosen)
        samples = [sample for records in chosen for sample in self._samples(records, now)]
        if len(samples) >= 2:
            gaps = np.minimum([gap for _, gap in samples], LONGEST_GAP) / HOUR
            self.model_.fit(feature_rows([facts for facts, _ in samples], self.site, self.states_), gaps)
            self._tabulate_moments()
        self._row = FeatureRow(self.site, self.states_, NEVER)
        return self

    def predict(self, times: ListTimes, now: float) -> float:
        """F(x), never below a share of the site's mean; of a list that ends, never below its silence once silent."""
        silent = times.silent(now, self._mean)
        expected = max(self._shortest, self._linear(times, now, silent=silent) * HOUR)
        return max(expected, now - times.last) if silent and self._lists_end else expected

    def _linear(self, times: ListTimes, now: float, *, silent: bool) -> float:
        """w0 + sum of w x, the part of the records kept apart from that of the moment, which alone changes."""
        if not len(self.model_.weights_):
            return self._mean / HOUR
        known = times.known
        if known is None or known[0] is not self.model_:
            row = self._row.of(times)
            never = self._moment_part(NEVER, silent=times.silent(NEVER, self._mean))
            known = times.known = (self.model_, float(row @ self.model_.weights_ + self.model_.intercept_) - never)
        return known[1] + self._moment_part(now, silent=silent)

    def _moment_part(self, now: float, *, silent: bool) -> float:
        return self._hours[int(now // HOUR) % len(self._hours)] + (self._silent_weight if silent else 0.0)

    def _tabulate_moments(self) -> None:
        """What each hour of a week adds: its own weight, its day's, and those of their mean intervals."""
        weights = self.model_.weights_
        self._silent_weight = float(weights[-1])
        self._hours = [
            float(moment_features(self.site, hour * HOUR) @ weights[MOMENT_PLACES]) / HOUR for hour in range(7 * 24)
        ]

    def _sample(self, lists: list[Sequence[float]]) -> list[Sequence[float]]:
        order = np.random.default_rng(self._seed).permutation(len(lists)).tolist()
        chosen: list[Sequence[float]] = []
        total = 0
        for place in order:
            if total > SAMPLES:
                break
            chosen.append(lists[place][-SAMPLES // 10 :])
            total += len(chosen[-1])
        return chosen

    def _fit_states(self, lists: list[Sequence[float]]) -> None:
        points: list[list[float]] = []
        for records in lists:
            times = ListTimes()
            for time in records:
                times.add(time)
                points.append(log_intervals(last_intervals(times, self.site)))
        if points:
            self.states_.fit(np.array(points))

    def _samples(self, records: Sequence[float], now: float) -> Iterable[tuple[Facts, float]]:
        times = ListTimes()
        for place, time in enumerate(records):
            times.add(time)
            following = records[place + 1] if place + 1 < len(records) else None
            if following is not None:
                yield facts_of(times, self.site, time), following - time
            silent_from = self._silent_from(times)
            end = now if following is None else following
            if silent_from < end:
                yield facts_of(times, self.site, silent_from + 1), end - time

    def _silent_from(self, times: ListTimes) -> float:
        mean = times.mean if times.count > 2 else self.site.mean
        deviation = times.deviation if times.count > 3 else self.site.mean
        return times.last + mean + ALPHA * deviation


def _site_times(lists: list[Sequence[float]]) -> SiteTimes:
    pairs = [pair for records in lists for pair in pairwise(records)]
    return SiteTimes.of_gaps([before for before, _ in pairs], [max(0.0, after - before) for before, after in pairs])
