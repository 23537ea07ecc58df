"""Predictors at equal cost: the knob at which all threads together get so many visits a post, and paired intervals.

T is the unweighted mean over threads, and visits a post are all visits over all posts, as in the report. A ratio of two
models is that of their mean T; its interval comes from drawing threads with replacement, both models' figures of a
thread together (paired bootstrap).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

import numpy as np

from thrawl.lab.prediction.metrics import t_score
from thrawl.lab.prediction.replay import Plan, Prepared, replay
from thrawl.refresh.predictors.posts import FloatArray
from thrawl.refresh.rhythm import DAY

MINUTE: Final = 60.0
# Visits a post may miss the cost that is asked for by this share.
COST_TOLERANCE: Final = 0.005
SEARCH_ROUNDS: Final = 40
# Natural logarithms of the knobs between which the search looks: waits x c, and prices in seconds of waiting.
FACTOR_RANGE: Final = (log(1e-5), log(1e5))
PRICE_RANGE: Final = (log(1e-3), log(1e16))
# Logarithms of two knobs that are taken as one, and the slopes that are believed: visits go with 1 / wait, and with
# 1 / the square root of a price.
NEAREST_KNOBS: Final = 1e-4
STEEPEST, FLATTEST = -2.0, -0.25
# Seconds after the last post for which the second protocol counts visits.
LATER: Final = 90.0 * DAY
DRAWS: Final = 2000
INTERVAL: Final = (2.5, 97.5)


@dataclass(frozen=True, slots=True, eq=False)
class Visited:
    """A replay of all threads with one knob: T in minutes of each thread, and all visits over all posts."""

    knob: float
    t_scores: FloatArray
    cost: float
    visits: Sequence[FloatArray]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of mean T, or a difference, with its interval of 95 %."""

    value: float
    low: float
    high: float


def visit_all(prepared: Sequence[Prepared], plans: Sequence[Plan], knob: float, after: float) -> Visited:
    visits = [
        replay(one.split.thread, one.split.trained, plan, knob, after)
        for one, plan in zip(prepared, plans, strict=True)
    ]
    posts = [one.split.thread.times[one.split.trained :] for one in prepared]
    return Visited(
        knob,
        np.array([t_score(p, v) for p, v in zip(posts, visits, strict=True)]) / MINUTE,
        sum(len(v) for v in visits) / sum(len(p) for p in posts),
        visits,
    )


def at_cost(
    prepared: Sequence[Prepared],
    variant: str,
    cost: float,
    *,
    priced: bool,
    after: float = 0.0,
    start: Visited | None = None,
) -> Visited:
    """The replay whose visits a post come nearest to the cost; a higher knob gives fewer visits.

    Steps follow the slope of the last two replays, and the search halves its range where that leads outside. A replay
    at another cost is a good start.
    """
    plans = [one.plans[variant] for one in prepared]
    low, high = PRICE_RANGE if priced else FACTOR_RANGE
    slope = -0.5 if priced else -1.0
    last = visit_all(prepared, plans, exp((low + high) / 2), after) if start is None else start
    best = last
    for _ in range(SEARCH_ROUNDS):
        off = log(last.cost / cost)
        if abs(off) < COST_TOLERANCE or high - low < NEAREST_KNOBS:
            break
        low, high = (log(last.knob), high) if off > 0 else (low, log(last.knob))
        step = log(last.knob) - off / slope
        visited = visit_all(prepared, plans, exp(step if low < step < high else (low + high) / 2), after)
        slope = _slope(last, visited, slope)
        last = visited
        best = min(best, last, key=lambda one: abs(log(one.cost / cost)))
    return best


def _slope(one: Visited, other: Visited, known: float) -> float:
    """How the logarithm of the visits falls with that of the knob."""
    apart = log(other.knob / one.knob)
    measured = log(other.cost / one.cost) / apart if abs(apart) > NEAREST_KNOBS else known
    return min(max(measured, STEEPEST), FLATTEST)


def ratio(ours: FloatArray, others: FloatArray, seed: int) -> Ratio:
    draws = np.random.default_rng(seed).integers(0, len(ours), (DRAWS, len(ours)))
    drawn = ours[draws].mean(axis=1) / others[draws].mean(axis=1)
    low, high = np.percentile(drawn, INTERVAL)
    return Ratio(float(ours.mean() / others.mean()), float(low), float(high))


def difference(ours: FloatArray, others: FloatArray, seed: int) -> Ratio:
    """The mean difference of figures that may be negative, with its interval."""
    draws = np.random.default_rng(seed).integers(0, len(ours), (DRAWS, len(ours)))
    low, high = np.percentile((ours - others)[draws].mean(axis=1), INTERVAL)
    return Ratio(float((ours - others).mean()), float(low), float(high))
