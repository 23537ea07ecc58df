"""Flip URLs as many programs write them: from two lists and one pager to a pattern that works both ways."""

from __future__ import annotations

import pytest

from thrawl.learn.flips.patterns import flip_of, names_anew
from thrawl.learn.refine import learn_patterns
from thrawl.page.links import Link
from thrawl.profile.pager import find_pagers
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

SITE = "http://forum.test"


@pytest.mark.parametrize(
    ("one", "other", "second"),
    [
        ("/i.php?topic=12.0", "/i.php?topic=345.0", "/i.php?topic=12.20"),
        ("/threads/some-title.12/", "/threads/tea.345/", "/threads/some-title.12/page-2"),
        ("/i.php?threads/some-title.12/", "/i.php?threads/tea.345/", "/i.php?threads/some-title.12/page-2"),
        ("/i.pl?t-12/", "/i.pl?t-345/", "/i.pl?t-12/from-20/"),
        ("/show.php?12-Some-Title", "/show.php?345-Tea", "/show.php?12-Some-Title/page2"),
        ("/y.pl?num=1200/0", "/y.pl?num=1345/0", "/y.pl?num=1200/15"),
        ("/y.pl?board=oars/0", "/y.pl?board=tea/0", "/y.pl?board=oars/20"),
        ("/topic/12-some-title/", "/topic/345-tea/", "/topic/12-some-title/?page=2"),
        ("/topic/12-some-title/", "/topic/345-tea/", "/topic/12-some-title/page/2/"),
        ("/topic/some-title/", "/topic/tea/", "/topic/some-title/page/2/"),
        ("/i.php?t=msg&th=12&start=0", "/i.php?t=msg&th=345&start=0", "/i.php?t=msg&th=12&start=40"),
        ("/t12-some-title.htm", "/t345-tea.htm", "/t12p15-some-title.htm"),
        ("/topic12.html", "/topic345.html", "/topic12-10.html"),
        ("/topic12-some-title.html", "/topic345-tea.html", "/topic12-some-title-p2.html"),
        ("/some-title-t12.html", "/tea-t345.html", "/some-title-t12-15.html"),
        ("/list.php?3", "/list.php?14", "/list.php?3,page=2"),
        ("/view.php?t=12", "/view.php?t=345", "/view.php?t=12&postdays=0&start=15"),
    ],
)
def test_a_flip_and_its_list_lead_to_each_other(one: str, other: str, second: str) -> None:
    here, flip_url = SITE + one, SITE + second
    (pattern,) = learn_patterns([here, SITE + other])
    (pager, *_) = find_pagers(here, [Link(0, flip_url, "2", "", "", "")])
    flip = flip_of(pattern, here, pager)
    assert flip is not None
    types = UrlTypes(Profile(f"{SITE}/", (), (ListPattern(pattern, (flip,)),)))
    typed = types.type(flip_url)
    assert typed is not None
    assert (typed.kind, typed.list_url, typed.page) == ("thread-flip", here, 2)
    assert types.flip_url(here, 2) == flip_url
    assert types.type(here) is not None


def test_a_word_before_the_numbers_of_all_threads_tells_them_from_people_beside_them() -> None:
    titles = ["some-title", "tea", "big-news", "help", "lenses"]
    (pattern,) = learn_patterns([f"{SITE}/topic{number}-{title}.html" for number, title in enumerate(titles, 7)])
    assert str(pattern) == f"{SITE}/topic{{a:number}}-{{b:word}}.html"
    others = ["user3.html", "search-posts-user10.html", "forum2-tea-and-cake.html", "login.html"]
    assert not any(pattern.match(f"{SITE}/{other}") for other in others)


def test_a_word_that_all_threads_begin_with_stays_in_the_pattern() -> None:
    titles = ["Some-Title", "Tea", "Big-News", "Help", "Lenses", "Golf"]
    (pattern,) = learn_patterns([f"{SITE}/Thread-{title}" for title in titles])
    assert str(pattern) == f"{SITE}/Thread-{{a:word}}"


@pytest.mark.parametrize(
    ("flip", "expected"),
    [
        pytest.param("/p?do=list&start={page:number}&where={a:number}", True, id="the board's number by another name"),
        pytest.param("/p?do=list&id={a:number}&start={page:number}", False, id="by its own name"),
        pytest.param("/p?do=read&start={page:number}&where={a:number}", False, id="another page of the program"),
        pytest.param("/q?do=list&start={page:number}&where={a:number}", False, id="another program"),
        pytest.param("/p?do=list&start={page:number}&where=7", False, id="one number for all boards"),
    ],
)
def test_a_flip_may_call_its_lists_number_by_another_name(flip: str, *, expected: bool) -> None:
    board = Pattern.parse(f"{SITE}/p?do=list&id={{a:number}}")
    assert names_anew(board, Pattern.parse(SITE + flip)) is expected
