"""What a person sees while a watch runs, and of an archive that is watched."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console

from thrawl.archive.watching import Planned
from thrawl.cli.freshness import write_freshness
from thrawl.cli.watching import WatchLines, line
from thrawl.cli.watchlive import LiveWatch, picture
from thrawl.refresh.freshness import Freshness
from thrawl.refresh.watchvalues import WatchTally

NOW = 1_800_000_000.0
FRESH = Freshness(
    threads_today=2,
    posts_today=9,
    median=4.5,
    p90=20.0,
    requests_today={"index": 70, "posts": 8},
    useful_today={"index": 9, "posts": 8},
    signals={},
    reliability={"feed": 0.93},
    boards=(("http://x/b/1", 40),),
    next_visits=(Planned("index", "http://x/b/1", NOW - 60, NOW + 120, "the policy chose it"),),
    days=(("2027-01-13", 5.0, 30.0, 12), ("2027-01-14", 4.0, 18.0, 20)),
)


def tally() -> WatchTally:
    return WatchTally(
        requests=Counter({"index": 70}), failed=1, last_url="http://x/t/7", last_why="it grew", next_at=NOW + 28
    )


def drawn(width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(picture(tally(), FRESH, NOW))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_terminal_shows_news_delays_budget_boards_and_what_comes_next() -> None:
    shown = drawn()
    for words in (
        "2 new threads, 9 new posts",
        "4.5 min, 90 % within 20 min",
        "index 70, posts 8",
        "feed: told 93% of the news in time",
        "posts in 30 days: http://x/b/1",
        "in 2 min",
        "http://x/t/7 (it grew)",
        "in 28 s",
    ):
        assert words in shown


def test_a_narrow_terminal_gets_shorter_lines_and_not_more_of_them() -> None:
    assert len(drawn(40).splitlines()) == len(drawn().splitlines())


def test_the_live_display_leaves_what_was_said_and_nothing_else() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    display = LiveWatch(lambda: FRESH, console)
    display.look(tally())
    display.say("the budget is spent")
    display.close()
    assert isinstance(console.file, io.StringIO)
    assert "the budget is spent" in console.file.getvalue()


def test_elsewhere_a_watch_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    display = WatchLines(lambda: FRESH, seconds=0)
    display.look(tally())
    assert capsys.readouterr().err == line(tally(), FRESH) + "\n"


def test_the_report_plots_the_delays_of_each_day(tmp_path: Path) -> None:
    write_freshness(tmp_path, {"http://x/": FRESH})
    results = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["results"]
    assert [(one["day"], one["median_minutes"], one["p90_minutes"]) for one in results] == [
        ("2027-01-13", 5.0, 30.0),
        ("2027-01-14", 4.0, 18.0),
    ]
    assert (tmp_path / "index.html").read_text(encoding="utf-8").count("<polyline") == 2
