"""Which pages of a list are fetched, and when."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.crawl import lists


def fetched(last: int, is_fresh: Callable[[int], bool]) -> set[int]:
    """All pages that are fetched of a list whose pages bring news where `is_fresh` says so."""
    done: set[int] = set()
    waiting = [1]
    while waiting:
        page = waiting.pop()
        if page not in done:
            done.add(page)
            waiting += lists.index_pages(page, last, fresh=is_fresh(page))
    return done


@given(last=st.integers(1, 300))
def test_a_list_whose_every_page_brings_something_new_is_fetched_whole(last: int) -> None:
    assert fetched(last, lambda _: True) == set(range(1, last + 1))


@given(last=st.integers(1, 3000))
def test_a_list_that_only_repeats_others_costs_a_handful_of_requests(last: int) -> None:
    assert len(fetched(last, lambda page: page == 1)) <= 10


@given(last=st.integers(20, 300), start=st.floats(0, 0.7))
def test_a_stretch_of_news_a_fifth_of_the_list_long_is_found_whole(last: int, start: float) -> None:
    first = 1 + int(last * start)
    news = range(first, first + last // 5 + 2)
    assert set(news) & set(range(1, last + 1)) <= fetched(last, lambda page: page in news)


@pytest.mark.parametrize("last", [2, 3, 4])
def test_short_lists_are_never_judged_by_samples(last: int) -> None:
    assert fetched(last, lambda _: False) == set(range(1, last + 1))


def test_a_pager_that_shows_more_pages_later_is_followed() -> None:
    assert lists.index_pages(5, 9, fresh=False) == [9]


def test_short_lists_come_before_long_ones_and_all_before_threads() -> None:
    ranks = [lists.ENTRY, lists.INDEX, lists.index_flip_priority(2), lists.index_flip_priority(90), lists.WALKED]
    ranks += [lists.THREAD, lists.thread_flip_priority(2), lists.thread_flip_priority(3), lists.LINKED_IN_POSTS]
    assert ranks == sorted(set(ranks))


def test_all_pages_of_a_thread_are_scheduled_once() -> None:
    assert list(lists.thread_pages(1, 4, scheduled=1)) == [2, 3, 4]
    assert list(lists.thread_pages(2, 4, scheduled=4)) == []
    assert list(lists.thread_pages(4, 6, scheduled=4)) == [5, 6]


def test_a_pager_that_names_a_billion_pages_is_believed_a_little_at_a_time() -> None:
    assert len(lists.thread_pages(1, 10**9, scheduled=1)) == lists.AHEAD
