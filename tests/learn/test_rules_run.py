"""Other crawlers, run by the rules that were learned: they fetch what Thrawl fetches."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from thrawl import aio
from thrawl.archive import Archive, PageKind
from thrawl.cli.rules import in_archive
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named
from thrawl.learn.learner import learn
from thrawl.learn.tell.rules import FORMATS, seeds
from thrawl.net.replay import MirrorReplay
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
REPLAY = CORPUS.parent / "tools" / "replay.py"
THREADS = 30
PAGES = 60  # of a mirror that each crawler fetches
UNREADABLE = ("lbforum",)  # its pages begin with `<html/>`: to the parser of Scrapy they are empty
LEAST = 15  # of them that must be pages of threads
SECONDS = 240  # on however busy a machine
THREAD_PAGES = (PageKind.THREAD, PageKind.THREAD_FLIP)
SKINS = ["tables", "rows", "cards", "leaves", "answers", "lounge"]
needs_scrapy = pytest.mark.skipif(importlib.util.find_spec("scrapy") is None, reason="Scrapy is not installed")
needs_wget = pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")

CRAWLERS = [pytest.param("scrapy", marks=needs_scrapy), pytest.param("wget", marks=needs_wget)]


def scrapy_by(profile: Profile, folder: Path) -> list[str]:
    """The command that runs the printed spider, in a hurry."""
    spider = folder / "spider.py"
    spider.write_text(FORMATS["scrapy"](profile), encoding="utf-8")
    hurry = ["-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False", "-s", "LOG_LEVEL=ERROR"]
    return [sys.executable, "-m", "scrapy", "runspider", str(spider), *hurry]


def wget_by(profile: Profile, folder: Path) -> list[str]:
    """The printed command, in a hurry."""
    words = shlex.split(FORMATS["wget"](profile))
    words[words.index("--wait=1")] = "--wait=0"
    return [*words, "--quiet", "--no-config", f"--directory-prefix={folder}"]


async def run(
    command: Sequence[str], folder: Path, proxy: str | None = None, until: Callable[[], bool] = lambda: False
) -> None:
    """Run a crawler to its end, or until it has done enough."""
    plain = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env={**plain, "http_proxy": proxy} if proxy else plain
    )
    deadline = time.monotonic() + SECONDS
    while process.returncode is None and not until() and time.monotonic() < deadline:
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 0.2)
    assert time.monotonic() < deadline
    if process.returncode is None:
        process.kill()
        await process.wait()


def key(url: str) -> str:
    """A URL without what the session adds."""
    parts = urlsplit(re.sub(r";\w+=[^/?&;]*", "", url))
    items = [item for item in parts.query.split("&") if item and not item.startswith(("sid=", "s="))]
    return f"{parts.path}?{'&'.join(sorted(items))}"


@pytest.mark.parametrize("crawler", CRAWLERS)
@pytest.mark.parametrize("name", SKINS)
async def test_another_crawler_gets_every_thread_page_by_the_rules(name: str, crawler: str, tmp_path: Path) -> None:
    skin = skin_named(name)
    world = generate(THREADS, seed=5, language=skin.language.code)
    async with ForumServer(world, skin) as server:
        await aio.crawl(server.url, archive=tmp_path / "forum.db", delay=0, concurrency=4)
        with Archive.open(tmp_path / "forum.db", readonly=True) as archive:
            pages = [page for page in archive.pages() if page.status == 200]
        profile = in_archive(str(tmp_path / "forum.db"), None)
        types = UrlTypes(profile)  # other forms of threads were only fetched to learn that they are none
        before = len(server.requests)
        await run(scrapy_by(profile, tmp_path) if crawler == "scrapy" else wget_by(profile, tmp_path), tmp_path)
        asked = [key(request.url) for request in server.requests[before:]]
    wanted = {key(page.url) for page in pages if page.kind in THREAD_PAGES and types.type(page.url) is not None}
    assert len(wanted) >= THREADS
    assert wanted - set(asked) == set()
    assert len(asked) <= 2 * len(pages) + 20


@needs_wget
async def test_what_wget_saved_by_the_rules_becomes_an_archive(tmp_path: Path) -> None:
    skin = skin_named("rows")
    async with ForumServer(generate(THREADS, seed=5, language=skin.language.code), skin) as server:
        done = await aio.crawl(server.url, archive=tmp_path / "forum.db", delay=0, concurrency=4)
        await run(wget_by(in_archive(str(tmp_path / "forum.db"), None), tmp_path), tmp_path)
    folder = next(tmp_path.glob("127.0.0.1*"))
    (folder / "logo.png").write_bytes(b"\x89PNG")
    main = [sys.executable, "-c", "from thrawl.cli.main import run; run()", "extract", str(folder)]
    told = await asyncio.to_thread(
        subprocess.run, [*main, "--archive", str(tmp_path / "mirror.db")], capture_output=True, text=True, check=True
    )
    assert told.stdout == ""
    assert "skipped as no pages: 1 .png" in told.stderr
    with Archive.open(tmp_path / "mirror.db", readonly=True) as archive:
        assert archive.check() == []
        assert archive.summary().posts == done.posts
        assert archive.search(next(archive.posts()).text.split()[0], 1)


def mirrors() -> list[Path]:
    found = sorted(folder for folder in CORPUS.glob("*") if (folder / "rules.json").exists())
    return [folder for folder in found if folder.name not in UNREADABLE]


@needs_scrapy
@needs_wget
@pytest.mark.skipif(not CORPUS.exists(), reason="the shared mirrors are not beside this checkout")
@pytest.mark.parametrize("folder", mirrors(), ids=lambda folder: folder.name)
async def test_other_crawlers_read_a_mirrors_boards_and_threads_by_the_rules(folder: Path, tmp_path: Path) -> None:
    entry = json.loads((folder / "rules.json").read_text(encoding="utf-8"))["entry"]
    profile = (await learn(entry, MirrorReplay(folder))).profile
    types = UrlTypes(profile)
    async with replayed(folder, tmp_path / "requests.jsonl") as (proxy, log):
        for command in (scrapy_by(profile, tmp_path), wget_by(profile, tmp_path)):
            before = len(served(log))
            await run(command, tmp_path, proxy, until=lambda before=before: len(served(log)) - before >= PAGES)
            asked = [types.clean(url) for url in served(log)[before:]]
            thread_pages = {url for url in asked if (found := types.type(url)) is not None and found.is_thread}
            strange = [url for url in asked if types.type(url) is None and url not in seeds(profile)]
            assert len(thread_pages) >= LEAST
            assert strange == [], "robots.txt and redirects aside, only what the patterns say"


def served(log: Path) -> list[str]:
    """The pages that a crawler was given."""
    if not log.exists():
        return []
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    return [one["asked"] for one in lines if one["status"] == 200 and not one["url"].endswith("/robots.txt")]


@asynccontextmanager
async def replayed(folder: Path, log: Path) -> AsyncIterator[tuple[str, Path]]:
    """A mirror behind a proxy on loopback, and the log of what it was asked for."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(REPLAY), "--port", str(port), "--log", str(log), str(folder)]
    server = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        assert server.stdout is not None
        await asyncio.wait_for(server.stdout.readline(), SECONDS)
        yield f"http://127.0.0.1:{port}", log
    finally:
        server.kill()
        await server.wait()
