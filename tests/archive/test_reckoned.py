"""Figures are kept until something is written, and are then those that would be reckoned anew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from thrawl.archive import Archive, FoundUrl, PageKind
from thrawl.archive.glance import NotKept, glance
from thrawl.archive.values import FailureKind, PageOutcome, Promise, Stray
from thrawl.page.shown import ThreadRow


def kept(archive: Archive) -> list[str]:
    with archive.reading() as connection:
        return sorted(name for (name,) in connection.execute(text("SELECT name FROM reckoned")))


def fill(archive: Archive, make: Any) -> None:
    """Something of everything that figures are drawn from."""
    archive.put_forum(f"{make.site}/", "forum.example")
    page = make.thread_page("a b")
    rows = (ThreadRow(page.thread.url, "Title", replies=3),)
    told: dict[str, Any] = {"promises": (Promise(f"{make.site}/b/", "cell 1", "posts", 7),), "records": 1, "rows": rows}
    stray = (Stray(f"{make.site}/odd/1", "Odd"),)
    archive.save(PageOutcome(1, f"{make.site}/b/", PageKind.INDEX, page.fetched, status=200, strays=stray, **told))
    archive.save(page)
    wrong: dict[str, Any] = {"failure": "refused", "failure_kind": FailureKind.FORBIDDEN}
    archive.save(PageOutcome(1, f"{make.site}/x/", PageKind.INDEX, page.fetched, status=403, **wrong))


def test_a_closed_archive_keeps_what_would_be_reckoned_anew(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        fill(archive, make)
        reckoned = archive.summary(), archive.facts(1)
    with Archive.open(location, readonly=True) as archive:
        assert kept(archive) == ["facts 4 1", "summary 4"]
        assert (archive.summary(), archive.facts(1)) == reckoned


def test_whatever_is_written_makes_figures_be_reckoned_again(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        fill(archive, make)
        later = make.thread_page("a b").fetched + timedelta(days=1)
        for change in (
            lambda: archive.save(make.thread_page("c", page=2, minute=1)),
            lambda: archive.add_urls(1, [FoundUrl(f"{make.site}/new", PageKind.THREAD, "found")]),
            lambda: archive.lease(1, later),
            lambda: archive.release([f"{make.site}/new"]),
            lambda: archive.mark_failed(f"{make.site}/new", "gone"),
            lambda: archive.mark_vanished(make.thread_page("a b").thread.url, later),
            lambda: archive.mark_thread_vanished(make.thread_page("a b").thread.url, later),
        ):
            before = archive.summary()
            assert kept(archive) == ["summary 4"]
            change()
            assert kept(archive) == []
            assert archive.summary() != before


def test_what_writes_nothing_that_facts_are_drawn_from_leaves_them(archive: Archive, make: Any) -> None:
    fill(archive, make)
    facts = archive.facts(1)
    archive.summary()
    archive.add_urls(1, [])
    archive.save_all([])
    assert kept(archive) == ["facts 4 1", "summary 4"]
    archive.media.find(1, lambda html, base: [])
    assert kept(archive) == ["facts 4 1"]
    assert archive.facts(1) == facts


def test_a_lease_that_died_with_its_process_is_no_longer_counted(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    with Archive.open(path, create=True) as archive:
        fill(archive, make)
        archive.add_urls(1, [FoundUrl(f"{make.site}/new", PageKind.THREAD, "found")])
        archive.lease(1, make.thread_page("a").fetched)
        leased = archive.summary()
    Archive.open(path).close()
    with Archive.open(path, readonly=True) as archive:
        assert archive.summary() != leased


def test_a_glance_tells_what_the_open_archive_tells(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    with Archive.open(path, create=True) as archive:
        fill(archive, make)
    with glance(str(path)) as seen, Archive.open(path, readonly=True) as archive:
        assert seen is not None
        assert seen.summary() == archive.summary()
        assert seen.facts(1) == archive.facts(1)
        assert seen.forums() == archive.forums()
        known, page = seen.page(f"{make.site}/b/"), archive.page(f"{make.site}/b/")
        assert known is not None
        assert page is not None
        assert (known.kind, known.state, known.reason) == (page.kind, page.state, page.reason)
        assert seen.page(f"{make.site}/never") is None


def test_where_nothing_is_kept_a_glance_says_so(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    with glance(str(path)) as seen:
        assert seen is None
    path.write_bytes(b"no database at all" * 100)
    with glance(str(path)) as seen:
        assert seen is None
    path.unlink()
    with Archive.open(path, create=True) as archive:
        fill(archive, make)
        with glance(str(path)) as seen:
            assert seen is None
        archive.add_urls(1, [FoundUrl(f"{make.site}/new", PageKind.THREAD, "found")])
    with glance(str(path)) as seen:  # pages wait, so that nobody asked what is missing
        assert seen is not None
        assert seen.summary().posts == 2
        with pytest.raises(NotKept):
            seen.facts(1)


def test_figures_that_somebody_spoiled_are_not_told(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    with Archive.open(path, create=True) as archive:
        fill(archive, make)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE reckoned SET value = '{\"threads\": [' WHERE name LIKE 'facts%'")
    with glance(str(path)) as seen:
        assert seen is not None
        with pytest.raises(NotKept):
            seen.facts(1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE reckoned SET value = '[]'")
    with glance(str(path)) as seen:
        assert seen is None


@pytest.mark.parametrize(
    ("digests", "repeating"),
    [
        (("a", "b", "c"), 0),
        (("a", "b", "b"), 0),  # a pager that leads one page too far
        (("a", "a"), 1),
        (("a", "a", "a"), 1),
    ],
)
def test_a_thread_repeats_itself_if_its_pages_say_the_same_but_for_one_last_page_too_many(
    location: str, make: Any, digests: tuple[str, ...], repeating: int
) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        for page, digest in enumerate(digests, start=1):
            shown = {"digest": digest, "last_page": len(digests), "records": 1}
            archive.save(make.thread_page(f"p{page}", page=page, minute=page, **shown))
        assert archive.facts(1).repeating == repeating


def test_the_longest_threads_of_one_page_are_counted_by_what_their_rows_promise(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        for number, (posts, replies) in enumerate((("a b", 5), ("c d", 1), ("e f", 2), ("g", 4))):
            url = f"{make.site}/t/{number}"
            archive.save(make.index_page((ThreadRow(f"Thread {number}", url, replies=replies),), minute=number))
            archive.save(make.thread_page(posts, thread_url=url, minute=number))
        assert archive.facts(1).fullest == ((-3, 1), (0, 1))
