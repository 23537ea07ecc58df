"""What the ledger suspects is tried: what shows nothing new is believed, unless its threads must stand elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.learn.tablesite import TableSite

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl
from thrawl.crawl.goingon import Ahead
from thrawl.crawl.inprocess import InProcess
from thrawl.crawl.ledger import profile_of
from thrawl.crawl.probing import Probe
from thrawl.crawl.suspects import KnownPages, Suspect
from thrawl.crawl.values import Role
from thrawl.page.pagekind import PageKind
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

F = "http://f.test"
PROFILE = Profile(f"{F}/", (), (ListPattern(Pattern.parse(F + "/t/{a:number}")),))


def rows(*numbers: int) -> str:
    return "".join(f"<li><a href=/t/{number}>A thread of some words {number}</a>" for number in numbers)


def probe(archive: Archive, pages: dict[str, str]) -> Probe:
    """A probe of a site of which the threads 1 to 9 are known."""
    number = archive.put_forum(PROFILE.entry, "f.test", PROFILE.to_json())
    known = (f"{F}/t/{one}" for one in range(1, 10))
    archive.add_urls(number, [FoundUrl(url, PageKind.THREAD, "a row", url, 1) for url in known])
    assert profile_of(archive.forums()[0]) == PROFILE
    return Probe(archive, number, TableSite(F, pages), InProcess(PROFILE))


@pytest.mark.parametrize(("own", "believed"), [((4, 6, 8), True), ((), False)])
async def test_a_board_that_shows_no_threads_of_its_own_is_no_answer(
    own: tuple[int, ...], believed: bool, tmp_path: Path
) -> None:
    newest = f"<h4>Newest</h4><ul>{rows(1, 2)}</ul>"
    shown = {number: f"<ol>{rows(number)}</ol>" if number in own else "<a href=/all>All</a>" for number in (4, 6, 8)}
    pages = {f"/board/{number}": f"<body>{newest}<h1>Board</h1>{text}</body>" for number, text in shown.items()}
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        boards = [Suspect(f"{F}/board/{number}", has_threads=True) for number in (4, 6, 8)]
        assert await probe(archive, pages).find(boards) == []
        assert KnownPages(archive).in_vain(f"{F}/board/4") is believed


@pytest.mark.parametrize(("shown", "goes_on"), [((8, 9, 10), True), ((7, 8, 9), False)])
async def test_a_list_goes_on_where_a_page_shows_threads_that_nothing_showed(
    shown: tuple[int, ...], goes_on: bool, tmp_path: Path
) -> None:
    ahead = Ahead(Role.INDEX, f"{F}/list", f"{F}/list?z=4f1")
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        site = probe(archive, {"/list?z=4f1": f"<body><ul>{rows(*shown)}</ul></body>"})
        assert await site.further([ahead]) is goes_on
        assert [(where, stray.url) for where, stray in archive.facts(1).strays] == [
            (ahead.list_url, ahead.url)
        ] * goes_on
        assert not await site.further([ahead])  # it was asked for before


async def test_a_board_whose_list_stands_elsewhere_is_tried_again_once_it_may_be_known(tmp_path: Path) -> None:
    newest = f"<h4>Newest</h4><ul>{rows(1, 2)}</ul>"
    pages = {f"/board/{n}": f"<body>{newest}<h1>Board</h1><ol>{rows(n) if n == 4 else ''}</ol></body>" for n in (4, 6)}
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        boards = [Suspect(f"{F}/board/{number}", has_threads=True) for number in (4, 6)]
        site = probe(archive, pages)
        assert await site.find(boards) == []
        known = KnownPages(archive)
        assert (known.in_vain(f"{F}/board/4"), known.has_no_list(f"{F}/board/6")) == (True, True)
        pages["/board/6"] = f"<body>{newest}<h1>Board</h1><ol>{rows(7)}</ol></body>"
        assert await probe(archive, pages).find(boards) == []
        assert known.in_vain(f"{F}/board/6")


async def test_a_board_that_threads_name_and_that_goes_on_is_a_list_though_its_first_page_is_known(
    tmp_path: Path,
) -> None:
    pager = "<p><b>1</b> <a href=/board/4?page=2>2</a> <a href=/board/4?page=3>3</a></p>"
    pages = {"/board/4": f"<body><h1>Board</h1><ol>{rows(1, 2, 3, 4)}</ol>{pager}</body>"}
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        found = await probe(archive, pages).find([Suspect(f"{F}/board/4", has_threads=True)])
        assert [(one.url, one.kind) for one in found] == [(f"{F}/board/4", PageKind.INDEX)]
