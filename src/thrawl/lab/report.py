"""The report of an experiment: `index.html` for a person, in one self-contained file, and `report.json` for a program.

The commands make `Section`s of tables and plots and a list of result objects; nothing here knows what was measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from pathlib import Path

from thrawl._version import __version__
from thrawl.errors import InputError

Value = str | int | float | bool | None
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border-bottom: 1px solid #ddd; padding: .25rem .7rem; text-align: right; font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } svg { max-width: 100%; height: auto; margin: 1rem 0; }
code { background: #f3f3f3; padding: .1rem .3rem; }
"""


@dataclass(frozen=True, slots=True)
class Table:
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, words, tables and plots (SVG elements, as `plots` makes them)."""

    title: str
    text: str = ""
    tables: Sequence[Table] = ()
    plots: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Report:
    command: str
    title: str
    seed: int
    results: Sequence[Mapping[str, Value]]
    sections: Sequence[Section]


def write_report(folder: Path, report: Report) -> None:
    """Write both files; the folder is made if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(report_json(report), encoding="utf-8")
        (folder / "index.html").write_text(report_html(report), encoding="utf-8")
    except OSError as error:
        raise InputError(f"The report cannot be written to {folder} ({error.strerror}); give another folder.") from None


def report_json(report: Report) -> str:
    """The contract of the design: command, version, seed and one object a run; no number is NaN."""
    results = [{name: _plain(value) for name, value in result.items()} for result in report.results]
    content = {"command": report.command, "version": __version__, "seed": report.seed, "results": results}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def report_html(report: Report) -> str:
    body = "".join(_section(section) for section in report.sections)
    title = escape(report.title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>"
        f"<p><code>{escape(report.command)}</code>, Thrawl {escape(__version__)}, seed {report.seed}</p>"
        f"{body}</body></html>\n"
    )


def cell(value: Value) -> str:
    """A value as a table shows it."""
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return "–"
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 0.1 else f"{value:.4g}" if value < 1 else f"{value:.2f}"


def _section(section: Section) -> str:
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in section.text.split("\n") if paragraph)
    tables = "".join(_table(table) for table in section.tables)
    return f"<h2>{escape(section.title)}</h2>{text}{tables}{''.join(section.plots)}\n"


def _table(table: Table) -> str:
    header = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell(value))}</td>' for value in row)}</tr>" for row in table.rows)
    return f"<table><caption>{escape(table.caption)}</caption><tr>{header}</tr>{rows}</table>"


def _plain(value: Value) -> Value:
    return None if isinstance(value, float) and not isfinite(value) else value
