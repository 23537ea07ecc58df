"""Every family of forum in the laboratory, crawled from nothing but its address: all threads, all posts, once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from thrawl import aio
from thrawl.archive import Archive
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named

THREADS = 40


FAMILIES = ["tables", "rows", "cards", "leaves", "tree", "answers", "journal", "lounge"]
# rows of the lounge lead to threads by redirects: most of its worlds lost the middle pages of long threads once
TRIALS = [*((name, 5, THREADS) for name in FAMILIES), *(("lounge", seed, 60) for seed in (1, 2, 3))]


@pytest.mark.parametrize(("name", "seed", "threads"), TRIALS)
async def test_a_forum_of_any_family_is_archived_whole(name: str, seed: int, threads: int, tmp_path: Path) -> None:
    skin = skin_named(name)
    world = generate(threads, seed, language=skin.language.code)
    location = tmp_path / "forum.db"
    async with ForumServer(world, skin) as server:
        await aio.crawl(server.url, archive=location, delay=0, concurrency=6)
    view = world.at(world.end)
    written = [
        Counter(_folded(post.text) for post in view.posts(thread, 0, view.size(thread)))
        for thread in view.all_thread_ids()
    ]
    with Archive.open(str(location), readonly=True) as archive:
        found: dict[str, Counter[str]] = {}
        for post in archive.posts():
            found.setdefault(post.thread_url, Counter())[_folded(post.text)] += 1
    assert sorted(map(_key, found.values())) == sorted(map(_key, written))


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _key(posts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(posts.items())
