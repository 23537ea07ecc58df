"""A mirror on the scoreboard: learned and crawled from its entry page, by whatever models this Thrawl has.

python -m thrawl.lab.scoreboard.mirrors FOLDER SEED     # all figures of one mirror, as JSON

`make score` runs that in a copy of the package whose models were trained without the mirror's package (`leftout`).
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from thrawl.archive.store import Archive
from thrawl.archive.values import StoredPost
from thrawl.crawl.allowance import Allowance, Bounded
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import CrawlOptions
from thrawl.errors import ThrawlError
from thrawl.lab.bench.forumtruth import folded, likeness
from thrawl.lab.bench.measure import CountingFetcher, Effort, measure
from thrawl.lab.bench.mirrors import open_mirror
from thrawl.lab.training.annotation import read_rules
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.learner import Learned, learn
from thrawl.net.message import Response
from thrawl.net.replay import MirrorReplay

_STARTS: Final = 20  # pages that the entry page is looked for from
_ALIKE: Final = 0.9  # F1 over pairs of letters, as for random forums
_END: Final = 24  # letters by which posts of nearly the same words are found
_WHOLE: Final = 0.97  # coverage above which a crawl may say that it is complete
_CONCURRENCY: Final = 4
_MOST_OVERHEAD: Final = 10  # times what is needed, before a crawl is ended as lost


async def mirror_figures(folder: Path, seed: int) -> dict[str, float]:
    """All figures of one mirror."""
    modules = await measure(open_mirror(folder), PageClassifier.load(), Effort(starts=_STARTS), seed)
    return {
        "entry": modules.entry.recall,
        "index": modules.index.recall,
        "thread": modules.thread.recall,
        "flip": modules.flip.recall,
        "learning_pages": max((cost.requests for cost in modules.costs), default=0),
        **await crawl_figures(folder),
    }


async def crawl_figures(folder: Path) -> dict[str, float]:
    """The crawl of one mirror from its entry page, with what it fetched and archived against the mirror's truth."""
    mirror = open_mirror(folder)
    entry = json.loads((folder / "rules.json").read_text(encoding="utf-8"))["entry"]
    needed = {url: url for url in mirror.replay.shown() if mirror.kind_of(url) is not None}
    threads = {url for url in needed if str(mirror.kind_of(url)).startswith("thread")}
    return await _crawled(mirror.replay, entry, len(needed), threads, needed.get, folder)


async def real_figures(folder: Path) -> dict[str, float]:
    """The crawl of a real site as somebody saved it: what share of its threads was met, by their keys.

    Copies are torn, so not all of them can be had: the figures are there to notice what falls.
    """
    replay, rules = MirrorReplay(folder), read_rules(folder)
    key = re.compile(json.loads((folder / "rules.json").read_text(encoding="utf-8"))["thread_key"])

    def thread_of(url: str) -> str | None:
        found = key.search(url) if rules.type_of(url) == "thread" else None
        return found[1] if found is not None else None

    urls = list(replay.shown())
    threads = {found for url in urls if (found := thread_of(url)) is not None}
    entry = min((url for url in urls if rules.type_of(url) == "entry"), key=len)
    needed = sum(rules.type_of(url) in ("index", "thread") for url in urls)
    return await _crawled(replay, entry, needed, threads, thread_of, folder)


async def _crawled(
    replay: MirrorReplay, entry: str, needed: int, threads: set[str], name: Callable[[str], str | None], folder: Path
) -> dict[str, float]:
    """What came of a crawl; `threads` are the names of all that there are, and `name` gives that of a page."""
    fetcher = CountingFetcher(replay)

    async def learned(
        start: str, allowance: Allowance, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned:
        return await learn(start, Bounded(fetcher, allowance), known=known, also=also)

    options = CrawlOptions(concurrency=_CONCURRENCY, workers=0, max_pages=_MOST_OVERHEAD * needed)
    with (
        tempfile.TemporaryDirectory(prefix="thrawl-") as place,
        Archive.open(f"{place}/a.db", create=True) as archive,
    ):
        try:
            finished = await ForumCrawl(entry, archive, fetcher, learned, options).run()
        except ThrawlError:
            return {"coverage": 0.0, "told": 1.0}  # it gave up, and said so
        coverage = len(threads & {name(url) for url in fetcher.brought}) / max(1, len(threads))
        return {
            "coverage": coverage,
            "overhead": fetcher.requests / max(1, needed + 1),
            "told": float(finished.complete == (coverage >= _WHOLE)),
            **_post_figures(folder, list(archive.posts())),
        }


def _post_figures(folder: Path, archived: Sequence[StoredPost]) -> dict[str, float]:
    """Archived posts against the mirror's world: each true post is matched once, so copies count against precision."""
    path = folder / "world.json"
    if not path.exists():
        return {}
    world = json.loads(path.read_text(encoding="utf-8"))
    names = {user["id"]: str(user["name"]) for user in world["users"]}
    pairs = _matched(world["posts"], archived)
    authors = sum((found.author or "").casefold() == names.get(post["author"], "").casefold() for post, found in pairs)
    return {
        "posts_precision": len(pairs) / max(1, len(archived)),
        "posts_recall": len(pairs) / max(1, len(world["posts"])),
        "authors": authors / max(1, len(pairs)),
        "times": sum(found.published is not None for _, found in pairs) / max(1, len(pairs)),
    }


def _matched(
    truth: Sequence[dict[str, Any]], archived: Sequence[StoredPost]
) -> list[tuple[dict[str, Any], StoredPost]]:
    """True posts with the archived ones of the same words; of nearly the same where that leaves some over."""
    free: dict[str, list[dict[str, Any]]] = {}
    for post in truth:
        free.setdefault(folded(str(post["text"])), []).append(post)
    pairs, left = [], []
    for found in archived:
        quoted = folded("".join(quote.text for quote in found.quotes))
        same = free.get(folded(found.text)) or free.get(quoted + folded(found.text))
        if same:
            pairs.append((same.pop(), found))
        else:
            left.append(found)
    ends: dict[str, list[str]] = {}
    for words, posts in free.items():
        if posts:
            ends.setdefault(words[-_END:], []).append(words)
    for found in left:
        own = folded(found.text)
        near = [words for words in ends.get(own[-_END:], ()) if free[words] and likeness(words, own) >= _ALIKE]
        if near:
            pairs.append((free[near[0]].pop(), found))
    return pairs


if __name__ == "__main__":
    print(json.dumps(asyncio.run(mirror_figures(Path(sys.argv[1]), int(sys.argv[2])))))
