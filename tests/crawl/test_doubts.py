"""Doubts that a crawl has of itself are tried with a few requests: what they prove is fetched, the rest is no loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.crawl.tinyforum import Crawl, TinyForum, archived

from thrawl.archive import Archive
from thrawl.profile.patterns import Pattern


async def test_threads_that_no_list_names_are_found_by_the_numbers_that_are_left_out(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=9)
    profile = forum.profile()
    for thread in (103, 104, 105, 106):
        forum.boards[1].remove(thread)
    finished = await crawl(forum, profile)
    assert finished.complete, finished.missing
    assert archived(location) == forum.written()


async def test_a_number_that_is_gone_costs_a_few_requests_and_is_no_loss(forum: TinyForum, crawl: Crawl) -> None:
    forum.fill(boards=2, threads=9)
    profile = forum.profile()
    for thread in (103, 104, 105):
        forum.boards[1].remove(thread)
        del forum.threads[thread]
    finished = await crawl(forum, profile)
    assert finished.complete, finished.missing
    threads = {path.partition("?")[0] for path in forum.asked if path.startswith("/thread/")}
    made_up = threads - {f"/thread/{thread}" for thread in forum.threads}
    assert 0 < len(made_up) <= 5


async def test_answers_that_the_wrapper_does_not_fit_are_told(forum: TinyForum, crawl: Crawl) -> None:
    forum.fill(boards=2, threads=9)
    profile = forum.profile()

    letters = str.maketrans("0123456789", "abcdefghij")  # what differs in numbers alone is template

    def with_answer(path: str) -> str | None:
        page = forum.page(path)
        called = path.translate(letters)
        own = f"An answer to {called} of which nobody has learned how it is marked, and which stands on no other page."
        return f"{page}<aside><p>{own}</p></aside>" if page and path.startswith("/thread/") else page

    forum.wall = with_answer
    finished = await crawl(forum, profile)
    assert not finished.complete
    assert "stands in no archived post" in " ".join(one.why for one in finished.missing)


async def test_words_that_stand_on_all_pages_are_no_answers(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=2, threads=9)
    profile = forum.profile()
    rules = "<aside><p>Be kind to each other, search before you ask, and never post the same thing twice.</p></aside>"
    forum.wall = lambda path: f"{page}{rules}" if (page := forum.page(path)) else None
    finished = await crawl(forum, profile)
    assert finished.complete, finished.missing
    with Archive.open(location, readonly=True) as archive:
        facts = archive.facts(1)
    assert facts.read > 0
    assert facts.unread == 0


async def test_a_page_that_was_taken_for_a_thread_and_shows_no_post_is_read_as_a_list(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2)
    forum.boards[3] = [301]
    forum.write(301)
    profile, site = forum.profile(), forum.origin
    boards = replace(profile.index[0], pattern=Pattern.parse(f"{site}/board/{{a:1|2}}"))
    threads = replace(profile.thread[0], pattern=Pattern.parse(f"{site}/{{b:word}}/{{a:number}}"))
    finished = await crawl(forum, replace(profile, index=(boards,), thread=(threads,)))
    assert finished.complete
    assert archived(location) == forum.written()
