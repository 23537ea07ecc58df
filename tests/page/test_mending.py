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


def test_a_link_without_an_end_swallows_no_table() -> None:
    rows = "".join(f"<tr><td><a href='/u/{n}'>Ada</a></td><td>{POST}</td></tr>" for n in range(4))
    tree = parse(f"<body><a href='javascript:;' class='jump'>go<table>{rows}</table></body>")
    assert [tree.text(link) for link in tree.named("a")] == ["Ada"] * 4
    row = parse("<body><a href='/t/1'><table><tr><td>Leak</td><td><a href='/u/1'>Ada</a></td></tr></table></a></body>")
    assert [row.text(link) for link in row.named("a")] == ["Leak Ada", "Ada"]


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


@pytest.mark.parametrize(
    ("script", "seconds"),
    [
        ("<script>showTime(1614290100)</script>", "1614290100"),
        ("<script type='text/javascript'> document.write(ago(1614290100000, 2)); </script>", "1614290100"),
        ("<script>document.write(local(2, '1614290100'));</script>", "1614290100"),
        ("<script>document.write(local(1614290100123));</script>", "1614290100"),
        ("<script src='/s.js'></script>", None),
        ("<script>count(12, 0612345)</script>", None),
        ("<script>var seen = 1614290100;</script>", None),
        ("<script>between(1614290100, 1614290200)</script>", None),
    ],
)
def test_a_script_that_writes_a_time_is_that_time(script: str, seconds: str | None) -> None:
    tree = parse(f"<html><body><p>Ada {script} wrote</p></body></html>")
    times = [attributes["datetime"] for attributes in tree.attributes if "datetime" in attributes]
    assert times == ([seconds] if seconds else [])
    assert tree.text(0) == "Ada wrote"
