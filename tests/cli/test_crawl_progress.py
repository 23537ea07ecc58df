"""What a person sees while a crawl runs."""

from __future__ import annotations

import io
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from thrawl.archive import Archive
from thrawl.archive.values import PageState
from thrawl.cli.crawl import Order, told
from thrawl.cli.live import LiveDisplay
from thrawl.cli.progress import Glances, Lines, duration
from thrawl.crawl.options import CrawlOptions, Finished, Tally
from thrawl.net.options import ClientOptions
from thrawl.page.pagekind import PageKind

COUNTS = (
    (PageKind.INDEX, PageState.DONE, 4),
    (PageKind.THREAD, PageState.DONE, 30),
    (PageKind.THREAD, PageState.FAILED, 1),
    (PageKind.THREAD, PageState.PENDING, 69),
)


def tally() -> Tally:
    return Tally(
        requests=Counter({PageKind.THREAD: 31, PageKind.INDEX: 4}), useful=33, posts=210, last_url="http://x/t/1"
    )


def pace() -> str:
    return "one request every 1 s"


def test_threads_found_and_done_are_told_with_posts_useful_requests_and_the_pace() -> None:
    line = Glances(lambda: COUNTS, pace).look(tally()).line()
    assert "threads 31 of 100" in line
    assert "posts 210" in line
    assert "94% useful" in line
    assert "69 waiting" in line
    assert line.endswith("; one request every 1 s")


def test_the_first_line_knows_the_speed_and_the_time_left_already() -> None:
    earlier = tally()
    earlier.started -= 10
    line = Glances(lambda: COUNTS, pace).look(earlier).line()
    assert "pages 35 (3.5/s" in line
    assert "about 20 s left" in line


def test_while_a_site_is_learned_its_pages_and_the_pace_are_shown() -> None:
    told = Tally(learning=7)
    assert Glances(lambda: (), pace).look(told).line() == "learning: 7 pages; one request every 1 s"
    stream = io.StringIO()
    live = LiveDisplay(lambda: (), pace, Console(file=stream, force_terminal=True, width=100))
    live.show(told)
    live.close()
    assert "7 pages" in stream.getvalue()
    assert "one request every 1 s" in stream.getvalue()


def test_elsewhere_than_on_a_terminal_there_are_plain_lines() -> None:
    stream = io.StringIO()
    lines = Lines(lambda: COUNTS, pace, stream, seconds=0)
    lines.say("learning")
    lines.show(tally())
    assert stream.getvalue().splitlines()[0] == "learning"
    assert "one request every 1 s" in stream.getvalue().splitlines()[1]
    assert "\x1b" not in stream.getvalue()


def test_on_a_terminal_the_numbers_stay_in_place() -> None:
    stream = io.StringIO()
    live = LiveDisplay(lambda: COUNTS, pace, Console(file=stream, force_terminal=True, width=100))
    live.show(tally())
    live.say("[learning] again")
    live.close()
    assert "31 of 100" in stream.getvalue()
    assert "one request every 1 s" in stream.getvalue()
    assert "[learning] again" in stream.getvalue()


def test_the_end_of_a_crawl_names_pages_that_did_not_fit(tmp_path: Path) -> None:
    done = tally()
    done.thread_pages, done.by_general_reader = 31, 2
    finished = Finished("http://x/", done, waiting=0, interrupted=False, updated=False, ended=datetime.now(UTC))
    order = Order("http://x/", "x.db", ClientOptions(), CrawlOptions())
    with Archive.open(tmp_path / "x.db", create=True) as archive:
        said = told(order, finished, archive.summary())
    assert "2 of 31 thread pages did not fit what was learned and were read by the general reader" in said


@pytest.mark.parametrize(
    ("seconds", "said"), [(40, "40 s"), (700, "12 min"), (12_000, "3 h 20 min"), (200_000, "2 days")]
)
def test_time_spans_read_as_people_say_them(seconds: float, said: str) -> None:
    assert duration(seconds) == said
