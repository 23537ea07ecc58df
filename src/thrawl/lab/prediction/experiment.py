"""The experiment: every timeline x model x variant x protocol x cost, each measured over the same test parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from thrawl.lab.prediction.costs import LATER, MINUTE, Ratio, Visited, at_cost, ratio, visit_all
from thrawl.lab.prediction.metrics import (
    mape,
    p_fa,
    p_miss,
    pairwise_score,
    published_pairwise,
    sliding_windows,
)
from thrawl.lab.prediction.replay import Prepared, PricePlan, prepare
from thrawl.lab.prediction.threads import Split
from thrawl.lab.report import Value
from thrawl.refresh.predictors.forecast import Predictor
from thrawl.refresh.predictors.posts import FloatArray
from thrawl.refresh.predictors.registry import MODELS
from thrawl.refresh.predictors.words import WordReader

# Seconds after the last post for which visits are counted, by the name of the protocol.
PROTOCOLS: Final = {"life": 0.0, "life+90": LATER}
# What each model is compared with.
AGAINST: Final = ("period", "mean", "exciting", "boosted")
# The metrics of a replay, in the order in which `_measure` gives them.
METRICS: Final = (
    "pr_miss",
    "pr_fa",
    "pr_error",
    "part_visit_before_post",
    "part_more_visits",
    "part_more_posts",
    "pairwise",
    "pairwise_published",
    "p_miss",
    "p_fa",
)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A model asked about every test part of a timeline."""

    timeline: str
    model: str
    window: int | None
    prepared: Sequence[Prepared]
    mape: float

    @property
    def likelihoods(self) -> FloatArray:
        """Of each thread."""
        return np.array([one.likelihood for one in self.prepared])

    @property
    def priced(self) -> bool:
        return any(isinstance(plan, PricePlan) for plan in self.prepared[0].plans.values())


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """One replay of all test parts, measured; `cost` is None where the knob is 1, as the report ran it."""

    timeline: str
    model: str
    window: int | None
    variant: str
    protocol: str
    cost: float | None
    knob: float
    t_scores: FloatArray
    visits_per_post: float
    mape: float
    likelihood: float
    metrics: dict[str, float]
    ratios: dict[str, Ratio] = field(default_factory=dict)

    @property
    def t_score(self) -> float:
        return float(self.t_scores.mean())

    def result(self) -> dict[str, Value]:
        """As the design's report contract names the fields, and more."""
        row: dict[str, Value] = {
            "timeline": self.timeline,
            "model": self.model,
            "window": self.window,
            "t_score": self.t_score,
            "visits_per_post": self.visits_per_post,
            "mape": self.mape,
            "likelihood": self.likelihood,
            "threads": len(self.t_scores),
            "variant": self.variant,
            "protocol": self.protocol,
            "cost": self.cost,
            "knob": self.knob,
            **self.metrics,
        }
        for name, one in self.ratios.items():
            row |= {f"ratio_{name}": one.value, f"low_{name}": one.low, f"high_{name}": one.high}
        return row


@dataclass(frozen=True, slots=True)
class Setting:
    """What an experiment is to do."""

    models: Sequence[str]
    costs: Sequence[float]
    seed: int


def run(
    timeline: str, splits: Sequence[Split], setting: Setting, started: Callable[[str], None]
) -> tuple[list[Fitted], list[Outcome]]:
    """All models of one timeline; `started` is told of each step before it begins."""
    reader = WordReader()
    fitted: list[Fitted] = []
    outcomes: list[Outcome] = []
    for name in setting.models:
        started(f"{timeline} {name}: learning")
        fitted.append(fit(timeline, name, MODELS[name].make(reader, setting.seed), splits, MODELS[name].window))
        for outcome in replays(fitted[-1], setting.costs, lambda step: started(f"{timeline} {step}")):
            outcomes.append(outcome)
    return fitted, [_compared(one, outcomes, setting.seed) for one in outcomes]


def fit(timeline: str, name: str, predictor: Predictor, splits: Sequence[Split], window: int | None) -> Fitted:
    """Learn from the training parts, and ask about every test part."""
    predictor.fit([split.training for split in splits])
    prepared = [prepare(predictor, split) for split in splits]
    errors = [mape(np.diff(one.split.thread.times[one.split.trained :]), one.predicted[:-1]) for one in prepared]
    return Fitted(timeline, name, window, prepared, _mean(errors))


def replays(fitted: Fitted, costs: Sequence[float], started: Callable[[str], None]) -> Iterator[Outcome]:
    """Of a point forecast also the replay with knob 1: a price has no such natural value."""
    for variant in fitted.prepared[0].plans:
        for protocol, after in PROTOCOLS.items():
            if not fitted.priced:
                yield natural(fitted, variant, protocol)
            visited = None
            for cost in costs:
                started(f"{fitted.model} ({variant}, {protocol}) at {cost:g} visits a post")
                visited = at_cost(fitted.prepared, variant, cost, priced=fitted.priced, after=after, start=visited)
                yield _outcome(fitted, variant, protocol, cost, visited)


def natural(fitted: Fitted, variant: str, protocol: str = "life") -> Outcome:
    plans = [one.plans[variant] for one in fitted.prepared]
    visited = visit_all(fitted.prepared, plans, 1.0, PROTOCOLS[protocol])
    return _outcome(fitted, variant, protocol, None, visited)


def _outcome(fitted: Fitted, variant: str, protocol: str, cost: float | None, visited: Visited) -> Outcome:
    measured = [
        _measure(one.split.thread.times[one.split.trained :] / MINUTE, visits / MINUTE)
        for one, visits in zip(fitted.prepared, visited.visits, strict=True)
    ]
    metrics = {name: _mean(values) for name, values in zip(METRICS, zip(*measured, strict=True), strict=True)}
    return Outcome(
        fitted.timeline,
        fitted.model,
        fitted.window,
        variant,
        protocol,
        cost,
        visited.knob,
        visited.t_scores,
        visited.cost,
        fitted.mape,
        _mean(fitted.likelihoods.tolist()),
        metrics,
    )


def _measure(posts: FloatArray, visits: FloatArray) -> tuple[float, ...]:
    windows = sliding_windows(posts, visits)
    return (
        windows.pr_miss,
        windows.pr_fa,
        windows.pr_error,
        windows.before,
        windows.more_visits,
        windows.more_posts,
        pairwise_score(posts, visits),
        published_pairwise(posts, visits),
        p_miss(posts, visits),
        p_fa(posts, visits),
    )


def _compared(one: Outcome, outcomes: Sequence[Outcome], seed: int) -> Outcome:
    """With its ratios to the models that it is compared with, each by its better variant at this cost."""
    if one.cost is None:
        return one
    for name in AGAINST:
        same = [o for o in outcomes if (o.model, o.protocol, o.cost) == (name, one.protocol, one.cost)]
        if same and name != one.model:
            best = min(same, key=lambda other: other.t_score)
            one.ratios[name] = ratio(one.t_scores, best.t_scores, seed)
    return one


def _mean(values: Sequence[float]) -> float:
    """Over the threads that have such a figure."""
    known = np.array(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    return float(known.mean()) if len(known) else float("nan")
