"""Views for programs that know nothing but SQL: all names resolved, and searchable as Datasette searches."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from thrawl.archive import Archive
from thrawl.page.shown import ThreadRow


@pytest.fixture
def filled(archive: Archive, make: Any) -> Archive:
    archive.save(make.index_page((ThreadRow("A thread", f"{make.site}/t/1", replies=2),)))
    archive.save(make.thread_page("a b"))
    return archive


def test_a_row_a_post_and_a_row_a_thread(filled: Archive, make: Any) -> None:
    with filled.reading() as connection:
        rows = connection.execute(text("SELECT * FROM posts_flat ORDER BY id")).mappings().all()
        (thread,) = connection.execute(text("SELECT * FROM threads_flat")).mappings().all()
    assert [(row["author"], row["board"], row["thread_title"], row["post_id"]) for row in rows] == [
        ("Ann", "Lenses", "A thread", "a"),
        ("Ann", "Lenses", "A thread", "b"),
    ]
    assert (thread["title"], thread["replies"], thread["posts"], thread["vanished"]) == ("A thread", 2, 2, 0)


def test_the_index_answers_as_datasette_asks(tmp_path: Path, make: Any) -> None:
    with Archive.open(tmp_path / "forum.db", create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(make.thread_page((make.post("a", "A Café by the lake"), make.post("b", "nothing"))))
    with closing(sqlite3.connect(tmp_path / "forum.db")) as connection:
        found = "SELECT post_id FROM posts_flat WHERE id IN (SELECT rowid FROM posts_fts WHERE posts_fts MATCH ?)"
        assert connection.execute(found, ['"lake"']).fetchall() == [("a",)]
        assert connection.execute(found, ['"cafe"']).fetchall() == [("a",)]
