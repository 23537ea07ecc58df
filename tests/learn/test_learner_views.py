"""Learning a site whose addresses are paths: lists in another order, ways to last posts, a plain archive beside it."""

from __future__ import annotations

import re

from tests.learn.test_learner_people import PEOPLE, by, whose, words
from tests.learn.test_learner_sites import framed, learned_from, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 7)
THREADS = range(1, 97)
PAGE = 10
COLUMNS = {"title": lambda thread: words(thread, 4), "views": lambda thread: thread * 37 % 101}
_BOARD = re.compile(r"/board,(\d+)\.(\d+)(?:/sort,(\w+))?\.html")
_TOPIC = re.compile(r"/topic,(\d+)\.(?:0|at\d+)\.html")


def titled(thread: int) -> str:
    return f"{words(thread, 4).capitalize()} {thread}"


def entry() -> str:
    rows = "".join(
        f'<div class=row><h3><a href="/board,{board}.0.html">{words(board * 3, 2)}</a></h3><p>{words(board, 8)}</p>'
        f'<p>Last: <a href="/topic,{90 + board}.at{board * 7}.html">{titled(90 + board)}</a> {whose(board)} '
        f"<i>2026-05-2{board} 10:00</i></p></div>"
        for board in BOARDS
    )
    return framed(f"<title>The workshop</title><div id=boards>{rows}</div>")


def board_page(board: int, start: int, order: str | None) -> str:
    own = [thread for thread in THREADS if thread % len(BOARDS) + 1 == board]
    own = sorted(own, key=COLUMNS[order]) if order else own[::-1]
    heads = " ".join(f'<a href="/board,{board}.{start}/sort,{one}.html">{one}</a>' for one in COLUMNS)
    rows = "".join(
        f'<tr><td><a href="/topic,{thread}.0.html">{titled(thread)}</a><td>{whose(by(thread))}<td>{1 + thread % 3}'
        f"<td>2026-05-{thread % 28 + 1:02} 12:00</tr>"
        for thread in own[start : start + PAGE]
    )
    behind = f"/sort,{order}.html" if order else ".html"
    pager = " ".join(
        f'<a href="/board,{board}.{at}{behind}">{at // PAGE + 1}</a>' for at in range(0, len(own), PAGE) if at != start
    )
    name = words(board * 3, 2)
    return framed(f"<title>{name}</title><h2>{name}</h2><p>{heads}</p><table>{rows}</table><p>{pager}</p>")


def topic_page(thread: int) -> str:
    board = thread % len(BOARDS) + 1
    posts = "".join(
        f"<div class=post><b>{whose(by(thread, n))}</b> <i>2026-05-{thread % 28 + 1:02} 1{n}:00</i>"
        f"<p>{words(thread * 7 + n, 13)} {thread}/{n}. {words(thread + n, 9)}.</p></div>"
        for n in range(2 + thread % 3)
    )
    up = f'<a href="/">Home</a> <a href="/board,{board}.0.html">{words(board * 3, 2)}</a>'
    return framed(f"<title>{titled(thread)}</title><p>{up}</p><h2>{titled(thread)}</h2>{posts}")


def page(path: str) -> str | None:
    if path == "/":
        return entry()
    if (found := _BOARD.fullmatch(path)) is not None:
        return board_page(int(found[1]), int(found[2]), found[3])
    if (found := _TOPIC.fullmatch(path)) is not None:
        return topic_page(int(found[1]))
    return framed("<h1>Somebody</h1>") if path.startswith("/profile") else None


async def test_a_list_that_is_sorted_by_a_word_in_its_path_is_no_other_list() -> None:
    async with site(page) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        board = types.type(f"{forum.url}board,4.0.html")
        assert board is not None
        assert not board.reserve
        assert types.type(f"{forum.url}board,4.0/sort,views.html") is None


async def test_threads_that_open_at_a_message_have_another_form_than_those_of_lists() -> None:
    async with site(page) as forum:
        patterns = [str(one.pattern) for one in (await learned_from(forum.url)).profile.thread]
        assert f"{forum.url}topic,{{a:number}}.0.html" in patterns


def named_page(path: str) -> str | None:
    """The same forum with names of files, ways to the last posts of threads, and a plain archive behind each foot."""
    path = re.sub(r"/lite,(\w+),(\d+)", r"/lite-\1-\2", path)
    asked = re.sub(r"/topic-(\d+)(?:-last)?\.html", r"/topic,\1.0.html", path)
    asked = re.sub(r"/board-(\d+)\.html", r"/board,\1.0.html", asked)
    if (found := re.fullmatch(r"/lite-(board|topic)-(\d+)", path)) is not None:
        number = int(found[2])
        own = [thread for thread in THREADS if thread % len(BOARDS) + 1 == number]
        lines = "".join(
            f"<li><a href=/lite-topic-{one}>{titled(one)}</a> <i>({1 + one % 3} replies)</i></li>" for one in own
        )
        whole = f'<p>Full version: <a href="/{found[1]}-{number}.html">{titled(number)}</a></p>'
        posts = "".join(
            f"<div><b>{PEOPLE[by(number, n)]}</b> <i>2026-05-{number % 28 + 1:02} 1{n}:00</i>"
            f"<p>{words(number * 7 + n, 13)} {number}/{n}. {words(number + n, 9)}.</p></div>"
            for n in range(2 + number % 3)
        )
        return f"<html><body>{whole}{f'<ol>{lines}</ol>' if found[1] == 'board' else posts}</body></html>"
    shown = page(asked)
    if shown is None:
        return None
    shown = re.sub(r"/topic,(\d+)\.at\d+\.html", r"/topic-\1-last.html", shown)
    shown = re.sub(
        r"/topic,(\d+)\.0\.html", r"/topic-\1.html", re.sub(r"/board,(\d+)\.0\.html", r"/board-\1.html", shown)
    )
    kind = re.match(r"/(board|topic)-(\d+)", path)
    foot = f'<p><a href="/lite-{kind[1]}-{kind[2]}">Plain version</a></p>' if kind else ""
    return shown.replace("</body>", foot + "</body>")


async def test_ways_to_the_last_posts_have_another_form_than_threads() -> None:
    async with site(named_page) as forum:
        patterns = [str(one.pattern) for one in (await learned_from(forum.url)).profile.thread]
        assert f"{forum.url}topic-{{a:number}}.html" in patterns


async def test_a_plain_archive_beside_a_forum_is_no_part_of_it() -> None:
    async with site(named_page) as forum:
        types = UrlTypes((await learned_from(forum.url)).profile)
        board = types.type(f"{forum.url}board-4.html")
        assert board is not None
        assert not board.reserve
        assert types.type(f"{forum.url}lite-board-4") is None
