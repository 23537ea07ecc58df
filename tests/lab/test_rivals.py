"""One suite for every rival: the same forum, through the same fetcher, into the same archive."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest

from thrawl.archive import Archive
from thrawl.archive.values import FailureKind, PageState
from thrawl.crawl.options import CrawlOptions, Finished
from thrawl.errors import FetchError, LearnError, RobotsDenied
from thrawl.lab.generate import generate
from thrawl.lab.rivals.crawl import RivalCrawl
from thrawl.lab.rivals.drawing import svg
from thrawl.lab.rivals.focus.classifier import FocusClassifier
from thrawl.lab.rivals.focus.detect import Detector
from thrawl.lab.rivals.generic import NOFOLLOW, Generic
from thrawl.lab.rivals.look import Looks, OutLink, PageLook
from thrawl.lab.rivals.sampling import Sample, draw_sample
from thrawl.lab.rivals.sitemap import Sitemap
from thrawl.lab.rivals.skeleton import explore
from thrawl.lab.rivals.strategies import RIVALS, strategy_named
from thrawl.lab.rivals.structure import Navigations, Structure
from thrawl.lab.skins import skin_named
from thrawl.lab.skins.values import Visit
from thrawl.learn.classifier import PageClassifier
from thrawl.learn.sampler import Sampler
from thrawl.net.message import Request, Response
from thrawl.page.pagekind import PageKind

ORIGIN = "http://forum.test"
THREADS = 40


class SkinFetcher:
    """A forum of the laboratory as a fetcher, without a network; what it was asked for is on record."""

    def __init__(self, skin: str = "leaves", forbidden: str = "") -> None:
        self.skin = skin_named(skin)
        world = generate(THREADS, seed=1, language=self.skin.language.code)
        self.view = world.at(world.end)
        self.asked: list[str] = []
        self.shown: set[str] = set()
        self._forbidden = forbidden
        self._visit = Visit(self.skin, self.view)

    @property
    def start(self) -> str:
        return next(url for url, _ in self.skin.canonical_urls(self.view, ORIGIN))

    def threads(self) -> set[str]:
        return {url for url, kind in self.skin.canonical_urls(self.view, ORIGIN) if kind.startswith("thread")}

    async def fetch(self, request: Request) -> Response:
        if self._forbidden and self._forbidden in request.url:
            raise RobotsDenied(request.url, "the site's robots.txt forbids it")
        if not request.url.startswith(ORIGIN):
            raise FetchError(request.url, "there is no such host")
        self.asked.append(request.url)
        url, answer = request.url, self.skin.answer(request.url.removeprefix(ORIGIN) or "/", self._visit)
        while answer.location is not None:
            url = urldefrag(urljoin(url, answer.location))[0]
            answer = self.skin.answer(url.removeprefix(ORIGIN), self._visit)
        self.shown.add(url)
        body = answer.body.encode(self.skin.charset, "replace")
        headers = (("Content-Type", answer.content_type),)
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        return Response(request.url, url, answer.status, headers, body, self.skin.charset, moment)

    async def close(self) -> None:
        """Nothing is held open."""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "rival.db", create=True) as opened:
        yield opened


async def crawled(fetcher: SkinFetcher, archive: Archive, name: str, most: int | None = None) -> Finished:
    options = CrawlOptions(concurrency=8, max_pages=most)
    strategy = strategy_named(name, sample=150)
    return await RivalCrawl(fetcher.start, archive, fetcher, strategy, options, posts=False).run()


@pytest.mark.parametrize("name", RIVALS)
async def test_every_strategy_walks_to_its_end_and_asks_for_nothing_twice(name: str, archive: Archive) -> None:
    fetcher = SkinFetcher()
    finished = await crawled(fetcher, archive, name, most=1200)
    crawl = [page.url for page in archive.pages() if page.state is PageState.DONE]
    assert finished.waiting == 0 or finished.tally.pages + finished.tally.learning_pages >= 1200
    assert archive.check() == []
    assert len(set(crawl)) == len(crawl) >= 1
    once = 1 if name == "generic" else 2  # what learning could not read, the crawl may ask for again
    assert max(Counter(fetcher.asked).values()) <= once


@pytest.mark.parametrize("name", RIVALS)
async def test_the_same_seed_gives_the_same_crawl(name: str, tmp_path: Path) -> None:
    asked = []
    for number in range(2):
        with Archive.open(tmp_path / f"{number}.db", create=True) as archive:
            fetcher = SkinFetcher("rows")
            await crawled(fetcher, archive, name, most=200)
            asked.append(fetcher.asked)
    assert asked[0] == asked[1]


@pytest.mark.parametrize("name", ["generic", "skeleton", "structure", "focus"])
async def test_the_threads_of_a_plain_forum_are_reached(name: str, archive: Archive) -> None:
    fetcher = SkinFetcher("rows")
    await crawled(fetcher, archive, name)
    assert len(fetcher.threads() & fetcher.shown) >= 0.9 * len(fetcher.threads())


@pytest.mark.parametrize("name", RIVALS)
async def test_a_limit_of_pages_holds_and_the_rest_waits(name: str, archive: Archive) -> None:
    fetcher = SkinFetcher("rows")
    finished = await crawled(fetcher, archive, name, most=200)
    assert len(fetcher.asked) <= 201
    assert finished.tally.learning_pages <= 200


async def test_going_on_fetches_only_what_was_left(archive: Archive) -> None:
    first = SkinFetcher("rows")
    await crawled(first, archive, "generic", most=40)
    second = SkinFetcher("rows")
    finished = await crawled(second, archive, "generic")
    assert finished.waiting == 0
    assert not set(first.asked) & set(second.asked)


async def test_the_generic_crawler_stays_on_the_site_and_leaves_marked_links_aside() -> None:
    links = (
        OutLink(f"{ORIGIN}/a", 1, "a", nofollow=False),
        OutLink(f"{ORIGIN}/b", 1, "b", nofollow=True),
        OutLink("http://elsewhere.test/", 1, "c", nofollow=False),
    )
    found = await Generic().find_way(ORIGIN, SkinFetcher(), Looks(), lambda _: None)
    moves = found.way.onward(PageLook(ORIGIN, links, frozenset(), 0, 0), "")
    assert [step.url for step in moves.steps] == [f"{ORIGIN}/a"]
    assert [(one.url, one.reason) for one in moves.refused] == [(f"{ORIGIN}/b", NOFOLLOW)]


async def test_what_robots_txt_forbids_is_on_record_and_was_not_asked_for(archive: Archive) -> None:
    fetcher = SkinFetcher("rows", forbidden="/faden")
    await crawled(fetcher, archive, "generic")
    assert not any("/faden" in url for url in fetcher.asked)
    kept = [page for page in archive.pages() if page.failure_kind is FailureKind.ROBOTS]
    assert kept
    assert all("/faden" in page.url for page in kept)


async def test_posts_are_read_by_the_general_reader(archive: Archive) -> None:
    fetcher = SkinFetcher("rows")
    crawl = RivalCrawl(fetcher.start, archive, fetcher, strategy_named("focus"), CrawlOptions(concurrency=8, workers=1))
    finished = await crawl.run()
    assert finished.tally.thread_pages > THREADS / 2
    assert archive.summary().posts > THREADS
    assert {page.kind for page in archive.pages()} >= {PageKind.ENTRY, PageKind.THREAD}


# --- the sitemap


@pytest.fixture(scope="module")
def sample() -> Sample:
    fetcher = SkinFetcher("rows")
    return asyncio.run(draw_sample(fetcher.start, fetcher, Looks(), size=250))


async def test_a_sample_reaches_deep_pages_that_breadth_alone_does_not(sample: Sample) -> None:
    fetcher = SkinFetcher("rows")
    broad = await draw_sample(fetcher.start, fetcher, Looks(), size=30, both_ends=False)
    deep = await draw_sample(fetcher.start, SkinFetcher("rows"), Looks(), size=30)
    assert list(broad.looks) != list(deep.looks)
    assert len(sample.first(10).looks) == 10


async def test_each_kind_of_page_has_its_vertex(sample: Sample) -> None:
    fetcher = SkinFetcher("rows")
    sitemap = Sitemap(sample)
    mixed = 0
    for vertex in sitemap.vertices:
        types = [fetcher.skin.truth(url, fetcher.view).type for url in vertex.pages]
        mixed += len(types) - max(map(types.count, set(types)))
    assert mixed <= len(sample.looks) * 0.1
    assert all(sitemap.vertex_for(look) is not None for look in sample.looks.values())
    assert sitemap.vertex_for(PageLook("http://x/", (), frozenset({1, 2, 3}), 0, 0)) is None


async def test_skeleton_links_cover_the_threads_and_flips_are_among_them(sample: Sample) -> None:
    sitemap = Sitemap(sample)
    traversal = explore(sitemap)
    reached = {url for link in traversal.skeleton for url in link.targets}
    threads = SkinFetcher("rows").threads() & set(sample.looks)
    assert len(threads & reached) >= 0.8 * len(threads)
    assert set(traversal.flips) <= set(traversal.skeleton)
    assert all(link.is_loop for link in traversal.flips)


async def test_the_picture_shows_every_vertex_and_escapes_what_stands_on_pages(sample: Sample) -> None:
    sitemap = Sitemap(sample)
    picture = svg(sitemap, explore(sitemap))
    assert picture.count("<rect") == len(sitemap.vertices) + 1
    assert picture.count("entry page") == 1
    assert "<script" not in picture


# --- the learners


async def test_a_given_target_page_decides_where_the_structure_driven_crawler_goes(archive: Archive) -> None:
    fetcher = SkinFetcher("rows")
    target = min(fetcher.threads())
    mapped = await draw_sample(fetcher.start, fetcher, Looks(), size=250, both_ends=False)
    (navigation,) = Navigations(mapped).learn([target])
    assert navigation.targets > 5
    strategy = Structure(sample=250, targets=(target,))
    await RivalCrawl(fetcher.start, archive, fetcher, strategy, CrawlOptions(concurrency=8), posts=False).run()
    assert len(fetcher.threads() & fetcher.shown) > 0.8 * len(fetcher.threads())


async def test_focus_detects_titles_on_a_board_and_its_page_numbers() -> None:
    fetcher = SkinFetcher("rows")
    sampler = Sampler(fetcher, PageClassifier.load())
    detector = Detector(sampler, FocusClassifier.load())
    kinds = dict(fetcher.skin.canonical_urls(fetcher.view, ORIGIN))
    board = next(url for url, kind in kinds.items() if kind == "index-flip")
    page = await sampler.get(board)
    assert page is not None
    detected = await detector.index_or_thread(page.page)
    assert detected is not None
    assert detected.type is PageKind.THREAD
    assert {kinds.get(url) for url in detected.urls} == {"thread"}


async def test_a_page_that_cannot_be_read_is_told(archive: Archive) -> None:
    fetcher = SkinFetcher("rows")
    for name in ("skeleton", "focus"):
        crawl = RivalCrawl("http://elsewhere.test/", archive, fetcher, strategy_named(name), posts=False)
        with pytest.raises(LearnError, match="cannot be read"):
            await crawl.run()
