"""Learning titles where each row leads to the thread twice: by its title, and by the time of its last post."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tests.learn.test_learner_people import PEOPLE, WORDS, words
from tests.learn.test_learner_sites import framed, learned_from, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 5)
THREADS = range(1, 81)


def last(thread: int) -> int:
    return 100 + thread * 10 + thread % 5


def when(thread: int) -> str:
    return f'<a href="/post/{last(thread)}/">2026-{thread % 12 + 1:02}-{thread % 28 + 1:02} 12:{thread % 60:02}</a>'


def rows(threads: Sequence[int]) -> str:
    return "".join(
        f'<tr><td class=name><a href="/topic/{thread}/">{words(thread, 5)} {thread}</a></td>'
        f"<td>{thread % 5}</td><td class=last>{when(thread)} by Ada</td></tr>"
        for thread in threads
    )


def board_row(board: int) -> str:
    return f'<tr><td><a href="/{board}/">{WORDS[board]} {board}</a></td><td>{when(80 - board)} by Bo</td></tr>'


def thread_page(thread: int) -> str:
    posts = "".join(
        f'<div class=post><h2><a href="/post/{100 + thread * 10 + n}/">2026-05-{thread % 28 + 1:02} 1{n}:00</a></h2>'
        f"<b>{PEOPLE[(thread + n) % 5]}</b><p>{words(thread * 7 + n, 12)} {thread}/{n}.</p></div>"
        for n in range(thread % 5 + 1)
    )
    return framed(f'<p><a href="/{thread % 4 + 1}/">up</a></p><h1>{words(thread, 5)} {thread}</h1>{posts}')


def page(path: str) -> str | None:
    match path.strip("/").split("/"):
        case [""]:
            return framed(f'<a href="/quiet/">Quiet</a><table>{"".join(map(board_row, BOARDS))}</table>')
        case ["quiet"]:
            return framed(f"<table>{rows([one for one in THREADS if one % 5 == 0])}</table>")
        case [board] if board.isdigit():
            return framed(f"<table>{rows([one for one in THREADS if one % 4 + 1 == int(board)])}</table>")
        case ["topic", thread]:
            return thread_page(int(thread))
        case ["post", post]:
            return thread_page((int(post) - 100) // 10)
    return None


async def test_titles_and_ways_to_last_posts_are_no_kind_of_one_form() -> None:
    async with site(page) as forum:
        profile = (await learned_from(forum.url)).profile
        types = UrlTypes(profile)
        assert types.type(f"{forum.url}topic/12/") is not None
        assert types.type(f"{forum.url}post/223/") is None


def parted(path: str) -> str | None:
    """The same forum in two parts, each with a page of its own that shows its boards once more."""

    def rows_of(boards: Sequence[int]) -> str:
        newest = {board: max(one for one in THREADS if one % 6 == board) for board in boards}
        return "".join(
            f'<tr><td><a href="/board/{WORDS[board]}/">{WORDS[board].title()}</a></td>'
            f'<td>{board + 7}</td><td><a href="/topic/{thread}/">{words(thread, 5)} {thread}</a> by Ada</td></tr>'
            for board, thread in newest.items()
        )

    def part(number: int) -> str:
        head = f'<tr><th colspan=3><a href="/part/{number}/">Part {number}</a></th></tr>'
        return head + rows_of(range(4) if number == 1 else range(4, 6))

    match path.strip("/").split("/"):
        case [""]:
            return framed(f"<table>{part(1) + part(2)}</table>")
        case ["part", number]:
            return framed(f"<table>{part(int(number))}</table>")
        case ["board", name]:
            shown = [one for one in THREADS if WORDS[one % 6] == name]
            up = f'<p><a href="/">Home</a> <a href="/part/{1 if WORDS.index(name) < 4 else 2}/">Part</a></p>'
            return framed(f"{up}<h1>{name.title()}</h1><table>{rows(shown)}</table>")
    return page(path)


async def test_boards_whose_category_shows_them_once_more_are_each_their_own() -> None:
    async with site(parted) as forum:
        profile = (await learned_from(forum.url)).profile
        board = UrlTypes(profile).type(f"{forum.url}board/{WORDS[5]}/")
        assert board is not None
        assert not board.reserve


def with_newest(path: str) -> str | None:
    """The same forum, whose boards name their newest thread, which leads to the last of its posts."""
    if path != "/":
        shown = re.sub('<a href="/post/.*?>(.*?)</a>', r"\1", page(path.partition("?")[0]) or "")
        return re.sub("<div class=post>.*(?=<div class=post>)", "", shown) if "?" in path else shown
    newest = {board: max(one for one in THREADS if one % 4 + 1 == board) for board in BOARDS}
    boards = "".join(
        f'<tr><td><a href="/{board}/">{WORDS[board]} {board}</a></td><td>2026-03-{board:02}'
        f' <a href="/topic/{thread}/?r={last(thread)}">RE: {words(thread, 5)} {thread}</a></td></tr>'
        for board, thread in newest.items()
    )
    return framed(f"<table>{boards}</table>")


async def test_a_thread_named_with_its_last_post_is_no_kind_of_its_own_where_its_address_is_a_path() -> None:
    async with site(with_newest) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        assert types.type(f"{forum.url}topic/12/") is not None
        assert types.type(f"{forum.url}topic/12/?r=223") is None
