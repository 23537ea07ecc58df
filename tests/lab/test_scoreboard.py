"""The scoreboard: figures by site and question, what fell, and the part of it that every test run measures again."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrawl.errors import InputError
from thrawl.lab.scoreboard.__main__ import measured
from thrawl.lab.scoreboard.figures import QUESTIONS, Fall, Scoreboard

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
QUICK = "fluxbb,lbforum,xmb"  # a minute on a busy machine; `make score` measures all of them


def test_a_figure_that_falls_by_more_than_its_noise_is_told() -> None:
    before = Scoreboard({"xmb": {"coverage": 1.0, "overhead": 1.1}})
    worse = Scoreboard({"xmb": {"coverage": 0.97, "overhead": 1.15}})
    assert before.falls(worse) == [Fall("xmb", "coverage", 1.0, 0.97)]


def test_more_overhead_is_worse_and_less_is_not() -> None:
    before = Scoreboard({"xmb": {"overhead": 1.1}})
    assert [str(one) for one in before.falls(Scoreboard({"xmb": {"overhead": 1.4}}))] == [
        "xmb: overhead fell from 1.100 to 1.400"
    ]
    assert before.falls(Scoreboard({"xmb": {"overhead": 1.0}})) == []


def test_sites_that_were_not_measured_this_time_did_not_fall() -> None:
    assert Scoreboard({"xmb": {"coverage": 1.0}}).falls(Scoreboard({"new": {"coverage": 0.2}})) == []


def test_a_scoreboard_is_written_and_read_again(tmp_path: Path) -> None:
    board = Scoreboard({}).with_site("xmb", {"coverage": 0.98765})
    board.save(tmp_path / "scoreboard.json")
    assert Scoreboard.load(tmp_path / "scoreboard.json").figures == {"xmb": {"coverage": 0.9877}}


def test_a_question_that_nobody_asks_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="no question weather"):
        Scoreboard({}).with_site("xmb", {"weather": 1.0})


def test_the_scoreboard_of_the_project_asks_known_questions() -> None:
    board = Scoreboard.load(ROOT / "scoreboard.json")
    assert {name for figures in board.figures.values() for name in figures} <= QUESTIONS.keys()


@pytest.mark.skipif(not SHARED.exists(), reason="the shared mirrors are not beside this checkout")
def test_no_figure_of_some_mirrors_fell() -> None:
    now = Scoreboard(dict(measured(SHARED, QUICK, 0, shipped=True)))
    assert Scoreboard.load(ROOT / "scoreboard.json").falls(now) == []
    assert len(now.figures) > len(QUICK.split(","))
