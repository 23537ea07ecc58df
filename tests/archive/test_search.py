"""Finding posts by their words, on both databases; on SQLite also those that are too new for the index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thrawl.archive import Archive


@pytest.fixture
def filled(archive: Archive, make: Any) -> Archive:
    texts = ["The focus ring of my lens is stiff", "Try a drop of oil", "FOCUS by hand, then", "Überraschung im Café"]
    archive.save(make.thread_page(tuple(make.post(f"p{number}", text) for number, text in enumerate(texts))))
    return archive


def found(archive: Archive, words: str, limit: int = 20) -> list[str | None]:
    return sorted(hit.post_id or "" for hit in archive.search(words, limit))


def test_every_word_must_occur(filled: Archive) -> None:
    assert found(filled, "focus") == ["p0", "p2"]
    assert found(filled, "focus lens") == ["p0"]
    assert found(filled, "focus oil") == []


def test_the_words_stand_marked_in_the_snippet(filled: Archive, make: Any) -> None:
    (hit,) = filled.search("stiff ring")
    assert "focus «ring» of my lens is «stiff»" in hit.snippet
    assert (hit.thread_title, hit.author, hit.published) == ("A thread", "Ann", make.noon)


@pytest.mark.parametrize("words", ['"focus" AND (', "focus:*", "NEAR(focus", "focus'; --", "-", "", "! & |"])
def test_the_search_engines_own_language_means_nothing(filled: Archive, words: str) -> None:
    assert found(filled, words) in (["p0", "p2"], [])


def test_no_more_than_asked_for(filled: Archive) -> None:
    assert len(found(filled, "focus", limit=1)) == 1


def test_new_posts_and_indexed_ones_are_found_alike(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    with Archive.open(path, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(make.thread_page((make.post("old", "Ein Café am See"),)))
    with Archive.open(path) as archive:
        archive.save(make.thread_page((make.post("new", "im CAFÉ, ganz hinten"),), page=2, minute=1))
        assert found(archive, "cafe") == ["new", "old"]
        assert [hit.snippet for hit in archive.search("hinten")] == ["im CAFÉ, ganz «hinten»"]
        with Archive.open(path, readonly=True) as reader:
            assert found(reader, "cafe") == ["new", "old"]


def test_the_index_takes_in_what_a_long_crawl_brings(tmp_path: Path, make: Any) -> None:
    with Archive.open(tmp_path / "forum.db", create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        for page in range(1, 121):
            archive.save(make.thread_page((make.post(f"p{page}", f"word{page} common"),), page=page))
        assert len(found(archive, "common", limit=200)) == 120
        assert found(archive, "word60") == ["p60"]
        assert archive.check() == []
