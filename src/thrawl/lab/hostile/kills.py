"""Killed at any moment, from the first request of learning to the last commit, a crawl loses nothing.

Crawls of a forum on loopback are killed again and again, the crawler and the workers that read its pages in turn, until
one ends by itself; its archive must equal that of a crawl that nobody disturbed. Then the next archive is begun. Of
updates the same: a complete archive, a forum that went on, an undisturbed update to compare with.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.values import PageState
from thrawl.lab.hostile.crawls import Crawls, crawls, kill
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.server import running_forum

_THREADS: Final = 40  # of the forum: some seconds of crawling
_BEFORE: Final = "0.7"  # of the forum's life is over when it is crawled, the rest is for the update
_PORTS: Final = (20_000, 30_000)
_MOST_ROUNDS: Final = 50  # kills of one archive: what is killed earlier each time would never end

Content = list[tuple[object, ...]]
Fresh = Callable[[str], str]


def content(location: str) -> Content:
    """Every post with all that the site shows of it; raises AssertionError for an archive that is not sound.

    Times as they are written: what "yesterday" means depends on the day on which a page was fetched, and long trials
    run past midnight.
    """
    with Archive.open(location, readonly=True) as archive:
        faults = archive.check()
        assert faults == [], faults
        states = {page.state for page in archive.pages()}
        assert states <= {PageState.DONE, PageState.FAILED}, states
        return sorted(
            (post.thread_url, post.position, post.thread_title or "", str(post.board), post.post_id, post.author or "",
             post.published_text or "", post.text, post.html or "", str(post.quotes), post.reply_to or "")
            for post in archive.posts()
        )  # fmt: skip


@dataclass(slots=True)
class _Count:
    kills: dict[str, int] = field(default_factory=lambda: {"crawler": 0, "worker": 0})
    archives: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def all(self) -> int:
        return sum(self.kills.values())


def crawl_kills(number: int, folder: Path, seed: int = 1, fresh: Fresh | None = None, kind: str = "SQLite") -> Finding:
    """So many kills of whole crawls. `fresh` gives the address of a new archive by a name."""
    make = fresh or (lambda name: str(folder / f"{name}.db"))
    with running_forum("rows", _THREADS, seed) as url, crawls() as run:
        reference, seconds = _undisturbed(run, url, make("undisturbed"))
        count = _Count()
        draw = Random(seed)
        while count.all < number:
            location = make(f"killed{count.archives}")
            _until_it_ends(run, url, location, seconds, draw, count, number)
            _compare(count, location, reference)
        return _told(f"crawls on {kind}", count, len(reference))


def update_kills(number: int, folder: Path, seed: int = 1) -> Finding:
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
            count = _Count()
            while count.all < number:
                location = str(folder / f"killed-update{count.archives}.db")
                shutil.copy(base, location)
                _until_it_ends(run, url, location, seconds, draw, count, number)
                _compare(count, location, reference)
    return _told("updates on SQLite", count, len(reference))


def _undisturbed(run: Crawls, url: str, location: str) -> tuple[Content, float]:
    began = time.monotonic()
    run.begin(url, location)
    ended = run.end()
    assert ended == "ended 0", ended
    return content(location), time.monotonic() - began


def _until_it_ends(
    run: Crawls, url: str, location: str, seconds: float, draw: Random, count: _Count, number: int
) -> None:
    """Kill crawls of one archive until one ends by itself."""
    for _ in range(_MOST_ROUNDS):
        process = run.begin(url, location)
        what = draw.choice(("crawler", "crawler", "worker"))
        if count.all < number:
            time.sleep(draw.uniform(0, seconds))
            count.kills[what] += kill(process, what)
        ended = run.end()
        if ended != "killed":
            if ended != "ended 0":
                count.wrong.append(f"{Path(location).name} {ended}")
            return
    run.begin(url, location)
    if run.end() != "ended 0":
        count.wrong.append(f"{Path(location).name} did not end well")


def _compare(count: _Count, location: str, reference: Content) -> None:
    count.archives += 1
    try:
        found = content(location)
    except AssertionError as error:
        count.wrong.append(f"{Path(location).name}: {error}")
        return
    if found != reference:
        count.wrong.append(f"{Path(location).name}: {len(found)} posts instead of {len(reference)}, or others")


def _told(name: str, count: _Count, posts: int) -> Finding:
    hits = ", ".join(f"{number} of a {what}" for what, number in count.kills.items())
    seen = f"{hits}; {count.archives} archives of {posts} posts, {len(count.wrong)} not equal"
    return Finding("kills", name, count.all, not count.wrong, "; ".join([seen, *count.wrong[:2]]))


@contextmanager
def databases(server: str) -> Iterator[Fresh]:
    """Archives on a PostgreSQL server, each a database of its own; dropped afterwards."""
    import psycopg  # an extra

    made: list[str] = []
    with psycopg.connect(server, autocommit=True) as connection:

        def fresh(name: str) -> str:
            made.append(f"thrawl_hostile_{name.lower()}")
            connection.execute(f'CREATE DATABASE "{made[-1]}"'.encode())
            return f"{server.rpartition('/')[0]}/{made[-1]}"

        try:
            yield fresh
        finally:
            for name in made:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
