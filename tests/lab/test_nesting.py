"""Replies stand below what they answer, whatever the shape of the thread."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from thrawl.lab.generate import generate
from thrawl.lab.skins.nesting import nested_list, outline
from thrawl.lab.world import Post

WORLD = generate(1)
FIRST = WORLD.at(WORLD.end).posts(1)[0]


@st.composite
def threads(draw: st.DrawFn) -> list[Post]:
    """Post n answers some post before it, or one that is not there."""
    size = draw(st.integers(1, 30))
    return [
        replace(FIRST, id=number, reply_to=draw(st.sampled_from([None, 999, *range(1, number)])))
        for number in range(1, size + 1)
    ]


@given(posts=threads(), deepest=st.integers(1, 6))
def test_an_outline_holds_every_post_once_and_never_jumps_a_level(posts: list[Post], deepest: int) -> None:
    lines = list(outline(posts, deepest))
    assert sorted(post.id for post, _ in lines) == [post.id for post in posts]
    depths = [depth for _, depth in lines]
    assert depths[0] == 0
    assert max(depths) <= deepest
    assert all(later - earlier <= 1 for earlier, later in pairwise(depths))


@given(posts=threads())
def test_a_nested_list_is_well_formed(posts: list[Post]) -> None:
    drawn = ((f"<li id={post.id}>words", depth) for post, depth in outline(posts, 4))
    page = nested_list(drawn, "ol")
    assert page.count("<ol>") == page.count("</ol>")
    assert page.count("<li") == page.count("</li>") == len(posts)
    assert len(LexborHTMLParser(page).css("ol > li")) == len(posts)
