"""Learning a part of a larger site from a further page of a board: only breadcrumbs lead to the part's home."""

from __future__ import annotations

import pytest
from tests.learn.test_learner_people import PEOPLE, by, words
from tests.learn.test_learner_sites import learned_from, routed, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = range(1, 9)
THREADS = range(96)  # twelve in each board
PER_PAGE = 6
LATEST = (3, 11, 19)  # threads that all pages show beside their own
MENU = ("news", "downloads", "links", "gallery", "guestbook")
BUTTONS = ("quote", "report", "print", "mail", "rate", "edit", "history")
ORDERS = ("title", "author", "answers", "views", "age", "heat")


def framed(main: str) -> str:
    menu = "".join(f'<a href="{one}">{one}</a> ' for one in MENU)
    latest = "".join(f'<li><a href="all?part=talk&t={one}">{title(one)}</a></li>' for one in LATEST)
    shown = f'<div id="top">{menu}</div><div id="side"><ul>{latest}</ul></div><div id="main">{main}</div>'
    return f'<html><head><title>The Boat House</title></head><body>{shown}<div id="foot">{menu}</div></body></html>'


def title(thread: int) -> str:
    return f"{words(thread, 5)} {thread}".capitalize()


def crumbs(board: int) -> str:
    name = words(board * 31, 1)
    return f'<p class="way"><a href="all?part=boards">All boards</a> » <a href="all?part=list&b={board}">{name}</a></p>'


def boards(_: dict[str, int]) -> str:
    rows = "".join(
        f'<div class="entry"><a href="all?part=list&b={one}">{words(one * 31, 1)}</a><p>{words(one, 7)}</p></div>'
        for one in BOARDS
    )
    return framed(f"<h1>Boards</h1>{rows}")


def listed(asked: dict[str, int]) -> str:
    board, page = asked["b"], asked.get("page", 1)
    mine = [one for one in THREADS if one % len(BOARDS) + 1 == board][(page - 1) * PER_PAGE : page * PER_PAGE]
    rows = "".join(
        f'<tr><td><a href="all?part=talk&t={one}">{title(one)}</a></td><td>{PEOPLE[by(one, 0)]}</td>'
        f"<td>{one % 3}</td></tr>"
        for one in mine
    )
    pager = " ".join(f'<a href="all?part=list&b={board}&page={one}">{one}</a>' for one in (1, 2))
    orders = "".join(f'<th><a href="all?part=list&b={board}&by={n}">{one}</a></th>' for n, one in enumerate(ORDERS))
    return framed(f"{crumbs(board)}<table><tr>{orders}</tr>{rows}</table><p>{pager}</p>")


def buttons(post: int) -> str:
    return " ".join(f'<a href="all?part={one}&m={post}">{one}</a>' for one in BUTTONS)


def talk(asked: dict[str, int]) -> str:
    thread = asked["t"]
    posts = "".join(
        f'<div class="said" id="p{thread * 10 + one}"><b>{PEOPLE[by(thread, one)]}</b> <i>2026-05-0{one + 2} 10:00</i>'
        f"<p>{words(thread * 7 + one, 22)} {thread}/{one}.</p>{buttons(thread * 10 + one)}</div>"
        for one in range(1 + thread % 3)
    )
    return framed(f"{crumbs(thread % len(BOARDS) + 1)}<h2>{title(thread)}</h2>{posts}")


def page(path: str) -> str | None:
    """All of the site is one script; what is shown is said by a word in the query."""
    name, _, rest = path.removeprefix("/all?part=").partition("&")
    parts = {"boards": boards, "list": listed, "talk": talk}
    if path.startswith("/all?part=") and name in parts:
        return routed(it=parts[name])(f"/it?{rest}" if rest else "/it")
    is_there = path.strip("/") in {"", *MENU} or name in BUTTONS
    return framed(f"<h1>{name}</h1><p>{words(len(path), 30)}</p>") if is_there else None


@pytest.mark.parametrize("start", ["all?part=list&b=2&page=2", "all?part=boards"])
async def test_the_home_to_which_only_breadcrumbs_lead_is_looked_at(start: str) -> None:
    async with site(page) as served:
        profile = (await learned_from(served.url + start)).profile
    types = UrlTypes(profile)
    assert profile.entry == f"{served.url}all?part=boards"
    assert all((typed := types.type(f"{served.url}all?part=list&b={one}")) and not typed.reserve for one in BOARDS)
