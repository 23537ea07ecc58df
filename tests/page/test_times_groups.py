"""Which of a record's times is its own."""

from __future__ import annotations

from datetime import datetime, timedelta

from thrawl.page.timegroups import choose_times
from thrawl.page.times import TimeMention, find_times
from thrawl.page.tree import parse

START = datetime(2024, 5, 3, 14, 5)


def mention(text: str) -> TimeMention:
    return find_times(parse(f"<p>{text}</p>"))[0]


def at(hours: float, form: str = "%Y-%m-%d %H:%M") -> TimeMention:
    return mention((START + timedelta(hours=hours)).strftime(form))


JOINED = ["3 May 2019", "8 Jul 2011", "1 Jan 2020", "3 May 2019", "8 Jul 2011", "9 Sep 2016"]


def test_post_times_run_one_way_and_join_dates_do_not() -> None:
    posts = [{"joined": mention(joined), "posted": at(3 * n)} for n, joined in enumerate(JOINED)]
    keys = choose_times([posts])
    assert keys == ("posted",)


def test_a_last_visit_as_fine_as_a_post_time_loses_by_its_order() -> None:
    visits = [900, 20, 500, 900, 700, 20]
    posts = [{"visit": at(hours), "posted": at(3 * n)} for n, hours in enumerate(visits)]
    keys = choose_times([posts])
    assert keys == ("posted",)


def test_rows_of_an_index_run_down_with_stickies_aside() -> None:
    last = [50, 20, 900, 850, 700, 640, 300]
    started = [10, 5, 300, 840, 90, 600, 200]
    rows = [{"started": at(a), "last": at(b)} for a, b in zip(started, last, strict=True)]
    keys = choose_times([rows], falling=True)
    assert keys == ("last",)


def test_single_posts_of_many_threads_are_judged_together() -> None:
    threads = [[{"joined": at(-9000 + n, "%Y-%m-%d"), "posted": at(50 * n)}] for n in range(3)]
    keys = choose_times(threads)
    assert keys[0] == "posted"


def test_an_edit_note_that_few_records_have_loses() -> None:
    posts = [{"posted": at(3 * n)} | ({"edited": at(3 * n + 1)} if n % 2 else {}) for n in range(6)]
    keys = choose_times([posts])
    assert keys == ("posted",)


def test_a_record_that_shows_its_time_elsewhere_is_filled_in() -> None:
    old = [{"text": at(3 * n)} for n in range(4)]
    new = [{"bold": mention("Yesterday, 14:05")}, {"bold": mention("Today, 9:05")}]
    keys = choose_times([old + new])
    assert keys == ("text", "bold")


def test_open_dates_are_tried_in_the_order_that_runs_best() -> None:
    posts = [
        {"posted": mention(text), "other": mention("2024-01-01")} for text in ("02/03/2024", "03/02/2024", "03/05/2024")
    ]
    keys = choose_times([posts])
    assert keys[0] == "posted"


def test_records_without_times_give_no_choice() -> None:
    assert choose_times([[{}, {}]]) == ()
    assert choose_times([]) == ()
