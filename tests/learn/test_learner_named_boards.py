"""Learning a forum whose boards look like threads: long names, an introduction each, and mostly a single thread."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from tests.learn.test_learner_people import PEOPLE, by, words
from tests.learn.test_learner_sites import framed, learned_from, site

from thrawl.profile.urltypes import UrlTypes

THREADS = range(1, 61)
BOARDS = range(1, 7)
CATEGORIES = {100: (1, 2), 101: (3, 4), 102: (5, 6)}


def board_of(thread: int) -> int:
    return thread + 1 if thread < len(BOARDS) else 1


def name(board: int) -> str:
    return words(board * 11, 5)


def row(board: int) -> str:
    return f'<li><a href="board?b={board}">{name(board)}</a><p>{words(board, 9)}</p> <i>{board} posts</i></li>'


def person(number: int) -> str:
    return f'<a href="profile?user={number}">{PEOPLE[number]}</a>'


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
        f'<li><a href="topic?id={thread}">{words(thread, 5).title()} {thread}</a><p>Started by {person(by(thread))}</p>'
        f"<p>Last {person(by(thread, 1))} <i>{thread} d</i> <b>{2 + thread % 4} posts</b></p></li>"
        for thread in THREADS
        if board_of(thread) == board
    )
    return framed(f"<h1>{name(board)}</h1><p>{words(board * 17, introduction)}.</p><ul class=list>{rows}</ul>")


def topic_page(thread: int) -> str:
    posts = "".join(
        f"<div class=post id=p{thread * 10 + n}>{person(by(thread, n))} <i>2026-05-{thread % 28 + 1:02} 1{n}:00</i>"
        f"<p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(2 + thread % 4)
    )
    board = board_of(thread)
    crumbs = f'<p><a href="/">Home</a> <a href="board?b={board}">{name(board)}</a></p>'
    return framed(f"{crumbs}<h1>{words(thread, 5).title()} {thread}</h1>{posts}")


@pytest.mark.parametrize("introduction", [0, 40])
async def test_threads_that_lead_back_tell_boards_from_threads(introduction: int) -> None:
    def page(path: str) -> str | None:
        parts = urlsplit(path)
        asked = {name: int(values[0]) for name, values in parse_qs(parts.query).items()}
        match parts.path:
            case "/":
                return entry()
            case "/board":
                return board_page(asked["b"], introduction)
            case "/topic":
                return topic_page(asked["id"])
        return None

    async with site(page) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        kinds = [found and found.kind for one in ("board?b=4", "topic?id=44") if (found := types.type(forum.url + one))]
        assert kinds == ["index", "thread"]
