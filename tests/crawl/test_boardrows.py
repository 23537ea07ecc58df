"""The rows of boards on an entry page: what belongs to which board, and how its times are read."""

from __future__ import annotations

from datetime import UTC, datetime

from thrawl.crawl.boardrows import find_moments, read_board_rows
from thrawl.crawl.links import LinkReader
from thrawl.crawl.sightings import look
from thrawl.crawl.values import BoardRow
from thrawl.page.timeformat import TimeFormat
from thrawl.page.tree import parse
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

SITE = "http://forum.test"
FETCHED = datetime(2026, 6, 1, 12, tzinfo=UTC)
PROFILE = Profile(
    f"{SITE}/",
    (ListPattern(Pattern.parse(SITE + "/board/{a:number}"), (), ()),),
    (ListPattern(Pattern.parse(SITE + "/read?item={a:number}"), (), ()),),
)


def rows_of(html: str, times: TimeFormat | None = None) -> dict[str, BoardRow]:
    tree, links = parse(html), LinkReader(PROFILE)
    told = look(tree, f"{SITE}/", f"{SITE}/", links, is_entry=True).told
    moments = find_moments(tree, FETCHED, () if times is None else (times,))
    return {
        row.url.removeprefix(f"{SITE}/board/"): row for row in read_board_rows(tree, f"{SITE}/", links, told, moments)
    }


def row(board: int, last: str, posts: int = 40, inside: str = "") -> str:
    name = f"<a class=t href=/board/{board}>Board number {board}</a><p>About things</p>{inside}"
    return f"<tr><td>{name}<td>{posts}<td>{last}"


def day(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def test_a_row_tells_its_numbers_its_last_time_and_the_thread_of_its_last_post() -> None:
    last = "2026-05-02 10:15 <a href='/read?item=7'>Film</a>"
    found = rows_of(f"<table>{row(1, last)}{row(2, '2026-05-03 11:00')}</table>")
    assert day(found["1"].last_time) == "2026-05-02 10:15"
    assert found["1"].last_thread == f"{SITE}/read?item=7"
    assert [number for _, number in found["1"].numbers][:1] == [40]
    assert (day(found["2"].last_time), found["2"].last_thread) == ("2026-05-03 11:00", None)


def test_a_link_to_the_end_of_a_thread_leads_to_it_also_where_a_picture_is_all_that_it_shows() -> None:
    last = "2026-05-02 10:15 <a href='/read?item=7&amp;jump=end'><img src=go.gif></a>"
    found = rows_of(f"<table>{row(1, last)}{row(2, last.replace('7', '8'))}</table>")
    assert [one.last_thread for one in found.values()] == [f"{SITE}/read?item=7", f"{SITE}/read?item=8"]


def test_boards_named_within_a_row_take_nothing_from_it() -> None:
    inside = "<span>Inside: <a class=s href=/board/11>Small</a>, <a class=s href=/board/12>Smaller</a></span>"
    html = f"<table>{row(1, '2026-05-02 10:15', inside=inside)}{row(2, '2026-05-03 11:00')}</table>"
    found = rows_of(html)
    assert {board: day(one.last_time) for board, one in found.items()} == {
        "1": "2026-05-02 10:15",
        "2": "2026-05-03 11:00",
        "11": None,
        "12": None,
    }
    assert not found["12"].numbers


def test_where_names_and_times_take_turns_each_board_has_its_own() -> None:
    html = "".join(f"<dt><a href=/board/{board}>Board {board}</a><dd>2026-05-0{board} 10:15" for board in (1, 2, 3))
    found = rows_of(f"<section><a href=/board/9>All of them</a><dl>{html}</dl></section>")
    assert [day(found[board].last_time) for board in "123"] == [f"2026-05-0{board} 10:15" for board in (1, 2, 3)]


def test_a_menu_that_names_the_same_boards_is_no_row() -> None:
    menu = "".join(f"<li><a href=/board/{board}>Board number {board}</a>" for board in (1, 2))
    html = f"<ul>{menu}</ul><table>{row(1, '2026-05-02 10:15')}{row(2, '2026-05-03 11:00')}</table>"
    assert [day(one.last_time) for one in rows_of(html).values()] == ["2026-05-02 10:15", "2026-05-03 11:00"]


def test_a_time_is_read_as_the_sites_posts_are() -> None:
    html = f"<table>{row(1, '03/04/2026 10:15')}{row(2, '05/01/2026 11:00')}</table>"
    assert [one.last_time for one in rows_of(html).values()] == [None, None]
    found = rows_of(html, TimeFormat(orders=(("/4", "mdy"),), zone=120))
    assert [day(one.last_time) for one in found.values()] == ["2026-03-04 08:15", "2026-05-01 09:00"]
