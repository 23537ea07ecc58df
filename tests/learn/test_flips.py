"""From pagers on pages to flip patterns of a site."""

from __future__ import annotations

import pytest

from thrawl.learn.flips import flip_of, is_next_of_the_list
from thrawl.learn.pager import Pager, find_pagers
from thrawl.learn.patterns import Pattern
from thrawl.page.reading import Page, read_page


def pager_of(url: str, *flips: tuple[str, str]) -> Pager:
    """The one pager of a page with these flips (anchor, address)."""
    page = read_page("".join(f'<a href="{href}">{anchor}</a> ' for anchor, href in flips), url)
    (pager,) = find_pagers(page.url, page.links)
    return pager


@pytest.mark.parametrize(
    ("pattern", "url", "flips", "expected"),
    [
        # An item is added to the query.
        ("http://f.test/t?id={a:number}", "http://f.test/t?id=7", ["2=/t?id=7&p=2"], "t?id={a:number}&p={page:number}"),
        # The page comes before the id.
        ("http://f.test/t?id={a:number}", "http://f.test/t?id=7", ["2=/t?p=2&id=7"], "t?p={page:number}&id={a:number}"),
        # A segment is added to the path.
        ("http://f.test/{a:word}/", "http://f.test/golf/", ["2=/golf/page/2/"], "{a:word}/page/{page:number}/"),
        # A segment of the path goes on.
        ("http://f.test/t-{a:number}.html", "http://f.test/t-7.html", ["2=/t-7-p2.html"], "t-{a:number}-p{page:number}.html"),
        # Page 1 carries its number.
        ("http://f.test/t-{a:number}-1.html", "http://f.test/t-7-1.html", ["2=/t-7-2.html"], "t-{a:number}-{page:number}.html"),
        # A bare query item goes on.
        ("http://f.test/l?{a:number}", "http://f.test/l?6", ["2=/l?6,page=2"], "l?{a:number},page={page:number}"),
    ],
)  # fmt: skip
def test_a_flip_is_its_lists_pattern_with_a_page(pattern: str, url: str, flips: list[str], expected: str) -> None:
    pager = pager_of(url, *((anchor, href) for anchor, _, href in (flip.partition("=") for flip in flips)))
    flip = flip_of(Pattern.parse(pattern), url, pager)
    assert flip is not None
    assert str(flip.pattern) == "http://f.test/" + expected


def test_offsets_count_records_and_pages_count_pages() -> None:
    pattern = Pattern.parse("http://f.test/t?id={a:number}")
    pages = flip_of(pattern, "http://f.test/t?id=7", pager_of("http://f.test/t?id=7", ("2", "?id=7&p=2")))
    offsets = flip_of(pattern, "http://f.test/t?id=7", pager_of("http://f.test/t?id=7", ("2", "?id=7&from=25")))
    assert pages is not None and offsets is not None
    assert [pages.value_of(page) for page in (1, 2, 3)] == ["1", "2", "3"]
    assert [offsets.value_of(page) for page in (1, 2, 3)] == ["0", "25", "50"]


def test_a_pager_of_another_kind_of_list_is_not_taken() -> None:
    pager = pager_of("http://f.test/golf/", ("2", "/golf/page/2/"))
    assert flip_of(Pattern.parse("http://f.test/t?id={a:number}"), "http://f.test/golf/", pager) is None


def list_page(url: str, rows: range, pager: str) -> Page:
    listed = "".join(
        f'<li><a href="/t?id={row}">Thread number {row}</a> <i>Ann</i> 2026-05-{row:02} 12:00</li>' for row in rows
    )
    return read_page(f"<html><body><h1>Golf</h1><ul>{listed}</ul><p>{pager}</p></body></html>", url)


def test_the_second_of_two_pages_shows_only_the_way_back() -> None:
    first = list_page("http://f.test/b?id=3", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    second = list_page("http://f.test/b?id=3&p=2", range(11, 15), '<a href="/b?id=3">1</a>')
    (pager,) = find_pagers(first.url, first.links)
    assert is_next_of_the_list(first, second, pager)


def test_a_page_that_shows_the_same_records_is_no_flip() -> None:
    first = list_page("http://f.test/b?id=3", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    again = list_page("http://f.test/b?id=3&p=2", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    (pager,) = find_pagers(first.url, first.links)
    assert not is_next_of_the_list(first, again, pager)


def test_a_page_without_the_pager_and_without_a_way_back_is_no_flip() -> None:
    first = list_page("http://f.test/b?id=3", range(1, 11), '<a href="/b?id=3&p=2">2</a>')
    other = list_page("http://f.test/b?id=3&p=2", range(11, 15), '<a href="/help">Help</a>')
    (pager,) = find_pagers(first.url, first.links)
    assert not is_next_of_the_list(first, other, pager)
