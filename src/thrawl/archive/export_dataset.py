"""A Parquet dataset of posts, partitioned by forum and month, as DuckDB, Spark and Polars read it.

    DIR/forum=https%3A%2F%2Fforum.example%2F/month=2026-05/part-0.parquet

Folders are named as Hive names them, and the forum stands in the name alone. All files of all forums have the same
columns of the same types, so that many archives make one dataset: times that a site shows are ISO text, because the
zone of some may be unknown, unless a zone is named for those. A forum that is exported again replaces what was there of
it, whole; posts without a time have Hive's name for no month. Rows of many months are held back until there are enough
for a row group, within a bound.
"""

from __future__ import annotations

import os
import shutil
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from thrawl.archive.export_parquet import load_parquet, schema_of, table_of
from thrawl.archive.export_rows import EXPORTS, ColumnType, Row, Rows, Wanted, What
from thrawl.archive.store import Archive
from thrawl.errors import ArchiveError, InputError

_NO_MONTH: Final = "__HIVE_DEFAULT_PARTITION__"
_HELD: Final = 20_000  # rows that wait for others of their month, over all months: some 40 MB
_OPEN: Final = 64  # files that are open at once; a forum of five years fits
_SHOWN: Final = ("published", "edited")


def export_dataset(archive: Archive, output: Path, wanted: Wanted) -> int:
    """Write the posts of all forums of an archive into a dataset; their number."""
    if output.exists() and not output.is_dir():
        raise InputError(f"{output} is a file; name a folder for the dataset")
    rows = EXPORTS[What.POSTS]
    if wanted.zone is None:
        rows = _with_texts(rows)
    count = 0
    for forum in archive.forums():
        if wanted.selection.forum not in (None, forum.entry_url, forum.host):
            continue
        part = replace(wanted, selection=replace(wanted.selection, forum=forum.entry_url))
        with _folder(output, forum.entry_url) as folder:
            count += _write(rows, rows.read(archive, part), folder)
    return count


def _with_texts(rows: Rows) -> Rows:
    """Times that sites show as ISO text, in every archive alike."""
    columns = tuple(replace(one, type=ColumnType.TEXT) if one.name in _SHOWN else one for one in rows.columns)
    return replace(rows, columns=columns)


@contextmanager
def _folder(output: Path, entry: str) -> Iterator[Path]:
    """The folder of one forum; in its place only once it is complete."""
    place = output / f"forum={quote(entry, safe='')}"
    unfinished = output / f".{os.getpid()}.tmp"
    try:
        output.mkdir(parents=True, exist_ok=True)
        unfinished.mkdir()
        yield unfinished
        shutil.rmtree(place, ignore_errors=True)
        unfinished.rename(place)
    except OSError as error:
        raise ArchiveError(f"{output} could not be written ({error.strerror}); nothing was left there") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write(rows: Rows, source: Iterator[Row], folder: Path) -> int:
    names = [column.name for column in rows.columns]
    forum, published = names.index("forum"), names.index("published")
    files = _Files(replace(rows, columns=(*rows.columns[:forum], *rows.columns[forum + 1 :])), folder)
    held: dict[str, list[Row]] = {}
    waiting = count = 0
    for row in source:
        held.setdefault(_month(row[published]), []).append((*row[:forum], *row[forum + 1 :]))
        waiting += 1
        count += 1
        if waiting >= _HELD:
            month = max(held, key=lambda name: len(held[name]))
            waiting -= len(held[month])
            files.write(month, held.pop(month))
    for month, left in held.items():
        files.write(month, left)
    files.close()
    return count


def _month(published: datetime | None) -> str:
    return _NO_MONTH if published is None else f"{published:%Y-%m}"


class _Files:
    """The files of all months, some of which are open."""

    def __init__(self, rows: Rows, folder: Path) -> None:
        self._pyarrow, self._parquet = load_parquet()
        self._rows = rows
        self._schema = schema_of(self._pyarrow, rows)
        self._folder = folder
        self._open: OrderedDict[str, Any] = OrderedDict()
        self._parts: dict[str, int] = {}

    def write(self, month: str, group: list[Row]) -> None:
        if month not in self._open:
            self._open[month] = self._begin(month)
        self._open.move_to_end(month)
        self._open[month].write_table(table_of(self._pyarrow, self._rows, group, self._schema))

    def close(self) -> None:
        for writer in self._open.values():
            writer.close()
        self._open.clear()

    def _begin(self, month: str) -> Any:
        if len(self._open) >= _OPEN:
            self._open.popitem(last=False)[1].close()
        number = self._parts[month] = self._parts.get(month, -1) + 1
        place = self._folder / f"month={month}"
        place.mkdir(exist_ok=True)
        return self._parquet.ParquetWriter(place / f"part-{number}.parquet", self._schema, compression="zstd")
