"""A mirror on the scoreboard: learned and crawled from its entry page by models that do not know its package.

The page classifier and the model of roles are trained without it. The models of pagers, records and authors are the
shipped ones, which know it: docs/scoreboard.md says which figures are blind.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
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
from thrawl.lab.bench.mirrors import Mirror, open_mirror
from thrawl.lab.training.roles import RoleExample, calibration, train_roles
from thrawl.lab.training.training import Example, train
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.learner import Learned, learn
from thrawl.learn.structure.roles import RoleModel
from thrawl.net.message import Response

_STARTS: Final = 20  # pages that the entry page is looked for from
_ALIKE: Final = 0.9  # F1 over pairs of letters, as for random forums
_END: Final = 24  # letters by which posts of nearly the same words are found
_WHOLE: Final = 0.97  # coverage above which a crawl may say that it is complete
_CONCURRENCY: Final = 4
_MOST_OVERHEAD: Final = 10  # times what is needed, before a crawl is ended as lost


@dataclass(frozen=True, slots=True)
class Blind:
    """Models that were trained without a package, and how right the surest of their decisions on it are."""

    classifier: PageClassifier
    roles: RoleModel
    sure_right: float | None


def blind_models(site: str, pages: Sequence[Example], families: Sequence[RoleExample]) -> Blind:
    roles = train_roles([one for one in families if one.site != site])
    sure, right = calibration([one for one in families if one.site == site], roles)
    classifier = train([one for one in pages if one.site != site])
    return Blind(classifier, roles, right if sure else None)


async def mirror_figures(folder: Path, blind: Blind, seed: int) -> dict[str, float]:
    """All figures of one mirror."""
    mirror = open_mirror(folder)
    modules = await measure(mirror, blind.classifier, Effort(starts=_STARTS), seed, blind.roles)
    figures = {
        "entry": modules.entry.recall,
        "index": modules.index.recall,
        "thread": modules.thread.recall,
        "flip": modules.flip.recall,
        "learning_pages": max((cost.requests for cost in modules.costs), default=0),
        **await _crawled(mirror, blind),
    }
    return figures if blind.sure_right is None else {**figures, "sure_right": blind.sure_right}


async def shipped_figures(folder: Path) -> dict[str, float]:
    """The crawl of one mirror by the shipped models, which know its package."""
    return await _crawled(open_mirror(folder), Blind(PageClassifier.load(), RoleModel.load(), None))


async def _crawled(mirror: Mirror, blind: Blind) -> dict[str, float]:
    """The crawl from the entry page, with what it fetched and archived against the mirror's truth."""
    entry = json.loads((mirror.folder / "rules.json").read_text(encoding="utf-8"))["entry"]
    fetcher = CountingFetcher(mirror.replay)
    needed = {url for url in mirror.replay.urls() if mirror.kind_of(url) is not None}
    threads = {url for url in needed if str(mirror.kind_of(url)).startswith("thread")}

    async def learned(
        start: str, allowance: Allowance, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned:
        asked = Bounded(fetcher, allowance)
        return await learn(start, asked, classifier=blind.classifier, roles=blind.roles, known=known, also=also)

    options = CrawlOptions(concurrency=_CONCURRENCY, workers=0, max_pages=_MOST_OVERHEAD * len(needed))
    with (
        tempfile.TemporaryDirectory(prefix="thrawl-") as place,
        Archive.open(f"{place}/a.db", create=True) as archive,
    ):
        try:
            finished = await ForumCrawl(entry, archive, fetcher, learned, options).run()
        except ThrawlError:
            return {"coverage": 0.0, "told": 1.0}  # it gave up, and said so
        coverage = len(threads & fetcher.brought) / max(1, len(threads))
        return {
            "coverage": coverage,
            "overhead": fetcher.requests / max(1, len(needed) + 1),
            "told": float(finished.complete == (coverage >= _WHOLE)),
            **_post_figures(mirror.folder, list(archive.posts())),
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
