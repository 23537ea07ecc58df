"""Export: the archive as files that other programs read.

Everything is streamed, so that ten million posts need no more memory than ten. A file or folder appears under its
name only when it is complete.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from thrawl.archive.export_lines import write_csv, write_jsonl
from thrawl.archive.export_mbox import write_mbox
from thrawl.archive.export_parquet import write_parquet
from thrawl.archive.export_rows import EXPORTS, Row, Rows, Wanted, What
from thrawl.archive.store import Archive
from thrawl.errors import ArchiveError, InputError, UsageError

__all__ = ["ALL", "Format", "Wanted", "What", "export", "zone_named"]

ALL: Final = Wanted()


class Format(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    MBOX = "mbox"
    HTML = "html"
    WACZ = "wacz"


_TABLE_WRITERS: Final[dict[Format, Callable[[Rows, Iterator[Row], BinaryIO], int]]] = {
    Format.JSONL: write_jsonl,
    Format.CSV: write_csv,
    Format.PARQUET: write_parquet,
}


def export(archive: Archive, what: What, form: Format, output: Path | None, wanted: Wanted = ALL) -> int:
    """Write that part of the archive in that format; to standard output when no file is named. The number of rows.

    A static site and a web archive are made elsewhere (`web.static`, `web.wacz`): they hold more than rows.
    """
    require_output(what, form, output)
    with whole_file(output) as out:
        if form is Format.MBOX:
            return write_mbox(wanted.posts(archive), out)
        rows = EXPORTS[what]
        if form is Format.PARQUET and wanted.zone is None:
            rows = rows.with_zones(archive.zones())
        return _TABLE_WRITERS[form](rows, rows.read(archive, wanted), out)


def require_output(what: What, form: Format, output: Path | None) -> None:
    """Say so where a format does not hold what is wanted, or needs a file."""
    if form in (Format.MBOX, Format.HTML, Format.WACZ) and what is not What.POSTS:
        raise UsageError(f"--format {form} holds posts; take jsonl, csv or parquet for --what {what}")
    if output is None and form in (Format.PARQUET, Format.HTML, Format.WACZ):
        raise UsageError(f"--format {form} needs a place to write to: add -o NAME")


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = "a name like Europe/Berlin or UTC" if available_timezones() else "one after: pip install tzdata"
        raise UsageError(f"'{name}' is no time zone that is known here; give {known}") from None


@contextmanager
def whole_file(output: Path | None) -> Iterator[BinaryIO]:
    """The file to write to; under its own name only once it is complete."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    _require_parent(output)
    if output.is_dir():
        raise InputError(f"{output} is a folder; name a file to export to")
    unfinished = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    try:
        with _written(output), unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(output)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def whole_folder(output: Path, mark: str) -> Iterator[Path]:
    """The folder to write to; an earlier export under its name (it has the `mark`) is replaced, else left alone."""
    _require_parent(output)
    if output.exists() and not (output / mark).exists() and not (output.is_dir() and not any(output.iterdir())):
        raise InputError(f"{output} exists and is no earlier export; name another folder")
    unfinished = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    old = output.with_name(f".{output.name}.{os.getpid()}.old")
    try:
        with _written(output):
            unfinished.mkdir()
            yield unfinished
            if output.exists():
                output.rename(old)
            unfinished.rename(output)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _require_parent(output: Path) -> None:
    if not output.absolute().parent.is_dir():
        raise InputError(f"there is no folder {output.parent} to write to; create it first")


@contextmanager
def _written(output: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ArchiveError(f"{output} could not be written ({error.strerror}); nothing was left there") from error
