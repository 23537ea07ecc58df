"""docs/archive.md tells of every table, column and exported field, and of no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from thrawl.archive.export import Format
from thrawl.archive.export_rows import EXPORTS, What
from thrawl.archive.tables import metadata

DOCS = (Path(__file__).parents[2] / "docs" / "archive.md").read_text(encoding="utf-8")


def named(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


@pytest.mark.parametrize("table", sorted(metadata.tables))
def test_every_table_is_documented_with_its_columns(table: str) -> None:
    (line,) = re.findall(rf"^\| `{table}` \| (.*) \|$", DOCS, flags=re.MULTILINE)
    assert named(line) == [column.name for column in metadata.tables[table].columns]


def test_every_field_of_a_post_is_documented_in_order() -> None:
    section = DOCS.partition("### Posts")[2].partition("###")[0]
    fields = re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)
    assert fields == [column.name for column in EXPORTS[What.POSTS].columns]


@pytest.mark.parametrize("what", [What.THREADS, What.BOARDS, What.PAGES])
def test_every_field_of_the_other_exports_is_documented(what: What) -> None:
    (listed,) = re.findall(rf"^- {what}: ((?:.|\n  )*)", DOCS, flags=re.MULTILINE)
    assert named(listed) == [column.name for column in EXPORTS[what].columns]


@pytest.mark.parametrize("form", list(Format))
def test_every_format_is_documented(form: Format) -> None:
    assert f"- **{form}**" in DOCS
