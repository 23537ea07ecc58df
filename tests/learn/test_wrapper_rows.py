"""Row wrappers: thread rows of index pages, field by field."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from tests.learn.wrapperpages import Forum, forum_in, some

from thrawl.archive.values import to_seconds
from thrawl.learn.wrappers.learnrows import ThreadFacts, learn_row_wrapper
from thrawl.page.reading import Page, read_page
from thrawl.page.tree import parse
from thrawl.profile.fields import number_in
from thrawl.profile.rows import RowWrapper

WORDS = "kettle barn clock engine lantern bicycle stove mirror beehive".split()
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve")


@pytest.fixture(scope="module", params=["rows", "cards", "tables"])
def forum(request: pytest.FixtureRequest) -> Forum:
    return forum_in(request.param, threads=90)


@pytest.fixture(scope="module")
def wrapper(forum: Forum) -> RowWrapper:
    facts = {
        url: ThreadFacts(
            forum.view.size(forum.thread_of(url)), first.author.name, forum.view.last_post(first.thread).author.name
        )
        for url in forum.urls("thread")
        if forum.is_thread(url) and (first := forum.posts_on(url)[0])
    }
    pages = [forum.page(url) for url in some(forum.urls("index"), 8)]
    learned = learn_row_wrapper(pages, forum.is_thread, facts, forum.now)
    assert learned is not None
    return learned


def test_rows_tell_title_replies_and_authors(forum: Forum, wrapper: RowWrapper) -> None:
    seen = 0
    for url in forum.urls("index"):
        for row in wrapper.cut(forum.tree(url), url, forum.now):
            if not forum.is_thread(row.url):
                continue
            thread = forum.view.thread(forum.thread_of(row.url))
            assert thread is not None
            seen += 1
            assert row.title == thread.title
            assert row.replies == forum.view.size(thread.id) - 1
            assert row.author == thread.author.name
            assert row.last_author == forum.view.last_post(thread.id).author.name
    assert seen >= forum.view.thread_count


def test_rows_tell_the_last_posts_time(forum: Forum, wrapper: RowWrapper) -> None:
    url = max(forum.urls("index"), key=lambda one: len(wrapper.cut(forum.tree(one), one, forum.now)))
    rows = [row for row in wrapper.cut(forum.tree(url), url, forum.now) if forum.is_thread(row.url)]
    for row in rows:
        last = forum.view.last_post(forum.thread_of(row.url))
        assert row.last_time is not None
        assert abs(to_seconds(row.last_time) - last.time.timestamp()) < 60


def a_table(page: int) -> Page:
    """Rows of seven cells that look alike; those of pinned threads wear another class in all their cells."""
    rows = []
    for place in range(12):
        number = 20 * page + place
        pinned = place == 0
        look = "pinned" if pinned else "plain"
        last = datetime(2019 if pinned else 2020, 3, 28 - place, 9, number % 60)
        cells = [
            "·",
            "·",
            f"<a href='/t/{number}'>What of {WORDS[number % 9]} {WORDS[number % 7]} number {number}?</a>"
            f"<i title='2018-01-{place + 1:02}'>long ago</i> <b>{NAMES[number % 5]}</b>",
            str(number % 8),
            str(1000 + 7 * number),
            "unrated",
            f"{last:%Y-%m-%d %H:%M}<br><a href='/last/{number}'>Latest</a>: <u>{NAMES[number % 4]}</u>",
        ]
        rows.append("<tr>" + "".join(f"<td class='{look}'>{cell}</td>" for cell in cells) + "</tr>")
    return read_page(f"<title>Board</title><table>{''.join(rows)}</table>", f"http://f.test/b/{page}")


def test_rows_of_many_cells_are_read_to_the_last_one_and_pinned_rows_like_the_others() -> None:
    pages = [a_table(page) for page in range(4)]
    wrapper = learn_row_wrapper(pages, lambda url: "/t/" in url)
    assert wrapper is not None
    rows = wrapper.cut(pages[0].tree, pages[0].url, datetime(2026, 5, 1, tzinfo=UTC))
    assert [row.url for row in rows] == [f"http://f.test/t/{number}" for number in range(12)]
    assert [row.last_time for row in rows[:2]] == [
        datetime(2019, 3, 28, 9, 0),
        datetime(2020, 3, 27, 9, 1),
    ]
    assert [row.last_author for row in rows] == [NAMES[number % 4] for number in range(12)]
    assert [row.sticky for row in rows] == [True] + [False] * 11
    assert wrapper.sticky == {".pinned"}


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ("<span title='2026-04-30'>Yesterday</span>, 09:47", datetime(2026, 4, 30, 9, 47)),
        ("<span title='2026-05-01 05:12'>7 hours ago</span>", datetime(2026, 5, 1, 5, 12)),
        ("<b>Today</b> at 09:47", datetime(2026, 5, 1, 9, 47)),
    ],
)
def test_a_day_in_another_hand_than_its_hour_is_read_with_it(shown: str, meant: datetime) -> None:
    pages = [a_table(page) for page in range(4)]
    wrapper = learn_row_wrapper(pages, lambda url: "/t/" in url)
    assert wrapper is not None
    html = f"<table><tr><td><td><td><a href='/t/9'>Why</a><td>1<td>2<td><td>{shown}<br><a>Latest</a>: <u>Bo</u></table>"
    row = wrapper.cut(parse(html), "http://f.test/b/9", datetime(2026, 5, 1, 12, 30, tzinfo=UTC))[0]
    assert row.last_time == meant


def test_the_starters_name_is_read_without_the_small_pager_beside_it() -> None:
    def a_page(page: int) -> Page:
        pager = " <span>(Pages <a href='/t/1?page=2'>2</a>)</span>"
        rows = "".join(
            f"<li class='row'><h3><a href='/t/{number}'>Do {WORDS[number % 9]} and {WORDS[number % 7]} {number}?</a>"
            f"</h3><p><span>by <cite>{NAMES[number % 5]}</cite></span>{pager if number % 4 == 0 else ''}</p></li>"
            for number in range(20 * page, 20 * page + 12)
        )
        return read_page(f"<title>Board</title><ul>{rows}</ul>", f"http://f.test/b/{page}")

    pages = [a_page(page) for page in range(4)]
    wrapper = learn_row_wrapper(pages, lambda url: "/t/" in url and "?" not in url)
    assert wrapper is not None
    rows = wrapper.cut(pages[0].tree, pages[0].url, datetime(2026, 5, 1, tzinfo=UTC))
    assert [row.author for row in rows] == [NAMES[number % 5] for number in range(12)]


@pytest.mark.parametrize(("lost", "replies"), [(lambda number: number % 3, [0, 1, 2]), (lambda _: 4, [None] * 3)])
def test_a_number_that_tells_many_threads_and_is_below_none_counts_replies_where_posts_were_lost(
    lost: Callable[[int], int], replies: list[int | None]
) -> None:
    """Posts of one author in a row may have been read as one; a number that no thread meets may count anything."""
    pages = [a_table(page) for page in range(4)]
    facts = {
        f"http://f.test/t/{number}": ThreadFacts(max(1, number % 8 + 1 - lost(number)), None, None)
        for number in range(80)
        if number % 8 > 1
    }
    wrapper = learn_row_wrapper(pages, lambda url: "/t/" in url, facts)
    assert wrapper is not None
    rows = wrapper.cut(pages[0].tree, pages[0].url, datetime(2026, 5, 1, tzinfo=UTC))
    assert [row.replies for row in rows[:3]] == replies


def test_a_preview_that_is_a_link_too_is_no_title() -> None:
    def row(number: int) -> str:
        title = f"What of {WORDS[number % 9]} number {number}?"
        words = " ".join(f"{word} and {number}" for word in WORDS * 3)
        return (
            f"<div class='item'><a class='h4' href='/t/{number}'>{title}</a> <i>{number % 28 + 1} May 2020</i>"
            f"<a class='text' href='/t/{number}'>{words}</a></div>"
        )

    pages = [
        read_page("".join(map(row, range(page * 9, page * 9 + 9))), f"http://f.test/b/{page}") for page in range(3)
    ]
    wrapper = learn_row_wrapper(pages, lambda url: "/t/" in url)
    assert wrapper is not None
    rows = wrapper.cut(pages[0].tree, pages[0].url, datetime(2026, 5, 1, tzinfo=UTC))
    assert [row.title for row in rows] == [f"What of {WORDS[number % 9]} number {number}?" for number in range(9)]


def test_survives_its_json(forum: Forum, wrapper: RowWrapper) -> None:
    again = RowWrapper.from_json(json.loads(json.dumps(wrapper.to_json())))
    url = forum.urls("index")[0]
    assert again.cut(forum.tree(url), url, forum.now) == wrapper.cut(forum.tree(url), url, forum.now)


def test_pages_without_threads_teach_nothing(forum: Forum) -> None:
    pages = [forum.page(url) for url in forum.urls("index")[:3]]
    assert learn_row_wrapper(pages, lambda url: False) is None


@pytest.mark.parametrize(
    ("words", "number"),
    [("17", 17), ("1,204", 1204), ("3 replies", 3), ("1.2k views", 1200), ("2 / 3", None), ("none", None), ("", None)],
)
def test_a_count_is_the_only_number_of_a_short_text(words: str, number: int | None) -> None:
    assert number_in(words) == number
