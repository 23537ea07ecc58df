"""Learning archives of messages, one a page, that stand in several orders: their lists are no messages.

A program's words for orders stand where messages have their numbers, and look like titles to nobody but a program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.learn.tablesite import TableSite
from tests.learn.test_learner_homes import words
from tests.learn.test_learner_letters import PEOPLE, framed, writer

from thrawl.crawl.links import LinkReader
from thrawl.learn.learner import learn
from thrawl.learn.structure.signs import LAST, signs
from thrawl.page.tree import parse
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

SITE = "http://messages.example"
LISTS = ("orchard", "harbour")
MONTHS = {"2024-March": range(12), "2024-April": range(12, 21), "2024-May": range(21, 33), "2024-June": range(33, 42)}
ORDERS = ("thread", "date", "author")

Name = Callable[[int], str]


def numbered(number: int) -> str:
    return f"{number:05}.html"


def by_id(number: int) -> str:
    return f"%3C{number * 7919 % 100003}.{number}%40post.example%3E"


def subject(one: str, number: int) -> str:
    return words(LISTS.index(one) * 500 + number // 3, 5).capitalize()


def said(one: str, number: int) -> str:
    return "\n\n".join(words(LISTS.index(one) * 900 + number * 11 + at, 30 + number % 5) + "." for at in range(2))


def archive(name: Name, ending: str, *, named: bool, marked: bool) -> dict[str, str]:
    """An archive by months; `named`: messages call those beside them by their subjects, and not by arrows; `marked`:
    lists put a mark before the subjects of answers. Without the first nothing else says that people talk."""
    rows = "".join(f'<tr><td>{one}</td><td><a href="/{one}/">letters</a></td></tr>' for one in LISTS)
    pages = {"/": framed("Lists", f"<h1>Lists</h1><table>{rows}</table>")}
    for one in LISTS:
        months = "".join(
            f"<tr><td>{month}{''.join(f'<td><a href={month}/{by}{ending}>[ {by} ]</a></td>' for by in ORDERS)}</tr>"
            for month in MONTHS
        )
        pages[f"/{one}/"] = framed(f"The {one} letters", f"<h1>The {one} letters</h1><table>{months}</table>")
        for month, numbers in MONTHS.items():
            for by in ORDERS:
                pages[f"/{one}/{month}/{by}{ending}"] = listed(one, month, by, name, ending, marked=marked)
            for number in numbers:
                pages[f"/{one}/{month}/{name(number)}"] = message(one, month, number, name, ending, named=named)
    return pages


def orders(here: str, ending: str) -> str:
    return "<b>Sorted by:</b> " + " ".join(f"<a href={by}{ending}>[ {by} ]</a>" for by in ORDERS if by != here)


def listed(one: str, month: str, by: str, name: Name, ending: str, *, marked: bool) -> str:
    marks = {n: "Re: " if marked and n % 3 else "" for n in MONTHS[month]}
    rows = "".join(
        f"<li><a href={name(n)}>{mark}{subject(one, n)}</a> <i>{writer(n)}</i></li>" for n, mark in marks.items()
    )
    head = f"{one} {month} by {by}"
    return framed(head, f"<h1>{head}</h1><ul><li>{orders(by, ending)}</li></ul><p>Messages: 9</p><ul>{rows}</ul>")


def message(one: str, month: str, number: int, name: Name, ending: str, *, named: bool) -> str:
    beside = [("Before", number - 1), ("After", number + 1)]
    links = "".join(
        f"<li>{way}: <a href={name(n)}>{subject(one, n) if named else '&raquo;'}</a></li>"
        for way, n in beside
        if n in MONTHS[month]
    )
    menu = f"<ul>{links}<li>{orders('', ending)}</li></ul>"
    person = writer(number)
    mail = person.lower().replace(" ", ".") + f" at post{PEOPLE.index(person)}.example"
    head = f"<b>{person}</b> <a href='mailto:{one}%40lists.example'>{mail}</a><br><i>2024-05-{number + 1:02} 10:15</i>"
    body = f"<hr><pre>{said(one, number)}\n</pre><hr>"
    return framed(subject(one, number), f"<h1>{subject(one, number)}</h1>{head}{menu}{body}{menu}")


def learned(pages: dict[str, str]) -> Profile:
    return asyncio.run(learn(SITE + "/", TableSite(SITE, pages))).profile


@pytest.fixture(scope="module")
def months() -> Profile:
    return learned(archive(numbered, ".html", named=True, marked=False))


@pytest.mark.parametrize(("name", "ending", "named"), [(numbered, ".html", True), (by_id, "", False)])
def test_orders_of_a_month_are_no_messages(name: Name, ending: str, named: bool) -> None:
    types = UrlTypes(learned(archive(name, ending, named=named, marked=not named)))
    for one in LISTS:
        for month, numbers in MONTHS.items():
            found = [types.type(f"{SITE}/{one}/{month}/{name(number)}") for number in numbers]
            assert all(typed is not None and typed.is_thread for typed in found)
            found = [types.type(f"{SITE}/{one}/{month}/{by}{ending}") for by in ORDERS]
            assert not any(typed is not None and typed.is_thread for typed in found)


def test_a_sender_is_called_by_name_and_not_by_address(months: Profile) -> None:
    assert months.post_wrapper is not None
    page = message("orchard", "2024-April", 13, numbered, ".html", named=True)
    cut = PostWrapper.from_json(months.post_wrapper).cut(parse(page), f"{SITE}/orchard/2024-April/00013.html", None)
    assert cut is not None
    assert [post.author for post in cut] == [writer(13)]


def test_answers_on_lists_make_letters_of_messages_whose_addresses_have_no_order() -> None:
    profile = learned(archive(lambda number: f"{number * 7919 % 100003:05}.html", ".html", named=True, marked=True))
    assert (profile.threaded, profile.letters) == (True, True)


def test_where_no_mark_tells_answers_all_of_one_subject_but_the_first_are_asked_for_late(months: Profile) -> None:
    assert months.letters
    url = f"{SITE}/orchard/2024-April/date.html"
    page = listed("orchard", "2024-April", "date", numbered, ".html", marked=False)
    links, _, _ = LinkReader(months).read(parse(page), url, url)
    first = [link.url[-10:] for link in links if link.is_thread and not link.reserve]
    assert first == ["00012.html", "00015.html", "00018.html"]


def test_numbers_at_the_end_tell_messages_from_orders_of_their_lists() -> None:
    types = {
        f"{SITE}/a/2024-May/date.html": "index",
        f"{SITE}/b/2024-June/thread.html": "index",
        f"{SITE}/a/2024-May/0012.html": "thread",
        f"{SITE}/b/2024-June/0007.html": "thread",
    }
    assert LAST in signs(types)
    assert LAST.is_on(f"{SITE}/a/2024-May/0031.html")
    assert not LAST.is_on(f"{SITE}/a/2024-May/author.html")
