"""What in the addresses of one form tells two kinds of pages apart."""

from __future__ import annotations

from thrawl.learn.refine import learn_patterns
from thrawl.learn.structure.signs import Sign, signs

SITE = "http://forum.example"


def test_a_number_that_one_kind_always_has_tells_it_from_the_other() -> None:
    types = {
        f"{SITE}/forum/2-0-1": "index",
        f"{SITE}/forum/7-0-1": "index",
        f"{SITE}/forum/2-590-1": "thread",
        f"{SITE}/forum/7-31-1": "thread",
    }
    sign = next(iter(signs(types)))
    assert sign == Sign(2, "0")
    assert sign.is_on(f"{SITE}/forum/25-0-3")
    assert not sign.is_on(f"{SITE}/forum/25-7-1")


def test_a_word_at_the_beginning_tells_boards_from_print_views() -> None:
    types = {
        f"{SITE}/board-old-clocks.html": "index",
        f"{SITE}/board-boats.html": "index",
        f"{SITE}/print-my-boat~12.html": "other",
        f"{SITE}/print-a-new-sail~7.html": "other",
    }
    assert list(signs(types))[:2] == [Sign(), Sign(0, "board")]  # a number alone would do as well


def test_one_page_of_a_kind_may_be_an_exception_and_tells_nothing() -> None:
    types = {f"{SITE}/t/1": "thread", f"{SITE}/t/2": "thread", f"{SITE}/t/3": "other"}
    assert list(signs(types)) == []


def test_a_sign_on_some_links_of_a_column_parts_it() -> None:
    assert Sign(0, "how").parts([f"{SITE}/how-to-sail", f"{SITE}/my-boat"])
    assert not Sign(0, "how").parts([f"{SITE}/how-to-sail", f"{SITE}/how-to-row"])


def test_words_are_held_to_how_they_begin_where_others_begin_otherwise() -> None:
    boards = [f"{SITE}/board-{name}.html" for name in ("clocks", "boats", "old-radios")]
    others = [f"{SITE}/user-{name}.html" for name in ("ada", "bo")]
    (pattern,) = learn_patterns(boards, others, boards=True)
    assert str(pattern) == f"{SITE}/board-{{a:word}}.html"


def test_a_word_is_a_sign_of_kinds_where_all_addresses_have_one_there() -> None:
    kinds = [f"{SITE}/golf/3", f"{SITE}/people/8"]
    assert Sign(0, "golf").is_word_of_all(kinds)
    assert not Sign(0, "golf").is_word_of_all([*kinds, f"{SITE}/7"])
    assert not Sign().is_word_of_all(kinds)
