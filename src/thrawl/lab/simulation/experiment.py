"""The refresh experiment: every timeline x policy x bandwidth x layers, each one run with a fixed seed.

Policies that read no layer but index pages and threads give the same run whatever else a site shows; it is made
once and its figures stand for all layers that it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from thrawl.errors import UsageError
from thrawl.lab.report import Value
from thrawl.lab.simulation.forum import Forum, Layers, Looks
from thrawl.lab.simulation.ledger import Measures
from thrawl.lab.simulation.oracle import Oracle
from thrawl.lab.simulation.run import DAY, LIST_KINDS, MakePolicy, Run, Span, simulate
from thrawl.lab.timeline import Timeline
from thrawl.refresh import registry
from thrawl.refresh.policy import Policy
from thrawl.refresh.predictors.registry import parse_models

POLICIES: Final[dict[str, MakePolicy]] = {
    **{name: lambda forum, make=make: make() for name, make in registry.POLICIES.items()},  # type: ignore[misc]
    "oracle": Oracle,
}
READ_LAYERS: Final = ("layers", "ours")
# What tidy forums do not do (the figures): 2 % of posts are deleted, 5 % of rows miscount, feeds have 20 items.
UNTIDY: Final[dict[str, Any]] = {"deleted": 0.02, "miscounted": 0.05, "minutes": True, "feed_items": 20}
OUTAGE_DAYS: Final = 2
# A policy of this name and a predictor's is `ours` with that predictor.
PREDICTED: Final = "ours:"


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """Requests a day, or (as `5x`) requests for each new post of the measured days."""

    amount: float
    a_post: bool = False

    def requests_a_day(self, posts_a_day: float) -> float:
        return max(1.0, self.amount * posts_a_day) if self.a_post else self.amount


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run, measured: by kind of list, and day by day for all."""

    timeline: str
    policy: str
    bandwidth: float
    posts_a_day: float
    layers: Layers
    lists: dict[str, Measures]
    daily: tuple[Measures, ...]
    seconds: float

    @property
    def all(self) -> Measures:
        return self.lists["all"]

    def results(self) -> Iterator[dict[str, Value]]:
        """One object a kind of list, as the design's report contract names the fields, and a few more."""
        for kind, measures in self.lists.items():
            yield {
                "timeline": self.timeline,
                "policy": self.policy,
                "bandwidth": round(self.bandwidth, 2),
                "requests_per_post": round(self.bandwidth / max(self.posts_a_day, 1e-9), 2),
                "layers": self.layers.value,
                "lists": kind,
                "timeliness_minutes": measures.timeliness,
                "median_minutes": measures.median,
                "p90_minutes": measures.p90,
                "p99_minutes": measures.p99,
                "mean_with_missed_minutes": measures.mean_with_missed,
                "coverage": measures.coverage,
                "within_month": measures.within_month,
                "utilisation": measures.utilisation,
                "elements": measures.elements,
                "seconds": round(self.seconds, 3),
            }


@dataclass(frozen=True, slots=True)
class Case:
    """One run to be made."""

    timeline: Timeline
    span: Span
    policy: str
    bandwidth: Bandwidth
    layers: Layers
    untidy: bool = False

    @property
    def looks(self) -> Looks:
        """The forum of this run; an untidy one goes down for two days when a third of the time is over."""
        if not self.untidy:
            return Looks(self.run_layers)
        down = self.span.measured_from + (self.span.end - self.span.measured_from) // 3
        return Looks(self.run_layers, **UNTIDY, down=down, up=down + OUTAGE_DAYS * DAY)

    @property
    def posts_a_day(self) -> float:
        days = self.span.days - self.span.warmup_days
        return len(self.timeline.between(self.span.measured_from, self.span.end)) / days

    @property
    def label(self) -> str:
        bandwidth = self.bandwidth.requests_a_day(self.posts_a_day)
        return f"{self.timeline.name} {self.policy} {bandwidth:,.0f}/day {self.layers.value}"

    @property
    def run_layers(self) -> Layers:
        """The least that a site must show for this very run."""
        if self.policy == "oracle":
            return Layers.ROWS
        if (
            self.policy in READ_LAYERS
            or self.policy.startswith(PREDICTED)
            or self.layers
            in (
                Layers.NONE,
                Layers.COUNTS,
            )
        ):
            return self.layers
        return Layers.ROWS


def parse_policies(names: str) -> list[str]:
    chosen = [name.strip().lower() for name in names.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in POLICIES]
    if unknown or not chosen:
        raise UsageError(f"There is no policy {', '.join(unknown) or names!r}; there are {', '.join(POLICIES)}.")
    return chosen


def parse_predictors(names: str | None) -> list[str]:
    """The policies that predictors drive."""
    return [] if names is None else [f"{PREDICTED}{name}" for name in parse_models(names)]


def parse_layers(names: str) -> list[Layers]:
    chosen = [name.strip().lower() for name in names.split(",") if name.strip()]
    known = [layers.value for layers in Layers]
    unknown = [name for name in chosen if name not in known]
    if unknown or not chosen:
        raise UsageError(f"There are no layers {', '.join(unknown) or names!r}; there are {', '.join(known)}.")
    return [Layers(name) for name in chosen]


def parse_bandwidths(text: str) -> list[Bandwidth]:
    try:
        chosen = [
            Bandwidth(float(part.rstrip("xX")), a_post=part.lower().endswith("x"))
            for part in (part.strip() for part in text.split(","))
            if part
        ]
    except ValueError:
        chosen = []
    if not chosen or not all(0 < bandwidth.amount <= DAY * 1000 for bandwidth in chosen):
        raise UsageError(f"{text!r} is no bandwidth; give requests a day as 500,3000 or requests a new post as 2x,30x.")
    return chosen


def run_cases(cases: Sequence[Case], started: Callable[[Case], None]) -> Iterator[Outcome]:
    """Make the runs in order; `started` is told of each before it begins."""
    made: dict[tuple[str, str, Bandwidth, Layers], Run] = {}
    for case in cases:
        started(case)
        key = (case.timeline.name, case.policy, case.bandwidth, case.run_layers)
        run = made.get(key)
        if run is None:
            run = made[key] = _run(case)
        yield _outcome(case, run)


def _run(case: Case) -> Run:
    return simulate(
        case.timeline,
        _maker(case.policy),
        looks=case.looks,
        bandwidth=case.bandwidth.requests_a_day(case.posts_a_day),
        span=case.span,
    )


def _maker(name: str) -> Callable[[Forum], Policy]:
    if name.startswith(PREDICTED):
        return lambda forum: registry.make_policy(registry.BEST, name.removeprefix(PREDICTED))
    return POLICIES[name]


def _outcome(case: Case, run: Run) -> Outcome:
    return Outcome(
        timeline=case.timeline.name,
        policy=case.policy,
        bandwidth=case.bandwidth.requests_a_day(case.posts_a_day),
        posts_a_day=case.posts_a_day,
        layers=case.layers,
        lists={kind: run.measures(kind) for kind in LIST_KINDS},
        daily=tuple(run.daily()),
        seconds=run.seconds,
    )
