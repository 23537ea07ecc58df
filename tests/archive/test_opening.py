"""Opening, locking, versions and damage: each trouble is told in one sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, Engine, text

from thrawl.archive import Archive
from thrawl.archive import schema as schema_module
from thrawl.archive.connect import postgres_engine, shown_location, sqlite_engine
from thrawl.archive.values import FoundUrl
from thrawl.errors import ArchiveError
from thrawl.page.pagekind import PageKind


def fill(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example", '{"entry": 1}')
        archive.save(make.thread_page("a b"))


def bare_engine(location: str) -> Engine:
    if "://" in location:
        return postgres_engine(location, readonly=False)
    return sqlite_engine(Path(location), readonly=False)


def set_version(location: str, version: int) -> None:
    engine = (
        postgres_engine(location, readonly=False)
        if "://" in location
        else sqlite_engine(Path(location), readonly=False)
    )
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_version SET version = :version"), {"version": version})
    engine.dispose()


def test_what_was_saved_is_there_when_the_archive_is_opened_again(location: str, make: Any) -> None:
    fill(location, make)
    with Archive.open(location, readonly=True) as archive:
        assert [post.post_id for post in archive.posts()] == ["a", "b"]
        assert archive.forums()[0].profile == '{"entry": 1}'


def test_a_second_writer_is_told_so_in_one_sentence(location: str) -> None:
    with (
        Archive.open(location, create=True),
        pytest.raises(ArchiveError, match="is being written by another Thrawl process; wait"),
    ):
        Archive.open(location)
    Archive.open(location).close()


def test_a_reader_reads_while_the_writer_writes(location: str, make: Any) -> None:
    fill(location, make)
    with Archive.open(location) as writer, Archive.open(location, readonly=True) as reader:
        stream = reader.posts()
        assert next(stream).post_id == "a"
        writer.save(make.thread_page("c", page=2, minute=1))
        assert [post.post_id for post in stream] == ["b"]
        assert [post.post_id for post in reader.posts()] == ["a", "b", "c"]


def test_a_reader_cannot_write(location: str, make: Any) -> None:
    fill(location, make)
    with Archive.open(location, readonly=True) as archive, pytest.raises(ArchiveError, match="only for reading"):
        archive.save(make.thread_page("c"))


def test_an_archive_of_a_newer_version_is_left_alone(location: str, make: Any) -> None:
    fill(location, make)
    set_version(location, 99)
    for readonly in (True, False):
        with pytest.raises(ArchiveError, match=r"was written by a newer Thrawl \(version 99"):
            Archive.open(location, readonly=readonly)


def test_an_older_archive_takes_the_missing_steps_once(location: str, make: Any) -> None:
    fill(location, make)
    taken: list[str] = []

    def second(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE threads ADD COLUMN mood TEXT"))
        taken.append("second")

    engine = (
        postgres_engine(location, readonly=False)
        if "://" in location
        else sqlite_engine(Path(location), readonly=False)
    )
    steps = (*schema_module.STEPS, second)
    for _ in range(2):
        with engine.begin() as connection:
            schema_module.upgrade(connection, steps=steps)
    with engine.begin() as connection:
        assert schema_module.version_of(connection) == len(steps)
    engine.dispose()
    assert taken == ["second"]


def test_a_step_that_fails_leaves_the_old_version(location: str, make: Any) -> None:
    fill(location, make)

    def broken(connection: Connection) -> None:
        connection.execute(text("DELETE FROM posts"))
        raise InterruptedError

    engine = (
        postgres_engine(location, readonly=False)
        if "://" in location
        else sqlite_engine(Path(location), readonly=False)
    )
    with pytest.raises(InterruptedError), engine.begin() as connection:
        schema_module.upgrade(connection, steps=(*schema_module.STEPS, broken))
    engine.dispose()
    with Archive.open(location) as archive:
        assert archive.summary().posts == 2


def test_an_empty_place_says_how_to_make_an_archive(location: str) -> None:
    with pytest.raises(ArchiveError, match="thrawl crawl URL --archive"):
        Archive.open(location)


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="there is no folder"):
        Archive.open(tmp_path / "missing" / "forum.db", create=True)
    with pytest.raises(ArchiveError, match="is a folder"):
        Archive.open(tmp_path, create=True)


def test_a_name_that_no_file_can_have_is_told() -> None:
    with pytest.raises(ArchiveError, match="cannot be opened"):
        Archive.open("x" * 5000, create=True)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "forum.db"
    path.write_text("Dear diary, " * 500, encoding="utf-8")
    for readonly in (True, False):
        with pytest.raises(ArchiveError, match="is not a Thrawl archive"):
            Archive.open(path, readonly=readonly)


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "music.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title)")
    connection.close()
    with pytest.raises(ArchiveError, match="not a Thrawl archive"):
        Archive.open(path, create=True)


def test_a_damaged_archive_is_told(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    fill(str(path), make)
    content = bytearray(path.read_bytes())
    for page in range(4, len(content) // 4096):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"is damaged"), Archive.open(path) as archive:
        archive.save(make.thread_page("c d", page=2, minute=1))


def test_the_check_of_a_damaged_archive_says_where(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    fill(str(path), make)
    with sqlite3.connect(path) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'posts_order'").fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    content[root * 4096 - 60 : root * 4096] = b"\x01" * 60
    path.write_bytes(content)
    with Archive.open(path, readonly=True) as archive:
        problems = archive.check()
    assert problems
    assert all(problem.startswith("the database file is damaged: ") for problem in problems)


def test_a_lock_that_another_program_holds_is_told(tmp_path: Path, make: Any, monkeypatch: Any) -> None:
    path = tmp_path / "forum.db"
    fill(str(path), make)
    monkeypatch.setattr("thrawl.archive.connect._BUSY_SECONDS", 0.1)
    with Archive.open(path) as archive:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ArchiveError, match="is locked by another process; wait"):
            archive.save(make.thread_page("c", page=2))
        other.close()
        archive.save(make.thread_page("c", page=2))
        assert archive.summary().posts == 3


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    fill(str(path), make)
    with Archive.open(path) as archive:
        size = archive.access.connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        archive.access.connection.rollback()
        archive.access.connection.exec_driver_sql(f"PRAGMA max_page_count = {size}")
        archive.access.connection.rollback()
        with pytest.raises(ArchiveError, match="because the disk is full; free some space"):
            archive.save(make.thread_page((make.post("big", "word " * 50_000),), page=2, minute=1))
        assert [post.post_id for post in archive.posts()] == ["a", "b"]
        assert archive.check() == []


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(ArchiveError, match=r"cannot be reached .*; check that the database server runs"):
        Archive.open("postgresql://thrawl:secret@127.0.0.1:9/forum", create=True)


def test_a_database_that_does_not_exist_is_told(postgres_server: str) -> None:
    with pytest.raises(ArchiveError, match='database "nowhere" does not exist'):
        Archive.open(postgres_server.replace("/postgres", "/nowhere"), create=True)


@pytest.mark.parametrize("work", ["save", "knows", "lease"])
def test_a_server_that_stops_a_session_is_told_once(
    postgres: str, make: Any, work: str, caplog: pytest.LogCaptureFixture
) -> None:
    archive = Archive.open(postgres, create=True)
    archive.put_forum(f"{make.site}/", "forum.example")
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    with pytest.raises(ArchiveError, match=r"start it and run the same command again|cannot be reached"):
        {
            "save": lambda: archive.save(make.thread_page("a")),
            "knows": lambda: archive.knows(f"{make.site}/new"),
            "lease": lambda: archive.lease(1, 0.0),
        }[work]()
    archive.close()
    assert caplog.text == ""  # which would be printed, traceback and all


def test_passwords_are_not_printed() -> None:
    assert shown_location("postgresql://me:secret@db.example/forum") == "postgresql://db.example/forum"


def test_closing_leaves_everything_in_the_one_file(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    fill(str(path), make)
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    with Archive.open(copy, readonly=True) as archive:
        assert archive.summary().posts == 2


def test_the_check_names_what_is_wrong(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    fill(str(path), make)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM threads")
        connection.execute("UPDATE pages SET fetched = NULL")
    connection.close()
    with Archive.open(path, readonly=True) as archive:
        problems = archive.check()
    assert "2 posts belong to no thread" in problems
    assert "1 pages are marked done without having been fetched" in problems


@pytest.mark.parametrize("readonly", [True, False])
def test_an_archive_from_before_the_ledger_is_brought_up_to_date(tmp_path: Path, readonly: bool) -> None:
    location = tmp_path / "old.db"
    with Archive.open(location, create=True) as archive:
        forum = archive.put_forum("http://forum.test/", "forum.test")
        archive.add_urls(forum, [FoundUrl("http://forum.test/", PageKind.ENTRY, "the entry page")])
    with closing(sqlite3.connect(location)) as old, old:
        for table in ("promises", "strays"):
            old.execute(f"DROP TABLE {table}")
        for column in ("failure_kind", "records", "digest", "last_page", "unfollowed"):
            old.execute(f"ALTER TABLE pages DROP COLUMN {column}")
        before = schema_module.STEPS.index(schema_module._ledger)
        old.execute("UPDATE schema_version SET version = ?", [before])
    with Archive.open(location, readonly=readonly) as archive:
        assert [page.url for page in archive.pages()] == ["http://forum.test/"]
        assert archive.facts(1).waiting == 1
