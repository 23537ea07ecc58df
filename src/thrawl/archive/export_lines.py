"""JSON lines and CSV: one row a line, written as it is read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO, Final

from thrawl.archive.export_rows import ColumnType, Row, Rows, iso
from thrawl.harmless import cell, json_line

_TIMES: Final = frozenset({ColumnType.TIME, ColumnType.LOCAL_TIME})


def write_jsonl(rows: Rows, source: Iterator[Row], out: BinaryIO) -> int:
    """One object a line, its keys in the order of the columns; the number of rows."""
    count = 0
    for item in plain_objects(rows, source):
        out.write(json_line(item).encode() + b"\n")
        count += 1
    return count


def plain_objects(rows: Rows, source: Iterator[Row]) -> Iterator[dict[str, Any]]:
    """The rows as JSON objects, times as text."""
    names = [column.name for column in rows.columns]
    times = [column.name for column in rows.columns if column.type in _TIMES]
    for row in source:
        item = dict(zip(names, row, strict=True))
        for name in times:
            if item[name] is not None:
                item[name] = iso(item[name])
        yield item


def write_csv(rows: Rows, source: Iterator[Row], out: BinaryIO) -> int:
    """A header and one record a row. Boards are joined with " > "; quotes are JSON in their cell.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    text = io.TextIOWrapper(out, encoding="utf-8", errors="replace", newline="", write_through=True)
    try:
        writer = csv.writer(text)
        writer.writerow([column.name for column in rows.columns])
        count = 0
        for row in source:
            writer.writerow([_cell(value) for value in row])
            count += 1
        return count
    finally:
        text.detach()


def _cell(value: Any) -> Any:
    match value:
        case datetime():
            return iso(value)
        case bool():
            return int(value)
        case []:
            return ""
        case str():
            return cell(value)
        case [str(), *_]:
            return cell(" > ".join(value))
        case list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return value
