"""What COPY writes is what INSERT writes: the same pages saved with it and without it give the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from tests.archive.conftest import Make

from thrawl.archive import Archive, PageKind, PageOutcome, ThreadRef, copying
from thrawl.archive.tables import authors, post_revisions, posts, threads
from thrawl.page.shown import PostRecord, Quote

START = datetime(2026, 5, 1, tzinfo=UTC)
Drawn = list[tuple[int, int, tuple[PostRecord, ...]]]
ALL = 1  # posts of a page from which on they are copied
NONE = 10**9

# What a database may take amiss: NUL, lone surrogates, what COPY itself writes for NULL and ends, quotes, wide letters.
odd = st.text(st.sampled_from("a\\N.\t\n\r\0'\"%{}\ud800é\U0001f600 \u2028"), max_size=6)
maybe = st.none() | odd
moments = st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1), timezones=st.none() | st.just(UTC))
records = st.builds(
    PostRecord,
    post_id=st.none() | st.sampled_from(["1", "2", "3", "4\0", "4\ufffd", "\\N"]),
    post_url=maybe,
    author=maybe,
    author_url=maybe,
    published=moments,
    published_text=st.none() | st.sampled_from(["1 May 2026", "an hour ago"]),
    edited=moments,
    text=odd,
    html=odd,
    quotes=st.lists(st.builds(Quote, author=maybe, text=odd, post_id=maybe), max_size=2).map(tuple),
    reply_to=maybe,
    depth=st.none() | st.integers(0, 9),
)
pages = st.lists(
    st.tuples(st.integers(1, 2), st.integers(1, 2), st.lists(records, max_size=8).map(tuple)), min_size=1, max_size=6
)


def outcomes(drawn: Drawn, example: int) -> Iterator[PageOutcome]:
    """Pages of two threads, each fetched a minute after the last."""
    for minute, (thread, page, shown) in enumerate(drawn):
        url = f"http://forum.example/{example}/{thread}"
        fetched = START + timedelta(minutes=minute)
        yield PageOutcome(
            1, f"{url}?page={page}", PageKind.THREAD, fetched, page_number=page, thread=ThreadRef(url), posts=shown
        )


def rows(archive: Archive, example: int) -> list[list[tuple[Any, ...]]]:
    """All that the tables hold of an example's posts; the numbers of rows are the database's own business."""
    own = [column for column in posts.c if column.name not in ("id", "thread_id", "author_id")]
    held = select(threads.c.url, *own, authors.c.name, authors.c.url).select_from(posts).join(threads)
    old = select(threads.c.url, posts.c.identity, *post_revisions.c[2:]).select_from(post_revisions).join(posts)
    mine = threads.c.url.like(f"%/{example}/%")
    order = (threads.c.url, posts.c.identity)
    with archive.reading() as connection:
        queries = (held.join(authors, isouter=True).order_by(*order), old.join(threads).order_by(*order, "replaced"))
        return [list(map(tuple, connection.execute(query.where(mine)))) for query in queries]


@pytest.fixture(scope="module")
def two_archives(postgres_server: str) -> Iterator[tuple[Archive, Archive]]:
    """Two on one server: what one gets by COPY, the other gets by INSERT."""
    with ExitStack() as closing:
        opened = []
        for name in ("copied", "inserted"):
            with psycopg.connect(postgres_server, autocommit=True) as connection:
                connection.execute(f"CREATE SCHEMA {name}".encode())
            archive = Archive.open(f"{postgres_server}?options=-csearch_path%3D{name}", create=True)
            closing.enter_context(archive)
            archive.put_forum("http://forum.example/", "forum.example")
            opened.append(archive)
        yield opened[0], opened[1]


_EXAMPLES = count(1)


@settings(max_examples=40, deadline=None)
@given(drawn=pages)
def test_pages_give_the_same_rows_with_copy_and_without(two_archives: tuple[Archive, Archive], drawn: Drawn) -> None:
    example = next(_EXAMPLES)
    for archive, least in zip(two_archives, (ALL, NONE), strict=True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(copying, "LEAST_POSTS", least)
            for outcome in outcomes(drawn, example):
                archive.save(outcome)
    copied, inserted = (rows(archive, example) for archive in two_archives)
    assert copied == inserted


def test_authors_of_a_page_that_was_not_saved_are_not_remembered(postgres: str, make: Make) -> None:
    words = " ".join(f"p{number}" for number in range(copying.LEAST_POSTS))

    def breaking_off() -> Iterator[PageOutcome]:
        yield make.thread_page(words)
        raise InterruptedError

    with Archive.open(postgres, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        with pytest.raises(InterruptedError):
            archive.save_all(breaking_off())
        archive.save(make.thread_page(words))
        assert [post.author for post in archive.posts()] == ["Ann"] * copying.LEAST_POSTS
        assert archive.check() == []
