"""The compiled loops give what those in Python give, on pages that forums write and on pages that nobody would."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from thrawl import limits
from thrawl.errors import PageError
from thrawl.lab.hostile.mutation import mutated, originals
from thrawl.page import tree
from thrawl.page.tree import Head, flatten_slowly, index_slowly, long_texts_slowly, parse, text_between_slowly
from thrawl.profile.content import last_text_slowly, lines_between_slowly
from thrawl.profile.markup import markup_between_slowly
from thrawl.profile.places import Step, class_set, descend_slowly

flat = pytest.importorskip("thrawl.page._flat", reason="the compiled part of Thrawl was not built here")
walks = pytest.importorskip("thrawl.page._walks", reason="the compiled part of Thrawl was not built here")

PIECES = (
    *(
        "<p>",
        "</p>",
        "<a href='/t/1?a=1&amp;b=2'>",
        "</a>",
        "<br/>",
        "<br />",
        "<a/>",
        "<title>",
        "</title>",
        "<TITLE/>",
    ),
    *("<script>", "</script>", "<script/>", "<style>a>b</style>", "<!--", "-->", "<!-->", "<textarea>", "</textarea>"),
    *("<svg>", "</svg>", "<template>", "</template>", "<iframe src=x>", "</iframe>", "<xmp>", "</xmp>", "<plaintext>"),
    *(
        " ",
        "\n",
        "&nbsp;",
        "&lt;",
        "&",
        "<",
        ">",
        "\u4e2d",
        "\U0001f600",
        "word",
        '<b class="x" id=y z>',
        "</b>",
        "<_/>",
    ),
    *(
        "<li>",
        "<table><tr><td>",
        "</table>",
        "<select><option value=1>",
        "<meta name='a\"b'>",
        "<base href=/>",
        "<\u017f/>",
    ),
)


def both(html: str, most_nodes: int = limits.MAX_NODES) -> None:
    """A page is laid out alike by both; and what is called plain would not be refused or mended."""
    plain = flat.is_plain(html, limits.MAX_TAG_ATTRIBUTES, tree.MANY_TAGS)
    try:
        mended = tree.made_plain(html)
    except PageError:
        assert not plain
        return
    assert mended == html or not plain
    root = LexborHTMLParser(mended.encode("utf-8", "replace")).root
    written = "" if root is None else root.html or ""
    quick, slow = Head(), Head()
    laid_out = flat.flatten(written, most_nodes, limits.MAX_LEVELS, quick)
    assert laid_out == flatten_slowly(written, most_nodes, limits.MAX_LEVELS, slow)
    assert quick.result() == slow.result()
    assert flat.index(laid_out[0]) == index_slowly(laid_out[0])


def test_pages_of_all_skins_are_laid_out_alike() -> None:
    for page in originals(forums=3, threads=10):
        both(page.html)


def test_mutated_pages_are_laid_out_alike() -> None:
    draw, pages = Random(7), originals(forums=2, threads=8)
    for _ in range(150):
        both(mutated(draw.choice(pages), draw, pages), draw.choice([50, limits.MAX_NODES]))


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@example("<a/>" * 3)
@example("<div>" * (limits.MAX_LEVELS + 5) + "deep" + "</div>" * 9)
@example("<p " + "a " * (limits.MAX_TAG_ATTRIBUTES + 5) + ">")
@example(f"<path d='{'M1,2' * limits.MAX_TAG_ATTRIBUTES}'>")
@example("<p>" * (tree.MANY_TAGS + 1))
def test_any_pieces_are_laid_out_alike(html: str) -> None:
    both(html)


@given(st.text(alphabet="<>/!-ab\"' =&;s\n\u4e2d", max_size=80))
def test_any_signs_are_laid_out_alike(html: str) -> None:
    both(html)


def test_paths_lead_to_the_same_nodes() -> None:
    steps = [
        *(Step("div"), Step("a", deep=True), Step("#text"), Step("span", bare=True), Step("td", number=1)),
        *(Step("div", classes=frozenset({"row0"})), Step("div", deep=True, classes=frozenset({"post"}), number=1)),
        *(Step("li", classes=frozenset({"a"}), without=frozenset({"b"})), Step("p", deep=True, number=2)),
    ]
    draw = Random(3)
    pages = [parse(page.html) for page in originals(forums=3, threads=8)]
    pages.append(parse('<ul><li class="a b">one<li class="a">two</ul><div class="row12"><p> <span>x</span></div>'))
    for page in pages:
        for _ in range(100):
            node, path = draw.randrange(len(page)), tuple(draw.choices(steps, k=draw.randint(0, 3)))
            assert flat.descend(page, node, path, class_set) == descend_slowly(page, node, path, class_set)


def test_what_ranges_say_is_alike() -> None:
    draw = Random(5)
    breaks, void = frozenset({"p", "br", "div", "pre", "li", "td"}), frozenset({"br", "img", "hr"})
    pages = [parse(page.html) for page in originals(forums=3, threads=8)]
    pages.append(parse("<div>a &lt; b<pre> two\n  lines</pre><p>one <b>and</b>\n<br> two</p><p></p><img alt=x></div>"))
    for page in pages:
        lists = page.tags, page.texts, page.ends
        for _ in range(100):
            start = draw.randrange(len(page))
            end = draw.choice([page.ends[start], draw.randint(start, len(page))])
            ends = {one: page.ends[one] for one in draw.choices(range(len(page)), k=draw.randint(0, 4))}
            printed = draw.choice([-1, -1, draw.randint(start, len(page))])
            words = page, start, end, ends, printed, breaks, "_"
            markup = page, start, end, ends, void, lambda tag, own: f" {tag} {len(own)}"
            assert walks.text_between(*lists, start, end) == text_between_slowly(*lists, start, end)
            assert walks.last_text(page, start, end) == last_text_slowly(page, start, end)
            assert walks.lines_between(*words) == lines_between_slowly(*words)
            assert walks.markup_between(*markup) == markup_between_slowly(*markup)
        assert walks.long_texts(page.texts, 15) == long_texts_slowly(page.texts, 15)


def test_pages_are_read_without_the_compiled_part_too() -> None:
    script = """
import sys
sys.modules["thrawl.page._flat"] = sys.modules["thrawl.page._walks"] = None
from thrawl.page import tree
assert tree.flatten is tree.flatten_slowly
print(tree.parse("<title>Old <b>bridges</title><p>It<a/> is <b>old</b>").text(0))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "It is old\n"
