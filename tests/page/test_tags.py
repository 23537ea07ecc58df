"""The tags of a page as the parser writes it out: quirks of real markup come out as the parser understood them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from thrawl.page.tree import TEXT, Tree, parse


def attributes_of(tree: Tree, tag: str) -> dict[str, str]:
    return tree.attributes[tree.tags.index(tag)]


@pytest.mark.parametrize(
    ("written", "attributes"),
    [
        ('<a href="?a=1&amp;b=2">', {"href": "?a=1&b=2"}),
        ('<a title="a > b &quot;c&quot; <d>">', {"title": 'a > b "c" <d>'}),
        ('<a href="x""class="y">', {"href": "x", '"class': "y"}),
        ("<a disabled>", {"disabled": ""}),
        ("<a =odd href=x>", {"=odd": "", "href": "x"}),
        ('<a title="&amp;amp;">', {"title": "&amp;"}),
        ("<a>", {}),
    ],
)
def test_attributes_come_out_as_meant(written: str, attributes: dict[str, str]) -> None:
    assert attributes_of(parse(f"<p>{written}x</a></p>"), "a") == attributes


def test_a_tag_with_a_quote_in_its_name_ends_where_its_end_tag_stands() -> None:
    tree = parse('<div><span="odd">1</span="odd"> <i"x y="2">3</i"x></div><p>after</p>')
    assert tree.tags[tree.parents[tree.tags.index("p")]] == "body"


@given(st.text(alphabet="<>ap =\"'/x&;\n", max_size=60))
def test_every_element_has_the_attributes_that_the_parser_gave_it(html: str) -> None:
    root = LexborHTMLParser(html).root
    given = [node.attributes for node in root.traverse() if node.tag in ("a", "p")] if root else []
    tree = parse(html)
    shown = [own for tag, own in zip(tree.tags, tree.attributes, strict=True) if tag in ("a", "p")]
    assert shown == [{name: value or "" for name, value in attributes.items()} for attributes in given]


def test_escapes_in_text_are_read() -> None:
    assert parse("<p>1 &lt; 2 &amp;amp; 3&nbsp;&gt; 2</p>").texts[-1] == "1 < 2 &amp; 3\xa0> 2"


def test_a_hard_space_alone_is_white_space_as_any_other() -> None:
    assert TEXT not in parse("<table><tr><td>&nbsp;</td></tr></table>").tags


def test_the_markup_in_a_frame_is_its_text() -> None:
    tree = parse("<p><iframe src=x><b>no frames</b></iframe>after</p>")
    assert "b" not in tree.tags
    assert tree.texts[tree.tags.index("iframe") + 1] == "<b>no frames</b>"
    assert tree.parents[-1] == tree.tags.index("p")


def test_a_script_that_writes_scripts_hides_nothing_after_it() -> None:
    tree = parse("<div><script><!-- <script></script> --></script><p>after</p></div>")
    assert tree.text(tree.tags.index("p")) == "after"
    assert tree.tags[tree.parents[tree.tags.index("p")]] == "div"


def test_a_drawing_in_a_drawing_is_left_out_whole() -> None:
    assert parse("<p>a<svg><g><svg><text>b</text></svg><text>c</text></g></svg>d</p>").text(0) == "ad"


def test_a_title_below_the_head_is_a_title_too() -> None:
    assert parse("<body><p>x</p><title>late &amp; good</title></body>").title == "late & good"
