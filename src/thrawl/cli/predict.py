"""`thrawl predict`: the experiment of the thread-update report, on timelines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from thrawl.cli.tables import print_table
from thrawl.errors import InputError, UsageError
from thrawl.lab.prediction.experiment import PROTOCOLS, Setting, run
from thrawl.lab.prediction.sections import cost_table, likelihood_table, natural_table, sections
from thrawl.lab.prediction.sweeps import sweep_table
from thrawl.lab.prediction.threads import FEWEST_POSTS, MOST_POSTS, Split, long_threads, read_texts, sample
from thrawl.lab.report import Report, write_report
from thrawl.lab.simulation.worlds import read_source
from thrawl.refresh.predictors.registry import MODELS, parse_models

# Threads that an interval over threads needs at least.
FEWEST_THREADS = 2
# Visits a post between which a cost can be asked for: one visit in ten posts, and one a minute of a busy thread.
LOWEST_COST, HIGHEST_COST = 0.1, 1000.0


def predict(
    timelines: Annotated[
        list[str],
        typer.Argument(help="Timeline files (.csv, .csv.gz, .csv.xz), or world:THREADS:SEED.", metavar="TIMELINE…"),
    ],
    models: Annotated[str, typer.Option(help=f"Which models: {', '.join(MODELS)}.", metavar="NAMES")] = ",".join(
        MODELS
    ),
    costs: Annotated[str, typer.Option(help="Visits a post at which models are compared.", metavar="N,…")] = "2,5,15",
    threads: Annotated[
        int | None, typer.Option(help="So many threads of each timeline, by chance.", min=2, metavar="N")
    ] = None,
    min_posts: Annotated[int, typer.Option(help="Posts of the shortest threads.", min=8, metavar="N")] = FEWEST_POSTS,
    sweeps: Annotated[bool, typer.Option("--sweeps", help="Also try sizes of windows and vocabularies.")] = False,
    seed: Annotated[int, typer.Option(help="Settles what is drawn by chance.", min=0, metavar="N")] = 0,
    report: Annotated[Path | None, typer.Option(help="Write index.html and report.json there.", metavar="DIR")] = None,
) -> None:
    """Compare predictors of a thread's next post on the real past of forums, at equal cost."""
    setting = Setting(parse_models(models), _parse_costs(costs), seed)
    chosen = _threads(timelines, min_posts, threads, seed)
    with _progress() as started:
        runs = [run(name, splits, setting, started) for name, splits in chosen.items()]
        tables = [sweep_table(name, splits, started) for name, splits in chosen.items()] if sweeps else []
    fitted = [one for found, _ in runs for one in found]
    outcomes = [one for _, found in runs for one in found]
    costly = [cost_table(outcomes, protocol) for protocol in PROTOCOLS]
    for table in (natural_table(outcomes), likelihood_table(fitted, seed), *costly, *tables):
        print_table(table)
    if report is not None:
        command = " ".join(["thrawl predict", *timelines, "--models", models, "--costs", costs])
        results = [one.result() for one in outcomes]
        title = "Predicting the next post"
        write_report(report, Report(command, title, seed, results, sections(chosen, fitted, outcomes, tables, seed)))


def _threads(timelines: list[str], fewest: int, count: int | None, seed: int) -> dict[str, list[Split]]:
    """The threads of each timeline that has two at least; of the others the user is told."""
    chosen: dict[str, list[Split]] = {}
    for file in timelines:
        timeline = read_source(file)
        for repair in timeline.repairs:
            typer.echo(f"{timeline.name}: {repair}.", err=True)
        found = long_threads(timeline, read_texts(file), fewest=fewest)
        if len(found) < FEWEST_THREADS:
            typer.echo(f"{timeline.name}: left out, {_too_few(len(found), fewest)}.", err=True)
        else:
            chosen[timeline.name] = sample(found, count, seed)
    if not chosen:
        raise InputError(
            f"No timeline has {FEWEST_THREADS} threads with {fewest} to {MOST_POSTS:,} posts; "
            "give another, or a lower --min-posts."
        )
    return chosen


def _too_few(count: int, fewest: int) -> str:
    return f"{count or 'no'} thread{'s' if count != 1 else ''} with {fewest} to {MOST_POSTS:,} posts"


def _parse_costs(text: str) -> list[float]:
    try:
        found = [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        found = []
    if not found or not all(LOWEST_COST <= cost <= HIGHEST_COST for cost in found):
        raise UsageError(f"{text!r} are no costs; give visits a post between {LOWEST_COST} and {HIGHEST_COST}: 2,5,15.")
    return found


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda step: print(step, file=sys.stderr, flush=True)
        return
    with console.status("starting") as status:
        yield status.update
