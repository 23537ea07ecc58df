"""Learning a forum whose titles lead to the newest post of their thread, and name it twice."""

from __future__ import annotations

from collections.abc import Iterable

from tests.learn.test_learner_people import THREADS, by, whose, words
from tests.learn.test_learner_sites import framed, learned_from, routed, site

from thrawl.crawl.links import LinkReader
from thrawl.page.tree import parse
from thrawl.profile.urltypes import UrlTypes

BOARDS = (1, 2, 3)
PAGE = 3  # posts


def posts_of(thread: int) -> int:
    return 1 + (thread * 5) % 9


def title(thread: int) -> str:
    last = posts_of(thread)
    start = (last - 1) // PAGE * PAGE
    turned = f"&start={start}" if start else ""
    number = thread * 20 + last
    return f'<a href="topic?id={thread}{turned}&post={number}#post_{number}">{words(thread, 5).title()} {thread}</a>'


def entry() -> str:
    rows = "".join(
        f'<li><a href="board?b={board}">{words(board, 3)}</a> <b>20 topics</b> by {whose(board)}</li>'
        for board in BOARDS
    )
    return framed(f"<ul>{rows}</ul>")


def board_page(board: int) -> str:
    rows = "".join(
        f"<li>{title(thread)}<p>by {whose(by(thread))} <i>2026-05-{thread % 28 + 1:02} 12:00</i> "
        f"<b>{posts_of(thread)} posts</b></p></li>"
        for thread in THREADS
        if thread % 3 == board - 1
    )
    return framed(f"<h1>{words(board, 3)}</h1><ul class=list>{rows}</ul>")


def topic_page(thread: int, start: int) -> str:
    posts = "".join(
        f"<div class=post id=post_{thread * 20 + n + 1}>{whose(by(thread, n))} "
        f"<i>2026-05-{thread % 28 + 1:02} 1{n}:00</i><p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(start, min(start + PAGE, posts_of(thread)))
    )
    starts = range(0, posts_of(thread), PAGE)
    pages = [f'<a href="topic?id={thread}&start={one}">{one // PAGE + 1}</a>' for one in starts if one != start]
    board = thread % 3 + 1
    crumbs = f'<p><a href="/">Home</a> <a href="board?b={board}">{words(board, 3)}</a></p>'
    return framed(f"{crumbs}<h1>{words(thread, 5).title()} {thread}</h1>{posts}<p>{' '.join(pages)}</p>")


PAGES = routed(
    entry=lambda _: entry(),
    board=lambda asked: board_page(asked["b"]),
    topic=lambda asked: topic_page(asked["id"], asked.get("start", 0)),
)


async def test_titles_that_name_a_post_lead_to_the_whole_thread() -> None:
    async with site(PAGES) as forum:
        profile = (await learned_from(forum.url)).profile
        types = UrlTypes(profile)
        found = types.type(types.clean(f"{forum.url}topic?id=6&start=3&post=124"))
        assert found is not None
        assert found.list_url == f"{forum.url}topic?id=6"
        links, _, _ = LinkReader(profile).read(parse(board_page(1)), f"{forum.url}board?b=1", f"{forum.url}board?b=1")
        listed = {link.url for link in links if link.is_thread}
        assert listed == {f"{forum.url}topic?id={thread}" for thread in THREADS if thread % 3 == 0}


def own(thread: int, post: int = 0) -> int:
    """Threads are known by their first post, and shown around any other."""
    return thread * 20 + post


def numbered_page(asked: dict[str, int]) -> str:
    thread = asked["id"] // 20
    posts = "".join(
        f"<div class=post id=post_{own(thread, n)}>{whose(by(thread, n))} "
        f'<a href="topic?id={own(thread, n)}" title="Re: {words(thread, 5)}">#</a> '
        f"<i>2026-05-{thread % 28 + 1:02} 1{n}:00</i><p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(posts_of(thread))
    )
    crumbs = f'<p><a href="/">Home</a> <a href="board?b={thread % 3 + 1}">{words(thread % 3 + 1, 3)}</a></p>'
    return framed(f"{crumbs}<h1>{words(thread, 5).title()} {thread}</h1>{posts}")


def numbered_rows(threads: Iterable[int], more: str = "") -> str:
    rows = "".join(
        f'<li><a href="topic?id={own(one)}{more.format(own(one))}">{words(one, 5).title()} {one}</a>'
        f"<p>by {whose(by(one))} <i>2026-05-{one % 28 + 1:02} 12:00</i> <b>{posts_of(one)} posts</b></p></li>"
        for one in threads
    )
    return framed(f"<ul class=list>{rows}</ul>")


NUMBERED = routed(
    entry=lambda _: entry().replace("<ul>", '<p><a href="hot?x=1">Hot topics</a></p><ul>'),
    board=lambda asked: numbered_rows(one for one in THREADS if one % 3 == asked["b"] - 1),
    hot=lambda _: numbered_rows(list(THREADS)[::2], "&first={0}#{0}"),
    topic=numbered_page,
)


async def test_what_names_the_thread_twice_names_no_post_and_is_no_list() -> None:
    async with site(NUMBERED) as forum:
        profile = (await learned_from(forum.url)).profile
        types = UrlTypes(profile)
        assert profile.session_parameters == ()
        found = types.type(f"{forum.url}topic?id={own(6)}")
        assert found is not None
        assert found.is_thread
        longer = types.type(f"{forum.url}topic?id={own(7)}&first={own(7)}")
        assert longer is None or longer.is_thread
        assert not any("topic" in url for url in profile.seeds)
