"""One site measured: entry discovery, index, thread and flip URLs, and what learning costs (FoCUS 5.2).

Entry: from random pages of the site, whatever their type. An answer is right when it leads to the entry page.

Index and thread URLs: the site is learned from some of those start pages; then, on random index pages (the entry page
among them), the URLs that the profile types as index or thread URLs are compared with the canonical ones there. A
detected URL is right when the form in which it would be asked for is canonical and of that kind; so a variant of a
thread that would be followed counts against precision. A canonical URL of the page that is not detected, or as
something else, counts against recall. Links to the entry page are left out: it is known already.

Flip URLs: the same on random index and thread pages, flips of boards and of threads together.

Extra requests: those made while learning, redirects included, less the canonical pages that they brought.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from thrawl.errors import LearnError, PageError
from thrawl.lab.bench.mirrors import Mirror
from thrawl.lab.bench.scores import PageCount, Score
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.learner import Learned, learn
from thrawl.learn.sampler import Sampler
from thrawl.learn.structure.roles import RoleModel
from thrawl.learn.structure.site import explain_site
from thrawl.net.message import Fetcher, Request, Response
from thrawl.page.pagekind import PageKind
from thrawl.page.reading import read_page
from thrawl.profile.urltypes import UrlTypes

_KEYWORDS: Final = ("forum", "board", "community", "bbs", "discus")
_INDEX_PAGES: Final = (PageKind.INDEX, PageKind.INDEX_FLIP)
_THREAD_PAGES: Final = (PageKind.THREAD, PageKind.THREAD_FLIP)
_FLIPS: Final = frozenset({PageKind.INDEX_FLIP, PageKind.THREAD_FLIP})


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: start pages for entry discovery, how many of them learn the whole site, pages of a type."""

    starts: int = 20
    learned_from: int = 3
    pages: int = 10


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that went wrong: where, and what was answered."""

    site: str
    module: str
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What learning a site from one page cost."""

    start: str
    requests: int
    extra: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SiteResult:
    """All that was measured on one site."""

    site: str
    entry: Score
    keywords: Score
    index: Score
    thread: Score
    flip: Score
    costs: tuple[Cost, ...]
    misses: tuple[Miss, ...]


