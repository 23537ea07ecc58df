"""The printed command is the one that goes on: every option, quoted for a shell."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from thrawl.cli import crawl as command
from thrawl.cli.again import Order, again


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    """The orders that `thrawl crawl` would run."""
    orders: list[Order] = []

    def run(order: Order, **_: Any) -> int:
        orders.append(order)
        return 0

    monkeypatch.setattr(command, "run_crawl", run)
    return orders


def call(*words: str) -> None:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(command.crawl)
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0


@pytest.mark.parametrize(
    "options",
    [
        "",
        "--delay 0 --concurrency 4 --max-pages 20 --allow-private",
        "--proxy http://127.0.0.1:3128 --warc 'my warcs' --cookies \"it's.txt\" --cookies-from-browser firefox",
        "--contact a@b.example --user-agent 'My Bot/1.0 (x; y)' --robots ignore",
    ],
)
def test_the_command_to_go_on_asks_for_the_same_again(options: str, taken: list[Order]) -> None:
    call("http://f.test/viewforum.php?f=1&sort=new", "--archive", "my forum; rm -rf.db", *shlex.split(options))
    program, verb, *words = shlex.split(again(taken[0]))
    assert (program, verb) == ("thrawl", "crawl")
    call(*words)
    assert taken[0] == taken[1]


def test_the_file_of_a_profile_is_named(tmp_path: Path, taken: list[Order]) -> None:
    from thrawl.profile.profile import Profile

    path = tmp_path / "the profile.json"
    path.write_text(Profile("http://f.test/", (), ()).to_json(), encoding="utf-8")
    call("http://f.test/", "--profile", str(path))
    assert shlex.split(again(taken[0]))[-2:] == ["--profile", str(path)]


def test_several_forums_are_crawled_one_after_the_other(taken: list[Order]) -> None:
    call("http://one.test/", "http://two.test/x", "http://one.test/")
    assert [(order.start, order.archive) for order in taken] == [
        ("http://one.test/", "one.test.db"),
        ("http://two.test/x", "two.test.db"),
    ]
    call("http://one.test/", "http://two.test/", "--archive", "both.db")
    assert [order.archive for order in taken[2:]] == ["both.db", "both.db"]
