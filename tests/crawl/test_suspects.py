"""What a profile explains of a site's addresses, and what is left to be tried."""

from __future__ import annotations

from thrawl.crawl.suspects import explains
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
