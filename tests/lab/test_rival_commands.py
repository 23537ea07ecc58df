"""`thrawl crawl --strategy` and `thrawl learn --sitemap` as a user runs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.cli.main import main
from thrawl.lab.server import running_forum
from thrawl.profile.profile import Profile


@pytest.fixture(scope="module")
def forum() -> Iterator[str]:
    with running_forum(skin="rows", threads=40) as url:
        yield url


def test_a_rival_crawls_into_an_archive(forum: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    location = tmp_path / "rival.db"
    words = ["crawl", forum, "--archive", str(location), "--delay", "0", "--concurrency", "4", "--strategy", "focus"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["complete"] is False  # no ledger was asked
    assert told["threads_with_posts"] > 20
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
    assert main(words) == 0
    assert "whether that was all, only 'thrawl' tells" in capsys.readouterr().out


def test_a_strategy_that_does_not_exist_is_wrong_usage(forum: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crawl", forum, "--strategy", "best"]) == 2
    assert "generic" in capsys.readouterr().err


def test_a_profile_is_of_no_use_to_a_rival(forum: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.json"
    path.write_text(Profile(forum, (), ()).to_json(), encoding="utf-8")
    assert main(["crawl", forum, "--strategy", "generic", "--profile", str(path)]) == 2
    assert "no use for it" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["map.svg", "map.html"])
def test_the_sitemap_is_drawn(name: str, forum: str, tmp_path: Path) -> None:
    assert main(["learn", forum, "--delay", "0", "--concurrency", "4", "--sitemap", str(tmp_path / name)]) == 0
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text.startswith("<svg" if name.endswith("svg") else "<!doctype html>")
    assert "entry page" in text
    assert "skeleton links" in text


def test_a_sitemap_of_another_format_is_refused_before_the_first_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "http://127.0.0.1:9/", "--sitemap", "map.pdf"]) == 2
    assert ".svg or .html" in capsys.readouterr().err
