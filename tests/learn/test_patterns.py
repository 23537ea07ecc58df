"""URL patterns: written, read, matched and built."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.errors import InputError
from thrawl.profile.patterns import NUMBER, WORD, Hole, Pattern

literals = st.text("abc/?&=.-_", min_size=1, max_size=6)
kinds = st.sampled_from([NUMBER, WORD, "golf|lenses", "a.b|c+d", "but golf|c+d"])


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    pieces: list[str | Hole] = ["http://f.test/"]
    for number in range(draw(st.integers(0, 4))):
        pieces.append(Hole("abcd"[number], draw(kinds)))
        pieces.append(draw(literals))
    return Pattern(tuple(pieces))


@given(patterns())
def test_a_written_pattern_is_read_again(pattern: Pattern) -> None:
    assert Pattern.parse(str(pattern)) == pattern


@given(patterns(), st.integers(0, 10**9))
def test_what_a_pattern_builds_it_matches(pattern: Pattern, number: int) -> None:
    values = {
        hole.name: {NUMBER: str(number), WORD: "slug"}.get(hole.kind, hole.kind.split("|")[0]) for hole in pattern.holes
    }
    assert pattern.match(pattern.build(values)) is not None


def test_holes_tell_what_stands_in_them() -> None:
    pattern = Pattern.parse("http://f.test/{a:golf|lenses}/{b:number}-{c:word}")
    assert pattern.match("http://f.test/golf/12-my-first-lens") == {"a": "golf", "b": "12", "c": "my-first-lens"}
    assert pattern.match("http://f.test/chess/12-my-first-lens") is None


def test_a_pattern_is_anchored() -> None:
    pattern = Pattern.parse("http://f.test/t?id={a:number}")
    assert pattern.match("http://f.test/t?id=3") == {"a": "3"}
    for other in (
        "http://f.test/t?id=3&sort=1",
        "http://f.test/t?id=3x",
        "xhttp://f.test/t?id=3",
        "http://f.test/t?id=",
    ):
        assert pattern.match(other) is None


def test_http_and_https_are_one_site() -> None:
    assert Pattern.parse("http://f.test/t?id={a:number}").match("https://f.test/t?id=3") is not None


def test_a_word_never_crosses_a_slash_or_a_query() -> None:
    pattern = Pattern.parse("http://f.test/{a:word}/")
    assert pattern.match("http://f.test/golf/") is not None
    assert pattern.match("http://f.test/golf/holes/") is None
    assert pattern.match("http://f.test/golf?x/") is None


def test_literals_are_literal() -> None:
    assert Pattern.parse("http://f.test/a.php?x={a:number}").match("http://f.test/aXphp?x=1") is None


@pytest.mark.parametrize(
    "text", ["http://f.test/{a}", "http://f.test/{a:number", "http://f.test/}", "{a:word}/{a:word}"]
)
def test_what_is_no_pattern_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match="pattern"):
        Pattern.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://f.test/{a:word}-{b:number}.html",
        "http://f.test/{a:word}/{b:word}.{c:number}/",
        "http://f.test/t?a={a:word}&b={b:word}&c={c:number}",
        "http://f.test/{a:number}-{b:word}/page-{page:number}",
    ],
)
@pytest.mark.parametrize("filler", ["a", "1", "-", "1-", "a.", "%", "a-1"])
def test_matching_a_hostile_url_takes_no_time(text: str, filler: str) -> None:
    """With one word a slot, as they are learned."""
    pattern = Pattern.parse(text)
    head = text.partition("{")[0]
    began = time.process_time()
    pattern.match(head + filler * (10_000 // len(filler)) + "!")
    assert time.process_time() - began < 5


def test_a_word_may_be_any_but_a_few() -> None:
    pattern = Pattern.parse("http://f.test/{a:but users|tags}/{b:number}/")
    assert pattern.match("http://f.test/golf/12/") == {"a": "golf", "b": "12"}
    assert pattern.match("http://f.test/tagsale/12/") == {"a": "tagsale", "b": "12"}
    assert pattern.match("http://f.test/users/12/") is None
