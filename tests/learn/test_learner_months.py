"""Learning an archive by months: boards lead to months, and a month lists a thread or two.

Such pages look like nothing, but no other page lists threads, so they must be the lists; and what leads to them alone
are boards.
"""

from __future__ import annotations

from tests.learn.test_learner_homes import words
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

BOARDS = {3: "Wood", 5: "Metal", 8: "Glass", 9: "Stone"}
MONTHS = ("2019-11", "2019-12", "2020-01", "2020-02")
THREADS = {number: (tuple(BOARDS)[number % 4], MONTHS[number // 4 % 4]) for number in range(101, 125)}


def framed(main: str) -> str:
    top = "<div id=top><a href='/'>Start</a> <a href='/help'>Help</a> <a href='/about'>About us</a></div>"
    return f"<html><body>{top}<div id=main>{main}</div></body></html>"


def page(path: str) -> str | None:
    match path.strip("/").replace("?", "/").split("/"):
        case [""]:
            rows = (f"<div class=b><a href='/board?n={n}'>{BOARDS[n]}</a><p>{words(n, 9)}</p></div>" for n in BOARDS)
            return framed("".join(rows))
        case ["board", which]:
            number = int(which.partition("=")[2])
            months = "".join(f"<p><a href='/list?of={number}&month={one}'>{one}</a></p>" for one in MONTHS)
            return framed(f"<h1>{BOARDS[number]}</h1>{months}")
        case ["list", which]:
            number, _, month = which.removeprefix("of=").partition("&month=")
            own = [n for n, place in THREADS.items() if place == (int(number), month)]
            return framed("".join(f"<p><a href='/talk?n={n}'>{words(n, 5)} {n}</a></p>" for n in own))
        case ["talk", which]:
            number = int(which.partition("=")[2])
            posts = (
                f"<div class=post><b>{('Ada', 'Bo', 'Cleo')[(number + n) % 3]}</b> <i>2020-02-{n + 1:02} 10:0{n}</i>"
                f"<p>{words(number * 7 + n, 30)}.</p></div>"
                for n in range(2 + number % 3)
            )
            return framed(f"<h1>{words(number, 5)} {number}</h1>{''.join(posts)}")
        case ["help" | "about"]:
            return framed(f"<p>{words(3, 40)}</p>")
    return None


async def test_months_with_a_thread_or_two_are_lists_because_nothing_else_lists_threads() -> None:
    async with site(page) as served:
        profile = (await learned_from(served.url)).profile
    types = UrlTypes(profile)
    assert profile.entry == served.url
    assert types.type(f"{served.url}talk?n=124").kind == "thread"
    for board in BOARDS:
        assert types.type(f"{served.url}board?n={board}").kind == "index"
        # each board has a list of its own for each month
        lists = {types.type(f"{served.url}list?of={board}&month={month}").list_url for month in MONTHS}
        assert lists == {f"{served.url}list?of={board}&month={month}" for month in MONTHS}
