"""URLs taken apart into structure and slots, and put together again."""

from __future__ import annotations

from urllib.parse import urldefrag

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.profile.urls import added_to_path, adds_to, items_of, take_apart, without_session

segments = st.text("abcxyz0189-_.,~%:;!@", max_size=8)
names = st.from_regex(r"[a-z_][a-z0-9_\[\]]{0,5}", fullmatch=True)
items = st.one_of(
    st.tuples(names, st.text("abc019,%+-./", max_size=6)).map("=".join),
    st.text("abc019,.-/", min_size=1, max_size=6),
)


@st.composite
def urls(draw: st.DrawFn) -> str:
    path = "/".join(draw(st.lists(segments, max_size=4)))
    separator = draw(st.sampled_from("&;"))
    query = separator.join(draw(st.lists(items, max_size=4)))
    return f"http://forum.test/{path}" + (f"?{query}" if query else "")


@given(urls())
def test_a_url_taken_apart_is_the_url_again(url: str) -> None:
    assert take_apart(url).url == url


@given(st.text(max_size=40))
def test_no_text_after_a_host_breaks_it(text: str) -> None:
    url = "http://forum.test/" + text.replace("[", "").replace("]", "")
    assert take_apart(take_apart(url).url) == take_apart(url)


def test_a_path_in_the_place_of_a_query_has_steps_like_any_path() -> None:
    board, thread = map(
        take_apart, ("http://f.test/index.php?/oars/7", "http://f.test/index.php?/oars/7-wet-rope&page=2")
    )
    assert board.slots == ("index.php?", "oars", "7")
    assert thread.slots == ("index.php?", "oars", "7-wet-rope", "2")
    assert thread.structure.names == ("page",)
    assert adds_to("http://f.test/?/oars&sort=new", "http://f.test/?/oars")
    assert not adds_to("http://f.test/?/oars/7", "http://f.test/")


def test_a_fragment_is_no_part_of_a_url() -> None:
    assert take_apart("http://f.test/t?id=3#p9").url == urldefrag("http://f.test/t?id=3#p9").url


def test_slots_are_path_segments_then_values() -> None:
    parts = take_apart("http://f.test/a/b.php?id=3&page=2")
    assert parts.slots == ("a", "b.php", "3", "2")
    assert parts.structure.names == ("id", "page")


def test_bare_items_are_slots_without_a_name() -> None:
    parts = take_apart("http://f.test/read.php?3,45")
    assert parts.slots == ("read.php", "3,45")
    assert parts.structure.names == (None,)


def test_urls_of_one_structure_differ_in_their_slots_alone() -> None:
    one, other = take_apart("http://f.test/t?id=1&p=2"), take_apart("http://f.test/t?id=9&p=7")
    assert one.structure == other.structure
    assert one.structure != take_apart("http://f.test/t?p=2&id=1").structure


def test_a_slot_can_be_changed() -> None:
    assert take_apart("http://f.test/t?id=1").with_slot(1, "5").url == "http://f.test/t?id=5"


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("http://f.test/t?id=1&sid=abc", "http://f.test/t?id=1"),
        ("http://f.test/t?sid=abc&id=1", "http://f.test/t?id=1"),
        ("http://f.test/t?SID=abc", "http://f.test/t"),
        ("http://f.test/t;sid=abc?id=1", "http://f.test/t?id=1"),
        ("http://f.test/residence?id=1", "http://f.test/residence?id=1"),
    ],
)
def test_session_parameters_are_removed_wherever_they_stand(url: str, clean: str) -> None:
    assert without_session(url, frozenset({"sid"})) == clean


@given(urls())
def test_without_session_parameters_nothing_changes(url: str) -> None:
    assert without_session(url, frozenset()) == url


def test_items_of_a_query_may_be_parted_by_semicolons() -> None:
    assert items_of("http://f.test/i?board=1.0;sort=views;desc") == ["board=1.0", "sort=views", "desc"]
    assert items_of("http://f.test/i?a=1;2&b=3") == ["a=1;2", "b=3"]
    assert items_of("http://f.test/i") == []
    assert adds_to("http://f.test/i?board=1.0;sort=views", "http://f.test/i?board=1.0")


def test_a_path_may_stand_in_the_place_of_a_query_and_begin_with_a_word_of_the_program() -> None:
    url = "http://f.test/index.php?threads/some-title.12/page-2&order=new"
    parts = take_apart(url)
    assert parts.slots == ("index.php?threads", "some-title.12", "page-2", "new")
    assert parts.url == url
    title = take_apart("http://f.test/show.php?12-Some-Title/page2")
    assert title.slots == ("show.php", "12-Some-Title/page2")
    assert take_apart("http://f.test/show.pl?t-12/from-20/").slots == ("show.pl?t-12", "from-20", "")


def test_what_is_added_to_a_path_begins_with_a_sign_and_says_a_word() -> None:
    board = "http://f.test/board,4.0.html"
    assert added_to_path("http://f.test/board,4.0/sort,views.html", board) == "/sort,views"
    assert added_to_path("http://f.test/garden/by-date/", "http://f.test/garden/") == "/by-date"
    assert not added_to_path("http://f.test/garden/2/", "http://f.test/garden/")
    assert not added_to_path("http://f.test/gardening/", "http://f.test/garden")
    assert not added_to_path("http://f.test/i?board=4.0;sort=views", "http://f.test/i?board=4.0")
    assert not added_to_path("http://f.test/garden/", "http://f.test/")
