"""What a saved page leaves in the archive, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from thrawl.archive import Archive, BoardRef, FoundUrl, PageKind, PageState, RefusedUrl, ThreadRef
from thrawl.limits import MAX_STORED_URL_BYTES
from thrawl.page.shown import Quote, ThreadRow


def ids(archive: Archive, **options: Any) -> list[str | None]:
    return [post.post_id for post in archive.posts(**options)]


def test_a_page_brings_its_posts_its_board_and_its_urls(archive: Archive, make: Any) -> None:
    flip = FoundUrl(f"{make.site}/t/1?page=2", PageKind.THREAD_FLIP, "the pager links it", f"{make.site}/t/1", 2)
    archive.save(make.thread_page("a b", found=(flip,)))
    first, second = archive.posts()
    assert (first.post_id, first.position, second.post_id, second.position) == ("a", 1, "b", 2)
    assert first.board == ("Technical", "Lenses")
    assert first.board_url == f"{make.site}/b/2"
    assert (first.author, first.author_url) == ("Ann", f"{make.site}/user/ann")
    assert first.published == make.noon
    assert archive.page(f"{make.site}/t/1").state is PageState.DONE
    assert archive.page(flip.url).state is PageState.PENDING


def test_saving_a_page_twice_gives_its_content_once(archive: Archive, make: Any) -> None:
    page = make.thread_page("a b c", found=(FoundUrl("http://forum.example/t/2", PageKind.THREAD, "a thread URL"),))
    archive.save(page)
    before = list(archive.posts()), list(archive.threads()), list(archive.boards())
    archive.save_all([page, page])
    assert (list(archive.posts()), list(archive.threads()), list(archive.boards())) == before
    assert archive.summary().revisions == 0


def test_positions_run_through_the_pages_in_whatever_order_they_come(archive: Archive, make: Any) -> None:
    for page, posts in ((3, "e f"), (1, "a b"), (2, "c d")):
        archive.save(make.thread_page(posts, page=page, minute=10 - page))
    assert [(post.post_id, post.position) for post in archive.posts()] == [
        (name, position) for position, name in enumerate("abcdef", start=1)
    ]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_a_thread_is_called_as_its_first_page_calls_it(archive: Archive, make: Any, order: tuple[int, ...]) -> None:
    titles = {1: "Two lenses", 2: "Two lenses, page 2", 3: "Two lenses, page 3"}
    for minute, page in enumerate(order):
        thread = ThreadRef(f"{make.site}/t/1", titles[page])
        archive.save(make.thread_page("abc"[page - 1], page=page, minute=minute, thread=thread))
    (only,) = archive.threads()
    assert only.title == "Two lenses"


def test_a_thread_of_which_no_first_page_was_read_is_called_as_another_one_calls_it(
    archive: Archive, make: Any
) -> None:
    for page, title in ((2, None), (3, "Two lenses")):
        archive.save(make.thread_page("abc"[page - 1], page=page, thread=ThreadRef(f"{make.site}/t/1", title)))
    (only,) = archive.threads()
    assert only.title == "Two lenses"


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_a_first_post_repeated_on_every_page_counts_once(archive: Archive, make: Any, order: tuple[int, ...]) -> None:
    pages = {1: "a b", 2: "a c", 3: "a d"}
    for minute, page in enumerate(order):
        archive.save(make.thread_page(pages[page], page=page, minute=minute))
    assert ids(archive) == ["a", "b", "c", "d"]


def test_posts_that_move_to_an_earlier_page_during_the_crawl_are_not_doubled(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a b", page=1))
    archive.save(make.thread_page("c d", page=2, minute=1))
    # b was deleted: c moved to page 1, and page 2 is read again.
    archive.save(make.thread_page("a c", page=1, minute=2))
    archive.save(make.thread_page("d e", page=2, minute=3))
    assert archive.mark_vanished(f"{make.site}/t/1", make.at(2)) == 1
    assert ids(archive, with_vanished=False) == ["a", "c", "d", "e"]
    assert ids(archive) == ["a", "b", "c", "d", "e"]


def test_posts_pushed_to_later_pages_by_newer_ones_keep_their_order(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("d c", page=1))
    archive.save(make.thread_page("b a", page=2, minute=1))
    for page, posts in ((1, "e d"), (2, "c b"), (3, "a")):
        archive.save(make.thread_page(posts, page=page, minute=page + 1))
    assert ids(archive) == ["e", "d", "c", "b", "a"]


def test_an_edited_post_keeps_its_earlier_wording(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", "first words"),)))
    archive.save(make.thread_page((make.post("a", "second words", edited=make.at(5)),), minute=10))
    (post,) = archive.posts()
    assert (post.text, post.edited) == ("second words", make.at(5))
    (revision,) = archive.revisions(post)
    assert (revision.text, revision.last_seen, revision.replaced) == ("first words", make.at(0), make.at(10))
    assert [hit.post_id for hit in archive.search("second")] == ["a"]
    assert archive.search("first") == []
    assert archive.check() == []


def test_an_edit_within_one_transaction_is_found_by_its_last_words(archive: Archive, make: Any) -> None:
    pages = [make.thread_page((make.post("a", word),), minute=minute) for minute, word in enumerate(["one", "two"])]
    archive.save_all(pages)
    assert [len(archive.search(word)) for word in ("one", "two")] == [0, 1]
    assert archive.check() == []


def test_an_older_copy_of_a_page_saved_late_changes_no_words(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", "new"),), minute=10))
    archive.save(make.thread_page((make.post("a", "old"),), minute=1))
    assert [post.text for post in archive.posts()] == ["new"]


def test_markup_that_changes_without_the_words_is_no_edit(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", "words"),)))
    archive.save(make.thread_page((make.post("a", "words", html="<p class=new>words</p>"),), minute=1))
    (post,) = archive.posts()
    assert post.html == "<p class=new>words</p>"
    assert archive.revisions(post) == []


def test_a_vanished_post_is_marked_and_comes_back_when_it_is_seen_again(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a b"))
    archive.save(make.thread_page("a", minute=10))
    assert archive.mark_vanished(f"{make.site}/t/1", make.at(10)) == 1
    assert [post.vanished for post in archive.posts()] == [None, make.at(10)]
    archive.save(make.thread_page("a b", minute=20))
    assert [post.vanished for post in archive.posts()] == [None, None]


def test_a_vanished_thread_keeps_its_posts(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a"))
    assert archive.mark_thread_vanished(f"{make.site}/t/1", make.at(5))
    assert archive.thread(f"{make.site}/t/1").vanished == make.at(5)
    assert list(archive.threads(with_vanished=False)) == []
    assert ids(archive) == ["a"]


def test_posts_without_ids_are_known_by_author_time_and_words(archive: Archive, make: Any) -> None:
    same = make.post(None, "+1")
    other_time = replace(same, published_text="Sat May 02, 2026 1:00 pm")
    archive.save(make.thread_page((make.post(None, "Shall we?"), same, same)))
    archive.save(make.thread_page((make.post(None, "Shall we?"), other_time), page=2, minute=1))
    assert [post.text for post in archive.posts()] == ["Shall we?", "+1", "+1", "+1"]
    assert [post.published_text[:3] for post in archive.posts()] == ["Fri", "Fri", "Fri", "Sat"]


def test_a_post_that_was_read_without_its_id_is_the_same_post_when_it_is_read_with_it(
    archive: Archive, make: Any
) -> None:
    page = make.thread_page("a b")
    archive.save(replace(page, posts=tuple(replace(post, post_id=None) for post in page.posts)))
    archive.save(page)
    assert ids(archive) == ["a", "b"]


def test_what_another_profile_took_for_posts_goes_when_their_page_is_read_again(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("old"))
    archive.save(make.thread_page((make.post(None, "The names of all"), make.post("a")), minute=5))
    archive.save(make.thread_page("b", page=2, minute=5))
    archive.save(make.thread_page("a c", minute=9, misread_since=make.at(4)))
    assert sorted(str(one) for one in ids(archive)) == ["a", "b", "c", "old"]  # an earlier run may keep what is gone


def test_a_relative_time_does_not_double_a_post_and_its_first_reading_stays(archive: Archive, make: Any) -> None:
    early = make.post(None, "hello", published=make.at(-5), published_text="5 minutes ago")
    late = make.post(None, "hello", published=make.at(-60), published_text="an hour ago")
    archive.save(make.thread_page((early,)))
    archive.save(make.thread_page((late,), page=2, minute=10))
    (post,) = archive.posts()
    assert (post.published, post.published_text) == (make.at(-5), "5 minutes ago")


def test_a_time_that_names_the_hour_is_the_same_on_the_next_day(archive: Archive, make: Any) -> None:
    today = make.post(None, "bump", published=make.at(-30), published_text="Today, 11:30")
    tomorrow = replace(today, published_text="Yesterday, 11:30")
    other = replace(today, published=make.at(-20), published_text="Today, 11:40")
    archive.save(make.thread_page((today,)))
    archive.save(make.thread_page((other,), page=2, minute=1))
    archive.save(make.thread_page((tomorrow,), minute=24 * 60))
    assert [post.published for post in archive.posts()] == [make.at(-30), make.at(-20)]


def test_an_id_shown_twice_on_a_page_is_one_post(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a b a"))
    assert ids(archive) == ["a", "b"]


def test_index_rows_tell_what_a_thread_page_does_not(archive: Archive, make: Any) -> None:
    row = ThreadRow("A thr…", f"{make.site}/t/1", replies=7, views=99, last_time=make.noon, sticky=True)
    archive.save(make.index_page((row,)))
    archive.save(make.thread_page("a", minute=1))
    archive.save(make.index_page((replace(row, replies=8),), minute=2))
    thread = archive.thread(f"{make.site}/t/1")
    assert (thread.title, thread.replies, thread.views, thread.sticky) == ("A thread", 8, 99, True)
    assert (thread.last_time, thread.first_seen, thread.last_seen) == (make.noon, make.at(0), make.at(2))
    assert thread.board == ("Technical", "Lenses")


def test_a_row_that_links_a_redirecting_url_and_the_page_it_leads_to_are_one_thread(
    archive: Archive, make: Any
) -> None:
    short = f"{make.site}/go/1"
    archive.save(make.index_page((ThreadRow("A thread", short, replies=3),)))
    thread = ThreadRef(f"{make.site}/t/1", "A thread", aliases=(short,))
    archive.save(make.thread_page("a", url=short, also=(f"{make.site}/t/1",), thread=thread))
    (known,) = archive.threads()
    assert (known.url, known.replies) == (f"{make.site}/t/1", 3)
    assert archive.page(f"{make.site}/t/1").state is PageState.DONE


def test_two_threads_that_turn_out_to_be_one_are_merged(archive: Archive, make: Any) -> None:
    other = f"{make.site}/other/1"
    archive.save(make.index_page((ThreadRow("Other", other, replies=3),)))
    archive.save(make.thread_page("a b", thread_url=other))
    archive.save(make.thread_page("a", minute=1))
    merged = ThreadRef(f"{make.site}/t/1", aliases=(other,))
    archive.save_all([make.thread_page("a c", page=2, minute=2), make.thread_page("a", thread=merged, minute=3)])
    assert archive.thread(other) == archive.thread(f"{make.site}/t/1")
    assert sorted(ids(archive)) == ["a", "b", "c"]
    assert archive.thread(other).replies == 3
    assert archive.address_of(other) == f"{make.site}/t/1"
    assert archive.address_of(f"{make.site}/t/77") is None
    assert archive.check() == []


def test_quotes_and_replies_come_back_as_they_were(archive: Archive, make: Any) -> None:
    quotes = (Quote("Bob", "what he said", "p1"), Quote(None, "“ünïcödé”"))
    archive.save(make.thread_page((make.post("a", quotes=quotes, reply_to="p1", depth=2),)))
    (post,) = archive.posts()
    assert (post.quotes, post.reply_to, post.depth) == (quotes, "p1", 2)


def test_an_author_who_is_not_shown_is_nobody(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", author=None, author_url=None),)))
    (post,) = archive.posts()
    assert (post.author, post.author_url) == (None, None)


@pytest.mark.parametrize("odd", ["nul \0 byte", "half \ud83d pair", "\U0001f600", "ﷺ" * 5000, ""])
def test_odd_characters_stop_no_page(archive: Archive, make: Any, odd: str) -> None:
    post = make.post("a", odd, author=odd or None, published_text=odd, quotes=(Quote(odd, odd),))
    archive.save(make.thread_page((post,), thread=ThreadRef(f"{make.site}/{odd}", odd), boards=(BoardRef(odd, None),)))
    (stored,) = archive.posts()
    assert len(stored.text) == len(odd)
    assert "\0" not in stored.text
    assert archive.check() == []


def test_a_url_too_long_to_keep_is_refused_with_that_reason(archive: Archive, make: Any) -> None:
    endless = f"{make.site}/" + "x" * MAX_STORED_URL_BYTES
    archive.save(make.thread_page("a", found=(FoundUrl(endless, PageKind.THREAD, "a thread URL"),)))
    assert archive.page(endless) is None
    assert "longer than" in archive.why(endless)


def test_a_board_that_claims_to_stand_below_itself_becomes_a_root(archive: Archive, make: Any) -> None:
    one, two = BoardRef("One", f"{make.site}/one"), BoardRef("Two", f"{make.site}/two")
    archive.save(make.thread_page("a", boards=(one, two)))
    archive.save(make.thread_page("a", boards=(two, one), minute=1))
    paths = {board.title: board.path for board in archive.boards()}
    assert set(paths) == {"One", "Two"}
    assert sum(len(path) for path in paths.values()) == 3


def test_an_answer_without_posts_takes_nothing_away(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a b", etag='"1"', body_hash="h"))
    archive.save(make.thread_page("", status=304, minute=5))
    page = archive.page(f"{make.site}/t/1")
    assert (page.status, page.etag, page.body_hash, page.fetched) == (304, '"1"', "h", make.at(5))
    assert ids(archive) == ["a", "b"]


def test_requests_are_counted_by_kind(archive: Archive, make: Any) -> None:
    archive.save_all(
        [make.thread_page("a"), make.thread_page("b", page=2), make.thread_page("", page=3, failure="gone")]
    )
    assert dict(archive.summary().requests) == {"thread": 1, "thread-flip": 2, "failed": 1}


def test_a_batch_that_fails_leaves_nothing_behind(archive: Archive, make: Any) -> None:
    def pages() -> Any:
        yield make.thread_page("a", found=(FoundUrl("http://forum.example/t/9", PageKind.THREAD, "r"),))
        raise InterruptedError

    with pytest.raises(InterruptedError):
        archive.save_all(pages())
    assert list(archive.posts()) == []
    assert archive.page("http://forum.example/t/9") is None
    archive.save(make.thread_page("a", found=(FoundUrl("http://forum.example/t/9", PageKind.THREAD, "r"),)))
    assert archive.page("http://forum.example/t/9").state is PageState.PENDING


def test_refusals_share_a_line_for_each_pattern(archive: Archive, make: Any) -> None:
    refused = tuple(RefusedUrl(f"{make.site}/user/{number}", "other page") for number in range(50))
    archive.save(make.thread_page("a", refused=refused))
    assert archive.why(f"{make.site}/user/49") == f"refused: other page (as {make.site}/user/0)"
    assert archive.why(f"{make.site}/user/0") == "refused: other page"
    assert archive.why(f"{make.site}/never/met") is None


def test_an_edit_is_the_newer_wording_also_where_the_clock_was_set_back(location: str, make: Any) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=1)
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(replace(make.thread_page((make.post("a", "first words"),)), fetched=ahead))
    with Archive.open(location) as archive:
        archive.save(replace(make.thread_page((make.post("a", "second words"),)), fetched=datetime.now(UTC)))
        (post,) = archive.posts()
        assert (post.text, post.revision) == ("second words", 2)
        assert post.fetched >= ahead


def test_a_page_from_before_stays_older_where_the_clock_was_set_back(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        late = make.thread_page((make.post("a", "later words"),))
        archive.save(replace(late, fetched=datetime.now(UTC) + timedelta(hours=1)))
    with Archive.open(location) as archive:
        archive.save(make.thread_page((make.post("a", "words of an old mirror"),)))
        assert [post.text for post in archive.posts()] == ["later words"]
