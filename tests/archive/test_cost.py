"""The cost of a page does not grow with the archive: every step finds its rows through an index, memory is bounded."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from thrawl.archive import Archive, RefusedUrl
from thrawl.archive.frontier import lease_statement
from thrawl.archive.known import KnownIds, Recent
from thrawl.archive.statements import Statements, statements_for


@pytest.fixture
def archive(tmp_path: Path, make: Any) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db", create=True) as opened:
        opened.put_forum(f"{make.site}/", "forum.example")
        opened.save(make.thread_page("a b"))
        yield opened


def plan(path: Path, statement: str) -> list[str]:
    """What SQLite would do, step by step."""
    names = set(re.findall(r":(\w+)", statement))
    connection = sqlite3.connect(path)
    steps = connection.execute(f"EXPLAIN QUERY PLAN {statement}", dict.fromkeys(names)).fetchall()
    connection.close()
    return [step[3] for step in steps]


def hot_statements() -> list[tuple[str, str]]:
    statements = statements_for("sqlite")
    named = [(field.name, getattr(statements, field.name)) for field in fields(Statements)]
    return [(name, sql) for name, sql in named if isinstance(sql, str)]


@pytest.mark.parametrize(("name", "statement"), hot_statements(), ids=lambda value: value[:12])
def test_no_step_of_saving_a_page_reads_a_whole_table(
    archive: Archive, tmp_path: Path, name: str, statement: str
) -> None:
    assert not [step for step in plan(tmp_path / "forum.db", statement) if step.startswith("SCAN")]


def executed(archive: Archive, action: Any) -> list[str]:
    """The statements that reach the database, as text with named parameters."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    for engine in (archive.access._engine, archive.access._readers()):
        event.listen(engine, "before_cursor_execute", note)
    action()
    return [statement for statement in seen if not statement.startswith("BEGIN")]


@pytest.mark.parametrize("one_forum", [False, True])
def test_a_lease_takes_the_head_of_the_queue_without_sorting_it(
    archive: Archive, tmp_path: Path, one_forum: bool
) -> None:
    steps = plan(tmp_path / "forum.db", lease_statement("sqlite", one_forum=one_forum))
    assert "SCAN pages USING INDEX pages_queue" in " ".join(steps).replace("COVERING ", "")
    assert "TEMP B-TREE" not in " ".join(steps)


def test_an_export_sorts_threads_but_never_posts(archive: Archive, make: Any, tmp_path: Path) -> None:
    archive.save(make.thread_page("a"))
    statement = next(sql for sql in executed(archive, lambda: list(archive.posts())) if "ORDER BY posts" in sql)
    steps = plan(tmp_path / "forum.db", statement)
    assert steps[0] == "SEARCH posts USING INDEX posts_order (thread_id=?)"
    assert "TEMP B-TREE" not in " ".join(steps)


def test_what_the_writer_remembers_is_bounded() -> None:
    recent = Recent(size=100)
    recent.remember((f"url {number}", 1) for number in range(1000))
    assert "url 999" in recent
    assert "url 899" not in recent
    threads = KnownIds(size=100)
    for number in range(1000):
        threads.remember(f"url {number}", number)
    assert threads.get("url 999") == 999
    assert threads.get("url 899") is None


def test_refusals_are_kept_up_to_a_limit(archive: Archive, make: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("thrawl.archive.store.MAX_REFUSALS", 10)
    archive._refusals_left = None
    refused = tuple(RefusedUrl(f"{make.site}/{'x' * number}", "other page") for number in range(50))
    archive.save(make.thread_page("a", refused=refused))
    archive.save(make.thread_page("a", refused=refused))
    assert archive.summary().refusals == (("other page", 10),)
