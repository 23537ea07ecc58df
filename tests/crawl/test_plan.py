"""What is not asked for any more: lists in reserve that bring nothing new, whatever address they answer from."""

from __future__ import annotations

from pathlib import Path

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, PendingPage
from thrawl.crawl import lists
from thrawl.crawl.plan import Planner
from thrawl.crawl.values import Reading, TypedLink
from thrawl.page.pagekind import PageKind
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile

F = "http://f.test/"


def in_reserve(url: str) -> PendingPage:
    return PendingPage(url, 1, PageKind.INDEX, url, 1, lists.RESERVE, 0, None, None, None, None)


def test_lists_in_reserve_that_all_lead_to_one_known_list_are_left_alone(tmp_path: Path) -> None:
    reserve = ListPattern(Pattern.parse(F + "sorted?by={a:number}"), reserve=True, confidence=0.6)
    profile = Profile(entry=F, index=(ListPattern(Pattern.parse(F + "list")), reserve), thread=())
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        planner = Planner(archive, profile)
        for number in range(lists.FRUITLESS):
            asked = in_reserve(f"{F}sorted?by={number}")
            assert not planner.is_needless(asked)
            planner.plan(asked, F + "list", 1, Reading())  # a redirect led there
        assert planner.is_needless(in_reserve(F + "sorted?by=77"))


def test_lists_in_reserve_that_are_no_lists_are_left_alone(tmp_path: Path) -> None:
    reserve = ListPattern(Pattern.parse(F + "last?of={a:number}"), reserve=True, confidence=0.1)
    profile = Profile(entry=F, index=(ListPattern(Pattern.parse(F + "list")), reserve), thread=())
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        planner = Planner(archive, profile)
        for number in range(lists.FRUITLESS):
            asked = in_reserve(f"{F}last?of={number}")
            assert not planner.is_needless(asked)
            planner.note_no_list(asked)  # a redirect led to a thread
        assert planner.is_needless(in_reserve(F + "last?of=77"))


def test_lists_in_reserve_are_given_more_time_where_a_site_has_no_others(tmp_path: Path) -> None:
    reserve = ListPattern(Pattern.parse(F + "{a:word}"), reserve=True)
    profile = Profile(entry=F, index=(reserve,), thread=())
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        planner = Planner(archive, profile)
        for number in range(lists.BARREN):
            asked = in_reserve(f"{F}tag{number}")
            assert not planner.is_needless(asked)
            planner.plan(asked, asked.url, 1, Reading())  # it repeats what the entry page shows
        assert planner.is_needless(in_reserve(F + "tag77"))


def test_the_surest_lists_in_reserve_have_their_turn_first(tmp_path: Path) -> None:
    tags = ListPattern(Pattern.parse(F + "tag/{a:word}"), reserve=True, confidence=0.9)
    boards = ListPattern(Pattern.parse(F + "board/{a:word}"), reserve=True, confidence=0.99)
    profile = Profile(entry=F, index=(tags, boards), thread=())
    links = tuple(TypedLink(F + path, False, F + path, reserve=True) for path in ("tag/boats", "board/golf"))
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        entry = PendingPage(F, 1, PageKind.ENTRY, F, 1, lists.ENTRY, 0, None, None, None, None)
        found = Planner(archive, profile).plan(entry, F, 1, Reading(links=links)).found
    ranks = {one.url.removeprefix(F): one.priority or 0 for one in found}
    assert ranks["board/golf"] < ranks["tag/boats"]
    assert all(map(lists.is_in_reserve, ranks.values()))


def test_threads_that_learning_looked_at_and_no_list_led_to_are_fetched_all_the_same(tmp_path: Path) -> None:
    flips = (Flip(Pattern.parse(F + "t/{a:number}?page={page:number}"), 1, 1),)
    thread = ListPattern(Pattern.parse(F + "t/{a:number}"), flips=flips)
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        number = archive.put_forum(F, "f.test", None)
        planner = Planner(archive, Profile(entry=F, index=(), thread=(thread,)))
        archive.add_urls(number, [FoundUrl(F + "t/1", PageKind.THREAD, "a row", F + "t/1", 1)])
        found = planner.threads_at([F + "t/1", F + "t/2?page=3", F + "t/3", F + "t/2", F + "help"])
    assert [(one.url, one.kind) for one in found] == [(F + "t/2", PageKind.THREAD), (F + "t/3", PageKind.THREAD)]


def test_a_number_that_counts_within_each_board_clashes_with_that_of_another_board(tmp_path: Path) -> None:
    thread = ListPattern(Pattern.parse(F + "{a:word}/{b:number}"), key=("b",))
    board = ListPattern(Pattern.parse(F + "{a:word}/"))
    links = tuple(TypedLink(F + path, True, F + path, key="1") for path in ("golf/1", "golf/1", "moved/1", "boats/1"))
    with Archive.open(tmp_path / "a.db", create=True) as archive:
        number = archive.put_forum(F, "f.test", None)
        boards = (F + "golf/", F + "boats/")
        archive.add_urls(number, [FoundUrl(url, PageKind.INDEX, "a row", url, 1) for url in boards])
        planner = Planner(archive, Profile(entry=F, index=(board,), thread=(thread,)))
        planner.plan(in_reserve(F), F, 1, Reading(links=links))
        assert list(planner.clashes) == [F + "boats/1"]
