"""Learning forums whose entry page shows a few threads from which nothing seems to lead on."""

from __future__ import annotations

from tests.learn import test_learner_months as months
from tests.learn.test_learner_homes import words
from tests.learn.test_learner_sites import learned_from, site

from thrawl.profile.urltypes import UrlTypes

NEWEST = sorted(months.THREADS, reverse=True)[:6]


def with_newest(path: str) -> str | None:
    """The archive by months, with a menu of boards and the newest threads on its front page, in rows with authors."""
    if path != "/":
        return months.page(path)
    menu = "".join(f"<li><a href='/board?n={n}'>{name}</a></li>" for n, name in months.BOARDS.items())
    rows = "".join(
        f"<div class=t><a href='/talk?n={n}'>{words(n, 5)} {n}</a> <b>Ada</b> <i>2020-02-{n - 100:02} 10:00</i></div>"
        for n in NEWEST
    )
    return months.framed(f"<ul>{menu}</ul>{rows}")


async def test_lists_are_known_by_threads_that_the_newest_ones_of_the_entry_page_are_not() -> None:
    async with site(with_newest) as served:
        profile = (await learned_from(served.url)).profile
    types = UrlTypes(profile)
    assert types.type(f"{served.url}talk?n=124").kind == "thread"
    for board in months.BOARDS:
        assert types.type(f"{served.url}board?n={board}").kind == "index"
        assert types.type(f"{served.url}list?of={board}&month=2019-12").kind == "index"


PAGE = 6


def single(path: str) -> str | None:
    """One list of threads; the arrow to its end leads beyond it, to a page that shows the last one again."""
    number = int(path.partition("?p=")[2] or 1)
    if path.startswith("/talk"):
        return months.page(path)
    if path != "/" and not path.startswith("/?p="):
        return None
    shown = min(number, 4)
    rows = "".join(
        f"<tr><td><a href='/talk?n={n}'>{words(n, 5)} {n}</a><td>Ada<td>2020-02-{n - 100:02} 10:00"
        for n in sorted(months.THREADS)[(shown - 1) * PAGE : shown * PAGE]
    )
    ways = [(shown - 1, "&laquo; Back"), (shown + 1, "Next &raquo;"), (5, "End")]
    pager = " ".join(f"<a href='/?p={at}'>{word}</a>" for at, word in ways if 1 <= at <= 5 and at != number)
    return months.framed(f"<table>{rows}</table><p>{pager}</p>")


async def test_pages_of_the_entrys_list_that_were_met_as_lists_do_not_refute_its_flips() -> None:
    async with site(single) as served:
        profile = (await learned_from(f"{served.url}talk?n=110")).profile
    types = UrlTypes(profile)
    assert profile.entry == served.url
    assert types.type(f"{served.url}?p=3").kind == "index-flip"
