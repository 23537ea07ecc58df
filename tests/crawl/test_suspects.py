"""What a profile explains of a site's addresses, and what is left to be tried."""

from __future__ import annotations

from thrawl.crawl.suspects import explains, shape_of
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
