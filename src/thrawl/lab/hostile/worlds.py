"""Forums of every skin, of many seeds and sizes: all that they show is archived, once, or what is missing is said."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Final

from thrawl.archive import Archive
from thrawl.errors import ThrawlError
from thrawl.lab.generate import generate
from thrawl.lab.hostile.crawls import crawl
from thrawl.lab.hostile.finding import Finding
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import SKINS, skin_named
from thrawl.lab.world import View

NAMES: Final = tuple(name for name in SKINS if name != "script")  # which shows nothing without a browser
FEWEST_THREADS: Final = 12
MOST_THREADS: Final = 150

Posts = list[Counter[str]]


def written(view: View) -> Posts:
    """What was posted: how often each thread says each thing."""
    threads = view.all_thread_ids()
    return _sorted(Counter(_folded(post.text) for post in view.posts(one, 0, view.size(one))) for one in threads)


def archived(location: Path) -> Posts:
    """What an archive holds of it."""
    found: dict[str, Counter[str]] = {}
    with Archive.open(str(location), readonly=True) as archive:
        for post in archive.posts():
            found.setdefault(post.thread_url, Counter())[_folded(post.text)] += 1
    return _sorted(found.values())


def _sorted(threads: Iterable[Counter[str]]) -> Posts:
    return sorted(threads, key=lambda posts: sorted(posts.items()))


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def world_crawls(number: int, folder: Path, seed: int = 1, say: Callable[[str], None] = lambda _: None) -> Finding:
    """So many forums, the skins by turns, each crawled from nothing but its address."""
    silent: list[str] = []
    said: list[str] = []
    for at in range(number):
        draw = Random(f"{seed}/{at}")
        name, threads = (
            NAMES[at % len(NAMES)],
            int(FEWEST_THREADS * (MOST_THREADS / FEWEST_THREADS) ** draw.random()),
        )
        trial = f"{name} of {threads} threads, seed {(own := draw.randrange(10**6))}"
        complete, whole = asyncio.run(_crawled(name, threads, own, folder / f"{at}.db"))
        if not complete:
            said.append(trial)
        elif not whole:
            silent.append(trial)
        say(f"{trial}: {'whole' if whole else 'not whole'}, {'complete' if complete else 'not complete'}")
    seen = f"{number - len(silent) - len(said)} whole, {len(silent)} said to be whole and not, {len(said)} said to lack"
    return Finding("worlds", "forums of every skin", number, not silent and not said, "; ".join([seen, *silent, *said]))


async def _crawled(name: str, threads: int, seed: int, location: Path) -> tuple[bool, bool]:
    """Whether a crawl says that it has all, and whether it has."""
    skin = skin_named(name)
    world = generate(threads, seed, language=skin.language.code)
    async with ForumServer(world, skin) as server:
        try:
            complete = await crawl(server.url, str(location)) == 0
        except ThrawlError:
            return False, False
    return complete, archived(location) == written(world.at(world.end))
