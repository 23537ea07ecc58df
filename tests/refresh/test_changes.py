"""What happens to threads while a forum is watched: they move, are merged and split; and pages that did not change."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from aiohttp import web
from tests.crawl.tinyforum import Crawl, TinyForum, archived
from tests.refresh.conftest import Watch
from tests.refresh.test_signals import a_new_post_is_told_of, last_time, the_site_tells

from thrawl.archive import Archive
from thrawl.lab.faults import Fault

# Of the requests of so many hours; enough to look at every page of a small forum.
AUDITS = 0.5
HOURS = 7.0


def all_words(location: Path) -> Counter[str]:
    """Every post that the archive holds, those that are gone too."""
    with Archive.open(location, readonly=True) as archive:
        assert archive.check() == []
        return Counter(post.text for post in archive.posts())


def threads_of(location: Path) -> dict[int, str]:
    """The threads that are not gone, by the archive's own numbers."""
    with Archive.open(location, readonly=True) as archive:
        return {one.id: one.url for one in archive.threads(with_vanished=False)}


async def test_a_thread_that_moves_to_another_board_is_the_same_thread(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=4)
    await crawl(forum)
    before = threads_of(location)
    forum.boards[1].remove(103)
    forum.boards[2].insert(0, 103)
    forum.write(103)
    tally = await watch(forum, hours=HOURS, audit_share=AUDITS)
    assert archived(location) == forum.written()
    assert threads_of(location) == before
    assert tally.posts == 1


async def test_a_thread_that_gets_another_address_keeps_its_identity(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=1, threads=4)
    await crawl(forum)
    before, words = threads_of(location), all_words(location)
    forum.answers["/thread/103"] = lambda _: web.Response(status=301, headers={"Location": "/thread/103-tripods"})
    forum.write(103)
    await watch(forum, hours=HOURS, audit_share=AUDITS)
    assert threads_of(location).keys() == before.keys()
    assert all_words(location) == words + Counter([forum.threads[103][-1].text])


async def test_of_two_threads_that_are_merged_nothing_is_lost(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=1, threads=4)
    await crawl(forum)
    before = all_words(location)
    forum.boards[1].remove(102)
    forum.threads[103] = sorted([*forum.threads[103], *forum.threads.pop(102)], key=lambda post: post.id)
    await watch(forum, hours=HOURS, audit_share=AUDITS)
    assert all_words(location).keys() == before.keys()
    assert sorted(archived(location)[f"{forum.origin}/thread/103"]) == sorted(post.text for post in forum.threads[103])


async def test_of_a_thread_that_is_split_nothing_is_lost(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=1, threads=4)
    await crawl(forum)
    before = all_words(location)
    thread = max(forum.threads, key=lambda one: len(forum.threads[one]))
    forum.threads[150] = forum.threads[thread][2:]
    del forum.threads[thread][2:]
    forum.boards[1].insert(0, 150)
    await watch(forum, hours=HOURS, audit_share=AUDITS)
    assert all_words(location).keys() == before.keys()
    assert archived(location) == forum.written()


class Conditions(Fault):
    """Strikes nobody, and notes which requests are conditional."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, bool]] = []

    def hits(self, request: web.BaseRequest) -> bool:
        self.asked.append((request.path_qs, "If-None-Match" in request.headers))
        return False


async def test_a_page_that_is_as_it_was_costs_one_conditional_request(
    forum: TinyForum, crawl: Crawl, watch: Watch
) -> None:
    forum.fill(boards=2, threads=4)
    await crawl(forum)
    await watch(forum, hours=2)
    seen = Conditions()
    forum.faults.append(seen)
    await watch(forum, hours=2)
    assert len(seen.asked) > 10
    assert all(conditional for _, conditional in seen.asked)


async def test_a_feed_is_found_and_tells_of_new_posts(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)

    def feed(_: int) -> web.Response:
        threads = sorted(forum.threads, key=lambda one: -forum.threads[one][-1].id)[:10]
        items = "".join(
            f"<entry><link href='/thread/{one}#p{forum.threads[one][-1].id}'/>"
            f"<updated>{last_time(forum, one)}</updated></entry>"
            for one in threads
        )
        body = f"<feed xmlns='http://www.w3.org/2005/Atom'>{items}</feed>"
        return web.Response(text=body, content_type="application/atom+xml")

    forum.answers["/feed"] = feed
    await crawl(forum, replace(forum.profile(), feeds=(f"{forum.origin}/feed",)))
    await watch(forum, hours=3)
    assert the_site_tells(location) == ["feed"]
    await a_new_post_is_told_of(forum, watch, location, at="/feed")
