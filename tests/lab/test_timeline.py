"""A timeline is repaired where that is harmless and stated, and refused with the line's number elsewhere."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import InputError
from thrawl.lab.timeline import Timeline, make_timeline, read_timeline

HEADER = "board,thread,post,time,author,chars\n"
GOOD = HEADER + "1,10,100,1000,7,50\n1,10,101,1060,8,20\n2,11,102,1120,7,5\n"


def written(folder: Path, text: str, name: str = "quiet.csv") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_sound_file_is_read_as_it_stands(tmp_path: Path) -> None:
    timeline = read_timeline(written(tmp_path, GOOD))
    assert (timeline.name, len(timeline), timeline.start, timeline.end) == ("quiet", 3, 1000, 1120)
    assert timeline.thread.tolist() == [10, 10, 11]
    assert timeline.repairs == ()


@pytest.mark.parametrize(("suffix", "opener"), [(".xz", lzma.open), (".gz", gzip.open)])
def test_compressed_files_are_read_too(tmp_path: Path, suffix: str, opener: object) -> None:
    file = tmp_path / f"quiet.csv{suffix}"
    assert callable(opener)
    with opener(file, "wt") as out:
        out.write(GOOD)
    assert (read_timeline(file).name, len(read_timeline(file))) == ("quiet", 3)


def test_columns_are_found_by_name_and_author_and_chars_may_be_missing(tmp_path: Path) -> None:
    timeline = read_timeline(written(tmp_path, "time,post,thread,board,note\n5,1,2,3,x\n"))
    assert (timeline.board[0], timeline.thread[0], timeline.post[0], timeline.time[0]) == (3, 2, 1, 5)
    assert timeline.author[0] == 0


def test_lines_out_of_order_are_sorted_and_that_is_stated(tmp_path: Path) -> None:
    timeline = read_timeline(written(tmp_path, HEADER + "1,1,2,200,0,0\n1,1,1,100,0,0\n"))
    assert timeline.post.tolist() == [1, 2]
    assert timeline.repairs == ("1 lines out of order were sorted by time",)


def test_the_first_of_two_posts_with_one_id_stays(tmp_path: Path) -> None:
    timeline = read_timeline(written(tmp_path, HEADER + "1,1,1,100,0,0\n1,2,1,200,0,0\n"))
    assert timeline.thread.tolist() == [1]
    assert timeline.repairs == ("1 lines with a post id seen before were left out",)


def test_posts_of_the_future_are_left_out(tmp_path: Path) -> None:
    timeline = read_timeline(written(tmp_path, GOOD), now=1060)
    assert timeline.post.tolist() == [100, 101]
    assert timeline.repairs == ("1 posts with times in the future were left out",)


def test_a_thread_lies_in_the_board_of_its_first_post(tmp_path: Path) -> None:
    timeline = read_timeline(written(tmp_path, HEADER + "1,1,1,100,0,0\n2,1,2,200,0,0\n"))
    assert timeline.board.tolist() == [1, 1]
    assert timeline.repairs == ("1 posts were put into the board of their thread's first post",)


def test_one_post_is_a_timeline(tmp_path: Path) -> None:
    assert len(read_timeline(written(tmp_path, HEADER + "1,1,1,100,0,0\n"))) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "lacks the column 'board'"),
        ("board,thread,time\n", "lacks the column 'post'"),
        (HEADER, "has no posts"),
        (HEADER + "1,1,1,100,0,0\n\n1,1,2,soon,0,0\n", "broken at line 4"),
        (HEADER + "1,1\n", "broken at line 2"),
        (HEADER + f"1,1,1,{10**30},0,0\n", "broken at line 2"),
        (HEADER + "1,1,1,99999999999,0,0\n", "no posts before now"),
    ],
)
def test_what_cannot_be_repaired_is_an_error_in_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_timeline(written(tmp_path, text))


def test_a_missing_or_corrupt_file_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_timeline(tmp_path / "nowhere.csv")
    (tmp_path / "broken.csv.xz").write_bytes(b"not xz at all")
    with pytest.raises(InputError, match="cannot be read"):
        read_timeline(tmp_path / "broken.csv.xz")
    (tmp_path / "latin.csv").write_bytes(b"board,thr\xe9ad\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_timeline(tmp_path / "latin.csv")


SMALL = st.integers(0, 20)


@given(st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL, SMALL, SMALL), min_size=1, max_size=40))
def test_any_rows_become_a_timeline_that_keeps_the_rules(rows: list[tuple[int, ...]]) -> None:
    timeline = make_timeline("any", rows, now=100)
    assert np.all(np.diff(timeline.time) >= 0)
    assert len(set(timeline.post.tolist())) == len(timeline) == len({row[2] for row in rows})
    boards = dict(zip(timeline.thread, timeline.board, strict=True))
    assert all(boards[thread] == board for thread, board in zip(timeline.thread, timeline.board, strict=True))


def test_a_span_of_a_timeline_is_a_timeline() -> None:
    timeline = make_timeline("any", [(1, 1, n, 10 * n, 0, 0) for n in range(10)], now=1000)
    assert isinstance(timeline.between(20, 50), Timeline)
    assert timeline.between(20, 50).post.tolist() == [2, 3, 4]
