"""Learning boards that begin with newest threads and their last posts, above links to all threads in one paragraph.

Titles stand beside no row and lead to the last posts of a thread; so do links on each of its pages, which stand in
rows. The thread as a whole is linked from the posts that boards show, and from its other views.
"""

from __future__ import annotations

import pytest
from tests.learn.test_learner_blog import PEOPLE, WORDS
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = {"huts": "Huts and barns", "mills": "Mills by the river", "wells": "Wells and springs"}
THREADS = 24  # of a board
SHOWN = 6  # newest ones whose posts the board shows
LAST = 4  # posts behind a title


def words(number: int, count: int) -> str:
    return " ".join(WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, count))


def number_of(board: str, thread: int) -> int:
    return 1700000000 + 1000 * list(BOARDS).index(board) + thread


def title(number: int) -> str:
    return f"{words(number, 6).capitalize()} {number % 97}"


def posts_of(number: int) -> list[int]:
    return [number * 20 + n for n in range((1, 3, 9, 2, 6, 12)[number % 6])]


def said(post: int) -> str:
    head = f"<span class=nr>{post % 20 + 1}</span> <span class=who><b>{PEOPLE[post % 5]}</b></span>"
    when = f"<span class=on>2025/10/{post % 27 + 1:02} 06:{post % 60:02}:11</span>"
    return f"<div class=post><div class=top>{head} {when}</div><div class=said>{words(post, 40)} {post}.</div></div>"


def ways(board: str, number: int) -> str:
    at = f"/read/{board}/{number}"
    links = (f"/{board}/", "Back"), (f"{at}/", "All"), (f"{at}/l{LAST}", f"Last {LAST}")
    return f"<ul>{''.join(f'<li><a href={url!r}>{words}</a></li>' for url, words in links)}</ul>"


def shown(board: str, number: int, posts: list[int]) -> str:
    name = title(number)
    main = f"<h1>{name}</h1><div class=posts>{''.join(map(said, posts))}</div>"
    return f"<title>{name}</title>{ways(board, number)}<hr>{main}<hr>{ways(board, number)}"


def board_page(board: str) -> str:
    numbers = [number_of(board, thread) for thread in range(THREADS)]
    links = (f"<a href='/read/{board}/{one}/l{LAST}'>{title(one)}</a>" for one in numbers)
    newest = (
        f"<div class=box><h2>{title(one)}</h2>{''.join(map(said, posts_of(one)[-2:]))}{ways(board, one)}</div>"
        for one in numbers[:SHOWN]
    )
    return f"<title>{BOARDS[board]}</title><h1>{BOARDS[board]}</h1><p>{' '.join(links)}</p><hr>{''.join(newest)}"


def page(path: str) -> str | None:
    match path.strip("/").split("/"):
        case [""]:
            rows = "".join(f"<li><a href='/{one}/'>{name}</a></li>" for one, name in BOARDS.items())
            return f"<title>Boards</title><h1>Boards</h1><ul>{rows}</ul>"
        case [board] if board in BOARDS:
            return board_page(board)
        case ["read", board, number]:
            return shown(board, int(number), posts_of(int(number)))
        case ["read", board, number, _]:
            return shown(board, int(number), posts_of(int(number))[-LAST:])
    return None


@pytest.mark.parametrize("start", ["", "mills/", "read/wells/1700002003/"])
async def test_titles_that_lead_to_last_posts_are_threads_and_what_lists_them_is_none(start: str) -> None:
    async with site(page) as served:
        types = UrlTypes((await learned_from(served.url + start)).profile)
        paths = ("huts/", "read/huts/1700000021/l4", "read/wells/1700002022/l4", "read/wells/1700002022/")
        found = [types.type(served.url + path) for path in paths]
        whole = [served.url + path for path in ("read/huts/1700000021/", "read/wells/1700002022/")]
    assert [one and one.kind for one in found] == ["index", "thread", "thread", "thread"]
    assert [one.url for one in found[1:3] if one is not None] == whole
