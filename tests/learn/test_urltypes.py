"""The type of a URL by the URL alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

F = "http://f.test/"


def listed(pattern: str, *flips: tuple[str, int | None, int | None], key: tuple[str, ...] = ()) -> ListPattern:
    made = tuple(Flip(Pattern.parse(F + text), first, step) for text, first, step in flips)
    return ListPattern(Pattern.parse(F + pattern), made, key)


PROFILE = Profile(
    entry=F,
    index=(
        listed("b?id={a:number}", ("b?id={a:number}&from={page:number}", 0, 25)),
        listed("rooms/{a:word}", ("rooms/{a:word}?after={page:word}", None, None)),
    ),
    thread=(listed("t/{a:number}-{b:word}", ("t/{a:number}-{b:word}/p{page:number}", 1, 1), key=("a",)),),
    session_parameters=("sid",),
    excluded=(F + "rooms/staff",),
)
TYPES = UrlTypes(PROFILE)


@pytest.mark.parametrize(
    ("url", "kind", "page"),
    [
        ("b?id=3", "index", 1),
        ("b?id=3&from=50", "index-flip", 3),
        ("t/7-hello", "thread", 1),
        ("t/7-hello/p4", "thread-flip", 4),
        ("rooms/golf", "index", 1),
        ("rooms/golf?after=x8f", "index-flip", None),
    ],
)
def test_lists_and_their_flips(url: str, kind: str, page: int | None) -> None:
    typed = TYPES.type(F + url)
    assert typed is not None
    assert (typed.kind, typed.page) == (kind, page)


@pytest.mark.parametrize("url", ["", "b?id=3&sort=1", "u/7-ann", "t/7", "b?id=x", "t/7-hello/p4/print", "rooms/staff"])
def test_what_was_not_learned_is_not_followed(url: str) -> None:
    assert TYPES.type(F + url) is None


def test_the_pattern_that_says_more_of_an_address_itself_is_the_more_special_one() -> None:
    boards = listed("{a:word}_{b:number}.html", ("{a:word}_{page:number}.html", 0, 1))
    threads = listed("t-{a:word}~{b:number}.html", ("t-{a:word}~{b:number}_{page:number}.html", 0, 1), key=("b",))
    found = UrlTypes(Profile(F, index=(boards,), thread=(threads,))).type(F + "t-lathe~7_1.html")
    assert found is not None
    assert (found.kind, found.list_url) == ("thread-flip", F + "t-lathe~7.html")


def test_a_word_that_leads_on_is_no_number_of_a_thread() -> None:
    boards = listed("{a:huts|mills}/", ("{a:huts|mills}/{page:word}/", None, None))
    types = UrlTypes(Profile(F, index=(boards,), thread=(listed("{a:word}/{b:number}/"),)))
    found = [types.type(F + path) for path in ("huts/all/", "huts/102/")]
    assert [one and one.kind for one in found] == ["index-flip", "thread"]


def test_a_flip_to_page_1_is_the_list_itself() -> None:
    typed = TYPES.type(F + "t/7-hello/p1")
    assert typed is not None
    assert (typed.kind, typed.url, typed.page) == ("thread", F + "t/7-hello", 1)


def test_a_flip_tells_its_list() -> None:
    typed = TYPES.type(F + "b?id=3&from=50")
    assert typed is not None
    assert typed.list_url == F + "b?id=3"


def test_a_list_may_have_a_number_of_its_own_where_its_flips_have_theirs() -> None:
    threads = listed("t?msg={a:number}.{b:number}", ("t?msg={a:number}.{page:number}", 1, 10))
    types = UrlTypes(Profile(entry=F, index=(), thread=(threads,)))
    first, third = types.type(F + "t?msg=30.1"), types.type(F + "t?msg=30.21")
    assert first is not None
    assert third is not None
    assert (first.kind, first.page, third.kind, third.page) == ("thread", 1, "thread-flip", 3)
    assert first.list_url == third.list_url == F + "t?msg=30.1"


def test_threads_of_one_key_are_one_thread_whatever_their_slug() -> None:
    one, other = TYPES.type(F + "t/7-hello"), TYPES.type(F + "t/7-old-title")
    assert one is not None
    assert other is not None
    assert one.key == other.key


def test_sessions_are_removed_before_typing() -> None:
    typed = TYPES.type(F + "b?sid=0a1b&id=3")
    assert typed is not None
    assert typed.url == F + "b?id=3"


@given(st.integers(1, 10_000), st.integers(1, 5_000))
def test_arithmetic_there_and_back(thread: int, page: int) -> None:
    for list_url in (f"{F}b?id={thread}", f"{F}t/{thread}-hello"):
        flip = TYPES.flip_url(list_url, page)
        assert flip is not None
        typed = TYPES.type(flip)
        assert typed is not None
        assert (typed.list_url, typed.page) == (list_url, page)


def test_a_cursor_has_no_arithmetic() -> None:
    assert TYPES.flip_url(F + "rooms/golf", 2) is None
    assert TYPES.flip_url(F + "rooms/golf", 1) == F + "rooms/golf"


def test_an_empty_profile_types_nothing() -> None:
    assert UrlTypes(Profile(F, (), ())).type(F + "t/7-hello") is None


def test_a_first_page_whose_number_does_not_tell_all_of_the_list_names_no_list() -> None:
    flip = Flip(Pattern.parse(f"{F}{{a:number}}-{{page:number}}"), 1, 1, opens_last=True)
    types = UrlTypes(Profile(F, (), (ListPattern(Pattern.parse(f"{F}{{a:number}}-{{b:word}}"), (flip,)),)))
    assert types.without_number(f"{F}7-1") is None
