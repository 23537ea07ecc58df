"""Given pages of several families of layouts, the records are the posts and the rows, whole and apart."""

from __future__ import annotations

import forumpages
import pytest

from thrawl.page.reading import Page, read_page

URL = "http://village.example/t/1"


def texts(page: Page) -> list[str]:
    return [page.tree.text_of(record.start, record.end) for record in page.records]


def test_each_post_of_a_div_layout_is_a_record_whatever_its_even_and_odd_looks() -> None:
    page = read_page(forumpages.div_thread(4), URL)
    assert [words in text for words, text in zip(forumpages.WORDS, texts(page), strict=False)] == [True] * 4


def test_three_table_rows_make_one_post_and_the_row_of_headings_none() -> None:
    page = read_page(forumpages.table_thread(4), URL)
    found = texts(page)
    assert len(found) == 4
    assert all(len(record.parts) == 3 for record in page.records)
    assert all(words in text for words, text in zip(forumpages.WORDS, found, strict=False))
    assert "Message" not in found[0]


def test_rows_of_a_board_are_records_and_its_menu_is_not() -> None:
    page = read_page(forumpages.board(6), URL)
    assert len(page.records) == 6
    assert all("Question" in text for text in texts(page))


def test_ads_between_posts_neither_break_the_list_nor_join_it() -> None:
    page = read_page(forumpages.div_thread(5, ads=True), URL)
    assert len(page.records) == 5
    assert not any("Buy planks" in text for text in texts(page))


@pytest.mark.parametrize(
    "content",
    [
        "<ul><li>one plank</li><li>two planks</li><li>three planks</li></ul>",
        "<table><tr><td>1</td><td>2020-01-01</td></tr><tr><td>2</td><td>2020-01-02</td></tr></table>",
        "<blockquote><cite>anna wrote on 3 May 2021, 10:05</cite>planks</blockquote>yes",
        "<pre><code>for plank in bridge:\n  nail(plank)</code></pre>",
        '<div class="entry"><div class="words">a copy of the layout</div></div>',
    ],
    ids=["list", "table", "quote", "code", "copied layout"],
)
def test_what_users_put_into_posts_does_not_split_or_merge_them(content: str) -> None:
    mixed = (forumpages.WORDS[0], forumpages.WORDS[1] + content, forumpages.WORDS[2])
    page = read_page(forumpages.div_thread(3, content=mixed), URL)
    assert len(page.records) == 3


def test_the_only_post_of_a_thread_is_found_by_its_time() -> None:
    page = read_page(forumpages.div_thread(1), URL)
    assert len(page.records) == 1
    assert forumpages.WORDS[0] in texts(page)[0]


def test_rows_of_several_tables_form_one_list() -> None:
    tables = "".join(
        f"<h3>Part {part}</h3><table class='boards'>"
        + "".join(
            f'<tr><td><a href="/b/{part}{row}">Board about things number {part}{row}</a></td>'
            f"<td>{part}{row}</td><td>2021-05-{part}{row} 10:00</td></tr>"
            for row in range(1, 4)
        )
        + "</table>"
        for part in (1, 2)
    )
    page = read_page(forumpages.page(tables, title="All boards"), URL)
    assert len(page.records) == 6


def test_an_archive_of_months_is_not_a_list_of_records() -> None:
    months = "".join(
        f'<li><a href="/2020/{month}">{month} 2020</a></li>' for month in ("March", "April", "May", "June")
    )
    content = f'<div class="text">{" ".join(forumpages.WORDS)} <i>3 May 2021, 10:05</i></div><ul>{months}</ul>'
    page = read_page(forumpages.page(content, title="An article"), URL)
    assert not any("April 2020" in text and "planks" not in text for text in texts(page))


def test_a_row_that_shows_its_last_time_twice_for_narrow_and_wide_screens_is_one_record() -> None:
    def row(number: int) -> str:
        last = f"<a href='/t/{number}/last' title='2026-05-{20 - number:02}T12:00:00Z'></a>"
        words = forumpages.WORDS[number % len(forumpages.WORDS)] * 3
        return (
            f"<li><div class='left'><span class='face'><img src='/{number}.png'></span><div class='what'>"
            f"<h3><a href='/t/{number}'>Question {number} on planks</a></h3><i>new</i><b>open</b>"
            f"<div class='narrow'><em>{number}</em>{last}</div></div></div>"
            f"<div class='right'><ul><li>{number}</li><li>views</li></ul>"
            f"<div class='teaser'><div class='by'>{last}</div><p>{words}</p></div></div></li>"
        )

    page = read_page(f"<html><body><ul>{''.join(map(row, range(8)))}</ul></body></html>", URL)
    assert [f"Question {number} on planks" in text for number, text in enumerate(texts(page))] == [True] * 8
