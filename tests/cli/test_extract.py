"""`thrawl extract`: saved pages in, posts as JSON lines out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from thrawl.cli.extract import extract


def a_post(number: int, name: str, moment: str, words: str) -> str:
    return (
        f'<div class="post" id="p{number}"><b><a href="/user/{number}">{name}</a></b> '
        f'<time datetime="{moment}:00+00:00">{moment}</time><div class="body">{words}</div></div>'
    )


PAGE = "<!DOCTYPE html><title>Heavy tripods - The Forum</title><h1>Heavy tripods</h1>" + "".join(
    (
        a_post(1, "Marta", "2026-05-01T10:00", "Are there tripods that do not weigh a ton? Mine broke my back."),
        a_post(2, "Jonas", "2026-05-01T11:30", "Carbon ones are light but cost as much as a lens, I am afraid."),
        a_post(3, "Otto", "2026-05-02T09:15", "Use a bean bag on a wall, that is what I do in the mountains."),
    )
)


def run(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(extract)
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout


def test_a_single_page_is_read_by_the_general_reader(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    out = tmp_path / "posts.jsonl"
    status, _ = run(str(page), "--url", "http://forum.test/t/9", "-o", str(out))
    posts = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert status == 0
    assert [post["author"] for post in posts] == ["Marta", "Jonas", "Otto"]
    assert [post["position"] for post in posts] == [1, 2, 3]
    assert posts[0]["thread_title"] == "Heavy tripods"
    assert posts[0]["thread_url"] == "http://forum.test/t/9"
    assert posts[1]["published"] == "2026-05-01T11:30:00+00:00"
    assert "bean bag" in posts[2]["text"]


def test_pages_without_posts_are_an_error_in_words(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Nothing to see here.", encoding="utf-8")
    app = typer.Typer()
    app.command()(extract)
    with pytest.raises(Exception, match="No posts were found"):
        CliRunner().invoke(app, [str(page)], catch_exceptions=False)
