"""A page that is huge costs learning little more than one that is not: the rest of the site is learned all the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from tests.learn.test_learner_sites import framed, learned_from, routed, site

from thrawl.profile.urltypes import UrlTypes

SECONDS = 2.0  # of CPU that a huge page may cost learning
BUSY = 10  # times as much on a machine that others use as well; a quadratic step takes a hundred


def of_random_links(number: int) -> str:
    draw = Random(number)
    words = ("".join(draw.choices("abcdefghij", k=7)) for _ in range(3 * number))
    return "".join(
        f'<a href="/{one}/{two}?{three}={draw.randint(1, 9999)}">{one}</a> '
        for one, two, three in zip(words, words, words, strict=True)
    )


def of_rows(number: int) -> str:
    rows = (
        f"<tr><td><a href='/thread?id={n + 900}'>What is row {n}?</a><td>{n}<td>2021-05-{n % 28 + 1:02} 10:00</tr>"
        for n in range(number)
    )
    return f"<table>{''.join(rows)}</table>"


def of_posts(number: int) -> str:
    return "".join(
        f"<div class='post' id='p{n}'><b>Ada</b> <i>2021-05-{n % 28 + 1:02} 10:00</i><p>Words of post {n}.</p>"
        for n in range(number)
    )


FLOODS: dict[str, Callable[[], str]] = {
    "20,000 random links": lambda: of_random_links(20_000),
    "15,000 rows": lambda: of_rows(15_000),
    "1,500 rows, very deep": lambda: "<div>" * 60 + of_rows(1_500),
    "6,000 posts inside one another": lambda: of_posts(6_000),
    "50,000 levels": lambda: "<div>" * 50_000,
    "4 MB of words": lambda: "<p>" + "words and words " * 250_000,
}


def page_with(flood: str) -> Callable[[str], str | None]:
    """A forum of two boards; the second is followed by a flood."""

    def entry(_: dict[str, int]) -> str:
        return framed(
            "".join(f"<h3><a href='/board?id={n}'>Board number {n}</a></h3><p>About {n}.</p>" for n in (1, 2, 3))
        )

    def board(query: dict[str, int]) -> str:
        rows = "".join(
            f"<tr><td><a href='/thread?id={n}'>How to mend boat {n}?</a><td>3<td>2021-05-{n % 28 + 1:02} 10:00</tr>"
            for n in range(query["id"] * 20, query["id"] * 20 + 20)
        )
        return framed(f"<table>{rows}</table>" + flood * (query["id"] == 3))

    def thread(query: dict[str, int]) -> str:
        posts = "".join(
            f"<div class='post'><b>{('Ada', 'Bo', 'Cleo')[n]}</b> <i>2021-05-{n + 1:02} 10:00</i>"
            f"<p>Of the boat {query['id']} I know {n} things that nobody told me before.</p></div>"
            for n in range(3)
        )
        return framed(f"<h1>How to mend boat {query['id']}?</h1>{posts}")

    return routed(entry=entry, board=board, thread=thread)


async def seconds_of_learning(flood: str) -> float:
    async with site(page_with(flood)) as served:
        began = time.process_time()
        learned = await learned_from(served.url)
        seconds = time.process_time() - began
        types = UrlTypes(learned.profile)
        assert (typed := types.type(f"{served.url}thread?id=25")) is not None
        assert typed.is_thread
    return seconds


@pytest.mark.parametrize("flood", FLOODS)
async def test_a_page_of_any_size_costs_learning_two_seconds_at_most(flood: str) -> None:
    usual = await seconds_of_learning("")
    assert await seconds_of_learning(FLOODS[flood]()) < usual + BUSY * SECONDS
