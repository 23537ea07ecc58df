"""`thrawl simulate`: the refresh experiments of the list-wise paper, on timelines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from thrawl.cli.tables import print_table
from thrawl.errors import UsageError
from thrawl.lab.report import Report, write_report
from thrawl.lab.simulation.experiment import (
    POLICIES,
    Case,
    Outcome,
    parse_bandwidths,
    parse_layers,
    parse_policies,
    parse_predictors,
    run_cases,
)
from thrawl.lab.simulation.run import Span, busiest_span, span_from
from thrawl.lab.simulation.sections import ratio_table, sections, summary_table
from thrawl.lab.simulation.worlds import read_source
from thrawl.lab.timeline import Timeline

SEED = 0


def simulate(
    timelines: Annotated[
        list[str],
        typer.Argument(help="Timeline files (.csv, .csv.gz, .csv.xz), or world:THREADS:SEED.", metavar="TIMELINE…"),
    ],
    policies: Annotated[str, typer.Option(help=f"Which policies: {', '.join(POLICIES)}.", metavar="NAMES")] = ",".join(
        POLICIES
    ),
    predictor: Annotated[
        str | None,
        typer.Option(help="Also `ours` with these predictors for its threads (see thrawl predict).", metavar="NAMES"),
    ] = None,
    bandwidth: Annotated[
        str, typer.Option(help="Requests a day, several by commas; 5x is five for each new post.", metavar="N,…")
    ] = "3000",
    layers: Annotated[
        str,
        typer.Option(
            help="What the forum shows of its changes: rows, entry, entry-plain, feed, counts, none.", metavar="NAMES"
        ),
    ] = "rows,entry,feed,none",
    untidy: Annotated[
        bool,
        typer.Option(
            "--untidy", help="Deleted posts, wrong counts, minutes only, short feeds and an outage of two days."
        ),
    ] = False,
    days: Annotated[int, typer.Option(help="Days that are measured.", min=1, metavar="N")] = 60,
    warmup: Annotated[int, typer.Option(help="Days that are crawled before, not measured.", min=0, metavar="N")] = 7,
    start: Annotated[
        str | None,
        typer.Option("--from", help="First measured day; default: where most is posted.", metavar="YYYY-MM-DD"),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write index.html and report.json there.", metavar="DIR")] = None,
) -> None:
    """Compare refresh policies on the real past of forums, at equal bandwidth."""
    chosen = (
        [*parse_policies(policies), *parse_predictors(predictor)],
        parse_bandwidths(bandwidth),
        parse_layers(layers),
    )
    read = [read_source(name) for name in timelines]
    spans = [_span(timeline, start, days, warmup) for timeline in read]
    cases = [
        Case(timeline, span, policy, budget, shown, untidy)
        for timeline, span in zip(read, spans, strict=True)
        for shown in chosen[2]
        for budget in chosen[1]
        for policy in chosen[0]
    ]
    for timeline in read:
        for repair in timeline.repairs:
            typer.echo(f"{timeline.name}: {repair}.", err=True)
    outcomes = _run(cases)
    for table in (summary_table(outcomes), ratio_table(outcomes)):
        print_table(table)
    if report is not None:
        results = [result for outcome in outcomes for result in outcome.results()]
        asked = [] if predictor is None else ["--predictor", predictor]
        command = " ".join(["thrawl simulate", *timelines, "--policies", policies, *asked, "--bandwidth", bandwidth])
        write_report(
            report, Report(f"{command} --layers {layers}", "Staying fresh", SEED, results, sections(read, outcomes))
        )


def _span(timeline: Timeline, start: str | None, days: int, warmup: int) -> Span:
    if start is None:
        return busiest_span(timeline, days, warmup)
    try:
        first = int(datetime.strptime(start, "%Y-%m-%d").replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise UsageError(f"{start!r} is no day; give it as 2005-10-07.") from None
    if not timeline.start <= first <= timeline.end:
        raise UsageError(f"The timeline {timeline.name} has no posts around {start}; choose a day that it covers.")
    return span_from(timeline, first, days, warmup)


def _run(cases: list[Case]) -> list[Outcome]:
    console = Console(stderr=True)
    if not console.is_terminal:
        return list(run_cases(cases, _plain_lines(len(cases))))
    with console.status("starting") as status:
        return list(run_cases(cases, lambda case: status.update(case.label)))


def _plain_lines(total: int) -> Callable[[Case], None]:
    numbers = iter(range(1, total + 1))
    return lambda case: print(f"{next(numbers)}/{total} {case.label}", file=sys.stderr, flush=True)
