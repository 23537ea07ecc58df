"""Learning an old forum of tables: the breadcrumbs of a thread stand in a row like those of its posts."""

from __future__ import annotations

from tests.learn.test_learner_people import PEOPLE, THREADS, by, whose, words
from tests.learn.test_learner_sites import framed, learned_from, routed, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 5)


def board_of(thread: int) -> int:
    return thread % len(BOARDS) + 1


def board_link(board: int) -> str:
    return f'<a href="board?b={board}">{words(board * 3, 2)}</a>'


def table(rows: list[str]) -> str:
    return framed(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")


def entry() -> str:
    return table(
        [
            f"<td>{board_link(board)}<br>{words(board, 7)}</td><td>15</td>"
            f"<td>2026-05-{board:02} 10:00 {whose(board)}</td>"
            for board in BOARDS
        ]
    )


def board_page(board: int) -> str:
    return table(
        [
            f'<td><a href="topic?id={thread}">{words(thread, 5)} {thread}</a></td><td>{1 + thread % 3}</td>'
            f"<td>{whose(by(thread))}</td><td>2026-05-{thread % 28 + 1:02} 12:00</td>"
            for thread in THREADS
            if board_of(thread) == board
        ]
    )


def topic_page(thread: int) -> str:
    crumbs = f'<td><a href="/">Home</a> {board_link(board_of(thread))}</td><td>{words(thread, 5)} {thread}</td>'
    posts = [
        f"<td>{whose(by(thread, n))}</td><td id=p{thread * 10 + n}>2026-05-{thread % 28 + 1:02} 1{n}:00"
        f"<p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></td>"
        for n in range(2 + thread % 3)
    ]
    foot = f"<td>{board_link(board_of(thread))}</td><td>All times are UTC</td>"
    return table([crumbs, *posts, foot])


def profile_page(user: int) -> str:
    return framed(f"<h1>{PEOPLE[user]}</h1><p>Joined 2009</p>{board_link(user % 4 + 1)}")


PAGES = routed(
    entry=lambda _: entry(),
    board=lambda asked: board_page(asked["b"]),
    topic=lambda asked: topic_page(asked["id"]),
    profile=lambda asked: profile_page(asked["user"]),
)


async def test_boards_that_stand_in_rows_among_posts_are_followed_and_people_are_not() -> None:
    async with site(PAGES) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        board, somebody = types.type(f"{forum.url}board?b=2"), types.type(f"{forum.url}profile?user=3")
        assert board is not None
        assert (board.kind, board.reserve) == ("index", False)
        assert somebody is None or somebody.reserve
