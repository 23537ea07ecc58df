"""Learning boards whose lists show the first and last posts of each thread, in rows without an element of their own.

All links to threads say "Reply", so that no title tells one thread from another.
"""

from __future__ import annotations

import pytest
from tests.learn.test_learner_blog import PEOPLE, WORDS
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = {"1": "Stones and idle talk", "2": "Work and a market", "3": "Mending of old things"}
SHOWN = 3  # posts of a thread that a list shows
LISTED = 6


def words(number: int) -> str:
    return " ".join(WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, 50)) + f" {number}."


def posts_of(board: str, thread: int) -> list[int]:
    return [int(board) * 1000 + thread * 20 + n for n in range((6, 7, 9, 2, 14)[thread % 5])]


def said(board: str, thread: int, post: int) -> str:
    name = f"<label><input type=checkbox> <span>{PEOPLE[post % 5]}</span> 25/10/{post % 28 + 1:02} 06:40</label>"
    link = f"<span><a href='/{board}/res/{thread}.html#i{post}'>No.{post}</a></span>"
    body = f"<blockquote><p>{words(post)}</p></blockquote>"
    if post % 20:
        return f"<table><tr><td>&gt;&gt;</td><td class=reply id=reply{post}>{name} {link}{body}</td></tr></table>"
    return f"<a name={post}></a>{name} {link}&nbsp; [<a href='/{board}/res/{thread}.html'>Reply</a>]{body}"


def shown(board: str, thread: int) -> str:
    opening, *answers = posts_of(board, thread)
    return "".join(said(board, thread, one) for one in (opening, *answers[-SHOWN:])) + "<br clear=left><hr>"


def framed(board: str, main: str) -> str:
    top = "[<a href='/'>Home</a>]" + (f" [<a href='/{board}/list.html'>Return</a>]" if board else "")
    form = "<form method=post>Name <input name=n> Comment <textarea name=c></textarea><input type=submit></form>"
    head = "<head><title>Huts</title></head>"
    return f"<html>{head}<body><div>{top}</div><hr>{form if board else ''}<hr>{main}</body></html>"


def page(path: str) -> str | None:
    match path.strip("/").split("/"):
        case [""]:
            return framed("", "".join(f"<li><a href='/{one}/list.html'>{name}</a>" for one, name in BOARDS.items()))
        case [board, name] if board in BOARDS and name.endswith(".html"):
            at = 0 if name == "list.html" else int(name.removesuffix(".html"))
            flips = " ".join(f"[<a href='/{board}/{n}.html'>{n}</a>]" for n in range(1, 4) if n != at)
            threads = range(1 + at * LISTED, 1 + (at + 1) * LISTED)
            return framed(board, "".join(shown(board, one) for one in threads) + f"<p>{flips}</p>")
        case [board, "res", name]:
            thread = int(name.removesuffix(".html"))
            return framed(board, "".join(said(board, thread, one) for one in posts_of(board, thread)))
    return None


@pytest.mark.parametrize("start", ["", "1/list.html", "2/res/4.html"])
async def test_lists_that_show_whole_posts_are_no_threads(start: str) -> None:
    async with site(page) as served:
        types = UrlTypes((await learned_from(served.url + start)).profile)
        found = [types.type(served.url + path) for path in ("1/list.html", "3/res/2.html", "3/res/3.html")]
    assert [one and one.kind for one in found] == ["index", "thread", "thread"]
    assert len({one.list_url for one in found if one is not None}) == len(found)
