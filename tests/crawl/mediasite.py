"""A site that has pictures and files, and an archive whose posts show them. Run as a script, it fetches them."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from thrawl.archive import Archive, PageKind, PageOutcome, ThreadRef
from thrawl.archive.mediastore import MediaStore, store_for
from thrawl.crawl.media import MediaCrawl
from thrawl.crawl.options import MediaMode, MediaTally
from thrawl.net.client import Client
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.net.recording import open_client
from thrawl.page.shown import PostRecord

PNG = b"\x89PNG\r\n\x1a\n" + b"a picture, or near enough"


@dataclass
class MediaSite:
    """Answers by path: bytes, or a status; whatever is not named is not there."""

    files: dict[str, bytes | int] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    origin: str = ""
    slow: float = 0.0
    _runner: web.AppRunner | None = None

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        self.asked[request.path_qs] += 1
        await asyncio.sleep(self.slow)
        found = self.files.get(request.path_qs, 404)
        if isinstance(found, int):
            return web.Response(status=found)
        kind = "text/html" if found.startswith(b"<!doctype") else "application/octet-stream"
        return web.Response(body=found, content_type=kind)


def post(number: int, html: str) -> PostRecord:
    return PostRecord(
        post_id=str(number),
        post_url=None,
        author="Ann",
        author_url=None,
        published=datetime(2026, 5, 1, 12, 0, tzinfo=UTC),
        published_text=None,
        edited=None,
        text=f"words {number}",
        html=html,
    )


def page(origin: str, posts: tuple[PostRecord, ...], minute: int = 0) -> PageOutcome:
    url = f"{origin}/t/1"
    return PageOutcome(
        forum_id=1,
        url=url,
        kind=PageKind.THREAD,
        fetched=datetime(2026, 5, 1, 12, minute, tzinfo=UTC),
        list_url=url,
        status=200,
        thread=ThreadRef(url, "A thread"),
        posts=posts,
    )


async def fetch_media(
    archive: Archive, store: MediaStore, origin: str, mode: MediaMode = MediaMode.IMAGES, most: int | None = None
) -> MediaTally:
    limits = FetchLimits(backoff_seconds=0.01, retry_after_seconds=0.1, retries=1)
    async with Client(ClientOptions(start_url=f"{origin}/", delay=0, concurrency=4, limits=limits)) as client:
        crawl = MediaCrawl(
            archive, store, 1, f"{origin}/", client, mode, asyncio.Event(), concurrency=4, most=most
        )  # fmt: skip
        await crawl.run()
        return crawl.tally


async def fetch_page(origin: str, warc: Path, *paths: str) -> list[datetime]:
    """Fetch these paths, and keep the exchanges as WARC files; when each was fetched."""
    async with open_client(ClientOptions(start_url=f"{origin}/", delay=0), warc) as client:
        return [(await client.fetch(Request(origin + path))).fetched for path in paths]


async def _main(location: str, origin: str) -> None:
    store = store_for(location)
    assert store is not None
    with Archive.open(location) as archive:
        print("open", flush=True)
        await fetch_media(archive, store, origin)


if __name__ == "__main__":
    asyncio.run(_main(*map(str, (Path(sys.argv[1]), sys.argv[2]))))
