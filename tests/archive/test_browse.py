"""What the reader asks of an archive, on both databases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from thrawl.archive import Archive, BoardRef, RefusedUrl, ThreadRef
from thrawl.archive import figures as take
from thrawl.archive.browse import (
    board_tree,
    newest_posts,
    place_named,
    place_of,
    post_counts,
    posts_of,
    thread_by_id,
    thread_count,
    threads_at,
    threads_of,
)
from thrawl.archive.media import Embedded, KeptFile, MediaRole, MediaState, files_of
from thrawl.archive.progress import Progress, told
from thrawl.archive.search_pages import search_page
from thrawl.archive.values import FailureKind
from thrawl.page.shown import ThreadRow


@pytest.fixture
def filled(archive: Archive, make: Any) -> Archive:
    rows = (
        ThreadRow("Older", f"{make.site}/t/1", replies=3, last_time=make.noon),
        ThreadRow("Newer", f"{make.site}/t/2", replies=1, last_time=make.at(60)),
        ThreadRow("Undated", f"{make.site}/t/3"),
    )
    refused = (RefusedUrl(f"{make.site}/login", "not a list"),)
    archive.save(replace(make.index_page(rows), refused=refused, list_url=f"{make.site}/b/2", last_page=3))
    archive.save(make.thread_page("a b"))
    archive.save(make.thread_page("c", page=2, minute=1))
    newest = make.post("n", "the newest", published=make.at(90))
    archive.save(
        make.thread_page((newest,), thread_url=f"{make.site}/t/2", thread=ThreadRef(f"{make.site}/t/2", "Newer"))
    )
    lost = make.thread_page((), thread_url=f"{make.site}/t/9", thread=None)
    archive.save(replace(lost, status=404, failure="gone", failure_kind=FailureKind.GONE))
    return archive


def test_boards_stand_below_their_parents_and_threads_by_their_newest_post(filled: Archive) -> None:
    with filled.reading() as connection:
        tree = board_tree(connection)
        assert [(node.title, node.depth) for node in tree] == [("Technical", 0), ("Lenses", 1)]
        lenses = tree[1].id
        assert thread_count(connection, lenses) == 3
        titles = [thread.title for thread in threads_of(connection, lenses, 0, 10)]
        assert titles == ["Newer", "A thread", "Undated"]
        assert [thread.title for thread in threads_of(connection, lenses, 1, 1)] == ["A thread"]


def test_a_post_is_found_where_it_stands(filled: Archive, make: Any) -> None:
    with filled.reading() as connection:
        known = threads_at(connection, [f"{make.site}/t/1", f"{make.site}/none"])
        (thread_id,) = known.values()
        found = thread_by_id(connection, thread_id)
        assert found is not None
        assert found[0].title == "A thread"
        assert post_counts(connection, [thread_id]) == {thread_id: 3}
        (third,) = posts_of(connection, thread_id, 2, 5)
        assert (third.post_id, third.position) == ("c", 3)
        place = place_of(connection, third.id)
        assert place is not None
        assert place == place_named(connection, thread_id, "c")
        assert place.before == 2
        assert place_of(connection, 10**9) is None
        assert newest_posts(connection, 1)[0].post_id == "n"
        page = search_page(connection, "words", 1, 1)
        assert len(page.hits) == 1
        assert page.more


def test_figures_tell_what_is_promised_and_what_is_kept(filled: Archive) -> None:
    with filled.reading() as connection:
        (board,) = take.by_board(connection).values()
        assert (board.threads, board.read, board.posts, board.promised, board.kept) == (3, 2, 4, 6, 4)
        (failure,) = take.failures(connection)
        assert (failure.reason, failure.number) == ("gone", 1)
        assert [reason.reason for reason in take.refused(connection)] == ["not a list"]
        activity = take.activity(connection)
        assert activity.months == (("2026-05", 4),)
        assert (sum(activity.hours), activity.hours[12], activity.weekdays[4]) == (4, 3, 4)
        assert take.pages_left(connection, 1) >= 1
        delays = take.delays(connection)
        assert delays is not None
        assert delays.posts == 1


def test_a_file_is_known_with_its_post(filled: Archive) -> None:
    filled.media.find(1, lambda html, base: [Embedded(f"{base}.png", MediaRole.SHOWN)])
    assert filled.media.find(1, lambda html, base: []) == 0
    first, *_ = filled.media.wanted(1, 10, 0.0, after=0, attachments=False)
    filled.media.keep(first, KeptFile("a" * 64, "image/png", 7), 1.0, 200)
    assert filled.media.counts()[MediaState.KEPT] == 1
    assert filled.media.kept_bytes(1) == 7
    with filled.reading() as connection:
        files = files_of(connection, [1, 2, 3])
    assert {(file.post, file.state) for file in files} == {(number, MediaState.KEPT) for number in (1, 2, 3)}


def test_two_threads_that_turn_out_to_be_one_keep_their_files(archive: Archive, make: Any) -> None:
    other = make.thread_page("a", thread_url=f"{make.site}/x/1")
    archive.save(other)
    archive.save(make.thread_page("a b"))
    archive.media.find(1, lambda html, base: [Embedded(f"{make.site}/p.png", MediaRole.SHOWN)])
    archive.save(make.thread_page("a b", minute=1, thread=ThreadRef(f"{make.site}/t/1", "One", (f"{make.site}/x/1",))))
    assert archive.check() == []
    with archive.reading() as connection:
        posts = [post.id for post in archive.posts()]
        assert {file.post for file in files_of(connection, posts)} == set(posts)


def test_a_crawl_tells_how_it_is_doing(filled: Archive) -> None:
    first = Progress(1, 1.0, 2.0, "pages", 3, 4.0, 5.0, "slowly", "http://x/")
    filled.tell(first)
    filled.tell(replace(first, requests=9))
    with filled.reading() as connection:
        assert told(connection) == [replace(first, requests=9)]


def test_boards_of_any_depth_are_listed(archive: Archive, make: Any) -> None:
    path = tuple(BoardRef(f"B{number}", f"{make.site}/b/{number}") for number in range(6))
    archive.save(make.thread_page("a", boards=path))
    with archive.reading() as connection:
        assert [node.depth for node in board_tree(connection)] == [0, 1, 2, 3, 4, 5]
