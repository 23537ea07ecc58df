"""The layout features say what a reader would: many short titled rows, or few long posts."""

from __future__ import annotations

import forumpages

from thrawl.page.features import NAMES, Features
from thrawl.page.reading import read_page

URL = "http://village.example/t/1"


def features(html: str) -> Features:
    return read_page(html, URL).features


def test_all_eight_features_of_the_paper_are_there() -> None:
    paper = "record_count max_anchor max_height max_text average_text has_time time_order has_user"
    assert set(paper.split()) <= set(NAMES)


def test_times_run_up_in_a_thread_and_down_in_a_board() -> None:
    assert features(forumpages.div_thread(5)).time_order > 0.5
    assert features(forumpages.board(6)).time_order < -0.5


def test_rows_have_titles_and_posts_have_words() -> None:
    thread, board = features(forumpages.div_thread(5)), features(forumpages.board(6))
    assert thread.titled == 0
    assert thread.prose > 0.9
    assert board.titled == 1
    assert board.prose < 0.3


def test_a_post_is_higher_than_a_row() -> None:
    assert features(forumpages.div_thread(5)).max_height > features(forumpages.board(6)).max_height


def test_authors_that_come_back_are_users() -> None:
    assert features(forumpages.div_thread(5)).has_user == 1
    assert features(forumpages.board(6)).has_user == 1


def test_join_dates_that_run_down_do_not_turn_the_order() -> None:
    posts = "".join(
        f'<div class="p"><i>joined 2010-0{9 - n}-01 10:00</i> <b>2021-05-0{n} 10:00</b>'
        f"<p>{forumpages.WORDS[n]}</p></div>"
        for n in range(1, 5)
    )
    assert features(forumpages.page(posts, title="The old bridge")).time_order > 0.5


def test_day_and_month_are_read_in_the_order_that_makes_a_sequence() -> None:
    posts = "".join(
        f'<div class="p"><b>0{n}/0{n // 2 + 1}/2021 10:00</b><p>{forumpages.WORDS[n]}</p></div>' for n in range(1, 5)
    )
    assert features(forumpages.page(posts, title="The old bridge")).time_order > 0.5


def test_a_page_that_shows_nothing_has_no_features() -> None:
    assert set(features("").vector()) == {0.0}
