"""The results of `thrawl bench --modules` for a person (rich tables) and for programs (report.json, by the design)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.table import Table

from thrawl._version import __version__
from thrawl.errors import InputError
from thrawl.lab.bench.measure import Miss, SiteResult
from thrawl.lab.bench.modules import MODULES, PAPER, PAPER_PAGES, average, score_of
from thrawl.lab.bench.scores import Score

_COLUMNS = (*MODULES, "keywords")


def result_table(results: Sequence[SiteResult]) -> Table:
    """A row a site, precision/recall a module, then the average and the paper's figures."""
    table = Table(title="precision / recall in %, by module")
    for heading in _headings():
        table.add_column(heading, justify="left" if heading == "site" else "right")
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
    paper = [f"{100 * PAPER[module].precision:.1f} / {100 * PAPER[module].recall:.1f}" for module in _COLUMNS]
    yield ["the paper", *paper, str(PAPER_PAGES), "", ""]


def _shown(score: Score | None) -> str:
    return "" if score is None else f"{100 * score.precision:.1f} / {100 * score.recall:.1f}"


def _costs(results: Sequence[SiteResult]) -> list[str]:
    costs = [cost for result in results for cost in result.costs]
    if not costs:
        return ["", "", ""]
    means = (fmean(cost.requests for cost in costs), fmean(cost.extra for cost in costs))
    return [*(f"{mean:.0f}" for mean in means), f"{fmean(cost.seconds for cost in costs):.1f}"]


def misses_of(results: Sequence[SiteResult]) -> list[Miss]:
    return [miss for result in results for miss in result.misses]


def write_report(folder: Path, results: Sequence[SiteResult], seed: int) -> None:
    """`report.json` for programs, `index.html` for a person. Raises InputError where the folder cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(_report(results, seed), indent=1, ensure_ascii=False)
        (folder / "report.json").write_text(text + "\n", encoding="utf-8")
        (folder / "index.html").write_text(_page(results, seed), encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror or error}.") from error


def _report(results: Sequence[SiteResult], seed: int) -> dict[str, Any]:
    rows = [
        {"site": result.site, "module": module, **_rounded(score_of(result, module))}
        for result in results
        for module in MODULES
    ]
    return {
        "command": "bench --modules",
        "version": __version__,
        "seed": seed,
        "results": rows,
        "keywords": [{"site": result.site, **_rounded(result.keywords)} for result in results],
        "learning": [{"site": result.site, **asdict(cost)} for result in results for cost in result.costs],
        "misses": [asdict(miss) for miss in misses_of(results)],
    }


def _rounded(score: Score) -> dict[str, float]:
    return {"precision": round(score.precision, 4), "recall": round(score.recall, 4), "n": score.n}


def _page(results: Sequence[SiteResult], seed: int) -> str:
    headings = "".join(f"<th>{escape(heading)}</th>" for heading in _headings())
    rows = "".join(f"<tr>{_cells(row)}</tr>" for row in _rows(results))
    misses = "".join(
        f"<tr>{_cells([miss.site, miss.module, miss.where, miss.what])}</tr>" for miss in misses_of(results)
    )
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>thrawl bench --modules</title>'
        "<style>body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}"
        "td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left;overflow-wrap:anywhere}</style>"
        f"<h1>Modules, by site</h1><p>Thrawl {__version__}, seed {seed}. Precision / recall in %; the classifier was "
        f"trained without the site in question.</p><table><tr>{headings}</tr>{rows}</table>"
        "<h2>What went wrong</h2><table><tr><th>site</th><th>module</th><th>where</th><th>what</th></tr>"
        f"{misses}</table></html>\n"
    )


def _cells(values: Sequence[str]) -> str:
    return "".join(f"<td>{escape(value)}</td>" for value in values)
