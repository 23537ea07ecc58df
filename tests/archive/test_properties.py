"""Whatever the order of pages, repetitions and crashes: the same pages give the same archive."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from thrawl.archive import Archive, FoundUrl, PageKind, PageOutcome, ThreadRef
from thrawl.page.shown import PostRecord

START = datetime(2026, 5, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Forum:
    """A few threads, cut into pages: the truth that an archive must come to."""

    threads: list[list[str]]
    per_page: int
    shows_ids: bool
    repeats_first: bool
    pages: list[PageOutcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, texts in enumerate(self.threads):
            for page, first in enumerate(range(0, len(texts), self.per_page), start=1):
                places = list(range(first, min(first + self.per_page, len(texts))))
                self.pages.append(self._page(number, page, [0, *places] if self.repeats_first and first else places))

    def _page(self, thread: int, page: int, places: list[int]) -> PageOutcome:
        url = f"http://forum.example/t/{thread}"
        return PageOutcome(
            forum_id=1,
            url=f"{url}?page={page}",
            kind=PageKind.THREAD,
            fetched=START + timedelta(minutes=len(self.pages)),
            page_number=page,
            thread=ThreadRef(url, "title"),
            posts=tuple(self._post(thread, place) for place in places),
            found=(FoundUrl(f"{url}?page={page + 1}", PageKind.THREAD_FLIP, "next", url, page + 1),),
        )

    def _post(self, thread: int, place: int) -> PostRecord:
        text = self.threads[thread][place]
        post_id = f"p{place}" if self.shows_ids else None
        return PostRecord(post_id, None, f"author {place}", None, START, "2026", None, text, text)


forums = st.builds(
    Forum,
    threads=st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=9), min_size=1, max_size=3),
    per_page=st.integers(1, 4),
    shows_ids=st.booleans(),
    repeats_first=st.booleans(),
)


def content(archive: Archive) -> dict[str, list[tuple[int, str | None, str]]]:
    found: dict[str, list[tuple[int, str | None, str]]] = {}
    for post in archive.posts():
        found.setdefault(post.thread_url, []).append((post.position, post.author, post.text))
    return found


def crashing(pages: list[PageOutcome]) -> Iterator[PageOutcome]:
    yield from pages
    raise InterruptedError


@settings(max_examples=40, deadline=None)
@given(forum=forums, data=st.data())
def test_any_interleaving_with_repeats_and_crashes_gives_the_same_archive(forum: Forum, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(forum.pages))))
    extra = data.draw(st.lists(st.sampled_from(range(len(forum.pages))), max_size=6))
    crashes = data.draw(st.lists(st.sampled_from(range(len(forum.pages))), max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "forum.db")
        with Archive.open(path, create=True) as archive:
            archive.put_forum("http://forum.example/", "forum.example")
            for number in (*order, *extra):
                if number in crashes:
                    with suppress(InterruptedError):
                        archive.save_all(crashing([forum.pages[number], forum.pages[0]]))
                archive.save(forum.pages[number])
        with Archive.open(path, readonly=True) as archive:
            assert archive.check() == []
            stored = content(archive)
    expected = {
        f"http://forum.example/t/{number}": [
            (place, f"author {place - 1}", text.replace("\0", "\ufffd")) for place, text in enumerate(texts, start=1)
        ]
        for number, texts in enumerate(forum.threads)
    }
    assert stored == expected
