"""Pages that are laid out without a parser look as lexbor sees them; all others are left to it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from thrawl import limits
from thrawl.lab.hostile.mutation import mutated, originals
from thrawl.page import tree
from thrawl.page.tree import Head, parse

flat = pytest.importorskip("thrawl.page._flat", reason="the compiled part of Thrawl was not built here")

NAMES = (
    "div span p a b ul li dl dt dd table tbody tr td caption form select option optgroup textarea pre h1 h2 button"
    " img br hr input svg g path template script style noscript em wbr address center custom-x link object title"
).split()
PIECES = (
    *(f"<{name}>" for name in NAMES),
    *(f"</{name}>" for name in NAMES),
    *('<a href="?a=1&amp;b=2">', "<a href=?a=1&copy=2>", "<p class='x' CLASS=y>", '<img alt="a>b"/>', "<div />"),
    *("<script src=a/b/>", "<path d=a/>", '<path d="1 2"/>', '<a name="x"></a>', "<svg/>", '<b title="<i>">'),
    *(" ", "\n", "\r\n", "word", "&nbsp;", "&copy", "&copy;", "&#39;", "&#128;", "1 < 2", "\u4e2d", "\ud800", "\0"),
    *("<!-- a -->", " <!--b--> ", "<!-->", "<![CDATA[x]]>", "<!-- <!-- -->", "</p>", "</ul >", "<?php ?>"),
)


def framed(body: str) -> str:
    return f"<!DOCTYPE html>\n<html lang=en><head><title>A &amp; b</title></head>\n<body>{body}</body>\n</html>\n"


def is_taken(html: str) -> bool:
    """Whether a page is laid out without the parser; if so, then as with it."""
    head, expected = Head(), Head()
    found = flat.regular(html, limits.MAX_NODES, limits.MAX_LEVELS, limits.MAX_DEPTH, limits.MAX_MENU_OPTIONS, head)
    if found is None:
        return False
    root = LexborHTMLParser(tree.made_plain(html).encode("utf-8", "replace")).root
    assert root is not None
    assert found == flat.flatten(root.html, limits.MAX_NODES, limits.MAX_LEVELS, expected)
    assert head.result() == expected.result()
    return True


@pytest.mark.parametrize(
    "body",
    [
        "<p>One<p>two<div>three</div>",
        "<ul><li>One<li><p>two</ul><dl><dt>a<dd>b</dl>",
        "<table><tr><td>a<td>b<tr><th>c</table>",
        "<table><caption>c</caption><thead><tr><td>a</thead><tbody></table>",
        '<table> <tr> <a name="mark"></a> <td>a</td></tr></table>',
        "<table><tr><td><b>bold to the end of the cell</td></tr></table>",
        "<select><option>a<option selected>b<optgroup label=c><option>d</select>",
        "<i>a</i> <b>b</b> <!-- c --> <u>d</u> <wbr> <s>e</s>",
        "<textarea>\n\n<b> &lt;</textarea><pre>\n\nx</pre>",
        '<a href="?a=1&amp;b=2&section=3&quot;">&eacute;&nbsp;&#39;&#x4e2d; &x &amp;c</a>',
        "<svg viewBox='0 0'><title>Lo&amp;go</title><path d='M0'/></svg><script>if (a < b) c('</p>')</script>",
        "<template><div><b>x</b></div></template><noscript><p>x</p></noscript>",
        "<div><span>never closed</div></p>",
        "<DIV Class=a>x</DIV\n><img SRC=a.png alt='\"'>",
        "<p>line\r\nand line\rand\u4e2d</p>",
    ],
)
def test_pages_that_close_what_they_open_need_no_parser(body: str) -> None:
    assert is_taken(framed(body))


@pytest.mark.parametrize(
    "body",
    [
        "<b><i>crossed</b></i>",
        "<p><b>begins anew</p>behind it",
        "<a>in<a>link",
        "<table>words<tr><td></table>",
        "<table><div></div></table>",
        "<i></i> <table><tr><a></a></table>",
        "<form><form></form></form>",
        "<ul><li><div><li></div></ul>",
        "<h1><h2></h2></h1>",
        "</ul>",
        "1 < 2",
        "&copy 2020",
        "&#128;",
        "\0",
        "\ud800",
        "<svg><p></svg>",
        "<script>'<!-- <script>'</script>",
        "<template><tr><td></div></template>",
        "<table><!-- a --> <a></a> <tr></table>",
        "<iframe></iframe>",
        "<a/>",
        "<p title='<b>'>",
        "words at the end",
        "<div>" * limits.MAX_LEVELS,
        "<p " + "a " * limits.MAX_TAG_ATTRIBUTES + ">",
        "<br>" * limits.MAX_DEPTH,
        "<select>" + "<option>" * limits.MAX_MENU_OPTIONS + "</select>",
    ],
)
def test_pages_that_a_parser_would_mend_are_left_to_it(body: str) -> None:
    assert not is_taken(framed(body))


@pytest.mark.parametrize(
    "html",
    [
        "",
        "words",
        "<p>a</p>",
        "<html><body></body></html>",
        "<html><head></head><body>",
        "<html><head></head><body></body></html>words",
        "<html><head><p></head><body></body></html>",
        "<html><head></head><div><body></body></html>",
    ],
)
def test_pages_without_a_frame_are_left_to_the_parser(html: str) -> None:
    assert not is_taken(html)


def test_most_pages_of_all_skins_need_no_parser() -> None:
    pages = originals(forums=3, threads=10)
    assert sum(is_taken(page.html) for page in pages) > len(pages) / 2


def test_mutated_pages_are_laid_out_as_by_the_parser() -> None:
    draw, pages = Random(11), originals(forums=2, threads=8)
    for _ in range(150):
        is_taken(mutated(draw.choice(pages), draw, pages))


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_pieces_are_laid_out_as_by_the_parser(body: str) -> None:
    is_taken(framed(body))


def test_elements_in_good_order_are_laid_out_as_by_the_parser() -> None:
    draw = Random(5)
    assert sum(is_taken(framed(_nested(draw, 4))) for _ in range(3000)) > 300


def _nested(draw: Random, depth: int) -> str:
    if not depth or draw.random() < 0.2:
        return draw.choice(PIECES)
    inside = "".join(_nested(draw, depth - 1) for _ in range(draw.randint(0, 3)))
    name = draw.choice(NAMES)
    return f"<{name}>{inside}</{name}>" if draw.random() < 0.9 else f"<{name}>{inside}"


def test_a_site_whose_pages_need_the_parser_is_read_alike() -> None:
    odd, even = framed("<b><i>crossed</b></i>"), framed("<p>plain</p>")
    texts = [parse(html).text(0) for html in [odd] * 20 + [even] * 80]
    assert texts == ["crossed"] * 20 + ["plain"] * 80
