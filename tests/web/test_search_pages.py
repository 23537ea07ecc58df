"""Search page by page: the same hits as the archive's own search, also where the words are everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from tests.web.samples import NOON, SITE, post, thread

from thrawl.archive import Archive, BoardRef, search_pages
from thrawl.archive.search_pages import search_page
from thrawl.archive.selection import Selection


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    location = tmp_path_factory.mktemp("search") / "forum.db"
    with Archive.open(location, create=True) as opened:
        opened.put_forum(f"{SITE}/", "forum.example")
        for number in range(1, 61):
            board = BoardRef("Small" if number % 30 == 0 else "Large", f"{SITE}/b/{number % 30 == 0}")
            posts = tuple(
                post(f"{number}-{place}", f"the common word, post {place} of thread {number}",
                     published=NOON + timedelta(minutes=number * 7 + place * 31), author=f"author {place}")
                for place in range(5)
            )  # fmt: skip
            opened.save(thread(number, f"Thread {number}", posts, boards=(board,)))
    with Archive.open(location, readonly=True) as opened:
        yield opened


def paged(archive: Archive, words: str, selection: Selection) -> list[str | None]:
    found: list[str | None] = []
    with archive.reading() as connection:
        while True:
            page = search_page(connection, words, len(found), 45, selection)
            found += [one.hit.post_id for one in page.hits]
            if not page.more:
                return found


@pytest.mark.parametrize("many", [10_000, 3])
@pytest.mark.parametrize("words", ["common", "the word", '"post 3 of"', "thread 17", "comm*", "nowhere"])
@pytest.mark.parametrize(
    "selection",
    [
        Selection(),
        Selection(board="Small"),
        Selection(board="Large"),
        Selection(author="author 2"),
        Selection(since=NOON + timedelta(minutes=200)),
    ],
)
def test_pages_hold_what_the_search_of_the_archive_finds(
    archive: Archive, words: str, selection: Selection, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_pages, "_MANY", many)
    expected = [hit.post_id for hit in archive.search(words, 1000, selection)]
    assert paged(archive, words, selection) == expected
