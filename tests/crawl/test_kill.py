"""Killed at any moment, a crawl goes on where it was: its archive is that of a crawl that nobody disturbed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.crawl.tinyforum import TinyForum

from thrawl.archive import Archive, PageState

KILLS = 50


class Crawls:
    """Starts crawls and kills them."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    def run(self, *arguments: object, kill_after: float | None = None) -> str:
        print(*arguments, file=self._in, flush=True)
        child = int(self._out.readline())
        if kill_after is not None:
            time.sleep(kill_after)
            with suppress(ProcessLookupError):  # it ended before
                os.kill(child, signal.SIGKILL)
        return self._out.readline().strip()


@contextmanager
def crawls() -> Iterator[Crawls]:
    command = [sys.executable, str(Path(__file__).with_name("crawled.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Crawls(process)


def content(location: Path) -> list[tuple[object, ...]]:
    """Every post with all that the site shows of it."""
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
        return sorted(
            (post.thread_url, post.position, post.thread_title, post.board, post.post_id, post.author, post.published,
             post.text, post.html, post.quotes, post.reply_to)
            for post in archive.posts()
        )  # fmt: skip


def kill_again_and_again(forum: TinyForum, profile: Path, folder: Path) -> int:
    """Crawl once undisturbed and once with kills; the number of kills that hit a crawl in progress."""
    draw = random.Random(7)
    with crawls() as run:
        assert run.run(f"{forum.origin}/", folder / "undisturbed.db", profile) == "ended 0"
        target = (f"{forum.origin}/", folder / "killed.db", profile)
        hits = 0
        for _ in range(KILLS):
            hits += run.run(*target, kill_after=draw.uniform(0.0, 0.12)) == "killed"
        assert run.run(*target) == "ended 0"
    return hits


async def test_fifty_kills_leave_no_trace_in_the_archive(forum: TinyForum, tmp_path: Path) -> None:
    forum.fill(boards=8, threads=60)
    for thread in (104, 215, 308):
        quoted = forum.threads[thread][0]
        forum.write(thread, "I do not agree with that.", quote=(quoted.author, quoted.text))
    profile = tmp_path / "profile.json"
    profile.write_text(forum.profile().to_json(), encoding="utf-8")
    hits = await asyncio.to_thread(kill_again_and_again, forum, profile, tmp_path)
    assert hits >= KILLS // 2
    killed, undisturbed = content(tmp_path / "killed.db"), content(tmp_path / "undisturbed.db")
    assert killed == undisturbed
    assert len(killed) == sum(map(len, forum.threads.values()))
    with Archive.open(tmp_path / "killed.db", readonly=True) as archive:
        assert {page.state for page in archive.pages()} == {PageState.DONE}
