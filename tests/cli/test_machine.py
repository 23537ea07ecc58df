"""The machine that Thrawl runs on: little room, few files, odd surroundings. One sentence, or plain good behaviour."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from thrawl.archive import Archive
from thrawl.errors import ArchiveError
from thrawl.lab.server import running_forum

THRAWL = [sys.executable, "-c", "from thrawl.cli.main import run; run()"]
SECONDS = 240  # on however busy a machine
THREADS = 15


@pytest.fixture(scope="module")
def forum() -> Iterator[str]:
    with running_forum(skin="rows", threads=THREADS) as url:
        yield url


@pytest.fixture(scope="module")
def archive(forum: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    location = tmp_path_factory.mktemp("crawled") / "forum.db"
    done = thrawl("crawl", forum, "--archive", str(location), "--delay", "0")
    assert done.returncode == 0, done.stderr
    return location


@pytest.fixture(scope="module")
def profile(archive: Path) -> Path:
    path = archive.with_name("profile.json")
    with Archive.open(archive, readonly=True) as opened:
        path.write_text(opened.forums()[0].profile or "", encoding="utf-8")
    return path


def thrawl(
    *words: str, before: Callable[[], None] | None = None, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Run a command with some of its surroundings changed; None takes a variable away."""
    surroundings = {**os.environ, **environment}
    plain = {name: value for name, value in surroundings.items() if value is not None}
    return subprocess.run(
        [*THRAWL, *words],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=plain,
        preexec_fn=before,
        errors="replace",
    )


def told_in_one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("thrawl: ")
    assert "Traceback" not in done.stderr
    assert "a bug in Thrawl" not in done.stderr
    return last


def test_a_full_disk_is_one_sentence_and_nothing_is_lost(forum: str, profile: Path, tmp_path: Path) -> None:
    location = tmp_path / "forum.db"
    crawl = ["crawl", forum, "--archive", str(location), "--delay", "0", "--profile", str(profile)]

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    assert str(location) in told_in_one_sentence(thrawl(*crawl, before=little_room))
    done = thrawl(*crawl, "--json")
    assert json.loads(done.stdout)["complete"] is True
    with Archive.open(location, readonly=True) as opened:
        assert opened.check() == []
        assert opened.summary().threads_with_posts == THREADS


def test_a_full_disk_ends_an_export_with_one_sentence(archive: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([*THRAWL, "export", str(archive)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert "No space left" in told_in_one_sentence(done)


def test_a_folder_that_cannot_be_written_is_one_sentence(forum: str, archive: Path) -> None:
    for words in (
        ("crawl", forum, "--archive", "/proc/forum.db"),
        ("crawl", forum, "--archive", "/proc/none/forum.db"),
        ("export", str(archive), "-o", "/proc/posts.jsonl"),
        ("export", str(archive), "--format", "html", "-o", "/proc/site"),
        ("learn", forum, "-o", "/proc/none/profile.json"),
    ):
        assert "/proc/" in told_in_one_sentence(thrawl(*words))


def test_sixty_four_open_files_are_enough(forum: str, profile: Path, tmp_path: Path) -> None:
    crawl = ["crawl", forum, "--archive", str(tmp_path / "a.db"), "--delay", "0", "--concurrency", "8"]

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    done = thrawl(*crawl, "--profile", str(profile), "--json", before=few_files)
    assert json.loads(done.stdout)["complete"] is True, done.stderr


@pytest.mark.parametrize(
    "surroundings",
    [
        {"HOME": None},
        {"LANG": "C", "LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
        {"COLUMNS": "20", "LINES": "5", "TERM": "dumb"},
        {"COLUMNS": "20", "FORCE_COLOR": "1"},
        {"TZ": "Nowhere/Land"},
    ],
    ids=lambda one: " ".join(f"{name}={value}" for name, value in one.items()),
)
@pytest.mark.parametrize("command", ["status", "threads", "search für", "export", "--help", "crawl --help"])
def test_odd_surroundings_change_nothing(archive: Path, command: str, surroundings: dict[str, str | None]) -> None:
    name, *rest = command.split()
    words = [name, *rest] if "--help" in command else [name, str(archive), *rest]
    done = thrawl(*words, **surroundings)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["threads", "export", "search der", "status"])
def test_a_reader_that_goes_away_is_no_error(archive: Path, command: str) -> None:
    name, *rest = command.split()
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        words = [*THRAWL, name, str(archive), *rest]
        done = subprocess.run(words, stdout=pipe, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_standard_output_is_no_error(archive: Path) -> None:
    for words in (["threads", str(archive)], ["status", str(archive)], ["export", str(archive)]):
        closed = f"{' '.join(map(repr, [*THRAWL, *words]))} >&-"
        done = subprocess.run(["sh", "-c", closed], stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        assert "bug in Thrawl" not in done.stderr
        assert "Traceback" not in done.stderr


def test_sigterm_once_saves_and_twice_ends(forum: str, profile: Path, tmp_path: Path) -> None:
    location = tmp_path / "forum.db"
    crawl = ["crawl", forum, "--archive", str(location), "--delay", "0.3", "--profile", str(profile)]
    for signals in (1, 2):
        with subprocess.Popen([*THRAWL, *crawl], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            wait_for_pages(location, signals)
            for _ in range(signals):
                process.send_signal(signal.SIGTERM)
                time.sleep(0.05)
            told, complaint = process.communicate(timeout=SECONDS)
        assert process.returncode == 130, complaint
        assert "go on with: thrawl crawl" in told + complaint
        with Archive.open(location, readonly=True) as opened:
            assert opened.check() == []
    done = thrawl(*crawl[:-4], "--delay", "0", "--profile", str(profile), "--json")
    assert json.loads(done.stdout)["threads_with_posts"] == THREADS


def wait_for_pages(location: Path, number: int) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        time.sleep(0.1)
        with suppress(ArchiveError), Archive.open(location, readonly=True) as archive:
            if sum(page.state == "done" for page in archive.pages()) > 2 * number:
                return
    raise AssertionError("the crawl did not begin")
