"""What saving a page costs: CPU milliseconds a page, at the start and at the end of a growing archive.

    python benchmarks/bench_archive.py [--pages 20000] [--archive FILE_OR_ADDRESS]

Each page has 10 posts of 60 words and brings 30 URLs, 10 of them new; one transaction a page, as in a crawl, with
its leases. The floor is the same rows inserted into bare tables by sqlite3, one transaction a page, too.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path

from thrawl.archive import Archive, BoardRef, FoundUrl, PageKind, PageOutcome, RefusedUrl, ThreadRef
from thrawl.page.shown import PostRecord

SITE = "http://forum.example"
START = datetime(2026, 5, 1, tzinfo=UTC)
BATCH = 16
WORDS = [f"word{number}" for number in range(5000)]


def outcomes(count: int, seed: int = 1) -> Iterator[PageOutcome]:
    """Thread pages of a forum of any size, made as they are asked for."""
    draw = random.Random(seed)
    for number in range(count):
        url = f"{SITE}/board/thread-{number}.html"
        yield PageOutcome(
            forum_id=1,
            url=url,
            kind=PageKind.THREAD,
            fetched=START + timedelta(seconds=number),
            status=200,
            etag=f'"{number}"',
            body_hash=f"{number:032x}",
            thread=ThreadRef(url, f"Thread {number}"),
            posts=tuple(_post(draw, number * 10 + place) for place in range(10)),
            boards=(BoardRef("Board", f"{SITE}/board/"),),
            found=tuple(
                FoundUrl(f"{SITE}/board/thread-{number * 10 + step}.html", PageKind.THREAD, "thread URL")
                for step in range(10)
            )
            + tuple(FoundUrl(f"{SITE}/board/{step}/", PageKind.INDEX, "index URL") for step in range(20)),
            refused=(RefusedUrl(f"{SITE}/user/{number}", "other page"),),
        )


def _post(draw: random.Random, number: int) -> PostRecord:
    text = " ".join(draw.choices(WORDS, k=60))
    author = draw.randrange(10_000)
    return PostRecord(
        post_id=f"p{number}",
        post_url=f"{SITE}/post/{number}",
        author=f"author {author}",
        author_url=f"{SITE}/user/{author}",
        published=START,
        published_text="Fri May 01, 2026 12:00 am",
        edited=None,
        text=text,
        html=f"<p>{text}</p>",
    )


def archive_pages(location: str, count: int) -> list[float]:
    """CPU milliseconds a page for each tenth of the run."""
    tenths = []
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        source = outcomes(count)
        for _ in range(10):
            spent, left = 0.0, count // 10
            while left > 0:
                pages = list(islice(source, min(left, BATCH)))
                spent += _cpu_ms(partial(_save, archive, pages))
                left -= len(pages)
            tenths.append(spent / (count // 10))
    return tenths


def _save(archive: Archive, pages: list[PageOutcome]) -> None:
    archive.lease(BATCH, START)
    for page in pages:
        archive.save(page)


def bare_inserts(path: Path, count: int) -> float:
    """CPU milliseconds a page for the same rows without any care for them."""
    pages = list(outcomes(count))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE posts (post_id, post_url, author, author_url, text, html)")
    connection.execute("CREATE VIRTUAL TABLE fts USING fts5(text, content='posts')")
    connection.execute("CREATE TABLE pages (url TEXT UNIQUE, kind, reason)")

    def insert() -> None:
        for page in pages:
            connection.execute("BEGIN")
            rows = [(p.post_id, p.post_url, p.author, p.author_url, p.text, p.html) for p in page.posts]
            connection.executemany("INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.executemany("INSERT INTO fts (text) VALUES (?)", [(p.text,) for p in page.posts])
            urls = [(item.url, item.kind, item.reason) for item in page.found]
            connection.executemany("INSERT OR IGNORE INTO pages VALUES (?, ?, ?)", urls)
            connection.execute("COMMIT")

    spent = _cpu_ms(insert) / count
    connection.close()
    return spent


def _cpu_ms(work: Callable[[], None]) -> float:
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--archive")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tenths = archive_pages(options.archive or f"{folder}/archive.db", options.pages)
        floor = bare_inserts(Path(folder, "bare.db"), max(options.pages // 10, 100))
    result = {
        "benchmark": "archive",
        "pages": options.pages,
        "cpu_ms_per_page": round(sum(tenths) / len(tenths), 3),
        "first_tenth": round(tenths[0], 3),
        "last_tenth": round(tenths[-1], 3),
        "bare_inserts_cpu_ms_per_page": round(floor, 3),
        "times_bare_inserts": round(sum(tenths) / len(tenths) / floor, 2),
        "max_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
