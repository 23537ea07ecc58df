"""A site whose pages stop fitting is learned again, and nothing that is archived is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.crawl.tinyforum import Crawl, TinyForum, archived

from thrawl.archive import Archive
from thrawl.learn.learner import Learned


async def test_a_redesign_in_mid_crawl_is_noticed_and_learned(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=2, threads=40, longest=3)
    profile = forum.profile()
    said: list[str] = []

    def redesign(path: str) -> None:
        forum.redesigned = forum.redesigned or sum(forum.asked.values()) > 50

    async def learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
        """Learning looks at pages that the crawl had, has not had yet, and never will have."""
        paths = ("/", "/board/1", "/thread/120", "/thread/239", "/user/Jonas")
        return Learned(replace(forum.profile(), pages_fetched=5), tuple(forum.answer(path) for path in paths))

    forum.before = redesign
    finished = await crawl(forum, profile, learn=learn, say=said.append)
    assert finished.tally.relearned == 1
    assert any("learning the site again" in sentence for sentence in said)
    assert archived(location) == forum.written()
    with Archive.open(location, readonly=True) as archive:
        kinds = [archive.page(forum.origin + path) for path in ("/", "/board/1", "/thread/239", "/user/Jonas")]
    assert [page.kind for page in kinds if page] == ["entry", "index", "thread", "other"]


async def test_a_page_of_another_layout_is_read_by_the_general_reader_and_counted(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    def another_layout(path: str) -> None:
        forum.redesigned = path == "/thread/101"

    forum.fill()
    profile = forum.profile()
    forum.before = another_layout
    finished = await crawl(forum, profile)
    assert archived(location).keys() == forum.written().keys()
    assert finished.tally.by_general_reader == 1
    assert finished.tally.thread_pages > 1


async def test_a_site_that_cannot_be_learned_again_is_crawled_to_its_end(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=40, longest=3)
    profile = forum.profile()
    forum.wall = lambda path: "<p>We are moving house." if path.startswith("/thread/2") else None
    said: list[str] = []
    finished = await crawl(forum, profile, say=said.append)
    assert finished.fetched_all
    assert any(one.what == "threads" and (one.promised, one.got) == (80, 40) for one in finished.missing)
    assert len(archived(location)) == 40
    assert sum("learning again failed" in sentence for sentence in said) <= 2


async def test_a_wrapper_of_another_version_is_learned_again(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=2, threads=20, longest=3)
    good = forum.profile()
    stale = replace(good, post_wrapper={"confidence": 1.0, "shapes": "of the old days"})

    async def learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
        return Learned(good, ())

    finished = await crawl(forum, stale, learn=learn)
    assert finished.tally.relearned == 1
    assert archived(location).keys() == forum.written().keys()
