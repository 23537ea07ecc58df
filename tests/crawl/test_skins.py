"""Every family of forum in the laboratory, crawled from nothing but its address: all threads, all posts, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from thrawl import aio
from thrawl.lab.generate import generate
from thrawl.lab.hostile.worlds import archived, written
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
    assert archived(location) == written(world.at(world.end))
