"""Elements that would hide the rest of a page."""

from __future__ import annotations

import time

import pytest

from thrawl.page.links import find_links
from thrawl.page.mending import mended
from thrawl.page.tree import parse

POST = "<p>The tide was out.</p>"


@pytest.mark.parametrize(
    "before",
    [
        '<script src="a.js"/>',
        "<script src='a.js' />",
        '<SCRIPT src="a.js"/><script>if (1 < 2) document.write("<script/>")</script>',
        "<style/>",
        "<title/>",
        "<iframe src='x'/>",
        "<textarea name='q'/>",
        "<!-- a comment without an end>",
        "<form><textarea>what is typed</form>",
    ],
)
def test_what_follows_is_shown(before: str) -> None:
    assert (
        parse(f"<html><body>{before}{POST}<script>var a;</script></body></html>").text(0).endswith("The tide was out.")
    )


def test_a_title_without_an_end_is_one_line() -> None:
    tree = parse(f"<html><head><title>A harbour<meta charset=utf-8></head><body>{POST}</body></html>")
    assert tree.title == "A harbour"
    assert tree.text(0) == "The tide was out."


def test_a_self_closed_anchor_marks_a_place_and_holds_nothing() -> None:
    tree = parse(f'<html><body><a name="p7"/>{POST}</body></html>')
    assert tree.ends[tree.tags.index("a")] == tree.tags.index("a") + 1


@pytest.mark.parametrize(
    "page",
    [
        "<script src=//cdn.test/></script><p>a</p>",
        '<script>var a = "<script/>";</script>',
        "<!-- <script/> --><p>a</p>",
        "<a href=/x/>a</a>",
        "<script>never ends",
    ],
)
def test_what_ends_by_itself_stays_as_it_is(page: str) -> None:
    assert mended(page) == page


@pytest.mark.parametrize("flood", ["<script/>", "<!-- ", "<a ", "<title>", "<script "])
def test_a_flood_takes_linear_time(flood: str) -> None:
    began = time.process_time()
    mended(flood * 100_000)
    assert time.process_time() - began < 5


def test_a_page_of_frames_says_what_it_says_to_who_has_none_and_links_to_its_frames() -> None:
    page = (
        "<html><head><title>Lane</title></head><FRAMESET rows='60,*'><frame src='top.php' name=top noresize/>"
        '<frame src="list.php?a=1&amp;b=2" title="list"/><noframes><body><p>Go to <a href="/plain">the boards</a></p>'
        "</body></noframes></FRAMESET></html>"
    )
    tree = parse(page)
    assert tree.title == "Lane"
    assert tree.text(0) == "top list Go to the boards"
    links = [link.url for link in find_links(tree, "http://lane.example/")]
    assert links == [f"http://lane.example/{path}" for path in ("top.php", "list.php?a=1&b=2", "plain")]
