"""Who is named in a thread and wrote nothing there, on both databases."""

from __future__ import annotations

from typing import Any

from thrawl.archive import Archive, ThreadRef
from thrawl.archive.facts import Voices
from thrawl.page.shown import Quote, ThreadRow


def test_who_opened_a_thread_and_is_not_heard_in_it_is_told(archive: Archive, make: Any) -> None:
    other = f"{make.site}/t/2"
    archive.save(make.thread_page((make.post("a"), make.post("b", author="Bob"))))
    archive.save(make.thread_page((make.post("c"),), thread_url=other, thread=ThreadRef(other, "Another")))
    rows = (
        ThreadRow("A thread", f"{make.site}/t/1", author="ann", last_author="Bob"),
        ThreadRow("Another", other, author="Bob", last_author="Moderators"),
    )
    archive.save(make.index_page(rows))
    assert archive.facts(1).row_voices == Voices(3, 1)  # nobody of the forum is called Moderators


def test_who_is_quoted_in_a_thread_and_is_not_heard_in_it_is_told(archive: Archive, make: Any) -> None:
    other = f"{make.site}/t/2"
    quotes = (Quote("Ann", "words of a"), Quote("Bob", "words that nobody has"), Quote(None, "some words"))
    archive.save(make.thread_page((make.post("a"), make.post("b", quotes=quotes))))
    bob = make.post("c", author="Bob")
    archive.save(make.thread_page((bob,), thread_url=other, thread=ThreadRef(other, "Another")))
    facts = archive.facts(1)
    assert (facts.row_voices, facts.quote_voices) == (Voices(0, 0), Voices(2, 1))
