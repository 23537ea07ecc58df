"""Rows that lead to threads by a redirect: what answers is asked for directly, where a few redirects tell how."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import pytest

from thrawl.errors import InputError
from thrawl.learn.sampler import Sampler
from thrawl.learn.structure.explanation import Chosen
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.moved import built_by, told_apart
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

_SITE = "http://f.example"
_GO = Pattern.parse(_SITE + "/go/{a:number}-{b:word}")


def test_addresses_that_answer_are_made_of_those_that_were_asked_for() -> None:
    ends = {
        f"{_SITE}/go/7-oars": f"{_SITE}/thread?id=7&title=oars",
        f"{_SITE}/go/12-old-sails": f"{_SITE}/thread?id=12&title=old-sails",
    }
    built = built_by(_GO, ends)
    assert built is not None
    assert built.build({"a": "31", "b": "a-mast"}) == f"{_SITE}/thread?id=31&title=a-mast"


def test_what_only_the_answer_shows_cannot_be_built() -> None:
    pattern = Pattern.parse(_SITE + "/go/{a:number}")
    ends = {f"{_SITE}/go/7": f"{_SITE}/boats/7-oars", f"{_SITE}/go/12": f"{_SITE}/tents/12-poles"}
    assert built_by(pattern, ends) is None


def test_one_redirect_tells_nothing() -> None:
    assert built_by(_GO, {f"{_SITE}/go/7-oars": f"{_SITE}/thread/7"}) is None


class _Answers:
    """What was asked for, and the address that answered."""

    def __init__(self, ends: dict[str, str]) -> None:
        self._ends = ends

    def led(self, urls: Iterable[str]) -> dict[str, str]:
        return {url: self._ends[url] for url in urls if self._ends.get(url, url) != url}


def test_where_threads_are_linked_by_redirects_and_directly_each_form_has_a_pattern_of_its_own() -> None:
    rows = [f"{_SITE}/oar/{number}/" for number in (3, 7, 12, 31)]
    neighbours = [f"{_SITE}/sail/{number}/" for number in (4, 8)]
    threads = Chosen(Family(urls=dict.fromkeys([*rows, *neighbours], "")), 0.9)
    ends = {rows[0]: f"{_SITE}/sail/3/", rows[2]: f"{_SITE}/sail/12/", neighbours[0]: neighbours[0]}
    parts = told_apart(cast(Sampler, _Answers(ends)), threads)
    assert [list(one.family.urls) for one in parts] == [neighbours, rows]
    answered = told_apart(cast(Sampler, _Answers({neighbours[0]: neighbours[0]})), threads)
    assert [one.family.urls for one in answered] == [threads.family.urls]


def _profile(leads_to: str) -> Profile:
    threads = (
        ListPattern(Pattern.parse(_SITE + "/t/{a:number}")),
        ListPattern(Pattern.parse(_SITE + "/go/{a:number}"), leads_to=Pattern.parse(leads_to)),
    )
    return Profile(_SITE + "/", (), threads)


def test_a_link_that_is_redirected_is_the_thread_behind_it() -> None:
    profile = Profile.from_json(_profile(_SITE + "/t/{a:number}").to_json())
    typed = UrlTypes(profile).type(f"{_SITE}/go/7")
    assert typed is not None
    assert (typed.kind, typed.url) == ("thread", f"{_SITE}/t/7")


def test_a_profile_that_leads_round_in_circles_ends() -> None:
    typed = UrlTypes(_profile(_SITE + "/go/{a:number}")).type(f"{_SITE}/go/7")
    assert typed is not None
    assert typed.url == f"{_SITE}/go/7"


def test_what_a_link_leads_to_has_no_holes_of_its_own() -> None:
    with pytest.raises(InputError, match="has holes"):
        Profile.from_json(_profile(_SITE + "/t/{b:number}").to_json())
