"""A whole forum, fetched by its profile."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web
from tests.crawl.tinyforum import POSTS_A_PAGE, Crawl, TinyForum, archived

from thrawl.archive import Archive, PageState
from thrawl.crawl.options import Tally
from thrawl.errors import FetchError
from thrawl.lab.faults import Fault
from thrawl.learn.learner import Learned
from thrawl.page.pagekind import PageKind
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip


def html(text: str, status: int = 200) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html")


async def test_every_thread_is_archived_in_order_and_each_page_is_asked_for_once(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    finished = await crawl(forum)
    assert archived(location) == forum.written()
    assert finished.complete
    assert set(forum.asked.values()) == {1}


async def test_a_board_of_the_profile_that_names_its_first_page_by_number_is_that_board(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    profile = replace(forum.profile(), seeds=(f"{forum.origin}/board/1?page=1", f"{forum.origin}/board/1"))
    assert (await crawl(forum, profile)).complete
    assert archived(location) == forum.written()
    assert "/board/1?page=1" not in forum.asked


async def test_worker_processes_give_the_same_archive(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    await crawl(forum, workers=2)
    assert archived(location) == forum.written()


async def test_every_url_has_its_reason_on_record(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    await crawl(forum)
    with Archive.open(location, readonly=True) as archive:
        assert "the entry page" in (archive.why(f"{forum.origin}/") or "")
        assert "an index URL on an index page" in (archive.why(f"{forum.origin}/board/1") or "")
        assert "page 2 of 2 of the list" in (archive.why(f"{forum.origin}/board/1?page=2") or "")
        assert "fits no pattern" in (archive.why(f"{forum.origin}/user/Jonas") or "")


async def test_a_thread_with_two_urls_is_fetched_under_the_first_one(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=1, threads=3)
    board = (forum.page("/board/1") or "").replace("/thread/101'", "/thread/101-old-title'")
    forum.answers["/board/1"] = lambda _: html(board + "<li><a href='/thread/101-new-title'>New title</a></li>")
    await crawl(forum)
    asked = {path.partition("?")[0] for path in forum.asked}
    assert "/thread/101-old-title" in asked
    assert "/thread/101-new-title" not in asked
    with Archive.open(location, readonly=True) as archive:
        assert "another URL of" in (archive.why(f"{forum.origin}/thread/101-new-title") or "")
        assert len(list(archive.threads())) == 3


async def test_a_list_that_repeats_the_boards_is_only_probed(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.all_threads_list = True
    forum.fill(boards=4, threads=30, longest=1)
    await crawl(forum)
    assert archived(location) == forum.written()
    assert sum(path.startswith("/all") for path in forum.asked) <= 9
    with Archive.open(location, readonly=True) as archive:
        unasked = next(n for n in range(2, 24) if f"/all?page={n}" not in forum.asked)
        assert "known from shorter lists" in (archive.why(f"{forum.origin}/all?page={unasked}") or "")


async def test_threads_that_only_the_long_list_shows_are_found(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.all_threads_list = True
    forum.fill(boards=3, threads=25, longest=1)
    forum.boards[9] = [900 + number for number in range(25)]
    for thread in forum.boards[9]:
        forum.write(thread)
    entry = forum.page("/") or ""
    forum.answers["/"] = lambda _: html(entry.replace("<a href='/board/9'>", "<a>"))
    await crawl(forum)
    assert "/board/9" not in forum.asked
    assert archived(location) == forum.written()


async def test_a_list_that_shows_only_next_is_walked(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=1, threads=18, longest=2)
    threads = forum.boards[1]

    def page(first: int) -> web.Response:
        rows = "".join(f"<li><a href='/thread/{one}'>{forum.title(one)}</a></li>" for one in threads[first : first + 4])
        more = f"<a rel='next' href='/board/1?after=c{first + 4}'>Next</a>" if first + 4 < len(threads) else ""
        return html(f"<title>Board 1</title><nav><a href='/'>Forum</a></nav><ul>{rows}</ul>{more}")

    forum.answers["/board/1"] = lambda _: page(0)
    for first in range(4, 18, 4):
        forum.answers[f"/board/1?after=c{first}"] = lambda _, first=first: page(first)  # type: ignore[misc]  # bound
    cursor = Flip(Pattern.parse(f"{forum.origin}/board/{{a:number}}?after={{page:word}}"))
    profile = forum.profile()
    await crawl(forum, replace(profile, index=(replace(profile.index[0], flips=(cursor,)),)))
    assert archived(location) == forum.written()
    assert set(forum.asked.values()) == {1}


async def test_a_last_page_that_cannot_be_there_is_not_asked_for(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=1, threads=9)
    for thread, posts in forum.threads.items():
        pages = -(-len(posts) // POSTS_A_PAGE)
        for number in range(1, pages):
            path = f"/thread/{thread}" if number == 1 else f"/thread/{thread}?page={number}"
            body = f"{forum.page(path)}<a href='/thread/{thread}?page={len(posts) * 7}'>&raquo;</a>"
            forum.answers[path] = lambda _, body=body: html(body)  # type: ignore[misc]  # bound
    await crawl(forum)
    assert archived(location) == forum.written()
    assert all(forum.page(path) for path in forum.asked)


async def test_pages_that_learning_fetched_are_not_asked_for_again(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=1, threads=4, longest=3)
    kept = tuple(forum.answer(path) for path in ("/", "/board/1", "/thread/101", "/user/Jonas"))
    profile = replace(forum.profile(), pages_fetched=len(kept))

    async def learn(start: str, allowance: object, known: object = (), also: object = ()) -> Learned:
        return Learned(profile, kept)

    finished = await crawl(forum, learn=learn, learns=True)
    assert set(forum.asked) == {"/thread/100", "/thread/102", "/thread/103"}
    assert archived(location) == forum.written()
    assert finished.tally.requests[PageKind.OTHER] == 1


async def test_a_thread_linked_only_in_posts_is_found_too(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=1, threads=3)
    forum.write(555)
    page = forum.page("/thread/100") or ""
    forum.answers["/thread/100"] = lambda _: html(page + "<p><a href='/thread/555'>see there</a>")
    await crawl(forum)
    assert f"{forum.origin}/thread/555" in archived(location)


async def test_pages_that_are_gone_or_forbidden_are_recorded_and_the_crawl_goes_on(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: html("gone", 410)
    forum.answers["/thread/102"] = lambda _: html("members only", 403)
    finished = await crawl(forum)
    assert len(archived(location)) == len(forum.threads) - 2
    assert finished.tally.failures == {
        "the site has no such page (HTTP 410)": 1,
        "the site does not show this page to us (HTTP 403)": 1,
    }
    assert forum.asked["/thread/101"] == 1


async def test_a_server_in_trouble_is_asked_again_later(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda times: html("busy", 500) if times <= 4 else None
    await crawl(forum)
    assert archived(location) == forum.written()


async def test_a_page_that_stays_broken_is_given_up_with_its_reason(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: html("broken", 500)
    finished = await crawl(forum)
    assert finished.fetched_all
    assert [(one.where, one.got) for one in finished.missing] == [(f"{forum.origin}/thread/101", 0)]
    assert not finished.complete
    with Archive.open(location, readonly=True) as archive:
        assert archive.page(f"{forum.origin}/thread/101").state is PageState.FAILED
        assert "HTTP 500" in (archive.why(f"{forum.origin}/thread/101") or "")


async def test_login_walls_challenges_and_empty_pages_are_told_apart(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(threads=9)
    wall = "<h1>Hello</h1><form><input name=u><input type=password name=p></form>"
    challenge = "<noscript>Please enable scripts</noscript><form action='/check'><input type=hidden></form>"
    forum.answers["/thread/101"] = lambda _: html(wall)
    forum.answers["/thread/102"] = lambda _: html(challenge)
    forum.answers["/thread/103"] = lambda _: html("<nav><a href='/'>Forum</a></nav><p>This thread does not exist.")
    finished = await crawl(forum)
    assert set(finished.tally.failures) == {
        "the page asks for a login",
        "the page is a challenge for browsers, not content",
        "the page shows no posts",
    }


async def test_an_empty_page_past_the_end_of_a_thread_is_no_wall_and_one_behind_a_full_page_is(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(threads=9)
    box = "<form><input name=u><input type=password name=p></form>"
    for thread, posts in forum.threads.items():
        last = -(-len(posts) // POSTS_A_PAGE)
        where = f"/thread/{thread}" + (f"?page={last}" if last > 1 else "")
        shown = (forum.page(where) or "") + f"<a href='/thread/{thread}?page={last + 1}'>Next</a>"
        forum.answers[where] = lambda _, shown=shown: html(shown)  # type: ignore[misc]
        forum.answers[f"/thread/{thread}?page={last + 1}"] = lambda _: html(box + "Log in to reply")
    full = [thread for thread, posts in forum.threads.items() if len(posts) % POSTS_A_PAGE == 0]
    finished = await crawl(forum)
    assert [one.promised for one in finished.missing if one.refused] == [len(full)]


async def test_answers_that_are_no_web_pages_are_recorded(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    forum.answers["/thread/101"] = lambda _: web.Response(body=b"\0\1", content_type="image/png")
    finished = await crawl(forum)
    assert list(finished.tally.failures) == ["the answer is not a web page (image/png)"]


async def test_a_redirecting_url_is_the_thread_that_it_leads_to(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill(boards=1, threads=3)
    forum.answers["/thread/900"] = lambda _: web.Response(status=302, headers={"Location": "/thread/101"})
    board = forum.page("/board/1") or ""
    forum.answers["/board/1"] = lambda _: html(board + "<a href='/thread/900'>moved</a>")
    await crawl(forum)
    assert archived(location) == forum.written()


async def test_a_page_limit_ends_the_run_and_the_next_run_goes_on(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    first = await crawl(forum, max_pages=10)
    assert first.tally.pages == 10
    assert first.waiting > 0
    second = await crawl(forum)
    assert second.complete
    assert archived(location) == forum.written()
    assert set(forum.asked.values()) == {1}


async def test_stopping_finishes_the_pages_in_hand(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    stop = asyncio.Event()
    forum.before = lambda path: stop.set() if path == "/thread/103" else None
    finished = await crawl(forum, stop=stop)
    assert finished.interrupted
    with Archive.open(location, readonly=True) as archive:
        assert archive.page(f"{forum.origin}/thread/103").state is PageState.DONE
        assert not [page for page in archive.pages() if page.state is PageState.LEASED]
    await crawl(forum)
    assert archived(location) == forum.written()
    assert set(forum.asked.values()) == {1}


async def test_a_site_that_goes_down_ends_the_run_with_a_sentence(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(threads=40, longest=1)
    await crawl(forum, max_pages=12)
    profile = forum.profile()
    await forum.stop()
    with pytest.raises(FetchError, match="does not answer any more"):
        await crawl(forum, profile)


async def test_whoever_watches_is_told_also_while_the_site_lets_the_crawl_wait(forum: TinyForum, crawl: Crawl) -> None:
    counts: list[int] = []
    told_again = asyncio.Event()

    class HeldBack(Fault):
        async def strike(self, request: web.Request) -> None:
            await told_again.wait()

    def watch(tally: Tally) -> None:
        counts.append(tally.pages)
        if counts.count(tally.pages) > 2:  # once for the page, once for its transaction, and once more
            told_again.set()

    forum.fill()
    forum.faults = [HeldBack(where="/thread/101")]
    assert (await crawl(forum, watch=watch)).complete


async def test_requests_are_counted_by_kind(forum: TinyForum, crawl: Crawl) -> None:
    forum.fill(boards=1, threads=6, longest=1)
    finished = await crawl(forum)
    assert finished.tally.requests == {PageKind.ENTRY: 1, PageKind.INDEX: 1, PageKind.INDEX_FLIP: 1, PageKind.THREAD: 6}
    assert finished.tally.useful_share == 1.0


async def test_a_thread_that_a_list_knows_by_another_message_is_archived_once(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill()
    shown = forum.page("/thread/101")
    forum.boards[1].append(999)
    forum.threads[999] = forum.threads[101]
    forum.answers["/thread/999"] = lambda _: html(shown or "")
    finished = await crawl(forum)
    written = archived(location)
    del forum.threads[999]
    assert finished.complete
    assert written == forum.written()


async def test_two_threads_of_the_same_words_are_two(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.fill()
    forum.boards[1].append(999)
    forum.threads[999] = []
    for post in forum.threads[101]:
        forum.write(999, post.text, author=post.author)
    await crawl(forum)
    assert archived(location) == forum.written()
