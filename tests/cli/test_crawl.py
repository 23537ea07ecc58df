"""`thrawl crawl` as a user runs it, on the built-in forum."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.cli.main import main
from thrawl.cli.news import News
from thrawl.errors import ArchiveError
from thrawl.lab.server import running_forum

THRAWL = [sys.executable, "-c", "from thrawl.cli.main import run; run()"]


@pytest.fixture(scope="module")
def forum() -> Iterator[str]:
    with running_forum(skin="rows", threads=40) as url:
        yield url


@pytest.fixture(scope="module")
def crawled(forum: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """An archive of the forum, and the summary that the crawl printed."""
    location = tmp_path_factory.mktemp("crawled") / "forum.db"
    command = [*THRAWL, "crawl", forum, "--archive", str(location), "--delay", "0", "--concurrency", "4", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return location, json.loads(done.stdout)


def test_a_crawl_archives_every_thread(crawled: tuple[Path, dict[str, object]]) -> None:
    location, _ = crawled
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
        assert sum(1 for _ in archive.threads()) == 40


def test_the_summary_is_one_object_with_the_numbers_of_the_crawl(crawled: tuple[Path, dict[str, object]]) -> None:
    _, summary = crawled
    assert summary["complete"] is True
    assert summary["threads"] == 40
    assert isinstance(summary["requests"], dict)
    assert summary["requests"]["thread"] == 40
    assert {"posts", "coverage", "elapsed", "requests_total", "learning_pages", "waiting", "failures"} <= set(summary)
    assert summary["delay"] == 0


def test_running_again_updates(crawled: tuple[Path, dict[str, object]], forum: str) -> None:
    command = [*THRAWL, "crawl", forum, "--archive", str(crawled[0]), "--delay", "0", "--json"]
    again = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert again["update"] is True
    assert again["requests_total"] < 30
    assert again["new"] == {"posts": 0, "threads": 0, "edits": 0, "vanished": 0}


@pytest.mark.parametrize(
    ("news", "told"),
    [
        (News(0, 0, 0, 0), "nothing new since the last run"),
        (News(5, 1, 0, 0), "new since the last run: 5 posts, 1 thread"),
        (News(0, 0, 2, 1), "new since the last run: 2 edits, 1 post gone from the site"),
    ],
)
def test_an_update_says_what_is_new(news: News, told: str) -> None:
    assert news.sentence() == told


def test_ctrl_c_finishes_the_page_in_hand_and_says_how_to_go_on(
    crawled: tuple[Path, dict[str, object]], forum: str, tmp_path: Path
) -> None:
    with Archive.open(crawled[0], readonly=True) as archive:
        profile = tmp_path / "profile.json"
        profile.write_text(archive.forums()[0].profile or "", encoding="utf-8")
    location = tmp_path / "stopped.db"
    command = [*THRAWL, "crawl", forum, "--archive", str(location), "--delay", "0.05", "--profile", str(profile)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_pages(location)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert f"go on with: thrawl crawl {forum} --archive {location}" in told
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
        assert not [page for page in archive.pages() if page.state == "leased"]


def test_ctrl_c_in_the_first_of_several_forums_names_those_not_begun(forum: str, tmp_path: Path) -> None:
    location, other = tmp_path / "stopped.db", f"{forum}other/"
    command = [*THRAWL, "crawl", forum, other, "--archive", str(location), "--delay", "0.05"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_pages(location)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=300)
    assert process.returncode == 130
    assert f"go on with: thrawl crawl {forum} --archive {location}" in told + errors
    assert f"not begun; crawl it with: thrawl crawl {other} --archive {location}" in errors


def wait_for_pages(location: Path) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        time.sleep(0.1)
        with suppress(ArchiveError), Archive.open(location, readonly=True) as archive:
            if sum(page.state == "done" for page in archive.pages()) > 3:
                return
    raise AssertionError("the crawl did not begin")


def test_a_site_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status = main(["crawl", "http://127.0.0.1:9/", "--archive", str(tmp_path / "a.db"), "--delay", "0"])
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert status == 1
    assert told.startswith("thrawl: ")
    assert "Traceback" not in told
    assert list(tmp_path.iterdir()) == [], "a mistyped address leaves no file"


def test_an_archive_that_was_there_stays_when_the_site_is_not(tmp_path: Path) -> None:
    location = tmp_path / "a.db"
    with Archive.open(location, create=True) as archive:
        archive.put_forum("http://127.0.0.1:8/", "127.0.0.1:8")
    assert main(["crawl", "http://127.0.0.1:9/", "--archive", str(location), "--delay", "0"]) == 1
    assert location.exists()


def test_one_forum_that_fails_does_not_stop_the_next(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["crawl", "http://127.0.0.1:9/", "http://127.0.0.1:10/", "--archive", str(tmp_path / "a.db")]
    assert main([*command, "--delay", "0"]) == 1
    told = capsys.readouterr().err
    assert "127.0.0.1:9" in told
    assert "127.0.0.1:10" in told


def test_a_place_that_cannot_be_written_is_told_before_the_first_request(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for command in (
        ["learn", "http://127.0.0.1:9/", "-o", str(tmp_path / "no/profile.json")],
        ["learn", "http://127.0.0.1:9/", "-o", str(tmp_path)],
        ["crawl", "http://127.0.0.1:9/", "--archive", str(tmp_path / "no/a.db")],
        ["crawl", "http://127.0.0.1:9/", "--archive", str(tmp_path / "a.db"), "--warc", str(tmp_path / "file")],
        ["extract", str(tmp_path / "file"), "-o", str(tmp_path / "no/posts.jsonl")],
    ):
        assert main(command) == 1
        told = capsys.readouterr().err
        assert "folder" in told, command
        assert "cannot be read" not in told, command


def test_ignoring_robots_is_never_silent(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main(["crawl", "http://127.0.0.1:9/", "--archive", str(tmp_path / "a.db"), "--delay", "0", "--robots", "ignore"])
    assert "robots.txt is ignored" in capsys.readouterr().err


def test_an_archive_that_is_no_archive_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong = tmp_path / "a.db"
    wrong.write_text("this is not a database, it is a letter " * 40, encoding="utf-8")
    assert main(["crawl", "http://127.0.0.1:9/", "--archive", str(wrong)]) == 1
    assert "is not a Thrawl archive" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["ftp://x.test/"], ["http://x.test/", "--delay", "-1"], ["http://x.test/", "--concurrency", "0"]]
)
def test_wrong_usage_leaves_with_status_2(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crawl", *wrong]) == 2
    assert capsys.readouterr().err


def test_a_crawl_that_lacks_something_says_so_and_ends_with_status_3(
    forum: str, crawled: tuple[Path, dict[str, object]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Archive.open(crawled[0], readonly=True) as archive:
        (stored,) = archive.forums()
        threads = [thread.url for thread in archive.threads()]
    half = {**json.loads(stored.profile or ""), "excluded": threads[::2]}
    (tmp_path / "half.json").write_text(json.dumps(half))
    location = tmp_path / "half.db"
    options = ["--archive", str(location), "--profile", str(tmp_path / "half.json"), "--delay", "0", "--json"]
    done = subprocess.run([*THRAWL, "crawl", forum, *options], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 3, done.stderr
    said = json.loads(done.stdout)
    assert said["complete"] is False
    assert {"where", "what", "promised", "got", "why"} == set(said["missing"][0])
    assert main(["status", str(location), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["complete"], told["missing"]) == (False, said["missing"])
