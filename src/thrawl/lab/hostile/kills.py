"""Killed at any moment, from the first request of learning to the last commit, a crawl loses nothing.

Crawls of a forum on loopback are killed again and again, the crawler, the workers that read its pages and the database
server in turn, until one ends by itself; its archive must equal that of a crawl that nobody disturbed. Then the next
archive is begun. Of updates the same: a complete archive, a forum that went on, an undisturbed update to compare with.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.values import PageState
from thrawl.lab.hostile.crawls import Crawls, crawls, kill
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.hostile.postgres import PostgresServer
from thrawl.lab.hostile.processes import is_running
from thrawl.lab.server import running_forum

_THREADS: Final = 40  # of the forum: some seconds of crawling
_BEFORE: Final = "0.7"  # of the forum's life is over when it is crawled, the rest is for the update
_PORTS: Final = (20_000, 30_000)
_MOST_ROUNDS: Final = 50  # kills of one archive: what is killed earlier each time would never end

# A crawl takes longer or shorter as the machine is busy: the span of moments follows, up to the last commit.
_LATER: Final = 1.05
_EARLIER: Final = 0.8
_VICTIMS: Final = ("crawler", "crawler", "worker")
_DATABASE: Final = "database server"

Content = list[tuple[object, ...]]
Fresh = Callable[[str], str]
Say = Callable[[str], None]


def content(location: str) -> Content:
    """Every post with all that the site shows of it; raises AssertionError for an archive that is not sound.

    Times as they are written and as they were understood: "yesterday" is counted from the forum's own clock, which its
    answers carry and which stands still, so that trials may run past midnight.
    """
    with Archive.open(location, readonly=True) as archive:
        faults = archive.check()
        assert faults == [], faults
        states = {page.state for page in archive.pages()}
        assert states <= {PageState.DONE, PageState.FAILED}, states
        return sorted(
            (post.thread_url, post.position, post.thread_title or "", str(post.board), post.post_id, post.author or "",
             post.published_text or "", str(post.published), str(post.edited), post.text, post.html or "",
             str(post.quotes), post.reply_to or "")
            for post in archive.posts()
        )  # fmt: skip


def _silent(_: str) -> None:
    """Nobody reads how far it is."""


@dataclass(slots=True)
class _Count:
    kills: Counter[str] = field(default_factory=Counter)
    archives: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def all(self) -> int:
        return sum(self.kills.values())

    def line(self) -> str:
        return f"{self.all} kills, {self.archives} archives, {len(self.wrong)} not equal"


def crawl_kills(
    number: int, folder: Path, seed: int = 1, server: PostgresServer | None = None, say: Say = _silent
) -> Finding:
    """So many kills of whole crawls, on SQLite or on a server that is killed, too."""
    make: Fresh = (lambda name: str(folder / f"{name}.db")) if server is None else server.create
    with running_forum("rows", _THREADS, seed) as url, crawls() as run:
        reference, seconds = _undisturbed(run, url, make("undisturbed"))
        trial = _Trial(run, url, seconds, Random(seed), number, server)
        while trial.count.all < number:
            location = make(f"killed{trial.count.archives}")
            trial.until_it_ends(location)
            _compare(trial.count, location, reference)
            say(trial.count.line())
    return _told(f"crawls on {'SQLite' if server is None else 'PostgreSQL'}", trial.count, len(reference))


def update_kills(number: int, folder: Path, seed: int = 1, say: Say = _silent) -> Finding:
    """So many kills of updates of a complete archive, on SQLite."""
    draw = Random(seed)
    port = f"--port={draw.randint(*_PORTS)}"
    with crawls() as run:
        base, updated = str(folder / "base.db"), str(folder / "updated.db")
        with running_forum("rows", _THREADS, seed, port, "--begin", _BEFORE) as url:
            before, _ = _undisturbed(run, url, base)
        with running_forum("rows", _THREADS, seed, port) as url:
            shutil.copy(base, updated)
            reference, seconds = _undisturbed(run, url, updated)
            assert len(reference) > len(before), "the forum did not go on"
            trial = _Trial(run, url, seconds, draw, number)
            while trial.count.all < number:
                location = str(folder / f"killed-update{trial.count.archives}.db")
                shutil.copy(base, location)
                trial.until_it_ends(location)
                _compare(trial.count, location, reference)
                say(trial.count.line())
    return _told("updates on SQLite", trial.count, len(reference))


def _undisturbed(run: Crawls, url: str, location: str) -> tuple[Content, float]:
    began = time.monotonic()
    run.begin(url, location)
    ended = run.end()
    assert ended == "ended 0", ended
    return content(location), time.monotonic() - began


@dataclass(slots=True)
class _Trial:
    """Kills of crawls of one forum, `number` in all."""

    run: Crawls
    url: str
    seconds: float
    draw: Random
    number: int
    server: PostgresServer | None = None
    count: _Count = field(default_factory=_Count)

    def until_it_ends(self, location: str) -> None:
        """Kill crawls of one archive until one ends by itself."""
        name = location.rpartition("/")[2]
        for _ in range(_MOST_ROUNDS):
            hit = self._disturbed(location)
            ended = self.run.end()
            if hit == _DATABASE and self.server is not None:
                self.server.start()
                continue  # the crawl ended with a sentence, or had just finished: the next one finds out
            if ended != "killed":
                if ended != "ended 0":
                    self.count.wrong.append(f"{name} {ended}")
                return
        self.run.begin(self.url, location)
        if self.run.end() != "ended 0":
            self.count.wrong.append(f"{name} did not end well")

    def _disturbed(self, location: str) -> str | None:
        """Begin a crawl and kill something at some moment; what was killed."""
        process = self.run.begin(self.url, location)
        if self.count.all >= self.number:
            return None
        victim = self.draw.choice(_VICTIMS if self.server is None else (*_VICTIMS, _DATABASE))
        time.sleep(self.draw.uniform(0, self.seconds))
        if victim == _DATABASE and self.server is not None:
            hit = is_running(process)
            self.server.kill()
        else:
            hit = kill(process, victim)
        self.count.kills[victim] += hit
        self.seconds *= _LATER if hit else _EARLIER
        return victim


def _compare(count: _Count, location: str, reference: Content) -> None:
    count.archives += 1
    try:
        found = content(location)
    except AssertionError as error:
        count.wrong.append(f"{location.rpartition('/')[2]}: {error}")
        return
    if found != reference:
        count.wrong.append(f"{location.rpartition('/')[2]}: {len(found)} posts instead of {len(reference)}, or others")


def _told(name: str, count: _Count, posts: int) -> Finding:
    hits = ", ".join(f"{number} of a {what}" for what, number in count.kills.items())
    seen = f"{hits}; {count.archives} archives of {posts} posts, {len(count.wrong)} not equal"
    return Finding("kills", name, count.all, not count.wrong, "; ".join([seen, *count.wrong[:2]]))
