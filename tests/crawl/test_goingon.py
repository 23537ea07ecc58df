"""What full pages have and short ones lack may lead on, whatever it says."""

from __future__ import annotations

import pytest

from thrawl.crawl.goingon import Ahead, GoingOn, added
from thrawl.crawl.values import Role

F = "http://f.test/t/"


@pytest.mark.parametrize(
    ("own", "url", "what"),
    [
        ("t/7", "t/7?more=a8f", "?more="),
        ("t/7?a=1", "t/7?a=1&more=a8f", "&more="),
        ("t/7/", "t/7/page/2/", "page//"),
        ("t/7.html", "t/7_2.html", "_"),
        ("t/7-words", "t/7-words", ""),
    ],
)
def test_what_an_address_adds_to_another_one_is_told_without_values(own: str, url: str, what: str) -> None:
    assert added(own, url) == what


def seen(*pages: tuple[int, int, tuple[str, ...]]) -> list[Ahead]:
    """What may lead on, of threads with a number, so many posts, and these additions to their addresses."""
    found = GoingOn()
    for number, size, beyond in pages:
        own = f"{F}{number}"
        found.add(Role.THREAD, own, own, size, tuple(own + one for one in beyond))
    return found.ahead()


def test_a_link_of_the_fullest_thread_that_short_ones_lack_may_lead_on_and_a_button_does_not() -> None:
    short = [(number, number, ("?reply=1",)) for number in range(1, 5)]
    assert seen(*short, (9, 20, ("?reply=1", "?older=4f1"))) == [
        Ahead(Role.THREAD, f"{F}9", f"{F}9?older=4f1", "?older=")
    ]


def test_a_link_that_fuller_threads_lack_leads_to_something_else() -> None:
    short = [(number, number, ()) for number in range(1, 5)]
    assert seen(*short, (8, 12, ("?poll=1",)), (9, 20, ())) == []


def test_a_link_says_nothing_where_there_are_no_shorter_threads_without_it() -> None:
    assert seen((1, 20, ("?older=1",)), (2, 3, ()), (3, 2, ())) == []


def test_only_some_of_many_pages_are_remembered_the_fullest_among_them() -> None:
    short = [(number, 1 + number % 5, ()) for number in range(1, 200)]
    assert [one.url for one in seen(*short[:100], (999, 20, ("?older=1",)), *short[100:])] == [f"{F}999?older=1"]


def test_what_most_lists_have_is_looked_behind_on_the_two_fullest_unless_lists_flip() -> None:
    found = GoingOn()
    for number, size in enumerate((3, 12, 5, 7)):
        own = f"http://f.test/b{number}/"
        found.add(Role.INDEX, own, own, size, (own + "all.html",) if number else ())
    assert [one.url for one in found.ahead()] == ["http://f.test/b1/all.html", "http://f.test/b3/all.html"]
    found.lists_flip = True
    assert found.ahead() == []
