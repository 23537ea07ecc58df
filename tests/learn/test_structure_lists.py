"""From families to patterns: which URLs speak for which family."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family, Seen, Sighting
from thrawl.learn.structure.groups import Candidate
from thrawl.learn.structure.lists import patterned, with_forms_of_flips, without_strays, without_ways_in

F = "http://f.test/"


def family(*paths: str) -> Chosen:
    return Chosen(Family(urls={F + path: path for path in paths}), 0.9)


def test_a_boards_link_among_threads_is_the_boards() -> None:
    threads = family(*(f"my-boat-{number}~{number}.html" for number in range(8)), "golf.html")
    boards = family("golf.html", "lenses.html", "chess.html")
    found = without_strays(Explanation(cast(Sampled, None), (boards,), (threads,)))
    assert F + "golf.html" not in found.threads[0].family.urls
    assert F + "golf.html" in found.boards[0].family.urls
    patterns = [str(one.pattern) for one in patterned(found.threads, found.boards[0].family.urls, boards=False)]
    assert patterns == [F + "my-boat-{a:number}~{b:number}.html"]


def test_months_of_boards_whose_names_are_words_are_told_apart_by_board_and_month() -> None:
    names = {F + f"{board}/2020-{n:02}": f"Month {n}" for board in ("golf", "lenses", "chess") for n in range(1, 10)}
    (found,) = patterned([Chosen(Family(urls=names), 0.9)], [], boards=True)
    assert found.key == ()


class _Pages:
    """The families that a page links to, as an atlas tells them."""

    def __init__(self, pages: dict[str, list[Family]]) -> None:
        self._pages = pages

    def on_page(self, url: str) -> list[tuple[Family, Sighting]]:
        return [(one, sighting(url, one.urls)) for one in self._pages.get(url, [])]


def sighting(page: str, urls: dict[str, str]) -> Sighting:
    links = tuple(SimpleNamespace(url=url, anchor=anchor) for url, anchor in urls.items())
    seen = Seen(cast(Sampled, SimpleNamespace(url=page)), 0, frozenset(), {})
    return Sighting(seen, cast(Candidate, SimpleNamespace(links=links, urls=tuple(urls))))


def test_threads_of_later_pages_may_say_on_which_page_of_their_list_they_stood() -> None:
    threads = family(*(f"talk?t={number}&list=page%3D1" for number in range(10, 20)))
    later = Family(urls={F + f"talk?t={number}&list=page%3D2": "A boat in the barn" for number in (31, 32)})
    pager = Family(urls={F + f"talk?t={number}&list=page%3D3": "2" for number in (31, 32)})
    people = Family(urls={F + "people?p=3": "Ada, who writes very long things"})
    found = Explanation(cast(Sampled, None), (), (threads,))
    atlas = cast(Atlas, _Pages({F + "list?page=2": [people, pager, later]}))
    joined = with_forms_of_flips(atlas, found, [F + "list?page=2"])
    patterns = [str(one.pattern) for one in patterned(joined.threads, [], boards=False)]
    assert patterns == [F + "talk?t={a:number}&list=page%3D{b:number}"]
    assert F + "talk?t=31&list=page%3D3" not in joined.threads[0].family.urls


def test_threads_of_later_pages_may_be_of_one_family_with_those_that_letters_of_other_boards_lead_to() -> None:
    threads = family(*(f"talk?t={number}&list=page%3D1" for number in range(10, 20)))
    seen_on(threads.family, "list")
    later = {F + f"talk?t={number}&list=page%3D2": "A boat in the barn" for number in (31, 32)}
    both = seen_on(Family(urls={**threads.family.urls, **later}), "list")
    both.sightings[0] = sighting(F + "list", threads.family.urls)
    pages = _Pages({F + "list?page=2": [both]})
    pages.on_page = lambda url: [(both, sighting(url, later))]  # type: ignore[method-assign]
    joined = with_forms_of_flips(
        cast(Atlas, pages), Explanation(cast(Sampled, None), (), (threads,)), [F + "list?page=2"]
    )
    assert joined.threads[0].family.urls.keys() >= later.keys()


def test_a_later_page_with_threads_of_the_known_form_adds_none() -> None:
    threads = family("talk?t=1&list=page%3D1", "talk?t=2&list=page%3D1")
    later = Family(urls={F + "talk?t=3&list=page%3D2": "A boat in the barn"})
    found = Explanation(cast(Sampled, None), (), (threads,))
    atlas = cast(Atlas, _Pages({F + "list?page=2": [threads.family, later]}))
    assert with_forms_of_flips(atlas, found, [F + "list?page=2"]) == found


def seen_on(one: Family, *pages: str) -> Family:
    one.sightings.extend(sighting(F + page, one.urls) for page in pages)
    return one


def test_people_on_a_later_page_of_a_list_of_people_are_no_threads_of_another_form() -> None:
    threads = family(*(f"thread-{number}.html" for number in range(1, 30)))
    seen_on(threads.family, "board-1.html")
    people = seen_on(Family(urls={F + f"user-{one}.html": "Ada" for one in (3, 4)}), "board-1.html", "members?page=2")
    found = Explanation(cast(Sampled, None), (), (threads,))
    atlas = cast(Atlas, _Pages({F + "members?page=2": [people]}))
    assert with_forms_of_flips(atlas, found, [F + "members?page=2"]) == found


class _Answers:
    """What was asked for, and the address that answered."""

    def __init__(self, ends: dict[str, str]) -> None:
        self.sampler = self
        self._ends = ends

    def known(self, url: str) -> SimpleNamespace | None:
        return SimpleNamespace(url=self._ends[url]) if url in self._ends else None


def test_forms_that_only_lead_to_other_threads_are_no_threads_of_their_own() -> None:
    own = [f"read?8,{number}" for number in range(40, 48)]
    threads = family(*own, *(f"read?8,{number},newer" for number in range(40, 44)))
    found = Explanation(cast(Sampled, None), (), (threads,))
    atlas = cast(Atlas, _Answers({F + "read?8,41,newer": F + "read?8,42", F + "read?8,43": F + "read?8,43"}))
    assert list(without_ways_in(atlas, found).threads[0].family.urls) == [F + path for path in own]
    unasked = cast(Atlas, _Answers({}))
    assert without_ways_in(unasked, found).threads[0].family.urls == threads.family.urls
