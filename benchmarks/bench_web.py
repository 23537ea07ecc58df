"""How fast an archive can be read: every page of `thrawl serve`, its search, and the static export.

    python benchmarks/bench_web.py [--posts 200000] [--archive FILE] [--requests 60]

A made-up archive of that many posts (words drawn as in real texts: few are everywhere, most are rare) is served as it
is by `thrawl serve`, without the network: the ASGI application itself is called. Told are the median and the 95th
percentile of the milliseconds that a page takes (on the clock, and of CPU, which a busy machine changes less), and
whether the export's memory grows with the archive. The aims are 50 ms for pages and 200 ms for searches (p95, a million
posts), and 5,000 posts a second for the export.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from thrawl.archive import Archive, BoardRef, PageKind, PageOutcome, ThreadRef
from thrawl.archive.export_rows import Wanted
from thrawl.page.shown import PostRecord, ThreadRow
from thrawl.web.app import make_app
from thrawl.web.export import export_site
from thrawl.web.shelf import open_shelf

SITE = "http://forum.example"
START = datetime(2010, 1, 1, tzinfo=UTC)
BOARDS = 40
POSTS_A_PAGE = 20
BATCH = 50
WORDS = [f"w{number:x}" for number in range(50_000)]
WEIGHTS = list(accumulate(1 / (rank + 1) for rank in range(len(WORDS))))


def pages(posts: int, seed: int = 1) -> Iterator[PageOutcome]:
    """Thread pages of a forum: most threads are short, a few are very long."""
    draw = random.Random(seed)
    written = thread = 0
    while written < posts:
        thread += 1
        length = min(posts - written, min(int(draw.paretovariate(0.9) * 4), 50_000))
        url = f"{SITE}/t/{thread}"
        number = draw.randrange(BOARDS)
        board = (
            BoardRef(f"Area {number // 10}", f"{SITE}/a/{number // 10}"),
            BoardRef(f"Board {number}", f"{SITE}/b/{number}"),
        )
        title = " ".join(draw.choices(WORDS, cum_weights=WEIGHTS, k=6))
        begun = START + timedelta(minutes=draw.randrange(8_000_000))
        row = ThreadRow(title, url, replies=length - 1, last_time=begun + timedelta(minutes=length), author="somebody")
        yield PageOutcome(
            1, f"{SITE}/b/{number}?{thread}", PageKind.INDEX, begun, status=200, boards=board, rows=(row,)
        )
        for page in range(-(-length // POSTS_A_PAGE)):
            some = range(page * POSTS_A_PAGE, min(length, (page + 1) * POSTS_A_PAGE))
            yield PageOutcome(
                forum_id=1,
                url=url if page == 0 else f"{url}?page={page + 1}",
                kind=PageKind.THREAD if page == 0 else PageKind.THREAD_FLIP,
                fetched=START,
                page_number=page + 1,
                list_url=url,
                status=200,
                records=len(some),
                thread=ThreadRef(url, title),
                posts=tuple(_post(draw, written + place, begun + timedelta(minutes=place)) for place in some),
                boards=board,
            )  # fmt: skip
        written += length


def _post(draw: random.Random, number: int, moment: datetime) -> PostRecord:
    text = " ".join(draw.choices(WORDS, cum_weights=WEIGHTS, k=60))
    author = draw.randrange(10_000)
    return PostRecord(
        post_id=str(number), post_url=f"{SITE}/p/{number}", author=f"author {author}", author_url=f"{SITE}/u/{author}",
        published=moment, published_text=None, edited=None, text=text, html=f"<p>{text}</p>",
    )  # fmt: skip


def fill(location: Path, posts: int) -> None:
    """Make an archive: a part of it as a crawl does, the rest as copies of that part, which is much quicker."""
    copies = max(1, min(50, posts // 5000))
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        source = pages(posts // copies)
        while batch := list(islice(source, BATCH)):
            archive.save_all(batch)
    with closing(sqlite3.connect(location)) as connection, connection:
        for copy in range(1, copies):
            for statement in COPY:
                connection.execute(statement, {"copy": copy})
        connection.execute("DELETE FROM reckoned")  # as whoever writes into an archive has to
    Archive.open(location).close()  # brings the search index up to date


_SHIFTED = "strftime('%Y-%m-%dT%H:%M:%S+00:00', {}, '+' || (:copy * 37) || ' hours')"
_THREADS = "(SELECT max(id) FROM threads WHERE url NOT LIKE '%~%')"
COPY = (
    f"""INSERT INTO threads (id, forum_id, board_id, url, title, replies, author, last_time, first_seen, last_seen)
    SELECT id + :copy * {_THREADS}, forum_id, board_id, url || '~' || :copy, title, replies, author,
        {_SHIFTED.format("last_time")}, first_seen, last_seen FROM threads WHERE url NOT LIKE '%~%'""",
    f"""INSERT INTO thread_urls SELECT url || '~' || :copy, thread_id + :copy * {_THREADS}
    FROM thread_urls WHERE url NOT LIKE '%~%'""",
    f"""INSERT INTO posts (thread_id, identity, page_number, index_on_page, post_id, post_url, author_id, published,
        text, html, content_hash, first_seen, fetched)
    SELECT posts.thread_id + :copy * {_THREADS}, identity, page_number, index_on_page, post_id,
        post_url || '~' || :copy, author_id, {_SHIFTED.format("published")}, text, html, content_hash,
        posts.first_seen, fetched
    FROM posts JOIN threads ON threads.id = posts.thread_id WHERE threads.url NOT LIKE '%~%'""",
    """INSERT INTO pages (forum_id, url, kind, state, list_url, page_number, priority, found_on, status, fetched, tries,
        due, records, digest, last_page)
    SELECT forum_id, url || '~' || :copy, kind, state, list_url || '~' || :copy, page_number, priority, found_on,
        status, fetched, tries, due, records, digest, last_page
    FROM pages WHERE url NOT LIKE '%~%'""",
)


async def _get(app: Any, path: str) -> tuple[int, int]:
    target, _, query = path.partition("?")
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "http_version": "1.1", "method": "GET", "path": target, "raw_path": target.encode(),
        "query_string": query.encode(), "headers": [(b"host", b"127.0.0.1")], "scheme": "http",
        "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "root_path": "",
    }  # fmt: skip
    await app(scope, receive, send)
    return sent[0]["status"], sum(len(message.get("body", b"")) for message in sent)


def timed_pages(location: Path, requests: int) -> list[dict[str, Any]]:
    """Milliseconds of every sort of page."""
    draw = random.Random(2)
    with open_shelf([str(location)]) as shelf:
        (one,) = shelf.values()
        began = time.perf_counter()
        figures = one.figures.now()
        counted = time.perf_counter() - began
        threads, app = figures.threads, make_app(shelf)
        late = max(2, threads // BOARDS // 150)
        ranks = [round(len(WORDS) ** (step / 9)) - 1 for step in range(10)]
        sorts: dict[str, Callable[[], str]] = {
            "home": lambda: "/",
            "board": lambda: f"/board/{draw.randrange(1, BOARDS + 4)}",
            "board, a late page": lambda: f"/board/{draw.randrange(3, BOARDS)}?page={draw.randrange(1, late)}",
            "thread": lambda: f"/thread/{draw.randrange(1, threads)}",
            "post": lambda: f"/post/{draw.randrange(1, figures.posts)}",
            "feed": lambda: "/feed.atom",
            "crawl": lambda: "/crawl",
            "map": lambda: "/map",
            "activity": lambda: "/activity",
            "search, one word": lambda: f"/search?q={WORDS[min(draw.choice(ranks), len(WORDS) - 1)]}",
            "search, two words": lambda: f"/search?q={WORDS[draw.choice(ranks[:7])]}+{WORDS[draw.choice(ranks[:7])]}",
            "search, in a board": lambda: f"/search?q={WORDS[draw.choice(ranks[:6])]}&board=Board+{draw.randrange(9)}",
        }  # fmt: skip
        longest = _longest_thread(one)
        sorts["thread, longest, any page"] = lambda: (
            f"/thread/{longest[0]}?page={draw.randrange(1, max(2, longest[1] // 50))}"
        )
        told = [_timed(app, f"/{one.name}", name, make, requests) for name, make in sorts.items()]
    return [{"page": "(the figures, in the background)", "seconds": round(counted, 2)}, *told]


def _longest_thread(one: Any) -> tuple[int, int]:
    with one.archive.reading() as connection:
        row = connection.exec_driver_sql("SELECT id, replies FROM threads ORDER BY replies DESC LIMIT 1").one()
    return row[0], row[1]


def _timed(app: Any, base: str, name: str, make: Callable[[], str], requests: int) -> dict[str, Any]:
    took, used = [], []

    async def run() -> None:
        for _ in range(requests):
            path = base + make()
            began, cpu = time.perf_counter(), time.process_time()
            status, _ = await _get(app, path)
            took.append(1000 * (time.perf_counter() - began))
            used.append(1000 * (time.process_time() - cpu))
            assert status in (200, 307, 404), (path, status)

    asyncio.run(run())
    return {"page": name, **_percentiles("", took), **_percentiles("cpu_", used)}


def _percentiles(prefix: str, numbers: list[float]) -> dict[str, float]:
    ordered = sorted(numbers)
    median, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return {f"{prefix}median_ms": round(median, 1), f"{prefix}p95_ms": round(p95, 1)}


def timed_export(location: Path) -> dict[str, Any]:
    """Posts a second, and the most memory that the process had, and the one that writes the search."""
    with tempfile.TemporaryDirectory(prefix="thrawl-bench-", dir=location.parent) as folder:
        began, cpu = time.perf_counter(), time.process_time()
        with Archive.open(location, readonly=True) as archive:
            posts = export_site(archive, Path(folder, "site"), Wanted(), None)
        took, used = time.perf_counter() - began, time.process_time() - cpu
    own, index = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "posts": posts, "posts_a_second": round(posts / took), "posts_a_cpu_second": round(posts / used),
        "memory_mb": round(own), "memory_of_the_index_mb": round(index),
    }  # fmt: skip


def in_own_process(location: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--export-only", "--archive", str(location)]
    told: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return told


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--posts", type=int, default=200_000)
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--requests", type=int, default=60)
    parser.add_argument("--export-only", action="store_true")
    chosen = parser.parse_args()
    if chosen.export_only:
        print(json.dumps(timed_export(chosen.archive)))
        return
    with tempfile.TemporaryDirectory(prefix="thrawl-bench-") as folder:
        location = chosen.archive or Path(folder, "large.db")
        if not location.exists():
            fill(location, chosen.posts)
        small = Path(folder, "small.db")
        fill(small, max(chosen.posts // 10, 1000))
        for line in timed_pages(location, chosen.requests):
            print(json.dumps(line))
        print(json.dumps({"export": "a tenth", **in_own_process(small)}))
        print(json.dumps({"export": "all", **in_own_process(location)}))


if __name__ == "__main__":
    main()
