"""From families to patterns: which URLs speak for which family."""

from __future__ import annotations

from typing import cast

from thrawl.learn.sampler import Sampled
from thrawl.learn.structure.explanation import Chosen, Explanation
from thrawl.learn.structure.families import Family
from thrawl.learn.structure.lists import patterned, without_strays

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
