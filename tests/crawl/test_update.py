"""Running again: an archive that was complete is brought up to date with few requests."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web
from tests.crawl.conftest import Killed
from tests.crawl.tinyforum import THREADS_A_PAGE, Crawl, TinyForum, archived

from thrawl.archive import Archive
from thrawl.errors import ArchiveError

# Commits after which an update is killed; at these few it has read the head of its list, and at most what follows it.
FEWEST_KILLS = 3
KILLS = range(20) if os.environ.get("THRAWL_LONG") else range(10, 13)


async def test_a_complete_archive_is_updated_by_looking_at_the_heads_of_lists(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=20)
    await crawl(forum)
    forum.asked.clear()
    finished = await crawl(forum)
    assert finished.updated
    assert dict(forum.asked) == {"/": 1, "/board/1": 1, "/board/2": 1}
    assert archived(location) == forum.written()


async def test_boards_are_updated_also_where_the_entry_page_cannot_be_read(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    forum.answers["/"] = lambda _: web.Response(
        text="<p>Welcome! <input type='password'></p>", content_type="text/html"
    )
    profile = replace(forum.profile(), seeds=(f"{forum.origin}/board/1", f"{forum.origin}/board/2"))
    assert not (await crawl(forum, profile)).updated
    forum.write(103)
    assert (await crawl(forum, profile)).updated
    assert archived(location) == forum.written()


async def test_new_replies_and_new_threads_are_fetched(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    forum.asked.clear()
    for _ in range(6):
        forum.write(103)
    forum.write(150)
    forum.boards[1].insert(0, 150)
    await crawl(forum)
    assert archived(location) == forum.written()
    assert not [path for path in forum.asked if path.startswith("/thread/2")]


async def test_an_edited_post_keeps_its_history(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=1, threads=3, longest=3)
    await crawl(forum)
    old = forum.threads[101][-1].text
    forum.threads[101][-1].text = "I take all of that back, sorry."
    forum.write(101)
    await crawl(forum)
    assert archived(location) == forum.written()
    with Archive.open(location, readonly=True) as archive:
        edited = next(post for post in archive.posts() if post.text.startswith("I take all"))
        assert [one.text for one in archive.revisions(edited)] == [old]


async def test_a_deleted_post_is_marked_and_kept(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=1, threads=4, longest=11)
    await crawl(forum)
    gone = forum.threads[101].pop(1).text
    await crawl(forum)
    assert archived(location) == forum.written()
    with Archive.open(location, readonly=True) as archive:
        assert [post.text for post in archive.posts() if post.vanished] == [gone]


@pytest.mark.parametrize("left", [10, 8, 5, 1])
async def test_posts_deleted_at_the_end_of_a_thread_are_marked_and_no_others(
    left: int, forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=1, threads=3)
    forum.threads[101] = forum.threads[101][:1]
    while len(forum.threads[101]) < 11:  # three pages: the first of them stay as they are, the last may go
        forum.write(101)
    await crawl(forum)
    gone = [post.text for post in forum.threads[101][left:]]
    del forum.threads[101][left:]
    for _ in range(2):
        await crawl(forum)
    with Archive.open(location, readonly=True) as archive:
        assert [post.text for post in archive.posts() if post.vanished] == gone
    assert archived(location) == forum.written()


async def test_an_update_that_is_cut_short_goes_on_as_an_update(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    for thread in (100, 203):
        forum.write(thread)
    await crawl(forum, max_pages=2)
    await crawl(forum)
    assert archived(location) == forum.written()


async def test_forums_that_share_an_archive_are_updated_each_by_itself(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=1, threads=4)
    other = TinyForum().fill(boards=1, threads=6)
    await other.start()
    await crawl(forum)
    await crawl(other, max_pages=3)
    assert (await crawl(forum)).updated
    assert not (await crawl(other)).updated
    await other.stop()
    assert archived(location) == {**forum.written(), **other.written()}


async def test_an_update_that_is_killed_loses_nothing_though_its_lists_move_on(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    """When it goes on, a whole page of rows that it has read stands where it has yet to read."""
    forum.fill(boards=1, threads=17, longest=3)
    forum.newest_first = True
    await crawl(forum)
    crawled = location.read_bytes()
    threads, posts = dict(forum.threads), forum._posts
    killed: list[int] = []
    for commits in KILLS:
        location.write_bytes(crawled)
        forum.threads, forum._posts = {one: list(held) for one, held in threads.items()}, posts
        for thread in range(101, 111):
            forum.write(thread)
        try:
            await crawl(forum, commits=commits, concurrency=1)
        except (Killed, ArchiveError):  # what a killed crawl would tidy up finds no archive
            killed.append(commits)
        for thread in range(111, 111 + THREADS_A_PAGE):
            forum.write(thread)
        await crawl(forum)
        await crawl(forum)
        assert archived(location) == forum.written(), f"killed at commit {commits}"
    assert len(killed) >= FEWEST_KILLS
