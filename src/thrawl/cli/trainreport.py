"""The report of `thrawl train --evaluate`: report.json for programs, index.html for a person."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Final

from thrawl import __version__
from thrawl.errors import InputError
from thrawl.lab.training.evaluation import Measure, Summary, summarise
from thrawl.lab.training.postscore import PageScore, summarise_pages

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Thrawl: page types</title><style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; margin: 1rem 0 }} th, td {{ padding: .3rem .8rem; border-bottom: 1px solid #ccc }}
td {{ text-align: right }} td.word {{ text-align: left }} .bar {{ background: #4a7; height: .6rem }}
</style></head><body><h1>Page types and records</h1>
<p>thrawl {version}, seed {seed}. Every figure is on sites that were not trained on.</p>
<h2>Page types</h2>
<table><tr><th>training sites</th><th>type</th><th>records</th><th>precision</th><th>recall</th><th></th></tr>
{types}</table>
<h2>Posts of pages read alone</h2>
<table><tr><th>site</th><th>pages</th><th>precision</th><th>recall</th><th>perfect pages</th></tr>
{records}</table></body></html>
"""


def write_report(folder: Path, seed: int, measures: Sequence[Measure], scores: Sequence[PageScore]) -> None:
    """Write both files; `measures` are one object a draw, type and kind of page."""
    content = {
        "command": "train --evaluate",
        "version": __version__,
        "seed": seed,
        "results": [asdict(measure) for measure in measures],
        "records": [asdict(score) for score in scores],
    }
    types = "\n".join(_type_row(summary) for summary in summarise(measures))
    records = "\n".join(_record_row(site, scores) for site in sorted({score.site for score in scores}))
    page = _PAGE.format(version=escape(__version__), seed=seed, types=types, records=records)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
        (folder / "index.html").write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror or error}") from error


def _type_row(one: Summary) -> str:
    return (
        f'<tr><td>{one.train_sites}</td><td class="word">{one.type}</td><td class="word">{one.shown}</td>'
        f"<td>{one.precision:.1%} ± {one.precision_deviation:.1%}</td>"
        f"<td>{one.recall:.1%} ± {one.recall_deviation:.1%}</td>"
        f'<td><div class="bar" style="width:{100 * one.recall:.0f}px"></div></td></tr>'
    )


def _record_row(site: str, scores: Sequence[PageScore]) -> str:
    one = summarise_pages(site, [score for score in scores if score.site == site])
    return (
        f'<tr><td class="word">{escape(site)}</td><td>{one.pages}</td>'
        f"<td>{one.precision:.1%}</td><td>{one.recall:.1%}</td><td>{one.perfect:.1%}</td></tr>"
    )
