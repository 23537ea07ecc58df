"""Learning an archive of letters, a page each: their heads name who wrote them, and their lists are no letters."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from tests.learn.tablesite import TableSite

from thrawl.crawl.links import LinkReader
from thrawl.learn.learner import learn
from thrawl.page.tree import parse
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.subjects import is_answer, names, subject_of
from thrawl.profile.urltypes import UrlTypes

SITE = "http://letters.example"
LISTS = ("orchard", "harbour", "attic")
PEOPLE = ("Ann Quince", "Bert Rowan", "Cleo Sorrel", "Dora Thyme", "Emil Umber")
WORDS = (
    "old lamps leak oil when nobody turns the brass ring before the winter and the cat sleeps on warm stones".split()
)
FEW = 12  # letters of a list


def said(number: int) -> str:
    return " ".join(WORDS[(number * 5 + at * (2 + number % 4)) % len(WORDS)] for at in range(14)).capitalize() + "."


def subject(number: int) -> str:
    return " ".join(WORDS[(number // 3 * 7 + at * 3) % len(WORDS)] for at in range(3)).capitalize()


def writer(number: int) -> str:
    return PEOPLE[number * 3 % len(PEOPLE)]


def title(number: int) -> str:
    return subject(number) if number % 3 == 0 else f"Re: {subject(number)}"


def day(number: int) -> str:
    return f"2024-05-{number + 1:02} 10:15"


def framed(head: str, main: str) -> str:
    return f"<html><head><title>{head}</title></head><body>{main}</body></html>"


def sorts(here: str) -> str:
    kinds = ("date", "writer", "topic")
    return f"<ul><li>Sorted: {' '.join(f'[ <a href={one}.html>{one}</a> ]' for one in kinds if one != here)}</li></ul>"


def listed(name: str, kind: str) -> str:
    rows = "".join(
        f"<li><a href={number:04}.html>{title(number)}</a> <em>{writer(number)}</em> ({day(number)})</li>"
        for number in range(FEW)
    )
    return framed(f"{name} by {kind}", f"<h1>{name}: letters by {kind}</h1>{sorts(kind)}<div><ul>{rows}</ul></div>")


def letter(name: str, number: int) -> str:
    """A letter whose page links to those beside it and to all lists; some quote the one before."""
    beside = "".join(
        f"<li>[ <a href={one:04}.html>{title(one)}</a> ]</li>" for one in (number - 1, number + 1) if 0 <= one < FEW
    )
    person = writer(number)
    mail = person.lower().replace(" ", ".") + "_at_post.example"
    before = f"{writer(number - 1)} wrote:<br><em>&gt; {said(number - 1)}</em><br><br>" if number % 3 == 2 else ""
    sender = f"<b>From</b>: {person} &lt;<a href=mailto:{mail}>{mail}</a>&gt;"
    head = f"<address>{sender}<br><b>Date</b>: {day(number)}</address>"
    body = f'<div class="letter">{head}<br>{before}{said(number)}<br>{said(number + 40)}<br></div>'
    return framed(
        f"{title(number)} from {person} on {day(number)[:10]} ({name})",
        f"<h1>{title(number)}</h1><map><ul>{beside}</ul>{sorts('')}</map>{body}<map><ul>{beside}</ul>{sorts('')}</map>",
    )


@pytest.fixture(scope="module")
def site() -> TableSite:
    rows = "".join(f'<tr><td>{name}</td><td><a href="/{name}/">letters</a></td></tr>' for name in LISTS)
    pages = {"/": framed("Letters", f"<h1>Lists</h1><table>{rows}</table>")}
    for name in LISTS:
        pages[f"/{name}/"] = listed(name, "thread")
        pages |= {f"/{name}/{kind}.html": listed(name, kind) for kind in ("date", "writer", "topic")}
        pages |= {f"/{name}/{number:04}.html": letter(name, number) for number in range(FEW)}
    return TableSite(SITE, pages)


@pytest.fixture(scope="module")
def profile(site: TableSite) -> Profile:
    return asyncio.run(learn(SITE + "/", site)).profile


def test_lists_of_letters_are_no_letters(profile: Profile) -> None:
    types = UrlTypes(profile)
    kinds = {
        path: typed.is_thread if (typed := types.type(f"{SITE}/attic/{path}.html")) else False
        for path in ("date", "writer", "0007")
    }
    assert kinds == {"date": False, "writer": False, "0007": True}


def test_the_head_of_a_letter_names_its_writer_and_lines_of_others_are_quoted(profile: Profile) -> None:
    assert profile.post_wrapper is not None
    wrapper = PostWrapper.from_json(profile.post_wrapper)
    url = f"{SITE}/harbour/0005.html"
    (post,) = wrapper.cut(parse(letter("harbour", 5)), url, datetime(2024, 6, 1, tzinfo=UTC)) or ()
    assert post.author == writer(5)
    assert post.text.split("\n") == [said(5), said(45)]
    assert [quote.text for quote in post.quotes] == [said(4)]


def test_letters_of_a_thread_are_known_by_their_subject(profile: Profile) -> None:
    assert (profile.threaded, profile.letters) == (True, True)
    url = f"{SITE}/attic/0005.html"
    links, _, flips = LinkReader(profile).read(parse(letter("attic", 5)), url, f"{SITE}/attic/0003.html", title(5))
    assert flips.linked == ((2, f"{SITE}/attic/0004.html"),)
    assert [link.url for link in links if link.is_thread] == [f"{SITE}/attic/0006.html"]


def test_letters_that_answer_others_are_asked_for_late(profile: Profile) -> None:
    links, _, _ = LinkReader(profile).read(parse(listed("attic", "date")), f"{SITE}/attic/", f"{SITE}/attic/")
    assert [link.url[-9:-5] for link in links if link.is_thread and not link.reserve] == [
        "0000",
        "0003",
        "0006",
        "0009",
    ]


@pytest.mark.parametrize(
    ("words", "is_same"),
    [
        ("Brass rings", True),
        ("AW: brass  rings", True),
        ('Ann Quince: "Re: Brass rings"', True),
        ("Re[2]: Brass rings", True),
        ("New brass rings", False),
        ("Brass rings and lamps", False),
        ("Next message", False),
        ("Re: Brass rings (7/5/2024 5:43 PM)", True),
        ("Brass rings! (2024-07-04) (Thread modified: 2024-07-05 17:43)", True),
        ("Brass rings (version 1.2)", False),
    ],
)
def test_links_that_name_a_subject(words: str, is_same: bool) -> None:
    assert names(words, subject_of("RE: Brass rings")) == is_same


def test_a_word_before_a_colon_is_a_mark_only_if_it_is_short() -> None:
    assert subject_of("Re: Problem: the lamp") == subject_of("Problem: the lamp") == "problem: the lamp"
    assert [is_answer(one) for one in ("Re: x yz", "Problem: x yz", "x yz")] == [True, False, False]
