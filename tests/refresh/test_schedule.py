"""What is held, what waits and what comes next; and lists rebuilt from pages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.refresh.agenda import Agenda, Price
from thrawl.refresh.boards import BoardCounts
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.lists import ListBuilder, ListPage, ListType, Record
from thrawl.refresh.pages import EntryShown, History, PageKind, PageRef, PostsShown, RowsShown
from thrawl.refresh.waiting import WaitingThreads


def holdings(*posts: tuple[int, int, int], size: int = 3) -> Holdings:
    columns = np.array(posts, dtype=np.int64).reshape(-1, 3).T
    return Holdings(History(columns[0], columns[1], columns[2]), size)


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
        assert agenda.best(50, {"a": 1.0, "b": 7.0}.__getitem__) == ("b", 7.0)

    def test_a_removed_list_never_comes_and_an_empty_agenda_has_none(self) -> None:
        agenda: Agenda[str] = Agenda()
        agenda.schedule("a", since=0, due=10)
        assert "a" in agenda
        agenda.remove("a")
        assert (len(agenda), agenda.latest(99), agenda.best(99, lambda key: 1.0)) == (0, None, None)

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


class TestHoldings:
    def test_a_row_with_a_larger_count_tells_how_many_posts_are_new(self) -> None:
        held = holdings((1, 10, 100), (1, 10, 110))
        news = list(held.read_rows(1, rows([10, 11], [130, 90], [4, 1]), now=140))
        assert [(row.thread, row.posts) for row in news] == [(10, 2), (11, 1)]
        assert list(held.read_rows(1, rows([10, 11], [130, 90], [4, 1]), now=150)) == []

    def test_a_row_without_a_count_tells_of_one_post_by_its_time(self) -> None:
        held = holdings((1, 10, 100))
        assert [row.posts for row in held.read_rows(1, rows([10], [120], None), now=130)] == [1]

    def test_a_row_that_tells_nothing_still_shows_a_new_thread(self) -> None:
        held = holdings((1, 10, 100))
        assert [row.thread for row in held.read_rows(1, rows([10, 11], None, None), now=130)] == [11]

    def test_the_next_page_is_the_first_that_can_show_something_new(self) -> None:
        held = holdings(*((1, 10, n) for n in range(3)))
        assert held.next_page(10) == PageRef(PageKind.POSTS, 10, 2)
        assert held.read_posts(held.next_page(10), PostsShown([0, 1, 2], 1, 1)) == []
        assert held.read_posts(held.next_page(10), PostsShown([7], 2, 2)) == [7]
        assert held.threads[10].held == 4

    def test_a_page_that_would_leave_a_gap_is_not_counted_as_held(self) -> None:
        held = holdings((1, 10, 100))
        assert held.read_posts(PageRef(PageKind.POSTS, 10, 3), PostsShown([500], 3, 3)) == []
        assert held.threads[10].held == 1

    def test_posts_that_were_told_but_deleted_are_not_waited_for(self) -> None:
        held = holdings((1, 10, 100))
        assert held.tell(10, 1, 200)
        assert not held.tell(10, 1, 200)
        held.read_posts(held.next_page(10), PostsShown([100], 1, 1))
        assert held.threads[10].waiting == 0

    def test_a_page_cut_short_by_deletions_is_not_asked_for_again_and_again(self) -> None:
        held = holdings((1, 10, 100), (1, 10, 110))
        list(held.read_rows(1, rows([10], [200], [7]), now=210))
        held.read_posts(held.next_page(10), PostsShown([100, 110], 1, 3))
        assert held.threads[10].waiting == 0

    @given(st.lists(st.integers(1, 5), max_size=12))
    def test_a_thread_fetched_whenever_it_grew_is_held_whole(self, growth: list[int]) -> None:
        held = holdings((1, 10, 0))
        count = 1
        for more in growth:
            count += more
            list(held.read_rows(1, rows([10], [count], [count]), now=count))
            while held.threads[10].waiting:
                ref = held.next_page(10)
                times = list(range(count))[(ref.page - 1) * 3 : ref.page * 3]
                held.read_posts(ref, PostsShown(times, ref.page, -(-count // 3)))
        assert held.threads[10].held == count


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
    counts.know(1, 2)
    assert counts.most_behind() is None


def page(key: int, kind: ListType, flips: tuple[int, ...], *times: float) -> ListPage[int]:
    return ListPage(key, kind, flips, tuple(Record(f"{key}-{time}", time) for time in times))


class TestLists:
    def test_pages_that_flip_to_each_other_become_one_list_in_order_of_time(self) -> None:
        builder: ListBuilder[int] = ListBuilder()
        for one in (
            page(3, ListType.POST, (2,), 50, 60),
            page(1, ListType.POST, (2, 3), 10, 20),
            page(2, ListType.POST, (), 30),
        ):
            builder.add(one)
        (found,) = builder.lists()
        assert found.pages == (1, 2, 3)
        assert [record.time for record in found.records] == [10, 20, 30, 50, 60]

    def test_index_lists_run_from_the_newest(self) -> None:
        builder: ListBuilder[int] = ListBuilder()
        builder.add(page(1, ListType.INDEX, (2,), 90, 80))
        builder.add(page(2, ListType.INDEX, (1,), 70, 60))
        assert builder.lists()[0].pages == (1, 2)
        assert [record.time for record in builder.lists()[0].records] == [90, 80, 70, 60]

    def test_a_flip_link_never_joins_a_board_with_a_thread(self) -> None:
        builder: ListBuilder[int] = ListBuilder()
        builder.add(page(1, ListType.INDEX, (2,), 90))
        builder.add(page(2, ListType.POST, (1,), 70))
        assert len(builder.lists()) == 2

    def test_a_record_on_two_pages_is_kept_once_and_one_without_a_time_stays(self) -> None:
        builder: ListBuilder[int] = ListBuilder()
        builder.add(ListPage(1, ListType.INDEX, (2,), (Record("a", 9.0), Record("b", None))))
        builder.add(ListPage(2, ListType.INDEX, (), (Record("a", 9.0), Record("c", 5.0))))
        assert [record.id for record in builder.lists()[0].records] == ["a", "c", "b"]

    @given(st.permutations(range(8)))
    def test_the_order_in_which_pages_come_makes_no_difference(self, order: list[int]) -> None:
        builder: ListBuilder[int] = ListBuilder()
        for key in order:
            builder.add(page(key, ListType.POST, (key + 1,) if key % 4 != 3 else (), float(key)))
        assert sorted(found.pages for found in builder.lists()) == [(0, 1, 2, 3), (4, 5, 6, 7)]
