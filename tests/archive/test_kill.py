"""Killed at any moment, a crawl goes on where it was: nothing lost, nothing doubled."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

from thrawl.archive import Archive, PageState

CRAWL = Path(__file__).with_name("killed_crawl.py")
KILLS = 6


def crawl_and_kill(location: str, seconds: float) -> None:
    """Run the crawl and kill it that long after it began to work."""
    with subprocess.Popen([sys.executable, str(CRAWL), location], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(seconds)
        process.kill()


def content(location: str) -> list[tuple[str, int, str]]:
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
        return sorted((post.thread_url, post.position, post.text) for post in archive.posts())


def test_a_crawl_killed_again_and_again_ends_with_the_archive_of_an_undisturbed_one(
    location: str, tmp_path: Path
) -> None:
    draw = random.Random(5)
    undisturbed = str(tmp_path / "undisturbed.db")
    subprocess.run([sys.executable, str(CRAWL), undisturbed], check=True, stdout=subprocess.DEVNULL)
    for _ in range(KILLS):
        crawl_and_kill(location, draw.uniform(0.0, 0.04))
    subprocess.run([sys.executable, str(CRAWL), location], check=True, stdout=subprocess.DEVNULL)
    assert content(location) == content(undisturbed)
    with Archive.open(location, readonly=True) as archive:
        assert {page.state for page in archive.pages()} == {PageState.DONE}
        assert all(page.tries == 1 for page in archive.pages())
