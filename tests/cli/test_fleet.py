"""`thrawl fleet add` and `status`: lists as people have them, and one sentence for what cannot be used."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from thrawl.cli.main import main

LIST = """
# forums that we keep
https://one.example/
two.example/forum   what the second word says does not matter
https://one.example/

ht!tp://nonsense
and a line of words
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forums.txt").write_text(LIST, encoding="utf-8")
    return tmp_path


def test_a_list_is_added_once_and_its_bad_lines_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "add", "forums.txt", "https://three.example/", "--json"]) == 3
    told = capsys.readouterr()
    assert json.loads(told.out) == {"fleet": "fleet", "added": 3, "known": 1, "left": 0, "unusable": 2}
    assert "forums.txt, line 7" in told.err
    assert "forums.txt, line 8: 'and' is no URL" in told.err
    assert main(["fleet", "status", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert status["forums"] == 3
    assert status["states"]["waiting"] == 3


def test_a_line_that_is_no_text_costs_the_others_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [b"https://one.example/", b"https://two.example/caf\xe9/", b"\xff\xfe\x00", b"https://three.example/"]
    (folder / "forums.txt").write_bytes(b"\r\n".join(lines))
    assert main(["fleet", "add", "forums.txt", "--json"]) == 3
    told = capsys.readouterr()
    assert json.loads(told.out)["added"] == 2
    assert "forums.txt, line 2" in told.err
    assert "forums.txt, line 3" in told.err


def test_a_list_can_come_through_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("https://one.example/\nhttps://two.example/\n"))
    assert main(["fleet", "add", "-"]) == 0
    assert capsys.readouterr().out.startswith("2 forums added")


@pytest.mark.parametrize("name", ["forms.txt", "lists/forums.csv", "./forms.TXT"])
def test_a_mistyped_name_of_a_file_is_no_host(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "add", name]) == 2
    assert f"{name}: there is no such file" in " ".join(capsys.readouterr().err.split())
    assert main(["fleet", "add", "one.example/forums.txt"]) == 0


def test_a_url_that_is_none_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "add", "ht!tp://nonsense"]) == 2
    assert "cannot be used" in capsys.readouterr().err


def test_a_fleet_that_is_not_there_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "status", "--fleet", "nowhere"]) == 1
    assert "thrawl fleet add" in capsys.readouterr().err


def test_the_configuration_gives_each_part_its_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "thrawl.toml").write_text('[fleet]\nfleet = "elsewhere"\nat_once = 5\n', encoding="utf-8")
    assert main(["fleet", "add", "https://one.example/"]) == 0
    assert (folder / "elsewhere" / "fleet.db").exists()


def test_a_budget_that_is_none_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "add", "https://one.example/"]) == 0
    assert main(["fleet", "run", "--budget", "lots"]) == 2
    assert "3000/day" in capsys.readouterr().err


def test_pictures_of_a_fleet_in_a_database_need_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "run", "--fleet", "postgresql://127.0.0.1:1/x", "--media", "images"]) == 2
    assert "--media-dir" in capsys.readouterr().err
