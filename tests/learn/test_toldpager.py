"""Pagers that tell their pages in words beside links without numbers."""

from __future__ import annotations

import pytest

from thrawl.learn.flips.evidence import chance_behind
from thrawl.page.reading import read_page
from thrawl.profile.pager import Pager, find_pagers
from thrawl.profile.pagermodel import LIKELY

THREAD = "http://f.test/t/7/tea/"
ARROW = '<i class="arrow"></i>'


def told(words: str, *links: tuple[str, str], url: str = THREAD) -> tuple[Pager, ...]:
    """The pagers of a page that tells its pages in these words, with these links (anchor, address) in a row beside."""
    items = "".join(f'<li><a href="{href}">{anchor}</a></li>' for anchor, href in links)
    page = read_page(f"<html><body><h1>Tea</h1><ul><li>{words}</li>{items}</ul></body></html>", url)
    assert find_pagers(page.url, page.links) == ()
    return find_pagers(page.url, page.links, page.tree)


@pytest.mark.parametrize("words", ["Page 1 of 3", "1 / 3", "Seite 1 von 3", "第 1 页，共 3 页"])
def test_arrows_beside_the_number_of_pages(words: str) -> None:
    (pager,) = told(words, (ARROW, "?page=2"), (f"Last {ARROW}", "?page=3"))
    assert (pager.first, pager.step, pager.last) == (1, 1, 3)
    assert pager.url_of(2) == pager.next_url == THREAD + "?page=2"


def test_the_only_other_page_is_next_and_last() -> None:
    (pager,) = told("Page 1 of 2", (ARROW, "?page=2"), ("Last", "?page=2"))
    assert pager.urls == (THREAD + "?page=2",)


def test_offsets() -> None:
    (pager,) = told("Page 1 of 4", (ARROW, "?from=20"), ("Last", "?from=60"))
    assert (pager.first, pager.step, pager.last) == (0, 20, 4)


@pytest.mark.parametrize(
    ("words", "links"),
    [
        pytest.param("Posts 1 to 20 of 35", [(ARROW, "?page=2")], id="three numbers"),
        pytest.param("Page 2 of 3", [(ARROW, "?page=1"), (ARROW, "?page=3")], id="no first page"),
        pytest.param("Page 1 of 3", [(ARROW, "?page=2"), ("Last", "?page=9")], id="another number of pages"),
        pytest.param("1 week ago by user2", [("Tea", "post/27")], id="a number in a name"),
        pytest.param("1 reply, 57 views", [("Tea", "post/2710")], id="counts beside the last post"),
        pytest.param("Page 1 of 2", [("Tea", "post/2710")], id="an offset larger than any page"),
        pytest.param("Sort by votes", [(ARROW, "?order=2")], id="no numbers"),
        pytest.param("Page 1 of 3", [(ARROW, "/t/8/coffee/?page=2")], id="another list"),
    ],
)
def test_what_only_looks_like_it(words: str, links: list[tuple[str, str]]) -> None:
    assert told(words, *links) == ()


def test_the_page_behind_is_recognised_by_the_same_links() -> None:
    def page(number: int, other: int) -> str:
        posts = "".join(
            f"<div class='p'><b>Ann {n}</b> <i>2026-05-{n:02} 12:00</i><p>Number {n} says a word or two.</p></div>"
            for n in range(10 * number, 10 * number + 5)
        )
        pager = f"<ul><li>Page {number} of 2</li><li><a href='?page={other}'>{ARROW}</a></li></ul>"
        return f"<html><body><h1>Tea</h1>{posts}{pager}</body></html>"

    first, second = read_page(page(1, 2), THREAD), read_page(page(2, 1), THREAD + "?page=2")
    (pager,) = find_pagers(first.url, first.links, first.tree)
    assert chance_behind(first, second, pager) >= LIKELY
