"""A report is one self-contained page for a person and one strict JSON file for a program."""

from __future__ import annotations

import json
from math import inf, nan
from pathlib import Path
from xml.etree import ElementTree

import pytest

from thrawl.errors import InputError
from thrawl.lab.plots import Axis, Line, line_plot
from thrawl.lab.report import Report, Section, Table, cell, report_html, write_report

PLOT = line_plot("a <plot>", [Line("one", [(1, 2), (2, nan), (3, 400)]), Line("two", [])], Axis("x"), Axis("y", True))


def report() -> Report:
    table = Table("Figures & more", ["name", "value"], [["<b>", 1.5], ["none", None]])
    return Report(
        "thrawl simulate x",
        "Staying <fresh>",
        7,
        [{"a": 1, "b": nan, "c": "ü"}],
        [Section("S", "w\nx", [table], [PLOT])],
    )


def test_both_files_are_written_and_the_json_keeps_the_contract(tmp_path: Path) -> None:
    write_report(tmp_path / "deep" / "report", report())
    content = json.loads((tmp_path / "deep" / "report" / "report.json").read_text(encoding="utf-8"))
    assert set(content) == {"command", "version", "seed", "results"}
    assert content["results"] == [{"a": 1, "b": None, "c": "ü"}]
    assert (tmp_path / "deep" / "report" / "index.html").exists()


def test_the_page_needs_nothing_from_elsewhere_and_escapes_what_it_shows() -> None:
    html = report_html(report())
    assert "Staying &lt;fresh&gt;" in html
    assert "<td>&lt;b&gt;</td>" in html
    assert "src=" not in html
    assert "<script" not in html
    assert "<link" not in html


def test_a_plot_is_well_formed_and_leaves_out_what_is_not_a_number() -> None:
    svg = ElementTree.fromstring(PLOT)
    lines = [node for node in svg.iter() if node.tag.endswith("polyline")]
    assert len(lines[0].attrib["points"].split()) == 2
    assert "nan" not in PLOT


@pytest.mark.parametrize("points", [[(1, 1)], [(5, 5), (5, 5)], [(0, 0), (1, 0)], [(1e-9, 1e9), (1e9, 1e-9)]])
@pytest.mark.parametrize("logarithmic", [True, False])
def test_odd_points_are_plotted_or_left_out(points: list[tuple[float, float]], logarithmic: bool) -> None:
    plot = line_plot("odd", [Line("one", points)], Axis("x", logarithmic), Axis("y", logarithmic))
    assert plot.startswith(("<svg", "<p>"))


def test_nothing_to_plot_is_said_in_words() -> None:
    assert line_plot("empty", [], Axis("x"), Axis("y")) == "<p>empty: nothing to plot.</p>"


def test_numbers_are_shown_with_the_digits_that_matter() -> None:
    assert [cell(v) for v in (1234.5, 12.345, 0.98765, 0.00312, 0.0, None, nan, inf, 7, "x")] == [
        "1,234", "12.35", "0.9877", "0.00312", "0", "–", "–", "–", "7", "x",
    ]  # fmt: skip


def test_a_folder_that_cannot_be_written_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        write_report(tmp_path / "file" / "below", report())
