"""What is held, what waits and what comes next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.boards import BoardCounts
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import FEED_HEAD, EntryShown, History, Layer, PageRef, PostsShown, RowsShown
from thrawl.refresh.waiting import WaitingThreads


def history(*posts: tuple[int, int, int]) -> History:
    columns = np.array(posts, dtype=np.int64).reshape(-1, 3).T
    return History(columns[0], columns[1], columns[2])


def holdings(*posts: tuple[int, int, int], size: int = 3) -> Holdings:
    return Holdings(history(*posts), size)


def rows(threads: list[int], times: list[int] | None, posts: list[int] | None) -> RowsShown:
    return RowsShown(threads, times, posts, None, 0, 1)


class TestAgenda:
    def test_the_list_that_waited_longest_for_its_wait_comes_first(self) -> None:
        agenda: Agenda[str] = Agenda()
        agenda.schedule("hourly", since=0, due=3600)
        agenda.schedule("monthly", since=0, due=30 * 86_400)
        now = 31 * 86_400.0
        assert agenda.latest(now) == ("hourly", 3600)
        agenda.schedule("hourly", since=now, due=now + 3600)
        assert agenda.latest(now + 60) == ("monthly", 30 * 86_400)

    def test_of_the_late_ones_the_true_score_decides(self) -> None:
        agenda: Agenda[str] = Agenda()
        agenda.schedule("a", since=0, due=10)
        agenda.schedule("b", since=0, due=100)
        assert agenda.best(50, lambda key, now: {"a": 1.0, "b": 7.0}[key]) == ("b", 7.0)

    def test_a_removed_list_never_comes_and_an_empty_agenda_has_none(self) -> None:
        agenda: Agenda[str] = Agenda()
        agenda.schedule("a", since=0, due=10)
        assert "a" in agenda
        agenda.remove("a")
        assert (len(agenda), agenda.latest(99), agenda.best(99, lambda key, now: 1.0)) == (0, None, None)

    @given(st.lists(st.tuples(st.integers(0, 20), st.floats(1, 1e7)), min_size=1, max_size=60))
    def test_with_equal_waits_the_first_due_wins_whatever_was_rescheduled(self, plan: list[tuple[int, float]]) -> None:
        agenda: Agenda[int] = Agenda()
        due: dict[int, float] = {}
        for key, moment in plan:
            agenda.schedule(key, since=moment - 512, due=moment)
            due[key] = moment
        found = agenda.latest(2e7)
        assert found is not None
        assert due[found[0]] == pytest.approx(min(due.values()))

    def test_the_price_follows_what_is_paid(self) -> None:
        price = Price(0.0, memory=10)
        for _ in range(100):
            price.paid(5.0)
        assert price.value == pytest.approx(5.0, rel=0.01)


BOARD = PageRef(Layer.INDEX, 1, 1)


def read(held: Holdings, shown: RowsShown, now: float) -> list[tuple[int, int]]:
    return [(row.thread, row.posts) for row in held.read_rows(BOARD, shown, now=now).news]


class TestHoldings:
    def test_a_row_with_a_larger_count_tells_how_many_posts_are_new(self) -> None:
        held = holdings((1, 10, 100), (1, 10, 110))
        assert read(held, rows([10, 11], [130, 90], [4, 1]), 140) == [(10, 2), (11, 1)]
        assert read(held, rows([10, 11], [130, 90], [4, 1]), 150) == []

    def test_a_row_without_a_count_tells_of_one_post_by_its_time(self) -> None:
        assert read(holdings((1, 10, 100)), rows([10], [120], None), 130) == [(10, 1)]

    def test_a_row_that_tells_nothing_still_shows_a_new_thread(self) -> None:
        assert read(holdings((1, 10, 100)), rows([10, 11], None, None), 130) == [(11, 1)]

    def test_pages_of_rows_go_on_until_one_is_as_before(self) -> None:
        held = holdings((1, 10, 100), (1, 11, 110))
        assert held.read_rows(BOARD, rows([11, 10], [200, 150], [2, 2]), now=210).goes_on
        assert not held.read_rows(BOARD, rows([10, 11], [220, 200], [3, 2]), now=230).goes_on

    def test_a_row_as_before_above_a_changed_one_is_pinned_and_does_not_end_the_list(self) -> None:
        held = holdings((1, 10, 100), (1, 11, 110))
        assert held.read_rows(BOARD, rows([10, 11], [100, 200], [1, 2]), now=210).goes_on

    def test_a_row_that_was_read_by_the_same_walk_does_not_end_it(self) -> None:
        held = holdings((1, 10, 100), (1, 11, 110))
        assert held.read_rows(BOARD, rows([11, 10], [200, 100], [2, 1]), now=210, walked={10}).goes_on
        assert not held.read_rows(BOARD, rows([11, 10], [220, 100], [3, 1]), now=230, walked={11}).goes_on

    def test_a_thread_that_came_by_another_way_than_its_row_does_not_end_the_list(self) -> None:
        past = replace(history((1, 10, 100), (1, 11, 110)), rows={10: (1, 100)})
        held = Holdings(past, 3)
        assert held.read_rows(BOARD, rows([10, 11], [200, 110], [2, 1]), now=210).goes_on
        assert not held.read_rows(BOARD, rows([10, 11], [220, 110], [3, 1]), now=230).goes_on

    def test_a_feed_goes_on_unless_an_item_is_as_it_was_in_the_feed(self) -> None:
        held = holdings((1, 10, 100), (1, 11, 110))
        assert not held.read_rows(FEED_HEAD, rows([11], [110], None), now=120).goes_on
        held.read_rows(BOARD, rows([10], [200], [2]), now=210)
        assert held.read_rows(FEED_HEAD, rows([11, 10], [210, 200], None), now=220).goes_on
        assert not held.read_rows(FEED_HEAD, rows([11, 10], [230, 200], None), now=240).goes_on

    def test_a_row_that_counts_one_too_many_costs_one_look_and_is_right_about_growth_after_that(self) -> None:
        held = holdings((1, 10, 100))
        assert read(held, rows([10], [100], [2]), 110) == [(10, 1)]
        held.read_posts(held.next_page(10), PostsShown([], 1, 1, 1))
        assert held.threads[10].waiting == 0
        assert read(held, rows([10], [100], [2]), 120) == []
        assert read(held, rows([10], [130], [3]), 140) == [(10, 1)]

    def test_a_deleted_post_and_a_new_one_leave_the_count_and_are_told_by_the_time(self) -> None:
        held = holdings((1, 10, 100), (1, 10, 110))
        assert read(held, rows([10], [150], [2]), 160) == [(10, 1)]

    def test_a_count_that_shrinks_is_no_news_and_moves_the_place_of_the_next_post(self) -> None:
        held = holdings(*((1, 10, n) for n in range(3)))
        assert held.next_page(10).page == 2
        assert read(held, rows([10], [2], [2]), 10) == []
        assert held.next_page(10).page == 1

    def test_after_a_deletion_a_page_of_nothing_but_new_posts_has_the_one_before_it_looked_at_once(self) -> None:
        held = holdings(*((1, 10, n) for n in range(3)))
        held.deletes = True
        read(held, rows([10], [9], [5]), 10)
        held.read_posts(PageRef(Layer.POSTS, 10, 2), PostsShown([8], 1, 2, 2))
        assert held.next_page(10) == PageRef(Layer.POSTS, 10, 1)
        held.read_posts(PageRef(Layer.POSTS, 10, 1), PostsShown([7], 3, 1, 2))
        held.read_posts(held.next_page(10), PostsShown([], 1, 2, 2))
        assert (held.threads[10].held, held.threads[10].waiting) == (4, 0)

    def test_where_the_page_before_is_as_it_was_the_thread_is_read_on(self) -> None:
        held = holdings(*((1, 10, n) for n in range(3)))
        held.deletes = True
        read(held, rows([10], [9], [7]), 10)
        held.read_posts(PageRef(Layer.POSTS, 10, 2), PostsShown([7, 8, 9], 3, 2, 3))
        assert held.next_page(10) == PageRef(Layer.POSTS, 10, 1)
        held.unchanged(PageRef(Layer.POSTS, 10, 1))
        assert held.next_page(10) == PageRef(Layer.POSTS, 10, 3)
        assert held.threads[10].waiting == 1

    def test_an_old_page_that_is_as_it_was_says_nothing_of_posts_further_on(self) -> None:
        held = holdings(*((1, 10, n) for n in range(4)))
        read(held, rows([10], [9], [5]), 10)
        held.unchanged(PageRef(Layer.POSTS, 10, 1))
        assert held.threads[10].waiting == 1
        held.unchanged(PageRef(Layer.POSTS, 10, 2))
        assert held.threads[10].waiting == 0

    def test_the_next_page_is_the_first_that_can_show_something_new(self) -> None:
        held = holdings(*((1, 10, n) for n in range(3)))
        assert held.next_page(10) == PageRef(Layer.POSTS, 10, 2)
        assert held.read_posts(held.next_page(10), PostsShown([], 3, 1, 1)) == []
        assert held.read_posts(held.next_page(10), PostsShown([7], 1, 2, 2)) == [7]
        assert held.threads[10].held == 4

    def test_a_page_that_would_leave_a_gap_is_not_counted_as_held(self) -> None:
        held = holdings((1, 10, 100))
        held.read_posts(PageRef(Layer.POSTS, 10, 3), PostsShown([500], 1, 3, 3))
        assert held.threads[10].held == 1

    def test_posts_that_were_told_but_deleted_are_not_waited_for(self) -> None:
        held = holdings((1, 10, 100))
        assert held.tell(10, 1, 200)
        assert not held.tell(10, 1, 200)
        held.read_posts(held.next_page(10), PostsShown([], 1, 1, 1))
        assert held.threads[10].waiting == 0

    def test_a_page_cut_short_by_deletions_is_not_asked_for_again_and_again(self) -> None:
        held = holdings((1, 10, 100), (1, 10, 110))
        read(held, rows([10], [200], [7]), 210)
        held.read_posts(held.next_page(10), PostsShown([], 2, 1, 3))
        assert held.next_page(10).page == 2

    def test_a_page_that_is_gone_sends_back_to_the_one_before(self) -> None:
        held = holdings(*((1, 10, n) for n in range(3)))
        read(held, rows([10], [9], [4]), 10)
        held.gone(held.next_page(10))
        assert held.next_page(10).page == 1

    @given(st.lists(st.integers(1, 5), max_size=12))
    def test_a_thread_fetched_whenever_it_grew_is_held_whole(self, growth: list[int]) -> None:
        held = holdings((1, 10, 0))
        count = fetched = 1
        for more in growth:
            count += more
            read(held, rows([10], [count], [count]), count)
            while held.threads[10].waiting:
                ref = held.next_page(10)
                posts = list(range(count))[(ref.page - 1) * 3 : ref.page * 3]
                new = [time for time in posts if time >= fetched]
                fetched += len(new)
                held.read_posts(ref, PostsShown(new, len(posts), ref.page, -(-count // 3)))
        assert held.threads[10].held == count == fetched


def test_the_thread_with_the_most_posts_waits_least_then_the_oldest() -> None:
    waiting = WaitingThreads()
    waiting.put(1, 1, 50.0)
    waiting.put(2, 1, 40.0)
    waiting.put(3, 2, 60.0)
    order = []
    while (thread := waiting.first()) is not None:
        order.append(thread)
        waiting.put(thread, 0, 0.0)
    assert (order, len(waiting)) == ([3, 2, 1], 0)


def test_a_board_ahead_of_what_is_known_is_read_until_the_numbers_agree() -> None:
    counts = BoardCounts(holdings((1, 10, 0), (2, 20, 0)))
    assert list(counts.read_entry(EntryShown((1, 2), (3, 1), (9, 0), None))) == [0]
    assert counts.most_behind() == 1
    counts.know(1, 2, 30)
    assert counts.most_behind() is None


def test_a_board_whose_count_shrank_is_read_for_its_next_post_all_the_same() -> None:
    counts = BoardCounts(holdings((1, 10, 5), (1, 10, 6)))
    assert list(counts.read_entry(EntryShown((1,), (2,), (6,), None))) == []
    assert list(counts.read_entry(EntryShown((1,), (1,), (6,), None))) == []
    assert list(counts.read_entry(EntryShown((1,), (2,), (9,), None))) == [0]
    assert counts.most_behind() == 1
