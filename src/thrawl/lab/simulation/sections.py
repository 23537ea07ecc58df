"""The refresh experiment as tables and plots, in the form of the paper's table 3 and figures 5, 6 and 7."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import nan

import numpy as np

from thrawl.lab.plots import Axis, Line, line_plot
from thrawl.lab.report import Section, Table, Value
from thrawl.lab.simulation.experiment import Outcome
from thrawl.lab.simulation.forum import Layers
from thrawl.lab.simulation.paper import ACTIVE_UNDER_A_DAY, ACTIVE_UNDER_THREE_DAYS, BANDWIDTH, TABLE_3
from thrawl.lab.timeline import Timeline

PAGE_WISE = ("fixed-rate", "bound-based", "curve-fitting")
OTHERS = ("lws+bc", "layers", "oracle")


def sections(timelines: Sequence[Timeline], outcomes: Sequence[Outcome]) -> list[Section]:
    return [
        _activity(timelines),
        Section("Ratios", "Timeliness at equal bandwidth, divided.", [ratio_table(outcomes)]),
        _paper_section(),
        *(_timeline_section(name, list(group)) for name, group in groupby(outcomes, key=lambda one: one.timeline)),
    ]


def summary_table(outcomes: Sequence[Outcome]) -> Table:
    """Like table 3: index lists and post lists apart."""
    header = [
        "timeline",
        "layers",
        "a day",
        "policy",
        "index BU",
        "C",
        "T",
        "post BU",
        "C",
        "T",
        "median",
        "p90",
        "p99",
    ]
    return Table(
        "Bandwidth utilisation (BU), coverage (C), timeliness (T, minutes)", header, [_row(o) for o in outcomes]
    )


def ratio_table(outcomes: Sequence[Outcome]) -> Table:
    """Each policy against the ones that the targets name."""
    found = {(o.timeline, o.bandwidth, o.layers, o.policy): o.all.timeliness for o in outcomes}
    header = [
        "timeline",
        "layers",
        "a day",
        "a post",
        "policy",
        "T",
        "/ best page-wise",
        *(f"/ {name}" for name in OTHERS),
    ]
    rows: list[list[Value]] = []
    for one in outcomes:
        key = (one.timeline, one.bandwidth, one.layers)
        page_wise = [found[(*key, name)] for name in PAGE_WISE if (*key, name) in found]
        against = [min(page_wise, default=nan), *(found.get((*key, name), nan) for name in OTHERS)]
        rows.append(
            [
                one.timeline,
                one.layers.value,
                round(one.bandwidth),
                one.bandwidth / max(one.posts_a_day, 1e-9),
                one.policy,
                one.all.timeliness,
                *(one.all.timeliness / other if other else nan for other in against),
            ]
        )
    return Table("Ratios of timeliness (smaller is better)", header, rows)


def _row(one: Outcome) -> list[Value]:
    index, post = one.lists["index"], one.lists["post"]
    return [
        one.timeline,
        one.layers.value,
        round(one.bandwidth),
        one.policy,
        *(index.utilisation, index.coverage, index.timeliness),
        *(post.utilisation, post.coverage, post.timeliness, post.median, post.p90, post.p99),
    ]


def _paper_section() -> Section:
    policies = dict.fromkeys(policy for policy, _ in TABLE_3)
    rows: list[list[Value]] = []
    for policy in policies:
        index, post = TABLE_3[(policy, "index")], TABLE_3[(policy, "post")]
        figures = [(p.utilisation, p.coverage, float(p.timeliness)) for p in (index, post)]
        rows.append([policy, *figures[0], *figures[1]])
    header = ["policy", "index BU", "C", "T", "post BU", "C", "T"]
    table = Table(f"The paper's table 3: 18 forums, {BANDWIDTH:,.0f} pages a day", header, rows)
    return Section("The paper's figures", "Its plots carry no numbers; this is all that it prints.", [table])


def _activity(timelines: Sequence[Timeline]) -> Section:
    """Figure 5: for how long threads stay active."""
    lines = [Line(one.name, _active_shares(one)) for one in timelines]
    paper = [(1.0, 100 * ACTIVE_UNDER_A_DAY), (3.0, 100 * ACTIVE_UNDER_THREE_DAYS)]
    plot = line_plot(
        "Threads active no longer than (figure 5)",
        [*lines, Line("the paper", paper, dashed=True)],
        Axis("days", logarithmic=True),
        Axis("% of threads"),
    )
    repairs = [f"{one.name}: {repair}." for one in timelines for repair in one.repairs]
    return Section("Thread activity", "\n".join(repairs), plots=[plot])


def _active_shares(timeline: Timeline) -> list[tuple[float, float]]:
    _, first, place = np.unique(timeline.thread, return_index=True, return_inverse=True)
    last = np.zeros(len(first), dtype=np.int64)
    np.maximum.at(last, place.reshape(-1), timeline.time)
    active = (last - timeline.time[first]) / 86_400
    return [
        (days, 100 * float(np.mean(active < days)))
        for days in (0.125, 0.25, 0.5, 1.0, 2.0, 3.0, 7.0, 14.0, 30.0, 100.0)
    ]


def _timeline_section(name: str, outcomes: Sequence[Outcome]) -> Section:
    plots: list[str] = []
    for layers in dict.fromkeys(one.layers for one in outcomes):
        chosen = [one for one in outcomes if one.layers is layers]
        plots.extend(_by_bandwidth(layers, chosen))
        plots.extend(_by_day(layers, chosen))
    return Section(name, tables=[summary_table(outcomes)], plots=plots)


def _by_bandwidth(layers: Layers, outcomes: Sequence[Outcome]) -> list[str]:
    """Figure 7."""
    x = Axis("requests a day", logarithmic=True)
    return [
        line_plot(
            f"Timeliness by bandwidth, {layers.value} (figure 7c)",
            _lines(outcomes, "timeliness"),
            x,
            Axis("minutes", True),
        ),
        line_plot(
            f"Coverage by bandwidth, {layers.value} (figure 7b)", _lines(outcomes, "coverage"), x, Axis("coverage")
        ),
        line_plot(
            f"Utilisation by bandwidth, {layers.value} (figure 7a)", _lines(outcomes, "utilisation"), x, Axis("share")
        ),
    ]


def _lines(outcomes: Sequence[Outcome], measure: str) -> list[Line]:
    policies = dict.fromkeys(one.policy for one in outcomes)
    return [
        Line(name, [(one.bandwidth, float(getattr(one.all, measure))) for one in outcomes if one.policy == name])
        for name in policies
    ]


def _by_day(layers: Layers, outcomes: Sequence[Outcome]) -> list[str]:
    """Figure 6, at the bandwidth nearest to the paper's."""
    nearest = min((one.bandwidth for one in outcomes), key=lambda bandwidth: abs(bandwidth - BANDWIDTH))
    chosen = [one for one in outcomes if one.bandwidth == nearest]
    plots: list[str] = []
    for measure, axis, figure in (
        ("timeliness", Axis("minutes", logarithmic=True), "6c"),
        ("coverage", Axis("coverage"), "6b"),
        ("utilisation", Axis("share"), "6a"),
    ):
        lines = [
            Line(one.policy, [(day + 1.0, float(getattr(m, measure))) for day, m in enumerate(one.daily)])
            for one in chosen
        ]
        title = f"{measure.capitalize()} by day, {nearest:,.0f} a day, {layers.value} (figure {figure})"
        plots.append(line_plot(title, lines, Axis("day"), axis))
    return plots
