"""Pages of a thread become one thread: nothing lost, nothing doubled, whatever moves meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawl.tinyforum import POSTS_A_PAGE, Crawl, TinyForum, archived

from thrawl.archive import Archive


@pytest.fixture
def long_thread(forum: TinyForum) -> TinyForum:
    """One board, a few short threads, and thread 107 with five pages."""
    forum.fill(boards=1, threads=7, longest=3)
    forum.boards[1].append(107)
    for _ in range(5 * POSTS_A_PAGE - 1):
        forum.write(107)
    return forum


@pytest.mark.parametrize("shows_ids", [True, False])
async def test_a_first_post_repeated_on_every_page_is_one_post(
    long_thread: TinyForum, crawl: Crawl, location: Path, shows_ids: bool
) -> None:
    long_thread.repeats_first_post, long_thread.shows_ids = True, shows_ids
    await crawl(long_thread)
    assert archived(location) == long_thread.written()


async def test_the_head_of_the_first_post_on_later_pages_is_no_post(
    long_thread: TinyForum, crawl: Crawl, location: Path
) -> None:
    long_thread.repeats_its_head, long_thread.shows_ids = True, False
    await crawl(long_thread)
    assert archived(location) == long_thread.written()


async def test_posts_that_share_the_number_of_their_thread_are_posts_of_their_own(
    long_thread: TinyForum, crawl: Crawl, location: Path
) -> None:
    long_thread.first_has_thread_id = True
    await crawl(long_thread)
    assert archived(location) == long_thread.written()


@pytest.mark.parametrize("shows_ids", [True, False])
async def test_replies_that_come_during_the_crawl_are_archived_once(
    long_thread: TinyForum, crawl: Crawl, location: Path, shows_ids: bool
) -> None:
    long_thread.shows_ids = shows_ids

    def reply(path: str) -> None:
        if path.startswith("/thread/107"):
            long_thread.write(107)

    long_thread.before = reply
    profile = long_thread.profile()
    await crawl(long_thread, profile)
    words = archived(location)[f"{long_thread.origin}/thread/107"]
    written = long_thread.written()[f"{long_thread.origin}/thread/107"]
    assert words == written[: len(words)]
    assert len(words) >= 5 * POSTS_A_PAGE


async def test_posts_that_move_up_when_others_are_deleted_are_not_lost(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=1, threads=60, longest=9)
    forum.boards[1].append(199)
    for _ in range(5 * POSTS_A_PAGE):
        forum.write(199)

    def delete(path: str) -> None:
        if path == "/thread/199?page=3" and forum.asked[path] == 1:
            del forum.threads[199][1]

    forum.before = delete
    await crawl(forum)
    held = archived(location)[f"{forum.origin}/thread/199"]
    assert set(forum.written()[f"{forum.origin}/thread/199"]) <= set(held)


async def test_a_quote_of_an_earlier_page_is_an_answer_to_that_post(
    long_thread: TinyForum, crawl: Crawl, location: Path
) -> None:
    quoted = long_thread.threads[107][2]
    last = long_thread.write(107, "I do not think so at all.", quote=(quoted.author, quoted.text))
    await crawl(long_thread)
    with Archive.open(location, readonly=True) as archive:
        answers = {post.text: post.reply_to for post in archive.posts()}
        ids = {post.text: post.post_id for post in archive.posts()}
    assert answers[last.text] == ids[quoted.text] is not None


async def test_positions_run_through_all_pages(long_thread: TinyForum, crawl: Crawl, location: Path) -> None:
    await crawl(long_thread)
    with Archive.open(location, readonly=True) as archive:
        thread = archive.thread(f"{long_thread.origin}/thread/107")
        assert thread is not None
        assert [post.position for post in archive.posts(thread_id=thread.id)] == list(range(1, 20))
