"""What posts have in common that no two people write, and the numbers that they have, on both databases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from thrawl.archive import Archive, BoardRef, ThreadRef
from thrawl.archive.facts import NO_NUMBERS, Numbers, Phrase
from thrawl.archive.values import NUMBERED, FailureKind, FoundUrl
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import ThreadRow

LONG = "The lathe runs quietly again since I greased both of its bearings."


def test_what_somebody_said_in_two_threads_is_counted_once_more(archive: Archive, make: Any) -> None:
    other = f"{make.site}/t/2"
    archive.save(make.thread_page((make.post("1", LONG), make.post("2", "Thanks!", author="Bob"))))
    alone = make.post("1", LONG, author_url=None)  # a view for printers links to nobody
    again = (alone, make.post("2", "Thanks!", author="Bob"), make.post("3", LONG, author="Bob"))
    archive.save(make.thread_page(again, thread_url=other, thread=ThreadRef(other, "Another")))
    assert archive.facts(1).wordings.twice == 1  # short answers are given again, and others may quote


def test_the_most_common_beginning_and_end_are_found(archive: Archive, make: Any) -> None:
    texts = (f"Home > Tools {number} and what else there is to say: {number * 7} Reply Quote" for number in range(5))
    archive.save(make.thread_page(tuple(make.post(str(n), text) for n, text in enumerate(texts))))
    wordings = archive.facts(1).wordings
    assert wordings.looked_at == 5
    assert wordings.beginning == Phrase("Home > Tools", 5)
    assert wordings.end == Phrase(" Reply Quote", 5)


def test_letters_that_were_read_are_noted_and_noted_anew(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page((make.post("a"),)))
    archive.note_read(1, 100, 40)
    archive.note_read(1, 200, 0)
    facts = archive.facts(1)
    assert (facts.read, facts.unread) == (200, 0)


def test_posts_are_numbered_where_each_has_a_number_to_itself(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page(tuple(make.post(f"p{n}") for n in range(100, 150, 2))))
    assert archive.facts(1).numbers == Numbers(25, 49)
    assert archive.post_numbers(1) == frozenset(range(100, 150, 2))


def test_numbers_within_threads_are_none(archive: Archive, make: Any) -> None:
    for thread in range(1, 4):
        url = f"{make.site}/t/{thread}"
        said = tuple(make.post(str(n), f"words {thread} {n}") for n in range(1, 11))
        archive.save(make.thread_page(said, thread_url=url, thread=ThreadRef(url, f"Thread {thread}")))
    assert archive.facts(1).numbers == NO_NUMBERS


def test_threads_whose_page_was_taken_for_another_and_pages_of_people_are_told(archive: Archive, make: Any) -> None:
    other, ann = f"{make.site}/t/2", f"{make.site}/user/ann"
    archive.save(make.thread_page("a b"))
    archive.save(make.index_page((ThreadRow("A thread", f"{make.site}/t/1"), ThreadRow("Another", other))))
    archive.save(make.index_page((), url=other, kind=PageKind.INDEX_FLIP))
    archive.save(make.thread_page("c", thread_url=ann, thread=ThreadRef(ann, "Ann")))
    bob = f"{make.site}/about/2"
    archive.save(make.thread_page((make.post("d", author="Bob"),), thread_url=bob, thread=ThreadRef(bob, "Bob")))
    facts = archive.facts(1)
    assert (facts.lost, set(facts.people)) == ((other,), {ann, bob})


def test_somebodys_own_page_is_no_board(archive: Archive, make: Any) -> None:
    crumbs = (BoardRef("Lenses", f"{make.site}/b/2"), BoardRef("Ann", f"{make.site}/user/ann"))
    archive.save(make.thread_page((make.post("a", author="Ann"),), boards=crumbs))
    assert [board.title for board in archive.facts(1).boards] == ["Lenses"]


def test_a_page_that_was_taken_for_a_flip_is_fetched_as_a_thread(archive: Archive, make: Any) -> None:
    url = f"{make.site}/t/2"
    archive.save(make.index_page((), url=url, kind=PageKind.INDEX_FLIP, list_url=f"{make.site}/b/2", page_number=2))
    archive.add_urls(1, [FoundUrl(url, PageKind.THREAD, "a row names it", url, 1, again=True)])
    (page,) = archive.lease(5, make.at(60))
    assert (page.kind, page.list_url, page.page_number) == (PageKind.THREAD, url, 1)


def test_behind_a_page_that_is_not_there_no_page_of_a_thread_is_missed(archive: Archive, make: Any) -> None:
    archive.save(make.thread_page("a b", records=2, last_page=9))
    assert archive.facts(1).pages_cut == 8
    gone = make.thread_page("", page=3, status=404, failure="gone", failure_kind=FailureKind.GONE, thread=None)
    archive.save(gone)
    assert archive.facts(1).pages_cut == 1  # the pager lies, but for its second page


def test_another_address_of_a_thread_that_a_number_led_to_is_no_thread(archive: Archive, make: Any) -> None:
    rows = tuple(ThreadRow("Brass", f"{make.site}/t/{number}") for number in (1, 7))
    archive.save(make.index_page(rows, found=()))
    archive.save(make.thread_page("a"))
    assert archive.facts(1).threads == 2
    echo = make.thread_page("", thread_url=f"{make.site}/t/7", reason=NUMBERED, thread=None, failure="known")
    archive.save(replace(echo, failure_kind=FailureKind.NEEDLESS))
    assert archive.facts(1).threads == 1
