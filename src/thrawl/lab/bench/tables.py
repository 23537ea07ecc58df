"""The results of `thrawl bench --modules` for a person (rich tables) and for programs (report.json, by the design)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from rich.box import SIMPLE_HEAD
from rich.table import Table

from thrawl.lab.bench.measure import Miss, SiteResult
from thrawl.lab.bench.modules import MODULES, PAPER, PAPER_PAGES, average, score_of
from thrawl.lab.bench.scores import Score
from thrawl.lab.report import Report, Section, Value
from thrawl.lab.report import Table as ReportTable

_COLUMNS = (*MODULES, "keywords")


def result_table(results: Sequence[SiteResult]) -> Table:
    """A row a site, precision/recall a module, then the average and the paper's figures."""
    table = Table(title="precision/recall in %, by module", box=SIMPLE_HEAD)
    for heading in _headings():
        table.add_column(heading, justify="left" if heading == "site" else "right", no_wrap=True)
    rows = list(_rows(results))
    for row in rows[:-2]:
        table.add_row(*row)
    table.add_section()
    for row in rows[-2:]:
        table.add_row(*row)
    return table


def _headings() -> list[str]:
    return ["site", *_COLUMNS, "pages", "extra", "seconds"]


def _rows(results: Sequence[SiteResult]) -> Iterator[list[str]]:
    for result in results:
        yield [result.site, *(_shown(score_of(result, module)) for module in _COLUMNS), *_costs([result])]
    yield ["all", *(_shown(average(results, module)) for module in _COLUMNS), *_costs(results)]
    paper = [f"{_percent(PAPER[module].precision)}/{_percent(PAPER[module].recall)}" for module in _COLUMNS]
    yield ["the paper", *paper, str(PAPER_PAGES), "", ""]


def _shown(score: Score | None) -> str:
    return "" if score is None else f"{_percent(score.precision)}/{_percent(score.recall)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def _costs(results: Sequence[SiteResult]) -> list[str]:
    costs = [cost for result in results for cost in result.costs]
    if not costs:
        return ["", "", ""]
    means = (fmean(cost.requests for cost in costs), fmean(cost.extra for cost in costs))
    return [*(f"{mean:.0f}" for mean in means), f"{fmean(cost.seconds for cost in costs):.1f}"]


def misses_of(results: Sequence[SiteResult]) -> list[Miss]:
    return [miss for result in results for miss in result.misses]


def report_of(results: Sequence[SiteResult], seed: int) -> Report:
    """The contract's rows for programs; for a person also the baseline, the costs of learning and what went wrong."""
    rows = [
        {"site": result.site, "module": module, **_rounded(score_of(result, module))}
        for result in results
        for module in MODULES
    ]
    text = "Precision/recall in %, the classifier trained without the site in question; requests while learning."
    figures = Section("By site", text, [ReportTable("Modules", _headings(), list(_rows(results)))])
    wrong = [[miss.site, miss.module, miss.where, miss.what] for miss in misses_of(results)]
    misses = Section("What went wrong", tables=[ReportTable("Misses", ["site", "module", "where", "what"], wrong)])
    costs: list[list[Value]] = [
        [result.site, cost.start, cost.requests, cost.extra, round(cost.seconds, 2)]
        for result in results
        for cost in result.costs
    ]
    learning = ReportTable("Learning", ["site", "start page", "requests", "extra", "seconds"], costs)
    return Report(
        "thrawl bench --modules", "Modules, by site", seed, rows, [figures, Section("Costs", tables=[learning]), misses]
    )


def _rounded(score: Score) -> dict[str, Value]:
    return {"precision": round(score.precision, 4), "recall": round(score.recall, 4), "n": score.n}