class CountingFetcher:
    """Passes requests on and remembers what they brought."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.requests = 0
        self.brought: set[str] = set()

    async def fetch(self, request: Request) -> Response:
        self.requests += 1
        response = await self._fetcher.fetch(request)
        self.requests += len(response.hops)
        if response.status == 200:
            self.brought.add(response.url)
        return response

    async def close(self) -> None:
        """The mirror is not ours to close."""


async def measure(
    mirror: Mirror, classifier: PageClassifier, effort: Effort, seed: int, roles: RoleModel | None = None
) -> SiteResult:
    """Measure every module on one site, with models that were trained without it; the shipped one tells roles."""
    roles = roles or RoleModel.load()
    starts = [page.url for page in await mirror.any_pages(effort.starts, seed)]
    misses: list[Miss] = []
    entry = await _entry_score(mirror, classifier, roles, starts, misses)
    index_pages = [*await _entry_page(mirror), *await mirror.pages_of(_INDEX_PAGES, effort.pages, seed)]
    thread_pages = await mirror.pages_of(_THREAD_PAGES, effort.pages, seed)
    counts: dict[str, list[PageCount]] = {PageKind.INDEX: [], PageKind.THREAD: [], "flip": []}
    costs = []
    for start in starts[: effort.learned_from]:
        learned, cost = await _learned(mirror, classifier, roles, start, misses)
        costs.append(cost)
        types = UrlTypes(learned.profile) if learned is not None else None
        for page in index_pages:
            for kind in (PageKind.INDEX, PageKind.THREAD):
                counts[kind].append(_count(mirror, types, page, {kind}, misses))
        for page in [*index_pages, *thread_pages]:
            counts["flip"].append(_count(mirror, types, page, _FLIPS, misses))
    keywords = sum(mirror.is_entry(keyword_entry(start)) for start in starts)
    return SiteResult(
        mirror.site,
        entry,
        Score.of_answers(keywords, len(starts), len(starts)),
        Score.over(counts[PageKind.INDEX]),
        Score.over(counts[PageKind.THREAD]),
        Score.over(counts["flip"]),
        tuple(costs),
        tuple(dict.fromkeys(misses)),
    )


async def _entry_page(mirror: Mirror) -> list[Response]:
    urls = sorted((url for url in mirror.replay.urls() if mirror.is_entry(url)), key=len)
    return [await mirror.replay.fetch(Request(url)) for url in urls[:1]]


async def _entry_score(
    mirror: Mirror, classifier: PageClassifier, roles: RoleModel, starts: Sequence[str], misses: list[Miss]
) -> Score:
    right = answered = 0
    for start in starts:
        url = await _entry_from(mirror, classifier, roles, start)
        answered += url is not None
        if url is not None and mirror.is_entry(url):
            right += 1
        else:
            misses.append(Miss(mirror.site, "entry", start, f"answered {url}"))
    return Score.of_answers(right, answered, len(starts))


async def _entry_from(mirror: Mirror, classifier: PageClassifier, roles: RoleModel, start: str) -> str | None:
    sampler = Sampler(mirror.replay, classifier)
    first = await sampler.get(start)
    if first is None:
        return None
    _, found = await explain_site(sampler, roles, first, (), lambda _: None)
    return found.entry.url if found is not None else None


async def _learned(
    mirror: Mirror, classifier: PageClassifier, roles: RoleModel, start: str, misses: list[Miss]
) -> tuple[Learned | None, Cost]:
    """What learning from a page gives, None where it gives up, and its cost."""
    fetcher = CountingFetcher(mirror.replay)
    began = time.perf_counter()
    learned: Learned | None = None
    try:
        learned = await learn(start, fetcher, classifier=classifier, roles=roles)
    except LearnError as error:
        misses.append(Miss(mirror.site, "learn", start, str(error)))
    needed = {url for url in fetcher.brought if mirror.kind_of(url) is not None}
    entry = any(mirror.is_entry(url) for url in fetcher.brought)
    extra = fetcher.requests - len(needed) - entry
    return learned, Cost(start, fetcher.requests, extra, time.perf_counter() - began)


def _count(
    mirror: Mirror, types: UrlTypes | None, page: Response, kinds: set[str] | frozenset[str], misses: list[Miss]
) -> PageCount:
    """What a profile detects on one page, against the truth; without a profile nothing is detected."""
    links = {url for url in _links(page) if not mirror.is_entry(url)}
    there = {url for url in links if mirror.kind_of(url) in kinds and url != page.url}
    detected = {}
    for url in links if types is not None else ():
        typed = types.type(url) if types is not None else None
        if typed is not None and typed.kind.replace("_", "-") in kinds and typed.url != page.url:
            detected[typed.url] = typed.kind.replace("_", "-")
    right = {url for url, kind in detected.items() if mirror.kind_of(url) == kind}
    if types is not None:
        module = "flip" if kinds == _FLIPS else next(iter(kinds))
        misses.extend(_told(mirror.site, module, page.url, "detected wrongly", set(detected) - right))
        misses.extend(_told(mirror.site, module, page.url, "not detected", there - right))
    return PageCount.of(set(detected), right, there)


def _told(site: str, module: str, where: str, what: str, urls: set[str]) -> list[Miss]:
    """One miss a page, with an example."""
    return [Miss(site, module, where, f"{what}: {len(urls)}, e.g. {min(urls)}")] if urls else []


def _links(page: Response) -> set[str]:
    try:
        return {link.url for link in read_page(page.text, page.url).links}
    except PageError:
        return set()


def keyword_entry(url: str) -> str:
    """The paper's baseline: the path up to a known word, else the host."""
    split = urlsplit(url)
    origin = f"{split.scheme}://{split.netloc}"
    segments = split.path.split("/")
    for depth, segment in enumerate(segments[:-1]):
        if any(segment.lower().endswith(word) for word in _KEYWORDS):
            return origin + "/".join(segments[: depth + 1]) + "/"
    return origin + "/"
