"""A small crawl of a made-up forum into an archive, run as a process that a test can kill.

    python killed_crawl.py LOCATION

Pages are made from their URLs, so every run sees the same forum; each thread's first post stands on all its pages.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta

from thrawl.archive import Archive, BoardRef, FoundUrl, PageKind, PageOutcome, PendingPage, RefusedUrl, ThreadRef
from thrawl.errors import ArchiveError
from thrawl.page.shown import PostRecord

SITE = "http://forum.example"
START = datetime(2026, 5, 1, tzinfo=UTC)
THREADS, PAGES, POSTS = 40, 3, 4


def main(location: str) -> None:
    with open_patiently(location) as archive:
        forum_id = archive.put_forum(f"{SITE}/", "forum.example")
        archive.add_urls(forum_id, [FoundUrl(f"{SITE}/", PageKind.ENTRY, "the start URL")])
        print("ready", flush=True)
        while leased := archive.lease(5, START):
            archive.save_all([read(page) for page in leased[:2]])
            for page in leased[2:]:
                archive.save(read(page))


def open_patiently(location: str) -> Archive:
    """A server needs a moment to notice that the last writer was killed."""
    for _ in range(100):
        try:
            return Archive.open(location, create=True)
        except ArchiveError:
            time.sleep(0.05)
    return Archive.open(location, create=True)


def read(page: PendingPage) -> PageOutcome:
    if page.kind is PageKind.ENTRY:
        found = tuple(FoundUrl(f"{SITE}/t/{number}", PageKind.THREAD, "a thread URL") for number in range(THREADS))
        return PageOutcome(1, page.url, page.kind, START, status=200, found=found)
    thread = page.list_url or page.url
    return PageOutcome(
        forum_id=1,
        url=page.url,
        kind=page.kind,
        fetched=START + timedelta(seconds=page.page_number),
        page_number=page.page_number,
        list_url=thread,
        status=200,
        thread=ThreadRef(thread, f"Thread {thread}"),
        posts=tuple(posts(thread, page.page_number)),
        boards=(BoardRef("Board", f"{SITE}/b"),),
        found=tuple(
            FoundUrl(f"{thread}?page={number}", PageKind.THREAD_FLIP, "the pager", thread, number)
            for number in range(2, PAGES + 1)
        ),
        refused=(RefusedUrl(f"{SITE}/user/{page.page_number}", "other page"),),
    )


def posts(thread: str, page: int) -> list[PostRecord]:
    places = sorted({0, *range((page - 1) * POSTS, page * POSTS)})
    return [
        PostRecord(
            post_id=f"{thread}-{place}" if thread.endswith(("0", "2", "4")) else None,
            post_url=None,
            author=f"author {place}",
            author_url=None,
            published=START,
            published_text="Fri May 01, 2026",
            edited=None,
            text=f"post {place} of {thread}",
            html="<p>post</p>",
        )
        for place in places
    ]


if __name__ == "__main__":
    main(sys.argv[1])
