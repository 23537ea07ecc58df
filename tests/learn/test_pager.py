"""Pagers on pages: which links flip a list, and by which arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.page.reading import read_page
from thrawl.profile.pager import Pager, find_pagers, propose_pagers
from thrawl.profile.pagerwords import next_hint, page_number, says_next

BOARD = "http://f.test/b?id=3"


def pagers(url: str, *links: tuple[str, str]) -> tuple[Pager, ...]:
    """The pagers of a page with these links (anchor, address)."""
    page = read_page("".join(f'<a href="{href}">{anchor}</a> ' for anchor, href in links), url)
    return find_pagers(page.url, page.links)


def test_page_numbers_in_a_query() -> None:
    (pager,) = pagers(BOARD, ("2", "/b?id=3&p=2"), ("3", "/b?id=3&p=3"), ("9", "/b?id=3&p=9"), ("Next", "/b?id=3&p=2"))
    assert (pager.first, pager.step, pager.last) == (1, 1, 9)
    assert pager.url_of(7) == "http://f.test/b?id=3&p=7"


def test_pages_counted_from_0() -> None:
    (pager,) = pagers("http://f.test/room/2", ("2", "/room/2/1"), ("3", "/room/2/2"))
    assert (pager.first, pager.step) == (0, 1)


def test_a_list_that_begins_at_0_goes_on_by_one_link() -> None:
    (pager,) = pagers("http://f.test/latest/0", ("[more]", "/latest/100"))
    assert (pager.first, pager.step) == (0, 100)
    assert pagers("http://f.test/latest/7", ("[more]", "/latest/100")) == ()


def test_a_further_page_leads_on_to_the_one_after_it() -> None:
    here = "http://f.test/t/7-lens/2"
    page = read_page('<a href="/t/7-lens/3"><i>arrow_forward</i></a> <a href="/t/8-film">arrow_forward</a>', here)
    (pager,) = find_pagers(here, page.links, page.tree, "http://f.test/t/7-lens")
    assert (pager.first, pager.step, pager.last) == (1, 1, 3)


def test_offsets() -> None:
    (pager,) = pagers(BOARD, ("2", "/b?id=3&from=25"), ("3", "/b?id=3&from=50"))
    assert (pager.first, pager.step) == (0, 25)
    assert pager.url_of(4) == "http://f.test/b?id=3&from=75"


@pytest.mark.parametrize(("first", "here"), [(1, 1), (0, 0), (1, 11), (0, 30)])
def test_pages_that_are_named_by_their_records(first: int, here: int) -> None:
    links = [(f"{at + 1}–{at + 10}", f"/t?msg=30.{at + first}") for at in (0, 10, 30)]
    (pager,) = pagers(f"http://f.test/t?msg=30.{here}", *links, ("30.2", "/t?msg=30.2"))
    assert (pager.first, pager.step) == (first, 10)


def test_a_list_that_goes_on_in_a_file_of_another_name() -> None:
    (pager,) = pagers("http://f.test/a/threads.html", ("Next Page", "/a/more2.html"), ("By date", "/a/dates.html"))
    assert pager.url_of(3) == "http://f.test/a/more3.html"


def test_the_next_letter_is_no_page_of_this_one() -> None:
    assert pagers("http://f.test/a/msg1.html", ("Next", "/a/letter2.html")) == ()
    assert pagers("http://f.test/a/threads.html", ("Next", "/a/letter7.html")) == ()


@given(st.integers(0, 1), st.integers(1, 100), st.integers(3, 500))
def test_the_arithmetic_reaches_every_page(first: int, step: int, last: int) -> None:
    if step > 1:
        first = 0
    shown = sorted({2, 3, last})
    (pager,) = pagers(BOARD, *((str(page), f"/b?id=3&v={first + step * (page - 1)}") for page in shown))
    assert pager.last == last
    assert pager.url_of(last) == f"http://f.test/b?id=3&v={first + step * (last - 1)}"


def test_a_list_that_shows_only_next_has_to_be_walked() -> None:
    (pager,) = pagers("http://f.test/rooms/4-golf", ("Next", "/rooms/4-golf?after=x8f2k"))
    assert pager.url_of(2) is None
    assert pager.next_url == "http://f.test/rooms/4-golf?after=x8f2k"


def test_a_thread_may_lead_on_by_newer() -> None:
    (pager,) = pagers("http://f.test/7-golf", ("Log in", "/login?back=7"), ("Newer &rsaquo;", "/7-golf/p2"))
    assert pager.url_of(3) == "http://f.test/7-golf/p3"


def test_a_list_that_begins_with_the_newest_leads_on_by_older_and_back_by_newer() -> None:
    (pager,) = pagers("http://f.test/blog/", ("&larr; Older posts", "/blog/page/2/"))
    assert pager.url_of(3) == "http://f.test/blog/page/3/"
    assert pagers("http://f.test/blog/page/3/", ("Newer posts &rarr;", "/blog/page/2/")) == ()


def test_small_pagers_of_the_rows_do_not_flip_the_board() -> None:
    assert pagers(BOARD, ("2", "/t?id=70&p=2"), ("3", "/t?id=70&p=3")) == ()


@pytest.mark.parametrize("second", ["?p=2", "page/2/"])
def test_small_pagers_of_rows_below_the_boards_address_do_not_flip_the_board(second: str) -> None:
    assert pagers("http://f.test/golf-3/", ("2", f"/golf-3/long-story-70/{second}")) == ()


def test_a_flip_may_repeat_the_boards_own_numbers() -> None:
    (pager,) = pagers("http://f.test/golf/?days=30", ("2", "/golf/page/2/?days=30"))
    assert pager.url_of(3) == "http://f.test/golf/page/3/?days=30"


def test_a_first_page_may_name_its_own_offset_and_its_flips_something_more() -> None:
    (pager,) = pagers("http://f.test/t?id=7&from=0", ("2", "/t?id=7&seen=1&from=40"), ("3", "/t?id=7&seen=1&from=80"))
    assert pager.url_of(4) == "http://f.test/t?id=7&seen=1&from=120"


def test_without_an_id_beside_it_a_number_that_changes_may_be_the_id() -> None:
    assert pagers("http://f.test/b?id=1", ("2", "/b?id=2&sort=new"), ("3", "/b?id=3&sort=new")) == ()


def test_months_that_lists_are_parted_into_are_no_pages() -> None:
    links = "".join(f'<a href="/list/7/2019-{number:02}">{number}</a> ' for number in range(1, 5))
    page = read_page(links, "http://f.test/b/7")
    third = {pager.url_of(3) for pager in propose_pagers(page.url, page.links, page.tree)}
    assert "http://f.test/list/7/2019-3" not in third


def test_a_calendar_is_no_pager() -> None:
    days = [(str(day), f"/cal?y=2026&m=5&d={day}") for day in range(1, 32)]
    assert pagers(BOARD, *days) == ()


def test_counts_that_are_links_are_no_pager() -> None:
    assert pagers(BOARD, ("14", "/who?t=8"), ("3", "/who?t=9"), ("27", "/who?t=12")) == ()


@pytest.mark.parametrize("posts", [2, 3, 20])
def test_numbers_with_what_somebody_wrote_between_them_are_those_of_posts(posts: int) -> None:
    said = "<p>What is said here is long enough to be a post of somebody.</p>"
    numbers = [f'<a href="/t/7/{number}">{number}</a>' for number in range(1, posts + 1)]
    together, apart = (read_page(between.join(numbers), "http://f.test/t/7/") for between in (" ", said))
    assert find_pagers(together.url, together.links, together.tree) != ()
    assert find_pagers(apart.url, apart.links, apart.tree) == ()


def test_the_next_thread_is_no_next_page() -> None:
    assert pagers("http://f.test/t?id=7", ("Next thread", "/t?id=8"), ("Previous thread", "/t?id=6")) == ()


def test_other_boards_with_numbers_for_names_are_no_pager() -> None:
    assert pagers("http://f.test/b?id=3", ("7", "/b?id=7&p=2"), ("9", "/b?id=12&p=2")) == ()


@pytest.mark.parametrize(
    ("anchor", "number"),
    [
        ("3", 3),
        ("[3]", 3),
        (" 12 ", 12),
        ("Page 4", 4),
        ("Page 4 >>", 4),
        ("« 3", 3),
        ("Seite 4", 4),
        ("第3页", 3),
        ("1,204", 1204),
        (">>3", None),
        ("Ann", None),
        ("3 days", None),
        ("", None),
    ],
)
def test_page_numbers_as_people_write_them(anchor: str, number: int | None) -> None:
    assert page_number(anchor) == number


@pytest.mark.parametrize(
    "anchor", ["Next", "next page", "Next ›", "»", "weiter", "Suivant →", "下一页", "次へ", "Далее", "↓ Older..."]
)
def test_next_in_many_languages(anchor: str) -> None:
    assert says_next(anchor)


@pytest.mark.parametrize("anchor", ["View more", "Mehr anzeigen", "Voir plus", "Ver más", "もっと見る", "加载更多"])
def test_more_may_be_of_the_list_in_many_languages(anchor: str) -> None:
    assert next_hint(anchor) == 0.5


@pytest.mark.parametrize("anchor", ["Next thread", "« Previous", "Nextcloud", "« Next topic", "Ann", "", "<"])
def test_what_only_looks_like_next(anchor: str) -> None:
    assert not says_next(anchor)


@pytest.mark.parametrize("attribute", ["title", "aria-label"])
def test_a_picture_may_say_next_in_its_title(attribute: str) -> None:
    page = read_page(
        f'<a href="/rooms/4?after=x8f2k" {attribute}="Next page"><i class="arrow"></i></a>', "http://f.test/rooms/4"
    )
    (pager,) = find_pagers(page.url, page.links)
    assert pager.next_url == "http://f.test/rooms/4?after=x8f2k"


def test_the_rel_attribute_says_next() -> None:
    assert says_next("▸▸▸", "nofollow next")


def test_a_flip_is_seen_below_any_number_of_buttons() -> None:
    links = [*(("quote", f"/q,{number}") for number in range(100)), ("zephyr", "/t,3?page=2")]
    page = read_page("".join(f'<a href="{href}">{anchor}</a> ' for anchor, href in links), "http://f.test/t,3")
    frames = [pager.url_of(3) for pager in propose_pagers(page.url, page.links, page.tree)]
    assert "http://f.test/t,3?page=3" in frames


def test_a_flip_is_seen_below_any_number_of_rows_that_each_lead_to_something_newer() -> None:
    rows = [("next unread", f"/t/{number}?goto=newpost") for number in range(600)]
    (pager,) = pagers(BOARD, *rows, ("2", "/b?id=3&p=2"), ("Next", "/b?id=3&p=2"))
    assert (pager.first, pager.step, pager.next_url) == (1, 1, "http://f.test/b?id=3&p=2")
