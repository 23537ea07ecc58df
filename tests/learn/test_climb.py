"""Learning a forum whose boards are folders, nested as deep as its owner liked."""

from __future__ import annotations

from tests.learn.test_learner_sites import framed, learned_from, matter, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = {
    "/home/kitchen/": 10,
    "/home/garden/": 40,
    "/work/bench/": 70,
    "/work/bench/small-parts/": 100,
    "/work/yard/": 130,
}
"""The first thread of each board; the third board has another one below it."""


def slug(number: int) -> str:
    return matter(number).lower().replace(" ", "_") + f"_{number}"


def folder_list(paths: list[str]) -> str:
    names = ((path, path.strip("/").rpartition("/")[2].replace("-", " ").title()) for path in paths)
    rows = "".join(
        f'<li><a href="{path}">{name}</a> <i>2026-05-07 12:00</i> by <b>user3</b></li>' for path, name in names
    )
    return f"<section><h2>Boards in here</h2><ol>{rows}</ol></section>"


def thread_list(board: str) -> str:
    rows = "".join(
        f"<li><i>2026-05-{number % 28 + 1:02} 12:00</i> <b>{number % 5}</b> by <b>user{number % 7}</b> "
        f'<a href="{board}{slug(number)}">{matter(number)}</a></li>'
        for number in range(BOARDS[board], BOARDS[board] + 24)
    )
    return f'<section><h2>Threads</h2><ol class="threads">{rows}</ol></section>'


def post(thread: int, number: int) -> str:
    words = "Then it began to rattle. " * (number % 3 + 2)
    return (
        f"<article><header><time>2026-05-{number + 1:02} 12:{number:02}</time> <b>user{number % 7}</b></header>"
        f"<div><p>{matter(thread * 5 + number)}. {words}</p></div></article>"
    )


def folders(path: str) -> str | None:
    if path == "/":
        return framed(folder_list([board for board in BOARDS if board.count("/") == 3]))
    if path in BOARDS:
        below = [board for board in BOARDS if board != path and board.startswith(path)]
        return framed((folder_list(below) if below else "") + thread_list(path))
    board, _, name = path.rpartition("/")
    number = int(name.rpartition("_")[2]) if name.rpartition("_")[2].isdigit() else -1
    if number not in range(BOARDS.get(f"{board}/", 999), BOARDS.get(f"{board}/", 999) + 24) or slug(number) != name:
        return None
    posts = "".join(post(number, one) for one in range(number % 5 + 1))
    return framed(f'<h1>{matter(number)}</h1><p><a href="{path}.rss">RSS</a></p>{posts}')


async def test_a_board_below_a_board_is_found_though_its_address_is_longer() -> None:
    async with site(folders) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        urls = {
            "work/yard/": "index",
            "work/bench/small-parts/": "index",
            f"work/yard/{slug(140)}": "thread",
            f"work/bench/small-parts/{slug(110)}": "thread",
        }
        typed = {path: types.type(forum.url + path) for path in urls}
        assert {path: one and one.kind for path, one in typed.items()} == urls


async def test_the_feed_of_a_thread_is_no_thread() -> None:
    async with site(folders) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        assert types.type(f"{forum.url}work/yard/{slug(140)}.rss") is None
