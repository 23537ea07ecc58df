"""The commands that read an archive: export, status, search, threads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from thrawl.archive import Archive, FoundUrl, PageKind, RefusedUrl, ThreadRef
from thrawl.cli.export import export
from thrawl.cli.search import search
from thrawl.cli.status import status
from thrawl.cli.threads import threads
from thrawl.errors import ArchiveError
from thrawl.page.shown import ThreadRow
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile


def run(*arguments: str) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    for command in (export, status, search, threads):
        app.command()(command)
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.fixture
def path(tmp_path: Path, make: Any) -> str:
    location = tmp_path / "forum.db"
    with Archive.open(location, create=True) as archive:
        threads = ListPattern(Pattern.parse(f"{make.site}/t/{{a:number}}"))
        profile = Profile(f"{make.site}/", (), (threads,))
        forum = archive.put_forum(f"{make.site}/", "forum.example", profile.to_json())
        archive.add_urls(forum, [FoundUrl(f"{make.site}/", PageKind.ENTRY, "the entry page")])
        archive.mark_failed(f"{make.site}/", "status 404")
        row = ThreadRow("A thread", f"{make.site}/t/1", replies=3)
        archive.save(make.index_page((row,), refused=(RefusedUrl(f"{make.site}/login", "other page"),)))
        found = (FoundUrl(f"{make.site}/x", PageKind.THREAD, "r"),)
        thread = ThreadRef(f"{make.site}/t/1", "A \x1b[31mthread\n")
        archive.save(make.thread_page("a b", minute=1, found=found, thread=thread))
        archive.mark_failed(f"{make.site}/x", "status 404")
    return str(location)


def test_status_tells_what_is_there_and_what_failed(path: str) -> None:
    shown = run("status", path).stdout
    assert "2 boards, 1 threads, 2 posts by 1 authors" in shown
    assert "50.0% of the 4 posts that index pages promise" in shown
    assert "2 failed: status 404" in shown
    assert "1 patterns refused: other page" in shown
    assert "complete: nothing left to fetch" in shown


def test_status_gives_one_json_object(path: str) -> None:
    found = json.loads(run("status", path, "--json").stdout)
    assert (found["threads"], found["posts"], found["coverage"], found["complete"]) == (1, 2, 0.5, True)
    assert found["pages"]["thread"] == {"done": 1, "failed": 1}


def test_an_archive_without_a_forum_is_not_complete(tmp_path: Path) -> None:
    Archive.open(tmp_path / "new.db", create=True).close()
    assert "nothing is archived yet" in run("status", str(tmp_path / "new.db")).stdout
    assert json.loads(run("status", str(tmp_path / "new.db"), "--json").stdout)["complete"] is False


def test_what_nobody_crawled_is_not_called_complete(tmp_path: Path, make: Any) -> None:
    with Archive.open(tmp_path / "saved.db", create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(replace(make.thread_page("a b", minute=1), boards=()))
    assert "only a crawl tells: thrawl crawl http://forum.example/" in run("status", str(tmp_path / "saved.db")).stdout
    assert json.loads(run("status", str(tmp_path / "saved.db"), "--json").stdout)["complete"] is False


def test_status_says_why(path: str, make: Any) -> None:
    assert "given up after 1 tries: status 404" in run("status", path, "--why", f"{make.site}/x").stdout
    assert run("status", path, "--why", f"{make.site}/login").stdout == "refused: other page\n"


@pytest.mark.parametrize("pasted", ["/t/1#p5", "/t/1?sid=a1b2c3", "/t/1;sid=a1b2c3#x", "/t/1?SID=x"])
def test_status_knows_a_url_as_it_is_pasted(path: str, make: Any, pasted: str) -> None:
    profile = Profile(f"{make.site}/", (), (ListPattern(Pattern.parse(f"{make.site}/t/{{a:number}}")),), ("sid",))
    with Archive.open(path) as archive:
        archive.put_forum(f"{make.site}/", "forum.example", profile.to_json())
    assert run("status", path, "--why", make.site + pasted).stdout.startswith("followed as thread")
    assert "never met" in run("status", path, "--why", f"{make.site}/unknown").stdout


def test_status_checks(path: str) -> None:
    assert run("status", path, "--check").stdout == "the archive is sound\n"


def test_a_broken_archive_ends_the_check_with_status_1(path: str) -> None:
    with Archive.open(path) as archive, archive.access.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM threads")
    result = run("status", path, "--check")
    assert result.exit_code == 1
    assert "2 posts belong to no thread" in result.stdout


def test_search_shows_posts_with_all_the_words(path: str, make: Any) -> None:
    shown = run("search", path, "words", "b").stdout
    assert "«words» of «b»" in shown
    assert "words» of «a" not in shown
    (hit,) = map(json.loads, run("search", path, "words", "b", "--json").stdout.splitlines())
    assert hit["post_url"] == f"{make.site}/post/b"
    assert "no post holds" in run("search", path, "nonsense").stdout


def test_threads_are_listed_without_what_could_move_a_terminal(path: str, make: Any) -> None:
    assert run("threads", path).stdout == f"Technical > Lenses\tA [31mthread\t3\t{make.site}/t/1\n"
    assert run("threads", path, "--board", "elsewhere").stdout == ""
    assert json.loads(run("threads", path, "--json").stdout)["replies"] == 3


def test_export_writes_to_standard_output_or_a_file(path: str, tmp_path: Path) -> None:
    lines = run("export", path).stdout.splitlines()
    assert [json.loads(line)["post_id"] for line in lines] == ["a", "b"]
    result = run("export", path, "--what", "threads", "--format", "csv", "-o", str(tmp_path / "t.csv"))
    assert result.exit_code == 0
    assert "1 threads written to" in result.stderr


def test_a_missing_archive_is_told() -> None:
    for command in ("status", "threads", "export"):
        with pytest.raises(ArchiveError, match="there is no archive at"):
            run(command, "/nowhere/forum.db")
