"""`thrawl watch` as a user calls it: a round, new posts as JSON, a command for each, wrong usage in a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.cli.main import main
from thrawl.lab.server import running_forum


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An archive of a forum that goes on while it is looked at: a day of its time in half a minute of ours."""
    location = str(tmp_path_factory.mktemp("watch") / "forum.db")
    with running_forum("tables", 40, 3, "--begin=0.6", "--speed=200000") as url:
        assert main(["crawl", url, "--archive", location, "--delay", "0", "--json"]) in (0, 3)
        yield location


def posts_in(location: str) -> int:
    with Archive.open(location, readonly=True) as archive:
        return archive.summary().posts


def test_a_round_tells_each_new_post_as_a_line_of_json(crawled: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = posts_in(crawled)
    capsys.readouterr()
    assert main(["watch", crawled, "--once", "--delay", "0", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == posts_in(crawled) - before
    assert all(post["thread_url"] and post["text"] for post in told)


def test_a_watch_runs_a_command_for_each_new_post(crawled: str, tmp_path: Path) -> None:
    before = posts_in(crawled)
    log = tmp_path / "new.jsonl"
    arguments = ["--for", "8s", "--budget", "20/second", "--delay", "0", "--on-new", f"cat >> {log}"]
    assert main(["watch", crawled, *arguments]) == 0
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    assert len(lines) == posts_in(crawled) - before


def test_freshness_is_told_in_words_and_as_json(crawled: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["status", crawled, "--freshness", "--json"]) == 0
    (forum,) = json.loads(capsys.readouterr().out)["forums"]
    assert forum["posts_today"] == posts_in(crawled)
    assert main(["status", crawled, "--freshness"]) == 0
    assert "new posts" in capsys.readouterr().out


def test_a_report_is_of_freshness_only(crawled: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", crawled, "--freshness", "--report", str(tmp_path)]) == 0
    assert "Requests in 24 hours" in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert main(["status", crawled, "--report", str(tmp_path)]) == 2
    assert "--freshness" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--budget", "many"], "3000/day"),
        (["--for", "ever"], "time span"),
        (["--policy", "best"], "there are"),
        (["--once", "--policy", "lws"], "rounds"),
        (["--forum", "http://elsewhere.example/"], "--forum"),
    ],
)
def test_what_cannot_be_watched_is_told_in_a_sentence(
    arguments: list[str], words: str, crawled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", crawled, *arguments]) == 2
    assert words in capsys.readouterr().err
