"""What a profile explains of a site's addresses, and what is left to be tried."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.crawl.test_ledger import NOTHING

from thrawl.archive.facts import BoardFacts
from thrawl.crawl.suspects import explains, shape_of, suspects
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

F = "http://f.test/"


def test_a_thread_with_more_in_its_query_is_a_way_into_it() -> None:
    types = UrlTypes(Profile(entry=F, index=(), thread=(ListPattern(Pattern.parse(F + "talk?t={a:number}")),)))
    assert explains(types, F + "talk?t=7")
    assert explains(types, F + "talk?t=7&goto=search&post=12")
    assert not explains(types, F + "talk?of=7&t=7")
    assert not explains(types, F + "board?b=7")


def test_addresses_that_are_all_query_have_one_shape_whatever_their_number() -> None:
    assert shape_of(F + "?thread-5.htm") == shape_of(F + "?thread-12.htm") != shape_of(F + "?user-5.htm")
    assert shape_of(F + "talk/5") != shape_of(F + "people/5")


@pytest.mark.parametrize(("threads", "are_boards"), [((1, 3, 5), True), ((1, 1, 1), False)])
def test_breadcrumbs_name_boards_if_several_threads_stand_below_most(
    threads: tuple[int, ...], are_boards: bool
) -> None:
    boards = tuple(
        BoardFacts(number, f"{F}b/{number}", "Board", None, below, below, False) for number, below in enumerate(threads)
    )
    found = suspects(replace(NOTHING, boards=boards), Profile(entry=F, index=(), thread=()))
    assert [(one.url, one.has_threads) for one in found] == [(f"{F}b/{n}", are_boards) for n in range(3)]
