"""One page read by a profile: what its breadcrumbs say."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.effort import lines_run

from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import BoardStep, PageJob, Role
from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.page.reading import read_page
from thrawl.profile.heading import PageWrapper, TitleField
from thrawl.profile.patterns import Pattern
from thrawl.profile.places import Step
from thrawl.profile.profile import Flip, ListPattern, Profile

SITE = "http://forum.test"
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve")
POSTS = "".join(
    f"<div class='post'><b>{name}</b> <i>2020-03-04 10:2{number}</i><p>{words}</p></div>"
    for number, (name, words) in enumerate(
        [("Ada", "The pump of the old boiler leaks again."), ("Bo", "Mine did too, until I changed the seal.")]
    )
)


def a_profile(sessions: tuple[str, ...] = (), **heading: Any) -> Profile:
    board = Pattern.parse(SITE + "/board?id={a:number}")
    flip = Flip(Pattern.parse(SITE + "/board?id={a:number}&page={page:number}"), 1, 1)
    crumbs = PageWrapper(crumbs=((Step("body"), Step("nav")),), **heading)
    threads = (ListPattern(Pattern.parse(SITE + "/t/{a:number}"), ()),)
    lists = (ListPattern(board, (flip,)),)
    return Profile(f"{SITE}/", lists, threads, page_wrapper=crumbs.to_json(), session_parameters=sessions)


def boards_of(crumbs: str, **more: Any) -> tuple[BoardStep, ...]:
    html = f"<html><body><nav>{crumbs}</nav>{POSTS}</body></html>"
    url = f"{SITE}/t/7"
    moment = datetime(2026, 5, 1, tzinfo=UTC)
    return SiteReader(a_profile(**more)).read(PageJob(url, Role.THREAD, url, html.encode(), "utf-8", moment)).boards


def test_breadcrumbs_name_the_boards_above_a_thread() -> None:
    found = boards_of("<a href='/board?id=1'>House</a> › <a href='/board?id=6'>Kitchen</a>")
    assert found == (BoardStep("House", f"{SITE}/board?id=1"), BoardStep("Kitchen", f"{SITE}/board?id=6"))


def test_a_crumb_to_a_later_page_with_a_pager_beside_it_is_one_board() -> None:
    pager = "<div><a href='/board?id=6'>« Previous</a> <a href='/board?id=6&page=3'>3</a></div>"
    found = boards_of(f"<a href='/board?id=1'>House</a> › <a href='/board?id=6&page=2'>Kitchen</a>{pager}")
    assert found == (BoardStep("House", f"{SITE}/board?id=1"), BoardStep("Kitchen", f"{SITE}/board?id=6"))


def test_the_first_page_of_a_visit_has_a_session_in_its_links_and_names_the_same_boards() -> None:
    """The pages that the site was learned from had none: their visitor had a cookie by then."""
    learned = {"home": frozenset({f"{SITE}/"}), "heads": frozenset({"forum.test/board/board?id"})}
    crumbs = "<a href='/?sid=0a1b2c'>Forum</a> › <a href='/board?id=6&sid=0a1b2c'>Kitchen</a>"
    assert boards_of(crumbs, sessions=("sid",), **learned) == (BoardStep("Kitchen", f"{SITE}/board?id=6"),)


def an_article(number: int) -> str:
    """An article that shows its title where answers show who wrote them."""
    words = "lamp stove bridge copper paper velvet kettle engine beehive lantern".split()
    text = " ".join(words[number * step % 10] for step in range(3, 40))
    head = f"<h3>{words[number % 7].title()} {words[number % 3]} {number}</h3><i>2020-03-{number + 1:02} 10:00</i>"
    answers = "".join(
        f"<div class='c'><b>{NAMES[(number + at) % 5]}</b> <i>2020-03-{number + 1:02} 11:{at:02}</i>"
        f"<p>{at} {text}</p></div>"
        for at in range(number % 4)
    )
    return f"<title>Demo</title><body><article>{head}<div>{text}.</div></article><section>{answers}</section></body>"


def test_an_article_whose_title_stands_where_names_do_names_nobody() -> None:
    pages = [read_page(an_article(number), f"{SITE}/t/{number}") for number in range(1, 14)]
    wrapper = learn_post_wrapper(pages)
    assert wrapper is not None
    profile = a_profile(titles=(TitleField(tuple(map(Step, ("body", "article", "h3")))),))
    job = PageJob(f"{SITE}/t/6", Role.THREAD, f"{SITE}/t/6", an_article(6).encode(), "utf-8", datetime.now(UTC))
    reading = SiteReader(replace(profile, post_wrapper=wrapper.to_json())).read(job)
    assert reading.title == "Kettle lamp 6"
    assert [post.author for post in reading.posts] == [None, NAMES[1], NAMES[2]]


@pytest.mark.parametrize(
    "row",
    [
        "<p>{n}</p>",  # numbers without a word, one after the other
        "<td>{n}</td>",
        "{n}<hr>",  # all in one element
        "<p>{n}</p><a href='/board?id={n}'>Board {n}</a>",
        "<a href='/x/{n}'>Some words {n}</a>",
    ],
)
@pytest.mark.parametrize("role", [Role.INDEX, Role.ENTRY, Role.THREAD])
def test_effort_follows_the_number_of_elements_that_stand_in_one_row(row: str, role: Role) -> None:
    reader = SiteReader(a_profile())

    def effort(number: int) -> int:
        html = "<table><tr>" * row.startswith("<td") + "".join(row.format(n=n) for n in range(number))
        job = PageJob(f"{SITE}/board?id=1", role, f"{SITE}/board?id=1", html.encode(), "utf-8", datetime.now(UTC))
        return lines_run(lambda: reader.read(job))

    assert effort(4_000) < 6 * effort(1_000)  # four times as much where it follows, sixteen where it is quadratic
