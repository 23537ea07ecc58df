"""Which of a record's times is its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from thrawl.page.timegroups import choose_times
from thrawl.page.times import TimeMention, find_times
from thrawl.page.tree import parse

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
START = datetime(2024, 5, 3, 14, 5)


def mention(text: str) -> TimeMention:
    return find_times(parse(f"<p>{text}</p>"))[0]


def at(hours: float, form: str = "%Y-%m-%d %H:%M") -> TimeMention:
    return mention((START + timedelta(hours=hours)).strftime(form))


JOINED = ["3 May 2019", "8 Jul 2011", "1 Jan 2020", "3 May 2019", "8 Jul 2011", "9 Sep 2016"]


def test_post_times_run_one_way_and_join_dates_do_not() -> None:
    posts = [{"joined": mention(joined), "posted": at(3 * n)} for n, joined in enumerate(JOINED)]
    choice = choose_times([posts], fetched=NOW)
    assert choice is not None
    assert choice.keys == ("posted",)
    assert choice.order == 1
    assert choice.confidence > 0.9


def test_a_last_visit_as_fine_as_a_post_time_loses_by_its_order() -> None:
    visits = [900, 20, 500, 900, 700, 20]
    posts = [{"visit": at(hours), "posted": at(3 * n)} for n, hours in enumerate(visits)]
    choice = choose_times([posts], fetched=NOW)
    assert choice is not None
    assert choice.keys == ("posted",)


def test_rows_of_an_index_run_down_with_stickies_aside() -> None:
    last = [50, 20, 900, 850, 700, 640, 300]
    started = [10, 5, 300, 840, 90, 600, 200]
    rows = [{"started": at(a), "last": at(b)} for a, b in zip(started, last, strict=True)]
    choice = choose_times([rows], fetched=NOW, falling=True)
    assert choice is not None
    assert choice.keys == ("last",)
    assert choice.order < 0


def test_single_posts_of_many_threads_are_judged_together() -> None:
    threads = [[{"joined": at(-9000 + n, "%Y-%m-%d"), "posted": at(50 * n)}] for n in range(3)]
    choice = choose_times(threads, fetched=NOW)
    assert choice is not None
    assert choice.keys[0] == "posted"


def test_an_edit_note_that_few_records_have_loses() -> None:
    posts = [{"posted": at(3 * n)} | ({"edited": at(3 * n + 1)} if n % 2 else {}) for n in range(6)]
    choice = choose_times([posts], fetched=NOW)
    assert choice is not None
    assert choice.keys == ("posted",)


def test_a_record_that_shows_its_time_elsewhere_is_filled_in() -> None:
    old = [{"text": at(3 * n)} for n in range(4)]
    new = [{"bold": mention("Yesterday, 14:05")}, {"bold": mention("Today, 9:05")}]
    choice = choose_times([old + new], fetched=NOW)
    assert choice is not None
    assert choice.keys == ("text", "bold")
    assert choice.pick(new[0]) is new[0]["bold"]
    assert choice.pick(old[0]) is old[0]["text"]
    assert choice.pick({}) is None


def test_open_dates_are_tried_in_the_order_that_runs_best() -> None:
    posts = [
        {"posted": mention(text), "other": mention("2024-01-01")} for text in ("02/03/2024", "03/02/2024", "03/05/2024")
    ]
    choice = choose_times([posts])
    assert choice is not None
    assert (choice.keys[0], choice.order) == ("posted", 1)


def test_records_without_times_give_no_choice() -> None:
    assert choose_times([[{}, {}]]) is None
    assert choose_times([]) is None


def test_doubt_lowers_the_confidence() -> None:
    one = choose_times([[{"a": at(1), "b": at(2)}]], fetched=NOW)
    many = choose_times([[{"a": at(n), "b": at(-n % 5)} for n in range(9)]], fetched=NOW)
    assert one is not None
    assert many is not None
    assert one.confidence < 0.5 < many.confidence
