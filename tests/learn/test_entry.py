"""Where the entry page may be, by the looks of any page."""

from __future__ import annotations

import pytest

from thrawl.learn.structure.entry import named_like_site
from thrawl.page.reading import read_page

F = "http://f.test"


def page(title: str, links: str) -> list[str]:
    html = f"<html><head><title>{title}</title></head><body>{links}<p>Some words of a post.</p></body></html>"
    return named_like_site(read_page(html, f"{F}/t/7"))


@pytest.mark.parametrize(
    "title", ["Why it leaks - The Golf Club", "The Golf Club &raquo; Why it leaks", "Leaks | THE GOLF CLUB"]
)
def test_a_link_with_the_name_that_ends_or_begins_the_windows_title_may_lead_home(title: str) -> None:
    links = "<a href=/>News</a> <a href=/golf/start.html>The Golf Club</a> <a href=/login>Log in</a>"
    assert page(title, links) == [f"{F}/golf/start.html"]


def test_the_title_of_the_page_itself_and_other_sites_are_no_home() -> None:
    links = "<a href=/t/7>Why it leaks</a> <a href=http://other.test/>The Golf Club</a>"
    assert page("Why it leaks - The Golf Club", links) == []
    assert page("The Golf Club", "<a href=/golf>The Golf Club</a>") == []  # one name is the page's own
