"""The report of `thrawl bench`: the papers' experiments, each beside the figures that they printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import fmean

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from thrawl.lab.bench.bars import bar_plot
from thrawl.lab.bench.crawls import BenchOptions, Run, SiteRuns, all_runs
from thrawl.lab.bench.extrareport import extra_sections
from thrawl.lab.bench.intervals import Paired, paired
from thrawl.lab.bench.paperfigures import PAPER_CRAWLS, TABLE_5, PaperCrawl
from thrawl.lab.bench.trainingsizes import Accuracy
from thrawl.lab.report import Report, Section, Table, Value

Figure = Callable[[Run], float | None]


def effectiveness(run: Run) -> float | None:
    """None where there is no truth. A strategy that found no way crawled nothing: its few requests were all wasted."""
    return 0.0 if run.problem and run.score.good is not None else run.score.effectiveness


def online(run: Run) -> float | None:
    return run.online_effectiveness


def coverage(run: Run) -> float | None:
    """Threads whose first post was fetched; thread pages where the world is not known."""
    return run.score.thread_pages if run.score.coverage is None else run.score.coverage


def bench_report(
    sites: Sequence[SiteRuns], options: BenchOptions, accuracies: Sequence[Accuracy], command: str
) -> Report:
    sections = [
        _summary(sites, options),
        _order(sites, options),
        _by_site(sites, options, "Effectiveness (FoCUS figures 7 and 8)", effectiveness, _EFFECTIVENESS),
        _by_site(sites, options, "Effectiveness of the crawl alone, as the papers count it", online, _ONLINE),
        _by_site(sites, options, "Coverage (FoCUS figures 7 and 9)", coverage, _COVERAGE),
        *extra_sections(sites, options.strategies, accuracies),
        _problems(sites),
    ]
    rows = [row_of(run) for run in all_runs(sites)]
    return Report(command, "Crawl strategies on mirrors", options.seed, rows, sections)


_EFFECTIVENESS = (
    "The share of all requests, learning included, that brought a needed page (entry, index or thread) for the first "
    "time. Other forms of a page, pages of type other, redirects and errors are waste."
)
_ONLINE = "Without the pages that only learning looked at."
_COVERAGE = "The share of all threads whose first post stands on a fetched page."


def row_of(run: Run) -> dict[str, Value]:
    """The contract's fields, and a few more."""
    score = run.score
    return {
        "site": run.site,
        "strategy": run.strategy,
        "requests": score.requests,
        "learning_pages": run.learning_pages,
        "thread_pages": _rounded(score.thread_pages),
        "effectiveness": _rounded(effectiveness(run)),
        "coverage": _rounded(coverage(run)),
        "informativeness": _rounded(score.informativeness),
        "seconds": round(run.seconds, 2),
        "cpu_seconds": round(run.cpu_seconds, 2),
        "online_effectiveness": _rounded(online(run)),
        "post_coverage": _rounded(score.post_coverage),
        "problem": run.problem or None,
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def runs_of(sites: Sequence[SiteRuns], strategy: str) -> list[Run]:
    return [run for run in all_runs(sites) if run.strategy == strategy]


def macro(runs: Sequence[Run], figure: Figure) -> float | None:
    """The average over sites, each weighing the same."""
    known = [value for run in runs if (value := figure(run)) is not None]
    return fmean(known) if known else None


def micro_effectiveness(runs: Sequence[Run]) -> float | None:
    """The average over requests."""
    known = [run for run in runs if run.score.good is not None]
    requests = sum(run.score.requests for run in known)
    return sum(run.score.good or 0 for run in known) / requests if requests else None


def micro_coverage(runs: Sequence[Run]) -> float | None:
    """The average over threads."""
    threads = sum(run.score.threads for run in runs)
    return sum(run.score.threads_got for run in runs) / threads if threads else None


def _summary(sites: Sequence[SiteRuns], options: BenchOptions) -> Section:
    header = [
        "strategy", "effectiveness, macro", "micro", "of the crawl alone", "paper", "coverage, macro", "micro", "paper",
        "requests", "CPU seconds",
    ]  # fmt: skip
    rows: list[list[Value]] = []
    for name in options.strategies:
        runs = runs_of(sites, name)
        paper = PAPER_CRAWLS.get(name, PaperCrawl())
        rows.append(
            [
                name,
                _percent(macro(runs, effectiveness)),
                _percent(micro_effectiveness(runs)),
                _percent(macro(runs, online)),
                _percent(paper.effectiveness),
                _percent(macro(runs, coverage)),
                _percent(micro_coverage(runs)),
                _percent(paper.coverage),
                sum(run.score.requests for run in runs),
                round(sum(run.cpu_seconds for run in runs), 1),
            ]
        )
    text = (
        f"{len(sites)} sites. Strategies that sample a site looked at {options.sample} pages of each. The papers print "
        "the effectiveness of the crawl alone. Classifiers never saw the site in question, as far as there were others."
    )
    printed: list[list[Value]] = [[name, _percent(one), _percent(other)] for name, one, other in TABLE_5]
    table_5 = Table("FoCUS Table 5, on its 158 forums", ["average", "effectiveness", "coverage"], printed)
    return Section("All sites", text, [Table("Averages", header, rows), table_5])


def comparisons(sites: Sequence[SiteRuns], strategies: Sequence[str], figure: Figure, seed: int) -> list[Paired]:
    """Each strategy with the next one in the order of the papers."""
    found = []
    for better, worse in pairwise(strategies):
        first, second = (
            {run.site: value for run in runs_of(sites, name) if (value := figure(run)) is not None}
            for name in (better, worse)
        )
        one = paired(better, worse, first, second, seed)
        if one is not None:
            found.append(one)
    return found


def _order(sites: Sequence[SiteRuns], options: BenchOptions) -> Section:
    tables = []
    reasons: list[str] = []
    for title, figure in (("Effectiveness", effectiveness), ("Of the crawl alone", online), ("Coverage", coverage)):
        found = comparisons(sites, options.strategies, figure, options.seed)
        tables.append(
            Table(f"{title}: mean difference in points, 95 % interval", _ORDER_HEADER, list(map(_cells, found)))
        )
        if figure is effectiveness:
            reasons = [_why(sites, one) for one in found if not one.holds]
    text = (
        "The papers' order is thrawl ≥ focus ≥ skeleton ≥ irobot ≥ structure ≥ generic. Differences are taken site by "
        "site; the interval is a bootstrap over sites."
    )
    return Section("Does the order of the papers hold?", "\n".join([text, *reasons]), tables)


_ORDER_HEADER = ["better, by the papers", "than", "mean", "low", "high", "holds", "sure", "sites against it"]


def _cells(one: Paired) -> list[Value]:
    return [
        one.better,
        one.worse,
        *(round(100 * value, 1) for value in (one.mean, one.low, one.high)),
        "yes" if one.holds else "no",
        "yes" if one.is_sure else "no",
        ", ".join(one.against),
    ]


def _why(sites: Sequence[SiteRuns], one: Paired) -> str:
    """Why a strategy falls behind one that it should be ahead of: what both of them spent their requests on."""
    first, second = (
        [run for run in runs_of(sites, name) if run.score.good is not None] for name in (one.better, one.worse)
    )
    failed = [run for run in first if run.score.thread_pages == 0]
    lost = f" It reaches no thread page on {', '.join(run.site for run in failed)}." if failed else ""
    return (
        f"{one.better} is behind {one.worse} by {-100 * one.mean:.1f} points, on {len(one.against)} of {one.sites} "
        f"sites: {one.better} spends its requests on {_spent(first)}; {one.worse} on {_spent(second)}.{lost}"
    )


def _spent(runs: Sequence[Run]) -> str:
    """What requests went to, in words: averages over sites."""
    shares: defaultdict[str, float] = defaultdict(float)
    for run in runs:
        for kind, number in run.score.types:
            shares[kind] += number / max(1, run.score.requests) / len(runs)
    good = macro(runs, effectiveness) or 0.0
    copies = max(0.0, shares["entry"] + shares["index"] + shares["thread"] - good)
    waste = [("other pages", shares["other"]), ("copies", copies), ("redirects", shares["redirect"])]
    waste.append(("errors", shares["error"]))
    return f"{good:.0%} needed pages, " + ", ".join(f"{share:.0%} {name}" for name, share in waste)


def _by_site(sites: Sequence[SiteRuns], options: BenchOptions, title: str, figure: Figure, text: str) -> Section:
    names = [site.site for site in sites]
    bars = {
        name: {run.site: value for run in runs_of(sites, name) if (value := figure(run)) is not None}
        for name in options.strategies
    }
    rows: list[list[Value]] = [
        [site, *(_percent(bars[name].get(site)) for name in options.strategies)] for site in names
    ]
    table = Table("In %", ["site", *options.strategies], rows)
    known = any(bars.values())
    return Section(title, text, [table], [bar_plot(title, names, bars)] if known else [])


def _percent(share: float | None) -> Value:
    return None if share is None else round(100 * share, 1)


def _problems(sites: Sequence[SiteRuns]) -> Section:
    rows: list[list[Value]] = [[run.site, run.strategy, run.problem] for run in all_runs(sites) if run.problem]
    text = "" if rows else "Every strategy went to its end on every site."
    return Section(
        "Crawls that could not be done", text, [Table("Why", ["site", "strategy", "why"], rows)] if rows else []
    )


def summary_table(sites: Sequence[SiteRuns], strategies: Sequence[str]) -> RichTable:
    """The end of a bench on a terminal."""
    table = RichTable(title="averages over sites, in %", box=SIMPLE_HEAD)
    for heading in ("strategy", "effectiveness", "crawl alone", "coverage", "informativeness", "requests", "learning"):
        table.add_column(heading, justify="left" if heading == "strategy" else "right", no_wrap=True)
    for row in _terminal_rows(sites, strategies):
        table.add_row(*row)
    return table


def _terminal_rows(sites: Sequence[SiteRuns], strategies: Sequence[str]) -> Iterator[list[str]]:
    for name in strategies:
        runs = runs_of(sites, name)
        shares = (
            macro(runs, figure) for figure in (effectiveness, online, coverage, lambda run: run.score.informativeness)
        )
        yield [
            name,
            *("–" if share is None else f"{100 * share:.1f}" for share in shares),
            str(sum(run.score.requests for run in runs)),
            f"{fmean(run.learning_pages for run in runs):.0f}" if runs else "–",
        ]
