"""`thrawl learn` as a user runs it, on the built-in forum."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from thrawl.cli.main import main
from thrawl.lab.server import running_forum


@pytest.fixture(scope="module")
def forum() -> Iterator[str]:
    with running_forum(skin="rows", threads=40) as url:
        yield url


def test_the_boards_are_shown_by_name(forum: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", forum, "--delay", "0"]) == 0
    told = capsys.readouterr().out
    names = [line.strip().split("  ")[0] for line in told.partition("\nMap")[2].partition("\nThreads")[0].splitlines()]
    assert names == ["Werkstatt", "Motoren", "Draußen", "Kaufen und Verkaufen"]


def test_the_object_of_json_is_the_contract_and_nothing_more(forum: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", forum, "--delay", "0", "--json"]) == 0
    learned = json.loads(capsys.readouterr().out)
    assert set(learned) == {"entry", "pages_fetched", "patterns", "confidence", "seconds"}
    assert set(learned["patterns"]) == {"index", "thread", "index_flip", "thread_flip"}
