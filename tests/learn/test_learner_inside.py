"""Learning a forum whose titles lead to the newest post of their thread, and name it twice."""

from __future__ import annotations

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
