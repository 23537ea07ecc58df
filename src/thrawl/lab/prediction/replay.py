"""Visits of a thread's test part replayed in time order, as a crawler would make them by a predictor.

The clock starts at the first test post, the first visit is ten minutes later, and a visit sees what was posted before
it. A point forecast plans the next visit at the last visible post + c x prediction. Where that is past, one variant
(the report's) takes the smallest multiple of c x the training mean gap beyond the last post that is not; the other
predicts again given the silence. An intensity buys its next visit by price and always knows the silence. c or the
price is the one knob, for all threads alike.

What a point predictor says after k visible posts does not depend on the visits (an online one learns each gap when it
is revealed, and all are, in order). So it is asked once for each k, and given silences on a grid; a replay is then only
looking up, and can be repeated until the knob gives the cost that is asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Final, Protocol

import numpy as np

from thrawl.lab.prediction.threads import Split
from thrawl.refresh.predictors.baselines import OnePeriod
from thrawl.refresh.predictors.boosted import BoostedRate
from thrawl.refresh.predictors.forecast import (
    LONGEST_WAIT,
    SHORTEST_WAIT,
    SLOWEST_RATE,
    Exponential,
    Forecast,
    OnlinePredictor,
    Predictor,
    wait_until,
)
from thrawl.refresh.predictors.point import PointPredictor
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts

MINUTE: Final = 60.0
# Seconds from the first test post to the first visit.
FIRST_VISIT: Final = 600.0
# Silences at which a point predictor is asked again: from a minute on, each a quarter longer, to beyond ten years.
SILENCE_STEP: Final = 1.25
SILENCES: Final[FloatArray] = np.array([SHORTEST_WAIT * SILENCE_STEP**step for step in range(70)])
# Visits of one thread after which a replay is given up: its knob is far too small, which is all a search needs to know.
MOST_VISITS: Final = 200_000


class Plan(Protocol):
    """When to visit next, for one thread, given the knob; the wait before this visit may serve as a guess."""

    def next_visit(self, visible: int, now: float, knob: float, waited: float) -> float: ...


@dataclass(frozen=True, slots=True)
class SteadyPlan:
    """One period for all, counted from visit to visit."""

    period: float

    def next_visit(self, visible: int, now: float, knob: float, waited: float) -> float:
        return now + self.period * knob


@dataclass(frozen=True, slots=True)
class MultiplesPlan:
    """The last visible post + prediction, or else a multiple of the training mean gap."""

    times: list[float]
    waits: list[float]
    mean: float
    first: int

    def next_visit(self, visible: int, now: float, knob: float, waited: float) -> float:
        last = self.times[visible - 1]
        planned = last + knob * self.waits[visible - self.first]
        if planned > now:
            return planned
        step = max(knob * self.mean, SHORTEST_WAIT)
        return last + step * (int((now - last) / step) + 1)


@dataclass(frozen=True, slots=True)
class SilencePlan:
    """The last visible post + prediction, or else now + what is predicted given the silence."""

    times: list[float]
    waits: list[float]
    silent: list[list[float]]
    first: int

    def next_visit(self, visible: int, now: float, knob: float, waited: float) -> float:
        last = self.times[visible - 1]
        planned = last + knob * self.waits[visible - self.first]
        if planned > now:
            return planned
        step = int(log(max(now - last, SHORTEST_WAIT) / SHORTEST_WAIT) / log(SILENCE_STEP) + 0.5)
        silent = self.silent[visible - self.first]
        return now + knob * silent[min(step, len(silent) - 1)]


@dataclass(frozen=True, slots=True)
class PricePlan:
    """The moment at which a look is worth the price."""

    forecasts: list[Forecast]
    first: int

    def next_visit(self, visible: int, now: float, knob: float, waited: float) -> float:
        return now + wait_until(knob, self.forecasts[visible - self.first], now, waited)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A thread's test part with all that a predictor says of it: its plans by variant, and its point forecasts.

    `likelihood` is the mean logarithm of the likelihood of its gaps, in minutes: ln r - n for a gap in which n posts
    were expected and that ended at the rate r.
    """

    split: Split
    predicted: FloatArray
    likelihood: float
    plans: dict[str, Plan]


FALL_BACK: Final = "multiples"
SILENCE: Final = "silence"


def prepare(predictor: Predictor, split: Split) -> Prepared:
    """Ask a fitted predictor for each number of visible posts; an online one learns on the way."""
    thread, first = split.thread, split.trained + 1
    visible = [thread.first(count) for count in range(first, len(thread) + 1)]
    if not isinstance(predictor, PointPredictor):
        forecasts = _follow(predictor, visible)
        plan = PricePlan(forecasts, first)
        return Prepared(split, predictor.predict(visible), likelihood(split, forecasts), {SILENCE: plan})
    waits: list[float] = []
    silent: list[list[float]] = []
    for one in visible:
        if isinstance(predictor, OnlinePredictor):
            predictor.partial_fit([one])
        waits.append(float(predictor.predict([one])[0]))
        silent.append(np.clip(predictor.predict_silent(one, SILENCES), SHORTEST_WAIT, LONGEST_WAIT).tolist())
    likely = likelihood(split, [Exponential(wait) for wait in waits])
    if isinstance(predictor, OnePeriod):
        return Prepared(split, np.array(waits), likely, {FALL_BACK: SteadyPlan(predictor.mean_)})
    times = thread.times.tolist()
    gaps = split.training.gaps
    mean = max(float(gaps.mean()), SHORTEST_WAIT) if len(gaps) else predictor.mean_
    plans: dict[str, Plan] = {
        FALL_BACK: MultiplesPlan(times, waits, mean, first),
        SILENCE: SilencePlan(times, waits, silent, first),
    }
    return Prepared(split, np.array(waits), likely, plans)


def likelihood(split: Split, forecasts: Sequence[Forecast]) -> float:
    """How likely the gaps between the test posts were, as a mean of logarithms; higher is better."""
    times = split.thread.times[split.trained :].tolist()
    logs = [
        log(max(forecast.rate(end), SLOWEST_RATE) * MINUTE) - forecast.expected(start, end)
        for forecast, (start, end) in zip(forecasts, pairwise(times), strict=False)
    ]
    return sum(logs) / len(logs) if logs else float("nan")


def replay(thread: ThreadPosts, trained: int, plan: Plan, knob: float, after: float = 0.0) -> FloatArray:
    """The visits until the first one after the last post, or until so many seconds after it."""
    times = thread.times.tolist()
    end = times[-1]
    now = times[trained] + FIRST_VISIT
    visits = [now]
    waited = 0.0
    while now <= end and len(visits) < MOST_VISITS:
        waited = max(plan.next_visit(bisect_left(times, now), now, knob, waited) - now, SHORTEST_WAIT)
        now += waited
        visits.append(now)
    if after > 0:
        visits.extend(_later(plan, len(times), now, knob, end + after))
    if visits[-1] <= end:
        visits.append(end + SHORTEST_WAIT)
    return np.array(visits)


def _later(plan: Plan, visible: int, now: float, knob: float, until: float) -> list[float]:
    visits: list[float] = []
    waited = 0.0
    while len(visits) < MOST_VISITS:
        waited = max(plan.next_visit(visible, now, knob, waited) - now, SHORTEST_WAIT)
        now += waited
        if now > until:
            break
        visits.append(now)
    return visits


def _follow(predictor: Predictor, visible: list[ThreadPosts]) -> list[Forecast]:
    if isinstance(predictor, BoostedRate):
        return list(predictor.follow_all(visible))
    return [predictor.follow(one) for one in visible]
