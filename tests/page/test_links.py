"""The link table: absolute addresses, and groups by the place where links stand."""

from __future__ import annotations

from urllib.parse import urljoin

import forumpages
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.page.links import LinkGroup, Resolver, find_links, link_groups
from thrawl.page.reading import read_page
from thrawl.page.tree import parse

URL = "http://village.example/forum/t/1?page=1"


@pytest.mark.parametrize(
    ("href", "absolute", "fragment"),
    [
        ("2.html", "http://village.example/forum/t/2.html", ""),
        ("?page=2", "http://village.example/forum/t/1?page=2", ""),
        ("/b/1#p7", "http://village.example/b/1", "p7"),
        ("//other.example/x", "http://other.example/x", ""),
        ("  /b/\n2 ", "http://village.example/b/2", ""),
        ("HTTP://Village.example/b", "http://Village.example/b", ""),
    ],
)
def test_an_address_is_made_absolute_and_loses_its_fragment(href: str, absolute: str, fragment: str) -> None:
    assert Resolver(URL).resolve(href) == (absolute, fragment)


@pytest.mark.parametrize(
    "href", ["javascript:void(0)", "mailto:a@b.example", "JavaScript:x", "tel:1", "data:text/html,x", "http://[broken"]
)
def test_what_is_no_page_is_no_link(href: str) -> None:
    assert Resolver(URL).resolve(href) is None


def test_relative_links_start_from_the_base_that_the_page_names() -> None:
    tree = parse('<head><base href="/deep/er/"></head><body><a href="x">x</a></body>')
    assert [link.url for link in find_links(tree, URL)] == ["http://village.example/deep/er/x"]


def test_a_link_without_words_is_known_by_its_image() -> None:
    tree = parse('<a href="/x"><img src="new.gif" alt="Newest post"></a>')
    assert find_links(tree, URL)[0].anchor == "Newest post"


def group_with(groups: tuple[LinkGroup, ...], anchor: str) -> LinkGroup:
    return next(group for group in groups if anchor in group.anchors)


def test_titles_and_authors_of_rows_are_groups_of_their_own() -> None:
    page = read_page(forumpages.board(6), URL)
    titles = next(group for group in page.groups if group.region >= 0 and "Question" in group.anchors[0])
    authors = group_with(page.groups, "cecilia")
    assert len(titles.links) == len(authors.links) == 6
    assert titles.place != authors.place
    assert titles.anchor_chars > authors.anchor_chars


def test_pager_breadcrumbs_and_menu_are_groups_of_their_own() -> None:
    page = read_page(forumpages.board(6), URL)
    pager, trail, menu = (group_with(page.groups, anchor) for anchor in ("Next", "Bridges", "Log in"))
    assert pager.anchors == ("2", "3", "Next")
    assert pager.is_pager
    assert trail.anchors == ("Village forum", "Bridges")
    assert menu.anchors == ("Home", "Search", "Log in")


def test_breadcrumbs_and_pager_in_one_cell_are_told_apart() -> None:
    cell = '<td><a href="/">Forum</a> &gt; <a href="/b/1">Bridges of old</a></td>'
    pages = '<td>Page <b><a href="?p=1">1</a></b> <b><a href="?p=2">2</a></b> <b><a href="?p=2">Next</a></b></td>'
    groups = link_groups(parse(f"<table><tr>{cell}{pages}</tr></table>"), URL, ())
    assert group_with(groups, "Next").anchors == ("1", "2", "Next")
    assert group_with(groups, "Forum").anchors == ("Forum", "Bridges of old")


def test_a_jump_menu_is_a_group_and_its_numbers_are_no_links() -> None:
    menu = '<select><option value="/b/1">One<option value="/b/2">Two<option value="3">3</select>'
    groups = link_groups(parse(menu), URL, ())
    assert [group.urls for group in groups] == [("http://village.example/b/1", "http://village.example/b/2")]
    assert groups[0].place.kind == "option"


def test_the_small_pager_of_a_row_does_not_swallow_its_title() -> None:
    rows = "".join(
        f'<tr><td><a href="/t/{n}">Planks {n}</a> [ <a href="/t/{n}?p=2">2</a> ]</td><td>2021-05-0{n} 10:00</td></tr>'
        for n in range(1, 5)
    )
    page = read_page(forumpages.page(f"<table>{rows}</table>", title="Bridges"), URL)
    assert len(group_with(page.groups, "Planks 1").links) == 4


def test_links_at_the_same_place_of_two_pages_have_the_same_place() -> None:
    few, many = (read_page(forumpages.board(count), URL) for count in (3, 8))
    assert group_with(few.groups, "anna").place == group_with(many.groups, "anna").place
    assert group_with(few.groups, "Next").place == group_with(many.groups, "Next").place


HREF_PIECES = ["a", "b.php", ".", "..", "/", "?", "c=1", ":", "%20", "é"]


@given(st.lists(st.sampled_from(HREF_PIECES), max_size=6).map("".join).filter(lambda href: "//" not in href))
def test_the_short_way_to_an_address_leads_where_the_long_one_does(href: str) -> None:
    resolved = Resolver(URL).resolve(href)
    assert resolved is None or resolved[0] == urljoin(URL, href)


@given(st.text(max_size=60))
def test_no_href_breaks_the_resolver(href: str) -> None:
    resolved = Resolver(URL).resolve(href)
    assert resolved is None or resolved[0].startswith(("http://", "https://"))
