"""Link groups and the families that grow from them."""

from __future__ import annotations

import pytest

from thrawl.learn.families import Family, identifying_holes, patterns_of
from thrawl.learn.groups import Candidate, candidates, spread
from thrawl.page.links import Place
from thrawl.page.reading import read_page
from thrawl.profile.patterns import Pattern
from thrawl.profile.urls import take_apart

F = "http://f.test/"
TITLES = Place(("td", "a"), "words", 0, True)
ELSEWHERE = Place(("div", "a"), "words", 0, False)


def group(*urls: str, place: Place = TITLES) -> Candidate:
    full = tuple(F + url for url in urls)
    return Candidate(full, tuple(f"Title of {url}" for url in urls), place, take_apart(full[0]).structure, 0)


def family(*urls: str) -> Family:
    made = Family("thread")
    made.add(group(*urls))
    return made


def test_a_group_of_the_same_form_joins_without_a_vote() -> None:
    assert family("t?id=1", "t?id=2").joins(group("t?id=7", "t?id=9", place=ELSEWHERE))


def test_a_group_of_another_form_does_not_join() -> None:
    assert not family("t?id=1", "t?id=2").joins(group("u?id=7", "u?id=9"))


def test_at_the_same_place_constant_numbers_may_differ() -> None:
    threads = family("b-3/t-1", "b-3/t-2")
    assert threads.joins(group("b-4/t-8", "b-4/t-9"))
    assert not threads.joins(group("b-4/t-8", "b-4/t-9", place=ELSEWHERE))


def test_a_family_of_single_addresses_does_not_generalise() -> None:
    assert not family("news").generalises()
    assert family("t?id=1", "t?id=2").generalises()


def test_a_family_is_as_sure_as_its_votes() -> None:
    assert Family("index", confidences=[1.0, 0.5]).confidence == 0.75
    assert Family("index").confidence == 0.0


def test_patterns_of_families_keep_off_urls_of_other_types() -> None:
    boards = Family("index")
    boards.add(group("golf/", "lenses/"))
    ((pattern, _),) = patterns_of([boards], [F + "help/", F + "login/"])
    assert pattern.match(F + "golf/") is not None
    assert pattern.match(F + "help/") is None


def test_the_number_identifies_a_thread_and_its_slug_does_not() -> None:
    pattern = Pattern.parse(F + "t/{a:number}-{b:word}")
    threads = family(*(f"t/{number}-title{number}" for number in range(20)))
    assert identifying_holes(pattern, threads) == ("a",)


def test_a_number_that_threads_share_identifies_none() -> None:
    pattern = Pattern.parse(F + "b{a:number}/{b:word}")
    assert identifying_holes(pattern, family(*(f"b3/thread-{number}x" for number in range(20)))) == ()


def test_few_urls_tell_nothing_of_what_identifies() -> None:
    assert identifying_holes(Pattern.parse(F + "t/{a:number}"), family("t/1", "t/2")) == ()


def test_titles_are_the_longest_group() -> None:
    rows = "".join(
        f'<tr><td><a href="/t?id={n}">A long title for thread number {n}</a></td>'
        f'<td><a href="/u?id={n % 3}">Ann</a></td><td>2026-05-{n:02} 12:00</td></tr>'
        for n in range(1, 13)
    )
    page = read_page(f"<html><body><table>{rows}</table></body></html>", F + "b?id=1")
    first, *_ = candidates(page)
    assert set(first.urls) == {f"{F}t?id={n}" for n in range(1, 13)}


def test_pagers_and_other_sites_are_no_candidates() -> None:
    pager = "".join(f'<a href="/b?id=1&p={n}">{n}</a> ' for n in range(2, 9))
    page = read_page(f'<html><body><p>{pager}</p><a href="http://other.test/">A site of our friends</a>', F + "b?id=1")
    assert candidates(page) == ()


@pytest.mark.parametrize(("number", "expected"), [(1, [0]), (2, [0, 9]), (3, [0, 4, 9]), (20, list(range(10)))])
def test_a_few_of_many_are_spread_over_the_whole(number: int, expected: list[int]) -> None:
    assert spread([str(one) for one in range(10)], number) == [str(one) for one in expected]
