"""Parquet, for analysis: times are real times, boards and quotes real lists. Needs pyarrow (`thrawl[parquet]`).

A column of times has one zone. It is UTC where the zones of all its times are known, there is none where none is known,
and where some are the column holds ISO text: a time without a zone must not be given one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO, Final

from thrawl.archive.export_rows import Column, ColumnType, Row, Rows, iso
from thrawl.errors import UsageError

_GROUP: Final = 5000  # rows of a row group: large enough to compress, small enough to hold


def write_parquet(rows: Rows, source: Iterator[Row], out: BinaryIO) -> int:
    pyarrow, parquet = load_parquet()
    schema = schema_of(pyarrow, rows)
    count = 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while group := list(islice(source, _GROUP)):
            writer.write_table(table_of(pyarrow, rows, group, schema))
            count += len(group)
    return count


def load_parquet() -> tuple[Any, Any]:
    """The library and its part for Parquet; an extra."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'thrawl[parquet]'") from error
    return pyarrow, parquet


def schema_of(pyarrow: Any, rows: Rows) -> Any:
    return pyarrow.schema([pyarrow.field(column.name, _type(pyarrow, column)) for column in rows.columns])


def table_of(pyarrow: Any, rows: Rows, group: Sequence[Row], schema: Any) -> Any:
    """Some rows, column by column."""
    columns = [
        [_value(value, column) for value in values]
        for column, values in zip(rows.columns, zip(*group, strict=True), strict=True)
    ]
    return pyarrow.table(columns, schema=schema)


def _type(pyarrow: Any, column: Column) -> Any:
    text = pyarrow.string()
    types = {
        ColumnType.TEXT: text,
        ColumnType.NUMBER: pyarrow.int64(),
        ColumnType.TRUTH: pyarrow.bool_(),
        ColumnType.TIME: pyarrow.timestamp("us", tz="UTC"),
        ColumnType.LOCAL_TIME: pyarrow.timestamp("us"),
        ColumnType.TEXTS: pyarrow.list_(text),
        ColumnType.QUOTES: pyarrow.list_(pyarrow.struct([("author", text), ("text", text), ("post_id", text)])),
    }
    return types[column.type]


def _value(value: Any, column: Column) -> Any:
    return iso(value) if isinstance(value, datetime) and column.type is ColumnType.TEXT else value
