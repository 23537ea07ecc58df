"""When will a list get its next record: F(x), one linear model for index lists and one for post lists (section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import mul
from typing import Final

import numpy as np

from thrawl.refresh.features import (
    ALPHA,
    HOUR,
    INTERVALS,
    MOMENT_PLACES,
    STATES,
    Facts,
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


class _Tables:
    """The weights of a linear model by what they are weights of: lists are asked for one at a time, millions of times.

    What each hour of a week adds is its own weight, its day's, and those of their mean intervals.
    """

    def __init__(self, model: LinearModel, site: SiteTimes) -> None:
        weights: list[float] = model.weights_.tolist()
        self._intervals = weights[:INTERVALS]
        self._mean, of_site, self._count = weights[INTERVALS : MOMENT_PLACES.start]
        self._states = weights[MOMENT_PLACES.stop : -1]
        self._silent = weights[-1]
        self._always = model.intercept_ + of_site * site.mean / HOUR
        moments = (moment_features(site, hour * HOUR) for hour in range(7 * 24))
        self._hours = [float(moment @ model.weights_[MOMENT_PLACES]) / HOUR for moment in moments]

    def of_records(self, times: ListTimes, site: SiteTimes, states: KMeans) -> float:
        intervals = last_intervals(times, site)
        mean = times.mean if times.count > 1 else site.mean
        weighed: float = sum(map(mul, self._intervals, intervals)) + self._mean * mean
        return (
            self._always
            + weighed / HOUR
            + self._count * times.count
            + self._states[states.nearest(log_intervals(intervals))]
        )

    def of_moment(self, now: float, *, silent: bool) -> float:
        return self._hours[int(now // HOUR) % len(self._hours)] + (self._silent if silent else 0.0)


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
        self._tables: _Tables | None = None
        self._shortest = SHORTEST_SHARE * self.site.mean
        self._mean = self.site.mean

    def fit(self, lists: Iterable[Sequence[float]], now: float) -> IntervalPredictor:
        chosen = self._sample(list(lists))
        self.site = _site_times(chosen)
        self._mean, self._shortest = self.site.mean, SHORTEST_SHARE * self.site.mean
        self._fit_states(chosen)
        samples = [sample for records in chosen for sample in self._samples(records, now)]
        if len(samples) >= 2:
            gaps = np.minimum([gap for _, gap in samples], LONGEST_GAP) / HOUR
            self.model_.fit(feature_rows([facts for facts, _ in samples], self.site, self.states_), gaps)
            self._tables = _Tables(self.model_, self.site)
        return self

    def predict(self, times: ListTimes, now: float) -> float:
        """F(x), never below a share of the site's mean; of a list that ends, never below its silence once silent."""
        silent = times.silent(now, self._mean)
        expected = max(self._shortest, self._linear(times, now, silent=silent) * HOUR)
        return max(expected, now - times.last) if silent and self._lists_end else expected

    def _linear(self, times: ListTimes, now: float, *, silent: bool) -> float:
        """w0 + sum of w x, the part of the records kept until there is a new one: else the moment alone changes."""
        if self._tables is None:
            return self._mean / HOUR
        known = times.known
        if known is None or known[0] is not self._tables:
            known = times.known = (self._tables, self._tables.of_records(times, self.site, self.states_))
        return known[1] + self._tables.of_moment(now, silent=silent)

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
