"""Finding posts by their words, on both databases; also those that are too new for the index."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.archive import Archive, BoardRef, ThreadRef
from thrawl.archive.export import Wanted
from thrawl.archive.selection import Selection, moment
from thrawl.archive.words import asked, holds, is_letter, tokens_of, unit_texts, units_of
from thrawl.errors import InputError, UsageError
from thrawl.web.export import export_site

TEXTS = (
    "The focus ring of my lens is stiff",
    "Try a drop of oil",
    "FOCUS by hand, then",
    "Überraschung im Café",
    "昨日の写真を見てください",
    "写真機とiPhone写真",
    "사진을 찍었다",
    "e-mail: ann@forum.example, Straße 5",
    "हिन्दी में फ़ोटो",
)


@pytest.fixture
def filled(archive: Archive, make: Any) -> Archive:
    archive.save(make.thread_page(tuple(make.post(f"p{number}", text) for number, text in enumerate(TEXTS))))
    return archive


def found(archive: Archive, words: str, limit: int = 20, selection: Selection | None = None) -> list[str | None]:
    return sorted(hit.post_id or "" for hit in archive.search(words, limit, selection or Selection()))


def test_every_word_must_occur(filled: Archive) -> None:
    assert found(filled, "focus") == ["p0", "p2"]
    assert found(filled, "focus lens") == ["p0"]
    assert found(filled, "focus oil") == []


def test_the_words_stand_marked_in_the_snippet(filled: Archive, make: Any) -> None:
    (hit,) = filled.search("stiff ring")
    assert "focus «ring» of my lens is «stiff»" in hit.snippet
    assert (hit.thread_title, hit.author, hit.published) == ("A thread", "Ann", make.noon)
    (hit,) = filled.search("昨日")
    assert hit.snippet == "«昨日»の写真を見てください"


@pytest.mark.parametrize(
    ("words", "posts"),
    [
        ("写真", ["p4", "p5"]),
        ("写真機", ["p5"]),
        ("写", ["p4", "p5"]),
        ("真", ["p4", "p5"]),
        ("真写", []),
        ("iphone", ["p5"]),
        ("iPhone写真", ["p5"]),
        ("사진", ["p6"]),
        ("ｉｐｈｏｎｅ", ["p5"]),
    ],
)
def test_words_are_found_where_a_script_writes_none(filled: Archive, words: str, posts: list[str]) -> None:
    assert found(filled, words) == posts


@pytest.mark.parametrize(
    ("words", "posts"),
    [
        ('"focus ring"', ["p0"]),
        ('"ring focus"', []),
        ('"focus ring" stiff', ["p0"]),
        ('"focus ri*"', ["p0"]),
        ('"drop of', ["p1"]),
        ("e-mail", ["p7"]),
        ("mail-e", []),
        ("foc*", ["p0", "p2"]),
        ("foc", []),
        ("strasse", ["p7"]),
        ("UBERRASCHUNG cafe", ["p3"]),
    ],
)
def test_phrases_stand_in_quotes_and_beginnings_have_a_star(filled: Archive, words: str, posts: list[str]) -> None:
    assert found(filled, words) == posts


def test_a_title_finds_the_post_that_opens_its_thread(filled: Archive, make: Any) -> None:
    url = f"{make.site}/t/2"
    filled.save(make.thread_page("x y", thread_url=url, thread=ThreadRef(url, "Lens caps 写真")))
    assert [hit.post_id for hit in filled.search("lens")] == ["x", "p0"], "titles first"
    assert found(filled, '"lens caps"') == ["x"]
    assert found(filled, "写真") == ["p4", "p5", "x"]


def test_a_title_that_changes_is_found_by_its_new_words(filled: Archive, make: Any) -> None:
    filled.save(make.thread_page((), thread=ThreadRef(f"{make.site}/t/1", "Renamed"), minute=5))
    assert found(filled, "renamed") == ["p0"]
    assert found(filled, '"a thread"') == []


def test_a_title_may_change_twice_before_the_index_is_filled_again(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(make.thread_page((make.post("a", "first wording"),)))
    with Archive.open(location) as archive:
        for minute, title in enumerate(("Renamed", "Renamed again"), start=1):
            renamed = ThreadRef(f"{make.site}/t/1", title)
            archive.save(make.thread_page((make.post("a", title),), thread=renamed, minute=minute))
        assert found(archive, "again") == ["a"]
        assert found(archive, "wording") == []
        assert archive.check() == []


def test_newest_posts_come_first(archive: Archive, make: Any) -> None:
    days = {"old": make.at(-9000), "new": make.at(9000), "none": None, "mid": make.noon}
    archive.save(make.thread_page(tuple(make.post(name, "same words", published=when) for name, when in days.items())))
    assert [hit.post_id for hit in archive.search("same")] == ["new", "mid", "old", "none"]
    assert [hit.post_id for hit in archive.search("same", limit=2)] == ["new", "mid"]


def test_the_search_can_be_narrowed(archive: Archive, make: Any) -> None:
    by_bob = make.post("b", "same words", author="Bob", published=make.at(60 * 24 * 40))
    archive.save(make.thread_page((make.post("a", "same words"), by_bob)))
    boards = (BoardRef("Technical", f"{make.site}/b/1"), BoardRef("Bodies", f"{make.site}/b/3"))
    third = make.post("c", "same words", published=None)
    archive.save(make.thread_page((third,), thread_url=f"{make.site}/t/2", boards=boards))

    def narrowed(**wanted: Any) -> list[str | None]:
        return found(archive, "same", selection=Selection(**wanted))

    assert narrowed(author="bob") == ["b"]
    assert narrowed(board="lenses") == ["a", "b"]
    assert narrowed(board="technical") == ["a", "b", "c"]
    assert narrowed(board=f"{make.site}/b/3") == ["c"]
    assert narrowed(since=moment("2026-06")) == ["b"]
    assert narrowed(before=moment("2026-06-01")) == ["a"]
    assert narrowed(forum="forum.example", author="Ann") == ["a", "c"]
    with pytest.raises(InputError, match="no board 'Nowhere'"):
        narrowed(board="Nowhere")


@pytest.mark.parametrize(
    ("text", "time"), [("2026", (2026, 1, 1)), ("2026-05", (2026, 5, 1)), ("2026-05-07", (2026, 5, 7))]
)
def test_times_may_be_written_short(text: str, time: tuple[int, int, int]) -> None:
    assert moment(text) == datetime(*time)


def test_what_is_no_time_is_said_so() -> None:
    with pytest.raises(UsageError, match="'yesterday' is no time"):
        moment("yesterday")


@pytest.mark.parametrize("words", ['"focus" AND (', "focus:*", "NEAR(focus", "focus'; --", "-", "", "! & |", "*", '"'])
def test_the_search_engines_own_language_means_nothing(filled: Archive, words: str) -> None:
    assert found(filled, words) in (["p0", "p2"], [])


@given(text=st.text(), cut=st.integers(0, 30), size=st.integers(1, 8))
def test_whatever_stands_in_a_text_is_proposed_and_found(text: str, cut: int, size: int) -> None:
    units = unit_texts(text)
    tokens = tokens_of(text)
    for term in asked('"' + text[cut : cut + size].replace('"', " ") + '"'):
        if holds(units, [term]):
            for token, begins in term.tokens:
                assert any(known.startswith(token) if begins else known == token for known in tokens)


@given(st.text())
def test_units_are_the_same_with_and_without_their_places(text: str) -> None:
    assert unit_texts(text) == [unit.text for unit in units_of(text)]


@given(st.text())
def test_tokens_hold_nothing_that_a_database_could_read_as_its_own(text: str) -> None:
    assert all(char == "_" or not char.isascii() or char.isalnum() for token in tokens_of(text) for char in token)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to run the search page's script")
@pytest.mark.parametrize(
    "words",
    [
        *(
            "focus",
            "focus lens",
            '"focus ring"',
            '"ring focus"',
            "foc*",
            "f*",
            "写真",
            "写",
            "真",
            "写真機",
            "사진",
            "e-mail",
        ),
        *("STRASSE", "cafe", "ｉｐｈｏｎｅ", "iPhone写真", '"a thread"', "thread", "nonsense", "हिन्दी", "한"),
    ],
)
def test_the_static_site_finds_the_same_posts_in_the_same_order(filled: Archive, tmp_path: Path, words: str) -> None:
    folder = tmp_path / "site"
    export_site(filled, folder, Wanted(), None)
    posts = [int(hit.post_id.removeprefix("p")) + 1 for hit in filled.search(words) if hit.post_id]
    assert searched(folder, words) == [f"threads/0/1.html#p{position}" for position in posts]


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to run the search page's script")
def test_the_static_site_can_be_narrowed_too(filled: Archive, tmp_path: Path, make: Any) -> None:
    filled.save(make.thread_page((make.post("b", "focus", author="Bob", published=make.at(60 * 24 * 40)),), page=2))
    folder = tmp_path / "site"
    export_site(filled, folder, Wanted(), None)
    by_bob = [f"threads/0/1.html#p{len(TEXTS) + 1}"]
    assert searched(folder, "focus", "author=bob") == by_bob
    assert searched(folder, "focus", "since=2026-06-01") == by_bob
    assert len(searched(folder, "focus", "before=2026-06-01")) == 2
    assert len(searched(folder, "focus", "board=lens")) == 3


def searched(folder: Path, words: str, *fields: str) -> list[str]:
    command = ["node", str(Path(__file__).with_name("search_page.js")), str(folder), words, *fields]
    shown = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    hits: list[str] = json.loads(shown)
    return hits


def test_no_more_than_asked_for(filled: Archive) -> None:
    assert len(found(filled, "focus", limit=1)) == 1


def test_new_posts_and_indexed_ones_are_found_alike(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(make.thread_page((make.post("old", "Ein Café am See"),)))
    with Archive.open(location) as archive:
        archive.save(make.thread_page((make.post("new", "im CAFÉ, ganz hinten"),), page=2, minute=1))
        assert found(archive, "cafe") == ["new", "old"]
        assert [hit.snippet for hit in archive.search("hinten")] == ["im CAFÉ, ganz «hinten»"]
        with Archive.open(location, readonly=True) as reader:
            assert found(reader, "cafe") == ["new", "old"]


def test_an_edited_post_is_found_by_its_new_words_only(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(make.thread_page((make.post("a", "first wording"), make.post("b", "first of all"))))
    for minute in (1, 2):  # the second time after the index was brought up to date
        with Archive.open(location) as archive:
            archive.save(make.thread_page((make.post("a", f"wording {minute}"),), minute=minute))
            assert found(archive, "first") == ["b"]
            assert found(archive, f'"wording {minute}"') == ["a"]
            assert archive.check() == []


def test_the_index_takes_in_what_a_long_crawl_brings(location: str, make: Any) -> None:
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        for page in range(1, 231):
            archive.save(make.thread_page((make.post(f"p{page}", f"word{page} common"),), page=page))
        assert len(found(archive, "common", limit=300)) == 230
        assert found(archive, "word60") == ["p60"]
        assert archive.check() == []


def test_an_archive_with_the_search_of_before_is_brought_up_to_date(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "forum.db"
    with Archive.open(path, create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        archive.save(make.thread_page((make.post("a", "写真"),)))
    with sqlite3.connect(path) as old:
        for statement in (
            *("DROP TRIGGER posts_changed", "DROP TRIGGER posts_removed", "DROP TABLE posts_fts"),
            *("DROP TRIGGER threads_changed", "DROP TRIGGER threads_removed", "DROP TABLE threads_fts"),
            "DROP TABLE search_stale",
            "CREATE VIRTUAL TABLE posts_fts USING fts5(text, content='posts', content_rowid='id')",
            "UPDATE schema_version SET version = 1",
        ):
            old.execute(statement)
    old.close()
    with Archive.open(path, readonly=True) as archive:
        assert found(archive, "写真") == ["a"]
        assert archive.check() == []


def test_whatever_mark_a_word_has_it_is_one_word() -> None:
    every = [chr(code) for code in range(0x300, 0x10000) if category(chr(code))[0] == "M"]
    assert [mark for mark in every if len(unit_texts(f"x{mark}y")) > 1 and not is_letter(mark)] == []
