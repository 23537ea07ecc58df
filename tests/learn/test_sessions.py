"""Session ids: one random value that many links of a page share."""

from __future__ import annotations

import pytest

from thrawl.learn.sessions import Steps, looks_random, session_parameters, suspects

ID = "f3a9c0d17be2480c9d55"


def session_ids(urls: list[str]) -> frozenset[str]:
    """What a page's links tell by themselves: asked for again, a mirror answers the same."""
    return session_parameters(suspects(urls), suspects(urls), urls)


def test_a_short_number_that_changes_when_asked_again_is_a_session() -> None:
    first, again = ([f"http://f.test/t?id={number}&s={value}" for number in range(5)] for value in ("48213", "77120"))
    assert session_parameters(suspects(first), suspects(again), first) == {"s"}


def test_a_random_value_on_the_links_to_a_threads_own_pages_names_the_thread() -> None:
    pages = [f"http://f.test/t?p={ID}{rest}" for rest in ("", "&page=2", "&view=print")]
    assert session_ids([*pages, *(f"http://f.test/{word}" for word in ("board", "help", "login", "people"))]) == set()


def test_a_number_that_all_links_share_and_keep_is_none() -> None:
    assert session_ids([f"http://f.test/t?id={number}&skin=20071" for number in range(5)]) == frozenset()


def test_a_random_value_on_many_links_is_a_session() -> None:
    urls = [f"http://f.test/t?id={number}&zid={ID}" for number in range(5)]
    assert session_ids(urls) == {"zid"}


def test_a_session_in_the_path_is_found_too() -> None:
    urls = [f"http://f.test/t{number};zid={ID}" for number in range(5)]
    assert session_ids(urls) == {"zid"}


def test_values_that_differ_are_no_session() -> None:
    assert session_ids([f"http://f.test/f?id={ID}{number}" for number in range(5)]) == frozenset()


def test_one_link_alone_tells_nothing() -> None:
    assert session_ids([f"http://f.test/t?id=1&zid={ID}"]) == frozenset()


@pytest.mark.parametrize(
    "value", ["descending", "lastpostdate", "2026-05-01", "123456789012", "english-language", "utf-8"]
)
def test_words_and_numbers_are_no_sessions(value: str) -> None:
    assert session_ids([f"http://f.test/t?id={number}&sort={value}" for number in range(5)]) == frozenset()


@pytest.mark.parametrize("value", [ID, "0a1b2c3d4e5f", "Zk39fQp2Lx81aB"])
def test_long_mixed_values_look_random(value: str) -> None:
    assert looks_random(value)


def test_names_are_folded() -> None:
    assert session_ids([f"http://f.test/t?id={number}&ZID={ID}" for number in range(5)]) == {"zid"}


def walked(*pages: tuple[str, list[str]]) -> frozenset[str]:
    """What the links of some pages tell together."""
    steps = Steps()
    return [steps.told_by(f"http://f.test/{url}", [f"http://f.test/{link}" for link in links]) for url, links in pages][
        -1
    ]


def test_a_number_that_is_one_more_on_all_links_of_a_page_counts_clicks() -> None:
    listed = ("b?db=1", [f"b?db=1&num={n}&back=1" for n in range(5)])
    letters = [
        (f"b?num={n}&back=1&db=1", [f"b?db=1&num={n + to}&back=2" for to in (-1, 1)] + ["b?db=1"]) for n in (2, 3)
    ]
    assert walked(listed) == walked(listed, letters[0]) == frozenset()
    assert walked(listed, *letters) == {"back"}


def test_levels_and_pages_count_no_clicks() -> None:
    levels = [
        ("c?id=1&level=1", [f"c?id={n}&level=2" for n in range(4)]),
        ("c", [f"c?id=9{n}&level=1" for n in range(4)]),
    ]
    assert walked(*levels) == frozenset()  # each place has but one
    pages = [("b?id=1", ["b?id=1&page=1", "b?id=1&page=2", "t?id=4&page=1"]), ("b?id=1&page=1", ["b?id=1&page=2"])]
    assert walked(*pages) == frozenset()
