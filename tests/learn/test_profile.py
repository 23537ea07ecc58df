"""The profile as a file that a person can read and edit."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import InputError
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import VERSION, Flip, ListPattern, Profile

THREADS = ListPattern(
    Pattern.parse("http://f.test/t?id={a:number}"),
    (Flip(Pattern.parse("http://f.test/t?id={a:number}&p={page:number}"), 1, 1),),
    key=("a",),
    confidence=0.97,
    examples=("http://f.test/t?id=3",),
    counter_examples=("http://f.test/t?id=3&print=1",),
)
PROFILE = Profile("http://f.test/", (), (THREADS,), ("sid",), ("http://f.test/x",), pages_fetched=31, confidence=0.9)


def test_a_profile_is_read_as_it_was_written() -> None:
    assert Profile.from_json(PROFILE.to_json()) == PROFILE


@given(
    st.text(max_size=30),
    st.lists(st.text(max_size=10), max_size=3),
    st.integers(0, 300),
    st.integers(0, 1000).map(lambda number: number / 1000),
)
def test_any_values_survive(entry: str, words: list[str], pages: int, confidence: float) -> None:
    profile = Profile(entry, (), (THREADS,), tuple(words), tuple(words), feeds=tuple(words), notes=tuple(words))
    profile = Profile.from_json(profile.to_json())
    assert (profile.entry, profile.feeds, profile.notes) == (entry, tuple(words), tuple(words))
    again = Profile(entry, (), (), pages_fetched=pages, confidence=confidence)
    assert Profile.from_json(again.to_json()) == again


def test_patterns_are_written_for_people() -> None:
    data = json.loads(PROFILE.to_json())
    assert data["thread"][0]["pattern"] == "http://f.test/t?id={a:number}"
    assert data["thread"][0]["flips"] == [
        {"pattern": "http://f.test/t?id={a:number}&p={page:number}", "first": 1, "step": 1}
    ]


def test_a_flip_tells_where_its_list_opens() -> None:
    opens_last = replace(THREADS, flips=(replace(THREADS.flips[0], opens_last=True),))
    profile = replace(PROFILE, thread=(opens_last,))
    assert Profile.from_json(profile.to_json()) == profile


def test_what_a_person_leaves_out_has_a_default() -> None:
    thread = {"pattern": "http://f.test/t?id={a:number}", "flips": []}
    text = json.dumps({"version": 1, "entry": "http://f.test/", "index": [], "thread": [thread]})
    profile = Profile.from_json(text)
    assert profile.thread[0].confidence == 1.0
    assert profile.session_parameters == ()


def test_a_newer_version_is_refused() -> None:
    text = PROFILE.to_json().replace(f'"version": {VERSION}', f'"version": {VERSION + 1}')
    with pytest.raises(InputError, match="newer Thrawl"):
        Profile.from_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "3",
        "{}",
        '{"version": "x"}',
        '{"version": 1, "entry": "http://f.test/", "index": 3, "thread": []}',
        '{"version": 1, "entry": "http://f.test/", "index": [], "thread": [{"pattern": "http://f.test/{"}]}',
        '{"version": 1, "entry": "http://f.test/", "index": [], "thread": [{"pattern": 7, "flips": []}]}',
        '{"version": 1, "entry": "http://f.test/", "index": [], "thread": ["http://f.test/t"]}',
    ],
)
def test_broken_files_are_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Profile.from_json(text, "my.json")
    assert "\n" not in str(caught.value)


def test_a_flip_pattern_needs_a_page() -> None:
    text = PROFILE.to_json().replace("{page:number}", "2")
    with pytest.raises(InputError, match="page"):
        Profile.from_json(text)


@pytest.mark.parametrize(
    ("first", "step"), [("1", "0"), ("1", "-25"), ('"1"', "1"), ("1", '"x"'), ("null", "25"), ("1", "1.5")]
)
def test_an_arithmetic_that_leads_nowhere_is_refused(first: str, step: str) -> None:
    text = re.sub(r'"first": 1,\s*"step": 1', f'"first": {first}, "step": {step}', PROFILE.to_json())
    with pytest.raises(InputError, match=r"first|step"):
        Profile.from_json(text)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.json cannot be read"):
        Profile.load(tmp_path / "nothing.json")


def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "photo.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        Profile.load(path)


@given(st.integers(0, 1), st.integers(1, 100), st.integers(1, 10_000))
def test_page_values_there_and_back(first: int, step: int, page: int) -> None:
    flip = Flip(Pattern.parse("http://f.test/?p={page:number}"), first, step)
    value = flip.value_of(page)
    assert value is not None
    assert flip.page_of(value) == page


@pytest.mark.parametrize("value", ["13", "x", "", "²", "-25"])
def test_values_between_pages_are_no_page(value: str) -> None:
    assert Flip(Pattern.parse("http://f.test/?p={page:number}"), 0, 25).page_of(value) is None


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (("excludes",), ["x"], "unknown key 'excludes'.*one of .*excluded"),
        (("thread", 0, "flip"), [], r"unknown key 'thread\[0\]\.flip'.*flips"),
        (("thread", 0, "flips", 0, "frist"), 1, r"unknown key 'thread\[0\]\.flips\[0\]\.frist'.*first"),
        (("seeds",), "http://f.test/b", "'seeds' of mine must be a list of texts"),
        (("threaded",), "no", "'threaded' of mine must be true or false"),
        (("pages_fetched",), True, "'pages_fetched' of mine must be a whole number"),
        (("thread",), {}, "'thread' of mine must be a list of objects"),
        (("thread", 0, "pattern"), "http://f.test/{a:digits", "digits|pattern"),
        (("post_wrapper",), [], "'post_wrapper' of mine must be an object or null"),
    ],
)
def test_a_mistake_of_whoever_edited_a_profile_is_named(place: tuple[str | int, ...], value: object, told: str) -> None:
    data = json.loads(PROFILE.to_json())
    at = data
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    with pytest.raises(InputError, match=told):
        Profile.from_json(json.dumps(data), "mine")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(json.loads(PROFILE.to_json()))), VALUES)
def test_any_value_of_any_key_gives_a_profile_or_an_input_error(key: str, value: object) -> None:
    data = json.loads(PROFILE.to_json()) | {key: value}
    try:
        profile = Profile.from_json(json.dumps(data))
    except InputError:
        return
    assert Profile.from_json(profile.to_json()).entry == profile.entry
