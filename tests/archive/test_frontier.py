"""Which page comes next, and what is on record about it, on both databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from thrawl.archive import Archive, FoundUrl, PageKind, PageState, RefusedUrl
from thrawl.limits import LEASE_SECONDS


def found(*names: str, kind: PageKind = PageKind.THREAD, **fields: Any) -> list[FoundUrl]:
    return [FoundUrl(f"http://forum.example/{name}", kind, "because", **fields) for name in names]


def names(pages: list[Any]) -> list[str]:
    return [page.url.removeprefix("http://forum.example/") for page in pages]


def test_what_lists_more_comes_first_and_then_what_was_found_first(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("flip", kind=PageKind.THREAD_FLIP))
    archive.add_urls(1, found("t1", "t2"))
    archive.add_urls(1, found("board", kind=PageKind.INDEX))
    archive.add_urls(1, found("deep", kind=PageKind.THREAD_FLIP, priority=9))
    assert names(archive.lease(10, make.noon)) == ["board", "t1", "t2", "flip", "deep"]


def test_a_leased_page_is_given_out_once(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t1", "t2", "t3"))
    assert names(archive.lease(2, make.noon)) == ["t1", "t2"]
    assert names(archive.lease(2, make.noon)) == ["t3"]
    assert archive.lease(2, make.noon) == []


def test_a_url_found_again_is_not_fetched_again(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t/1"))
    archive.lease(1, make.noon)
    archive.save(make.thread_page("a", found=tuple(found("t/1"))))
    archive.add_urls(1, found("t/1"))
    assert archive.lease(1, make.noon) == []


def test_a_url_found_more_urgent_moves_ahead(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("late", "early"))
    archive.add_urls(1, found("early", kind=PageKind.INDEX))
    assert names(archive.lease(2, make.noon)) == ["early", "late"]


def test_a_page_asked_for_again_is_fetched_once_more_with_its_validators(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a", etag='"1"', last_modified="yesterday", body_hash="h"))
    archive.add_urls(1, found("t/1", again=True))
    (page,) = archive.lease(5, make.noon)
    assert (page.etag, page.last_modified, page.body_hash, page.tries) == ('"1"', "yesterday", "h", 0)


def test_a_failed_page_is_tried_again_when_it_is_due(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t1"))
    archive.lease(1, make.noon)
    archive.mark_failed("http://forum.example/t1", "status 503", retry_at=make.at(10))
    assert archive.next_due() == make.at(10)
    assert archive.lease(1, make.at(9)) == []
    (page,) = archive.lease(1, make.at(10))
    assert page.tries == 1


def test_a_page_given_up_keeps_its_reason(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t1"))
    archive.mark_failed("http://forum.example/t1", "status 404")
    assert archive.page("http://forum.example/t1").state is PageState.FAILED
    assert archive.why("http://forum.example/t1") == ("followed as thread: because; given up after 1 tries: status 404")


def test_an_outcome_can_ask_for_another_try(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("", failure="connection reset", retry_at=make.at(1)))
    assert archive.page(f"{make.site}/t/1").state is PageState.PENDING
    assert "to be tried again after 1 tries: connection reset" in archive.why(f"{make.site}/t/1")


def test_leases_end_after_their_time(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t1"))
    archive.lease(1, make.noon)
    assert archive.end_leases(make.noon) == 0
    assert archive.end_leases(make.noon + timedelta(seconds=LEASE_SECONDS + 1)) == 1
    assert names(archive.lease(1, make.noon)) == ["t1"]


def test_pages_given_back_come_first_again(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t1", "t2"))
    archive.release([page.url for page in archive.lease(1, make.noon)])
    assert names(archive.lease(2, make.noon)) == ["t1", "t2"]


def test_leases_of_a_process_that_died_are_free_when_the_archive_is_opened_again(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.add_urls(1, found("t1"))
        archive.lease(1, make.noon)
    with Archive.open(location) as archive:
        assert names(archive.lease(1, make.noon)) == ["t1"]


def test_forums_of_one_archive_have_their_own_queues(archive: Archive, make: Any) -> None:
    second = archive.put_forum("http://other.example/", "other.example")
    archive.add_urls(1, found("t1"))
    archive.add_urls(second, [FoundUrl("http://other.example/t", PageKind.THREAD, "because")])
    assert [page.url for page in archive.lease(5, make.noon, forum_id=second)] == ["http://other.example/t"]


def test_pending_pages_are_counted_by_kind(archive: Archive, make: Any) -> None:
    archive.add_urls(1, found("t1", "t2"))
    archive.add_urls(1, found("board", kind=PageKind.INDEX))
    archive.lease(1, make.noon)
    assert archive.pending_counts() == {PageKind.THREAD: 2}


def test_the_reason_for_following_names_the_page_that_linked_it(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a", found=tuple(found("t2"))))
    assert archive.why("http://forum.example/t2") == (
        f"followed as thread: because, found on {make.site}/t/1; not fetched yet"
    )


def test_a_url_that_is_refused_and_later_followed_tells_that_it_was_followed(archive: Archive, make: Any) -> None:
    archive.add_urls(1, (), [RefusedUrl("http://forum.example/t1", "it looked like something else")])
    assert archive.why("http://forum.example/t1") == "refused: it looked like something else"
    archive.add_urls(1, found("t1"))
    assert archive.why("http://forum.example/t1").startswith("followed")


def test_the_pages_of_a_list_come_in_order(archive: Archive, make: Any) -> None:
    for page in (3, 1, 2):
        archive.save(make.thread_page(f"p{page}", page=page))
    listed = archive.pages_of_list(f"{make.site}/t/1")
    assert [page.page_number for page in listed] == [1, 2, 3]


def test_the_archive_knows_every_url_it_ever_took_in(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.add_urls(1, found("t1"))
        assert archive.knows("http://forum.example/t1")
        assert not archive.knows("http://forum.example/t2")
    for readonly in (True, False):
        with Archive.open(location, readonly=readonly) as archive:
            assert archive.knows("http://forum.example/t1")
            assert not archive.knows("http://forum.example/t2")


def test_a_page_that_may_be_fetched_now_is_due_before_one_that_must_wait(archive: Archive, make: Any) -> None:
    assert archive.next_due() is None
    archive.add_urls(1, found("t1", "t2"))
    archive.mark_failed("http://forum.example/t1", "status 503", retry_at=make.at(10))
    assert archive.next_due() < make.noon
