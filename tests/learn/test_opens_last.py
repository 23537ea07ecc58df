"""Learning a forum that opens a thread at its last page: its first page has a number like all others."""

from __future__ import annotations

import re

from tests.learn.test_learner_sites import framed, learned_from, matter, site

from thrawl.profile.urltypes import UrlTypes

PER_PAGE = 6


def posts_of(thread: int) -> int:
    return 15 if thread % 6 == 0 else thread % 5 + 1


def board(number: int) -> str:
    rows = "".join(
        f'<li><h3><a href="/talk/{thread}">{matter(thread)}</a></h3><b>{posts_of(thread)}</b> '
        f"by <i>user{thread % 7}</i>, 2026-05-{thread % 28 + 1:02} 12:00</li>"
        for thread in range(number * 100, number * 100 + 24)
    )
    return framed(f"<h1>Room {number}</h1><ul>{rows}</ul>")


def talk(thread: int, page: int | None) -> str:
    pages = -(-posts_of(thread) // PER_PAGE)
    here = page or pages
    first = (here - 1) * PER_PAGE
    posts = "".join(
        f"<article><b>user{(thread + one) % 7}</b> <i>2026-05-{one + 1:02} 12:{one:02}</i>"
        f"<p>{matter(thread * 5 + one)}. {'Then it began to rattle. ' * (one % 3 + 1)}</p></article>"
        for one in range(first, min(first + PER_PAGE, posts_of(thread)))
    )
    pager = " ".join(f'<a href="/talk/{thread}/page/{one}">{one}</a>' for one in range(1, pages + 1))
    onward = f'<a href="/talk/{thread}/page/{here + 1}">Next</a>' if here < pages else ""
    return framed(f"<h1>{matter(thread)}</h1>{posts}<p>{pager} {onward}</p>")


def opens_last(path: str) -> str | None:
    if path == "/":
        rows = "".join(
            f'<li><a href="/room/{number}">All that is said in room {number}</a> <b>24</b> threads, '
            f"<i>2026-05-0{number} 12:00</i></li>"
            for number in range(1, 5)
        )
        return framed(f"<ol>{rows}</ol>")
    if room := re.fullmatch(r"/room/([1-4])", path):
        return board(int(room[1]))
    if found := re.fullmatch(r"/talk/(\d+)(?:/page/(\d+))?", path):
        return talk(int(found[1]), int(found[2]) if found[2] else None)
    return None


async def test_a_thread_is_read_from_its_numbered_first_page_where_its_own_address_shows_the_last() -> None:
    async with site(opens_last) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        first = f"{forum.url}talk/204/page/1"
        for path, page in [("talk/204", 1), ("talk/204/page/1", 1), ("talk/204/page/3", 3)]:
            typed = types.type(forum.url + path)
            assert typed is not None
            assert (typed.is_thread, typed.list_url, typed.page) == (True, first, page)
        assert types.flip_url(first, 2) == f"{forum.url}talk/204/page/2"
        assert types.without_number(first) == f"{forum.url}talk/204"
        assert types.without_number(f"{forum.url}talk/204/page/2") is None


async def test_threads_keep_their_own_addresses_where_those_of_one_page_have_no_numbered_one() -> None:
    def only_long_ones_flip(path: str) -> str | None:
        found = re.fullmatch(r"/talk/(\d+)/page/1", path)
        return None if found and posts_of(int(found[1])) <= PER_PAGE else opens_last(path)

    async with site(only_long_ones_flip) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        typed = types.type(f"{forum.url}talk/205")
        assert typed is not None
        assert typed.list_url == f"{forum.url}talk/205"
