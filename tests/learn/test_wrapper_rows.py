"""Row wrappers: thread rows of index pages, field by field."""

from __future__ import annotations

import json

import pytest
from tests.learn.wrapperpages import Forum, forum_in, some

from thrawl.learn.wrappers.fields import number_in
from thrawl.learn.wrappers.learnrows import ThreadFacts, learn_row_wrapper
from thrawl.learn.wrappers.rows import RowWrapper


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
        assert abs((row.last_time - last.time).total_seconds()) < 60


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
