"""`thrawl bench`: the papers' crawl experiments, on annotated mirrors, and crawls of random forums."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from thrawl.errors import UsageError
from thrawl.lab.bench import forumtables
from thrawl.lab.bench.blame import blame as blame_for
from thrawl.lab.bench.blame import failed
from thrawl.lab.bench.forums import ForumResult, Order, run_orders
from thrawl.lab.bench.measure import Effort
from thrawl.lab.bench.mirrors import mirror_folders
from thrawl.lab.bench.modules import run_modules
from thrawl.lab.bench.tables import misses_of, report_of, result_table
from thrawl.lab.random.choices import option_named
from thrawl.lab.report import write_report

_TABLE_WIDTH: Final = 104


def bench(
    corpus: Annotated[
        list[Path] | None, typer.Argument(help="Annotated mirrors, or folders of them.", metavar="CORPUS…", exists=True)
    ] = None,
    modules: Annotated[
        bool,
        typer.Option("--modules", help="Measure what learning is made of: entry, index, thread and flip URLs."),
    ] = False,
    random: Annotated[
        int | None, typer.Option(help="Crawl this many random forums, of the seeds from --seed on.", metavar="N", min=1)
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option("--with", help="A choice that all random forums share.", metavar="NAME=VALUE")
    ] = None,
    blame: Annotated[
        bool, typer.Option("--blame", help="Find the choices that random forums fail by: many more crawls.")
    ] = False,
    processes: Annotated[int, typer.Option(help="Random forums crawled at a time.", metavar="N", min=1)] = 2,
    training: Annotated[
        list[Path] | None,
        typer.Option(help="More annotated forums to train the classifiers on.", metavar="FOLDER"),
    ] = None,
    starts: Annotated[int, typer.Option(help="Random start pages a site.", metavar="N", min=1)] = 20,
    learn_from: Annotated[
        int, typer.Option(help="From how many of them the whole site is learned.", metavar="N", min=1)
    ] = 3,
    seed: Annotated[int, typer.Option(help="Decides everything that is drawn at random.", metavar="N")] = 1,
    report: Annotated[Path | None, typer.Option(help="Write report.json and index.html there.", metavar="DIR")] = None,
) -> None:
    """Measure Thrawl on annotated mirrors, beside the papers' figures, or on random forums."""
    if random is not None:
        shared = tuple(option_named(text) for text in given or ())
        orders = [Order(one, shared) for one in range(seed, seed + random)]
        _random_forums(orders, processes, report, blames=blame)
        return
    if not modules or not corpus:
        raise UsageError("say what to measure: mirrors with --modules, or --random N forums.")
    effort = Effort(starts=starts, learned_from=learn_from)
    folders = mirror_folders(corpus)
    more = [folder for path in training or () for folder in _inside(path)]
    results = asyncio.run(
        run_modules(folders, effort, seed, training=more, progress=lambda words: print(words, file=sys.stderr))
    )
    Console(width=max(Console().width, _TABLE_WIDTH)).print(result_table(results))
    for miss in misses_of(results):
        typer.echo(f"{miss.site} {miss.module}: {miss.where} {miss.what}")
    if report is not None:
        write_report(report, report_of(results, seed))


def _random_forums(orders: list[Order], processes: int, report: Path | None, *, blames: bool) -> None:
    """Crawl random forums; failures are told as they come, the tables at the end."""
    done: list[tuple[Order, ForumResult]] = []
    for order, result in run_orders(orders, processes):
        done.append((order, result))
        if not result.passed:
            typer.echo(forumtables.failure_line(result))
    results = sorted((result for _, result in done), key=lambda result: result.choices.seed)
    console = Console(width=max(Console().width, _TABLE_WIDTH))
    console.print(forumtables.summary_table(results))
    failures = failed(done)
    if failures and len(results) > 1:
        console.print(forumtables.choice_table(results))
    if failures and blames:
        console.print(forumtables.blame_table(_blamed(failures, processes)))
    if report is not None:
        write_report(report, forumtables.report_of(results, orders[0].seed))


def _blamed(failures: list[Order], processes: int) -> dict[int, list[str]]:
    found = {}
    for order, choices in blame_for(failures, processes):
        found[order.seed] = choices
        typer.echo(f"seed {order.seed}: {', '.join(choices) or 'no single choice'} to blame")
    return found


def _inside(path: Path) -> list[Path]:
    """A folder of annotated pages, or the folders of them that are inside it."""
    names = ("pages.jsonl", "pages.jsonl.xz")
    if any((path / name).exists() for name in names) or not path.is_dir():
        return [path]
    return [one for one in sorted(path.iterdir()) if any((one / name).exists() for name in names)]
