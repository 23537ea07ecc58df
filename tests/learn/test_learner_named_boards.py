"""Learning a forum whose boards look like threads: long names, an introduction each, and mostly a single thread."""

from __future__ import annotations

import pytest
from tests.learn.test_learner_people import THREADS, by, whose, words
from tests.learn.test_learner_sites import framed, learned_from, routed, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 7)
CATEGORIES = {100: (1, 2), 101: (3, 4), 102: (5, 6)}


def board_of(thread: int) -> int:
    return thread + 1 if thread < len(BOARDS) else 1


def name(board: int) -> str:
    return words(board * 11, 5)


def row(board: int) -> str:
    return f'<li><a href="board?b={board}">{name(board)}</a><p>{words(board, 9)}</p> <i>{board} posts</i></li>'


def entry() -> str:
    shown = (
        f'<h3><a href="board?b={category}">{name(category)}</a></h3><ul>{"".join(map(row, boards))}</ul>'
        for category, boards in CATEGORIES.items()
    )
    return framed("".join(shown))


def board_page(board: int, introduction: int) -> str:
    if board in CATEGORIES:
        return framed(f"<h1>{name(board)}</h1><ul>{''.join(map(row, CATEGORIES[board]))}</ul>")
    rows = "".join(
        f'<li><a href="topic?id={thread}">{words(thread, 5).title()} {thread}</a><p>Started by {whose(by(thread))}</p>'
        f"<p>Last {whose(by(thread, 1))} <i>{thread} d</i> <b>{2 + thread % 4} posts</b></p></li>"
        for thread in THREADS
        if board_of(thread) == board
    )
    return framed(f"<h1>{name(board)}</h1><p>{words(board * 17, introduction)}.</p><ul class=list>{rows}</ul>")


def topic_page(thread: int) -> str:
    posts = "".join(
        f"<div class=post id=p{thread * 10 + n}>{whose(by(thread, n))} <i>2026-05-{thread % 28 + 1:02} 1{n}:00</i>"
        f"<p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(2 + thread % 4)
    )
    board = board_of(thread)
    crumbs = f'<p><a href="/">Home</a> <a href="board?b={board}">{name(board)}</a></p>'
    return framed(f"{crumbs}<h1>{words(thread, 5).title()} {thread}</h1>{posts}")


@pytest.mark.parametrize("introduction", [0, 40])
async def test_threads_that_lead_back_tell_boards_from_threads(introduction: int) -> None:
    pages = routed(
        entry=lambda _: entry(),
        board=lambda asked: board_page(asked["b"], introduction),
        topic=lambda asked: topic_page(asked["id"]),
    )
    async with site(pages) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        kinds = [found and found.kind for one in ("board?b=4", "topic?id=44") if (found := types.type(forum.url + one))]
        assert kinds == ["index", "thread"]
