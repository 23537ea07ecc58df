"""What the rows of an index page tell before its records are known."""

from __future__ import annotations

from thrawl.learn.groups import Candidate, candidates
from thrawl.learn.listrows import not_empty, regions_in_rows
from thrawl.page.reading import Page, read_page

NAMES = ("Kettles", "Clocks", "Engines", "Lanterns", "Bicycles", "Stoves")
WORDS = "It has begun to rattle again, and I cannot find out why, though I have taken all of it apart twice by now. "


def last_post(number: int) -> str:
    at = f"2026-05-{number + 1:02}T12:00:00Z"
    return (
        f"<div class='last'><a href='/user/{number}'>user{number}</a> <time datetime='{at}'></time>"
        f"<p>{WORDS * (number % 2 + 1)}</p></div>"
    )


def hub(empty: int) -> Page:
    """Six boards, the first of them without threads; the others show the words of their last posts."""
    rows = [
        f"<li class='row'><div class='name'><h2><a href='/board/{number}'>{name}</a></h2><p>Old and new</p></div>"
        f"<div class='more'><b>{0 if number < empty else 12}</b> threads <b>{0 if number < empty else 34}</b> posts"
        f"{'' if number < empty else last_post(number)}</div></li>"
        for number, name in enumerate(NAMES)
    ]
    return read_page(f"<html><body><h1>Forum</h1><ul>{''.join(rows)}</ul></body></html>", "http://f.test/")


def boards_of(page: Page) -> Candidate:
    return next(one for one in candidates(page) if one.urls[0] == "http://f.test/board/0")


def test_boards_that_count_nothing_are_left_out() -> None:
    page = hub(empty=4)
    assert not_empty(page, boards_of(page)) == ("http://f.test/board/4", "http://f.test/board/5")


def test_where_nearly_all_are_empty_nobody_is_left_out() -> None:
    page = hub(empty=5)
    assert not_empty(page, boards_of(page)) == boards_of(page).urls


def test_last_posts_in_the_rows_of_boards_are_a_column_of_the_same_list() -> None:
    page = hub(empty=4)
    users = next(one for one in candidates(page) if "/user/" in one.urls[0])
    assert users.region != boards_of(page).region
    assert users.region in regions_in_rows(page, boards_of(page))


def test_a_list_below_each_heading_is_no_column_of_the_headings() -> None:
    def section(number: int) -> str:
        boards = "".join(
            f"<tr><td><a href='/board/{number}{one}'>All about {name}</a></td><td>2026-05-{one + 1:02} 12:00</td></tr>"
            for one, name in enumerate(NAMES)
        )
        return f"<div><h2><a href='/part/{number}'>Part {'ABC'[number]} of it</a></h2><table>{boards}</table></div>"

    page = read_page(f"<html><body>{''.join(map(section, range(3)))}</body></html>", "http://f.test/")
    headings = next(one for one in candidates(page) if "/part/" in one.urls[0])
    boards = next(one for one in candidates(page) if "/board/" in one.urls[0])
    assert boards.region not in regions_in_rows(page, headings)
