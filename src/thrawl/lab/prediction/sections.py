"""The prediction experiment as tables and plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from thrawl.lab.plots import Axis, Line, line_plot
from thrawl.lab.prediction.costs import MINUTE, difference
from thrawl.lab.prediction.experiment import AGAINST, PROTOCOLS, Fitted, Outcome
from thrawl.lab.prediction.sweeps import REPORT_HEADER, report_row
from thrawl.lab.prediction.threads import Split
from thrawl.lab.report import Section, Table, Value
from thrawl.refresh.predictors.posts import FloatArray

DAY: Final = 86_400
WEEKDAYS_FROM_THURSDAY: Final = 3
# Predicted gaps are put into this many classes of equal size for the plot of predicted against real gaps.
CLASSES: Final = 12


def cost_table(outcomes: Sequence[Outcome], protocol: str = "life") -> Table:
    """T of every model at equal cost, with its ratios."""
    rows: list[list[Value]] = [
        [
            one.timeline,
            one.model,
            one.variant,
            one.cost,
            one.t_score,
            one.visits_per_post,
            *(_interval(one, name) for name in AGAINST),
        ]
        for one in outcomes
        if one.protocol == protocol and one.cost is not None
    ]
    header = ["timeline", "model", "variant", "cost", "T", "visits a post", *(f"/ {name}" for name in AGAINST)]
    caption = f"T in minutes at equal visits a post; ratios with 95 % intervals over threads (protocol {protocol})"
    return Table(caption, header, rows)


def likelihood_table(fitted: Sequence[Fitted], seed: int) -> Table:
    """How likely each model finds the gaps that came, and what that is beyond the models it is compared with."""
    rows: list[list[Value]] = []
    for one in fitted:
        others = {other.model: other for other in fitted if other.timeline == one.timeline and other is not one}
        against = [_beyond(one, others.get(name), seed) for name in AGAINST]
        rows.append([one.timeline, one.model, float(np.nanmean(one.likelihoods)), one.mape, *against])
    caption = (
        "Mean ln(likelihood) of a test gap in minutes (higher is better), and how far above others, with intervals"
    )
    return Table(caption, ["timeline", "model", "ln(likelihood)", "MAPE", *(f"- {name}" for name in AGAINST)], rows)


def natural_table(outcomes: Sequence[Outcome]) -> Table:
    """As the report ran them: knob 1."""
    rows = [
        [one.timeline, one.variant, *report_row(one), *(one.metrics[name] for name in _OTHERS)]
        for one in outcomes
        if one.cost is None and one.protocol == "life"
    ]
    return Table("Point forecasts as they are (knob 1)", ["timeline", "variant", *REPORT_HEADER, *_OTHERS], rows)


def sections(
    threads: Mapping[str, Sequence[Split]],
    fitted: Sequence[Fitted],
    outcomes: Sequence[Outcome],
    sweeps: Sequence[Table],
    seed: int,
) -> list[Section]:
    text = "One knob for all threads: waits x c for point forecasts, a price for rates. Smaller is better."
    found = [
        Section("Equal cost", text, [cost_table(outcomes, protocol) for protocol in PROTOCOLS]),
        Section("Likelihood", "Of the gaps that came, given what was visible.", [likelihood_table(fitted, seed)]),
        Section("Every metric", "", [natural_table(outcomes), _metrics_table(outcomes)]),
    ]
    if sweeps:
        found.append(Section("Windows, vocabularies, discount", "Like the report's table 3.2.", list(sweeps)))
    for name, splits in threads.items():
        of_this = [one for one in outcomes if one.timeline == name]
        plots = [*_rhythm_plots(splits), _delay_plot(of_this), _gap_plot([f for f in fitted if f.timeline == name])]
        found.append(Section(name, f"{len(splits)} threads.", (), plots))
    return found


_OTHERS: Final = (
    "part_visit_before_post",
    "part_more_visits",
    "part_more_posts",
    "pairwise",
    "pairwise_published",
    "p_miss",
    "p_fa",
)


def _metrics_table(outcomes: Sequence[Outcome]) -> Table:
    rows = [
        [one.timeline, one.variant, one.cost, *report_row(one), *(one.metrics[name] for name in _OTHERS)]
        for one in outcomes
        if one.cost is not None and one.protocol == "life"
    ]
    return Table("At equal cost", ["timeline", "variant", "cost", *REPORT_HEADER, *_OTHERS], rows)


def _beyond(one: Fitted, other: Fitted | None, seed: int) -> str | None:
    if other is None:
        return None
    found = difference(one.likelihoods, other.likelihoods, seed)
    return f"{found.value:+.4f} ({found.low:+.4f} to {found.high:+.4f})"


def _interval(one: Outcome, name: str) -> str | None:
    found = one.ratios.get(name)
    return None if found is None else f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})"


def _rhythm_plots(splits: Sequence[Split]) -> list[str]:
    times = np.concatenate([split.thread.times for split in splits])
    hours = np.bincount((times % DAY // 3600).astype(np.int64), minlength=24) / len(times)
    days = np.bincount(((times // DAY + WEEKDAYS_FROM_THURSDAY) % 7).astype(np.int64), minlength=7) / len(times)
    share = Axis("share of posts")
    return [
        line_plot("Posts by hour", [Line("hour", list(enumerate(hours.tolist())))], Axis("hour (UTC)"), share),
        line_plot("Posts by weekday", [Line("day", list(enumerate(days.tolist())))], Axis("day, Monday is 0"), share),
    ]


def _delay_plot(outcomes: Sequence[Outcome]) -> str:
    shown: dict[str, list[tuple[float, float]]] = {}
    for one in outcomes:
        if one.cost is not None and one.protocol == "life":
            shown.setdefault(f"{one.model} {one.variant[:3]}", []).append((one.visits_per_post, one.t_score))
    best = sorted(shown.items(), key=lambda item: min(t for _, t in item[1]))
    return line_plot(
        "Delay against visits",
        [Line(name, points) for name, points in best],
        Axis("visits a post", logarithmic=True),
        Axis("T, minutes", logarithmic=True),
    )


def _gap_plot(fitted: Sequence[Fitted]) -> str:
    """Classes of predicted gaps against the geometric mean of the real ones."""
    lines = [Line(one.model, _classes(*_gaps(one))) for one in fitted]
    return line_plot(
        "Predicted against real gaps",
        lines,
        Axis("predicted, minutes", logarithmic=True),
        Axis("real, minutes (geometric mean)", logarithmic=True),
    )


def _gaps(fitted: Fitted) -> tuple[FloatArray, FloatArray]:
    real = [np.diff(one.split.thread.times[one.split.trained :]) for one in fitted.prepared]
    return np.concatenate([one.predicted[:-1] for one in fitted.prepared]) / MINUTE, np.concatenate(real) / MINUTE


def _classes(predicted: FloatArray, real: FloatArray) -> list[tuple[float, float]]:
    parts = np.array_split(np.argsort(predicted, kind="stable"), CLASSES)
    return [
        (float(np.exp(np.log(predicted[part]).mean())), float(np.exp(np.log1p(real[part]).mean())))
        for part in parts
        if len(part)
    ]
