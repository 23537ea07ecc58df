"""Pages of one list are saved in order, whatever order their answers come in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thrawl.crawl.turns import Turns


@given(order=st.permutations(range(8)))
def test_pages_of_one_list_are_saved_in_order(order: list[int]) -> None:
    turns, saved = Turns(), list[int]()
    taken = {page: turns.take("thread", page) for page in range(8)}
    for page in order:
        turns.ready(taken[page], lambda page=page: saved.append(page))  # type: ignore[misc]  # a default binds it
    assert saved == list(range(8))


def test_lists_do_not_wait_for_each_other() -> None:
    turns, saved = Turns(), list[str]()
    turns.take("slow", 1)
    turns.ready(turns.take("quick", 7), lambda: saved.append("quick"))
    assert saved == ["quick"]


def test_a_page_that_never_comes_holds_nobody_up() -> None:
    turns, saved = Turns(), list[int]()
    first, second = turns.take("thread", 1), turns.take("thread", 2)
    turns.ready(second, lambda: saved.append(2))
    assert saved == []
    turns.drop(first)
    assert saved == [2]
