"""From families to patterns: which URLs speak for which family."""

from __future__ import annotations

from typing import cast

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.atlas import Atlas
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.lists import patterned, with_forms_of_flips, without_strays

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


class _Pages:
    """The families that a page links to, as an atlas tells them."""

    def __init__(self, pages: dict[str, list[Family]]) -> None:
        self._pages = pages

    def on_page(self, url: str) -> list[tuple[Family, None]]:
        return [(one, None) for one in self._pages.get(url, [])]


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


def test_a_later_page_with_threads_of_the_known_form_adds_none() -> None:
    threads = family("talk?t=1&list=page%3D1", "talk?t=2&list=page%3D1")
    later = Family(urls={F + "talk?t=3&list=page%3D2": "A boat in the barn"})
    found = Explanation(cast(Sampled, None), (), (threads,))
    atlas = cast(Atlas, _Pages({F + "list?page=2": [threads.family, later]}))
    assert with_forms_of_flips(atlas, found, [F + "list?page=2"]) == found
