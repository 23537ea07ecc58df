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
from thrawl.lab.bench.crawlreport import bench_report, summary_table
from thrawl.lab.bench.crawls import BenchOptions, run_bench
from thrawl.lab.bench.forums import ForumResult, Order, run_orders
from thrawl.lab.bench.measure import Effort
from thrawl.lab.bench.mirrors import all_mirrors, mirror_folders
from thrawl.lab.bench.modules import run_modules
from thrawl.lab.bench.tables import misses_of, report_of, result_table
from thrawl.lab.bench.trainingsizes import accuracies
from thrawl.lab.random.choices import option_named
from thrawl.lab.report import write_report
from thrawl.lab.rivals.sampling import SAMPLE
from thrawl.lab.rivals.strategies import STRATEGIES

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
    strategies: Annotated[
        str | None, typer.Option(help="Which crawlers to run on the mirrors, by commas; all of them.", metavar="NAMES")
    ] = None,
    sample: Annotated[
        int, typer.Option(help="Pages that strategies may sample of a site to learn it.", metavar="N", min=1)
    ] = SAMPLE,
    processes: Annotated[int, typer.Option(help="Sites crawled at a time.", metavar="N", min=1)] = 2,
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
    """Compare Thrawl with the papers' crawlers on mirrors, beside the papers' figures; or crawl random forums."""
    if random is not None:
        shared = tuple(option_named(text) for text in given or ())
        orders = [Order(one, shared) for one in range(seed, seed + random)]
        _random_forums(orders, processes, report, blames=blame)
        return
    if not corpus:
        raise UsageError("say what to measure: folders of mirrors, or --random N forums.")
    if not modules:
        options = BenchOptions(named_strategies(strategies), sample, seed, processes)
        _crawls(all_mirrors(corpus), options, report)
        return
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


def named_strategies(text: str | None) -> tuple[str, ...]:
    """The strategies that were asked for, in the order of the papers. Raises UsageError for one that is none."""
    asked = [name.strip() for name in text.split(",") if name.strip()] if text is not None else list(STRATEGIES)
    unknown = [name for name in asked if name not in STRATEGIES]
    if unknown or not asked:
        wrong = f"there is no strategy '{unknown[0]}'" if unknown else "no strategy was named"
        raise UsageError(f"{wrong}; choose among {', '.join(STRATEGIES)}.")
    return tuple(name for name in STRATEGIES if name in asked)


def _crawls(folders: list[Path], options: BenchOptions, report: Path | None) -> None:
    """Run the strategies on the mirrors and tell what came of it."""
    sites, examples = run_bench(folders, options, lambda words: print(words, file=sys.stderr, flush=True))
    Console(width=max(Console().width, _TABLE_WIDTH)).print(summary_table(sites, options.strategies))
    if report is not None:
        print("counting training forums", file=sys.stderr, flush=True)
        write_report(
            report, bench_report(sites, options, accuracies(examples, options.seed), _command(folders, options))
        )


def _command(folders: list[Path], options: BenchOptions) -> str:
    named = " ".join(folder.name for folder in folders)
    return f"thrawl bench {named} --strategies {','.join(options.strategies)} --sample {options.sample}"


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
