"""What is not asked for any more: lists in reserve that bring nothing new, whatever address they answer from."""

from __future__ import annotations

from pathlib import Path

from thrawl.archive import Archive
from thrawl.archive.values import PageKind, PendingPage
from thrawl.crawl import lists
from thrawl.crawl.plan import Planner
from thrawl.crawl.values import Reading
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

F = "http://f.test/"


def in_reserve(url: str) -> PendingPage:
    return PendingPage(url, 1, PageKind.INDEX, url, 1, lists.RESERVE, 0, None, None, None, None)


def test_lists_in_reserve_that_all_lead_to_one_known_list_are_left_alone(tmp_path: Path) -> None:
    reserve = ListPattern(Pattern.parse(F + "sorted?by={a:number}"), reserve=True)
    profile = Profile(entry=F, index=(ListPattern(Pattern.parse(F + "list")), reserve), thread=())
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        planner = Planner(archive, profile)
        for number in range(lists.FRUITLESS):
            asked = in_reserve(f"{F}sorted?by={number}")
            assert not planner.is_needless(asked)
            planner.plan(asked, F + "list", 1, Reading())  # a redirect led there
        assert planner.is_needless(in_reserve(F + "sorted?by=77"))
