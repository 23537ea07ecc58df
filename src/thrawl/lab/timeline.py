"""Timelines: the real or invented posting times of a forum, read from a file and checked.

A timeline is a CSV file (plain, `.gz` or `.xz`) with the header `board,thread,post,time,author,chars`, one
post a line. Whatever uses one may rely on this: posts run by time, post ids are unique, a thread lies in one
board. Files that break these rules harmlessly are repaired and every repair is stated in `repairs`; a line
that cannot be read at all is an error that names its number.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import time as clock
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TextIO

import numpy as np
import numpy.typing as npt

from thrawl.errors import InputError
from thrawl.limits import MAX_TIMELINE_POSTS

IntArray = npt.NDArray[np.int64]

REQUIRED: Final = ("board", "thread", "post", "time")
OPTIONAL: Final = ("author", "chars")
SUFFIXES: Final = (".xz", ".gz", ".csv")


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """A forum's posts in order of time; the arrays run in parallel, one element a post.

    Times are whole unix seconds. `repairs` says in words what was changed while reading.
    """

    name: str
    board: IntArray
    thread: IntArray
    post: IntArray
    time: IntArray
    author: IntArray
    chars: IntArray
    repairs: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.post)

    @property
    def start(self) -> int:
        return int(self.time[0])

    @property
    def end(self) -> int:
        return int(self.time[-1])

    def between(self, start: int, end: int) -> Timeline:
        """The posts with start <= time < end."""
        keep = slice(*np.searchsorted(self.time, (start, end)))
        return self._take(keep, self.repairs)

    def _take(self, keep: slice | IntArray | npt.NDArray[np.bool_], repairs: tuple[str, ...]) -> Timeline:
        return replace(
            self,
            board=self.board[keep],
            thread=self.thread[keep],
            post=self.post[keep],
            time=self.time[keep],
            author=self.author[keep],
            chars=self.chars[keep],
            repairs=repairs,
        )


def read_timeline(path: str | Path, now: float | None = None) -> Timeline:
    """Read and check one timeline file; posts later than `now` (default: this moment) are left out."""
    file = Path(path)
    try:
        with _open(file) as lines:
            rows = _read_rows(lines, file)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(
            f"The timeline {file} cannot be read ({error}); give a .csv, .csv.gz or .csv.xz file."
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"The timeline {file} is not UTF-8 text; give a .csv, .csv.gz or .csv.xz file.") from None
    if not rows:
        raise InputError(f"The timeline {file} has no posts; one line a post is needed below the header.")
    return make_timeline(_name(file), rows, clock.time() if now is None else now)


def make_timeline(name: str, rows: Iterable[tuple[int, ...]], now: float) -> Timeline:
    """A timeline of rows (board, thread, post, time, author, chars), repaired where needed."""
    table = np.array(list(rows), dtype=np.int64).reshape(-1, len(REQUIRED) + len(OPTIONAL))
    board, thread, post, time, author, chars = (np.ascontiguousarray(column) for column in table.T)
    timeline = _leave_out_future(Timeline(name, board, thread, post, time, author, chars), now)
    for repair in (_leave_out_duplicates, _sort_by_time, _one_board_a_thread):
        timeline = repair(timeline)
    if not len(timeline):
        raise InputError(f"The timeline {name} has no posts before now; its times must be unix seconds.")
    return timeline


def _open(file: Path) -> TextIO:
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8", newline="")
    if file.suffix == ".gz":
        return gzip.open(file, "rt", encoding="utf-8", newline="")
    return file.open(encoding="utf-8", newline="")


def _name(file: Path) -> str:
    name = file.name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _read_rows(lines: Iterable[str], file: Path) -> list[tuple[int, ...]]:
    reader = csv.reader(lines)
    columns = _columns(next(reader, []), file)
    return list(_checked_rows(reader, columns, file))


def _columns(header: list[str], file: Path) -> list[int | None]:
    names = [name.strip().lower().lstrip("\ufeff") for name in header]
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise InputError(
            f"The timeline {file} lacks the column {missing[0]!r}; "
            f"its first line must be the header {','.join(REQUIRED + OPTIONAL)}."
        )
    return [names.index(name) if name in names else None for name in REQUIRED + OPTIONAL]


def _checked_rows(reader: Iterator[list[str]], columns: list[int | None], file: Path) -> Iterator[tuple[int, ...]]:
    line = 1
    try:
        for cells in reader:
            line += 1
            if line > MAX_TIMELINE_POSTS:
                raise InputError(f"The timeline {file} has more than {MAX_TIMELINE_POSTS:,} posts; split it.")
            if cells:
                yield _row(cells, columns)
    except (ValueError, IndexError):
        raise InputError(
            f"The timeline {file} is broken at line {line}: whole numbers are expected, "
            f"{','.join(REQUIRED + OPTIONAL)}; correct or remove that line."
        ) from None
    except csv.Error as error:
        raise InputError(f"The timeline {file} is broken after line {line} ({error}); correct it.") from None


def _row(cells: list[str], columns: list[int | None]) -> tuple[int, ...]:
    row = tuple(0 if column is None else int(cells[column]) for column in columns)
    if max(row) >= 2**62 or min(row) <= -(2**62):
        raise ValueError
    return row


def _leave_out_future(timeline: Timeline, now: float) -> Timeline:
    keep = timeline.time <= now
    left_out = int(np.count_nonzero(~keep))
    return timeline._take(keep, _stated(timeline, left_out, "posts with times in the future were left out"))


def _leave_out_duplicates(timeline: Timeline) -> Timeline:
    _, first = np.unique(timeline.post, return_index=True)
    keep = np.sort(first).astype(np.int64)
    left_out = len(timeline) - len(keep)
    return timeline._take(keep, _stated(timeline, left_out, "lines with a post id seen before were left out"))


def _sort_by_time(timeline: Timeline) -> Timeline:
    out_of_order = int(np.count_nonzero(np.diff(timeline.time) < 0))
    order = np.argsort(timeline.time, kind="stable").astype(np.int64)
    return timeline._take(order, _stated(timeline, out_of_order, "lines out of order were sorted by time"))


def _one_board_a_thread(timeline: Timeline) -> Timeline:
    _, first, inverse = np.unique(timeline.thread, return_index=True, return_inverse=True)
    board = timeline.board[first][inverse.reshape(-1)]
    moved = int(np.count_nonzero(board != timeline.board))
    repairs = _stated(timeline, moved, "posts were put into the board of their thread's first post")
    return replace(timeline, board=board, repairs=repairs)


def _stated(timeline: Timeline, count: int, what: str) -> tuple[str, ...]:
    return (*timeline.repairs, f"{count} {what}") if count else timeline.repairs
