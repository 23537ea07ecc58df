"""A watch keeps an archive fresh on a live site, within its budget, and can be killed at any moment."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from aiohttp import web
from tests.crawl.tinyforum import Crawl, TinyForum, archived
from tests.refresh.conftest import Killed, VirtualClock, Watch

from thrawl.archive import Archive
from thrawl.lab.faults import Refusals
from thrawl.refresh.watchvalues import NewPosts

# What a visit of a page commits: its lease, the budget, the page, what it settles, the schedule.
COMMITS_A_PAGE = 4
# A part of a survey takes three pages at most on the forum of a test, the whole of it five and more.
SURVEYED_PAGES = 4
MOST_RUNS = 20
# So that the kills of a test meet each of them in turn, or one another.
COMMITS_APART = 1 if "THRAWL_LONG" in os.environ else 7


async def test_new_replies_and_new_threads_are_archived(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    for _ in range(6):
        forum.write(103)
    forum.write(150)
    forum.boards[1].insert(0, 150)
    tally = await watch(forum)
    assert archived(location) == forum.written()
    assert (tally.posts, tally.threads) == (7, 1)


async def test_a_round_on_a_forum_where_nothing_changed_costs_a_request_a_board(
    forum: TinyForum, crawl: Crawl, watch: Watch
) -> None:
    forum.fill(boards=3, threads=30)
    for threads in forum.boards.values():
        threads.sort(reverse=True)
    await crawl(forum)
    await watch(forum, once=True)
    forum.asked.clear()
    tally = await watch(forum, once=True)
    assert forum.asked.total() == 3
    assert tally.asked == 3 + 1  # robots.txt, once a run
    assert not [path for path in forum.asked if path.startswith("/thread")]


async def test_a_round_fetches_what_is_new_and_ends(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    forum.write(104)
    forum.write(207)
    await watch(forum, once=True)
    assert archived(location) == forum.written()


async def test_the_budget_is_kept_whatever_happens(forum: TinyForum, crawl: Crawl, watch: Watch) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    moments: list[float] = []
    clock = VirtualClock(2_000_000_000.0)

    def before(url: str) -> None:
        moments.append(clock.now())
        if len(moments) % 7 == 0:
            forum.write(100 + len(moments) % 8)

    for _ in range(3):
        await watch(forum, hours=4, budget="20/hour", clock=clock, before=before)
    assert len(moments) > 100
    assert all(later - earlier >= 180 - 1e-6 for earlier, later in pairwise(moments))


async def test_a_request_that_a_redirect_adds_has_a_turn_of_its_own(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    clock = VirtualClock(2_000_000_000.0)
    moments: list[float] = []
    forum.answers["/board/1"] = lambda _: web.Response(status=302, headers={"Location": "/board/1?from=before"})
    forum.before = lambda path: moments.append(clock.now())
    forum.write(103)
    forum.asked.clear()
    tally = await watch(forum, hours=6, budget="20/hour", clock=clock)
    assert archived(location) == forum.written()
    assert forum.asked["/board/1"] - forum.asked["/board/1?from=before"] <= 1  # the end may come in between
    assert forum.asked["/board/1?from=before"] > 3
    assert all(later - earlier >= 180 - 1e-6 for earlier, later in pairwise(moments))
    assert tally.asked == len(moments) + 2  # robots.txt, by the client and for sitemaps


async def test_a_watch_that_is_stopped_anywhere_goes_on_and_loses_nothing(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    clock = VirtualClock(2_000_000_000.0)

    class Killed(Exception):
        pass

    for number in range(12):
        forum.write(100 + number % 8)
        forum.write(200 + number % 3)
        left = 1 + number % 5

        def before(url: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed

        with pytest.raises(Killed):
            await watch(forum, hours=24, clock=clock, before=before)
    await watch(forum, hours=24, clock=clock)
    assert archived(location) == forum.written()


async def test_a_watch_that_is_killed_before_any_commit_goes_on_and_loses_nothing(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    """Lists of several pages are being walked, past a pinned thread, and move on while nobody watches."""
    forum.fill(boards=1, threads=17)
    forum.newest_first = True
    await crawl(forum)
    clock = VirtualClock(2_000_000_000.0)
    await watch(forum, once=True, clock=clock)
    forum.pinned = 100
    crawled = location.read_bytes()
    threads, posts = dict(forum.threads), forum._posts
    killed = 0
    while True:
        location.write_bytes(crawled)
        forum.threads, forum._posts = {one: list(held) for one, held in threads.items()}, posts
        for thread in range(101, 110):
            forum.write(thread)
        try:
            await watch(forum, once=True, clock=clock, budget="1000/day", commits=killed)
        except Killed:
            for thread in range(110, 116):
                forum.write(thread)
            await watch(forum, once=True, clock=clock, budget="1000/day")
            assert archived(location) == forum.written(), f"killed at commit {killed}"
        else:
            break
        killed += COMMITS_APART
    assert killed > 9 * COMMITS_A_PAGE


async def test_a_watch_that_is_always_killed_while_it_surveys_the_site_gets_through_all_the_same(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=3, threads=4)
    await crawl(forum)
    forum.write(101)
    forum.asked.clear()
    clock = VirtualClock(2_000_000_000.0)
    for _ in range(MOST_RUNS):
        with suppress(Killed):
            await watch(forum, once=True, clock=clock, budget="1000/day", commits=SURVEYED_PAGES * COMMITS_A_PAGE)
            break
    assert archived(location) == forum.written()
    assert forum.asked["/"] <= SURVEYED_PAGES


async def test_a_page_that_failed_before_the_watch_ended_is_asked_for_by_the_next(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    await watch(forum, once=True)
    forum.write(104)
    forum.faults.append(Refusals(503, share=1.0, retry_after=None, where="/thread"))
    assert (await watch(forum, once=True)).failed
    forum.faults.clear()
    await watch(forum, once=True)
    assert archived(location) == forum.written()


async def test_a_login_wall_neither_overwrites_nor_marks_anything(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    forum.wall = lambda path: "<p>Welcome! <input type='password'></p>"
    await watch(forum, hours=12)
    assert archived(location) == forum.written()
    forum.wall = lambda path: None
    forum.write(101)
    await watch(forum, hours=36, clock=VirtualClock(3_000_000_000.0))
    assert archived(location) == forum.written()


async def test_a_site_that_is_down_for_a_day_is_asked_seldom_and_nothing_is_lost(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    clock = VirtualClock(2_000_000_000.0)
    forum.faults.append(Refusals(500, share=1.0, retry_after=None))
    tally = await watch(forum, hours=24, budget="3000/day", clock=clock)
    assert tally.failed < 24 * 3600 / 900 + 60
    forum.write(105)
    forum.faults.clear()
    await watch(forum, hours=24, clock=clock)
    assert archived(location) == forum.written()


async def test_new_posts_are_told_as_they_come(forum: TinyForum, crawl: Crawl, watch: Watch) -> None:
    forum.fill(boards=1, threads=4)
    await crawl(forum)
    words = [forum.write(101).text, forum.write(101).text]
    told: list[NewPosts] = []
    await watch(forum, tell=told.append)
    assert [post.text for one in told for post in one.posts] == words
    assert not any(one.new_thread for one in told)


async def test_edits_and_deletions_that_nothing_tells_of_are_found_by_looking_at_old_pages(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=1, threads=3, longest=3)
    await crawl(forum)
    forum.threads[101][0].text = "I take all of that back, sorry."
    await watch(forum, audit_share=0.5)
    with Archive.open(location, readonly=True) as archive:
        assert archive.summary().revisions == 1
    assert archived(location) == forum.written()


async def test_a_thread_that_is_gone_is_marked_and_kept(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=1, threads=3, longest=3)
    await crawl(forum)
    words = [post.text for post in forum.threads.pop(101)]
    forum.boards[1].remove(101)
    await watch(forum, audit_share=0.5)
    with Archive.open(location, readonly=True) as archive:
        (gone,) = [thread for thread in archive.threads() if thread.vanished]
        assert [post.text for post in archive.posts(thread_id=gone.id)] == words


async def test_a_watch_ends_when_it_is_asked_to(forum: TinyForum, crawl: Crawl, watch: Watch) -> None:
    forum.fill(boards=1, threads=3)
    await crawl(forum)
    stop = asyncio.Event()
    tally = await watch(forum, stop=stop, before=lambda _: stop.set())
    assert (tally.asked, tally.interrupted) == (1, True)


@pytest.mark.parametrize("policy", ["layers", "lws", "lws+bc", "fixed-rate", "curve-fitting", "bound-based"])
async def test_every_policy_can_watch(
    policy: str, forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=4)
    await crawl(forum)
    forum.write(101)
    await watch(forum, hours=12, policy=policy)
    assert archived(location) == forum.written()
