"""The links of an archive of letters: which of them lead to letters of the same thread.

Letters lead to those before and after them in time as well as in their thread, by links of one form. What tells is the
subject, which the link repeats or the tooltip does. On lists, letters that answer others are asked for late: those that
they answer lead to them first, so that they join their thread.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from thrawl.crawl.values import Flips, TypedLink
from thrawl.page.tree import Tree
from thrawl.profile.subjects import is_answer, names, subject_of
from thrawl.profile.urls import steps_between


class LetterLinks:
    """Gathers the links to letters on one page; `title` is that of the page's own letter."""

    def __init__(self, tree: Tree, title: str | None) -> None:
        self._tree = tree
        self._subject = subject_of(title or "")
        self._links: dict[str, TypedLink] = {}
        self._same: set[str] = set()
        self._answers: set[str] = set()
        self._alike: dict[str, list[str]] = {}

    def add(self, node: int, link: TypedLink, *, answers: bool) -> None:
        words = self._tree.text(node)
        answers = answers and link.url not in self._links  # a title comes back above its answers
        self._links.setdefault(link.url, link)
        if any(names(said, self._subject) for said in (words, self._tree.attributes[node].get("title", ""))):
            self._same.add(link.url)
        if answers or is_answer(words):
            self._answers.add(link.url)
        elif subject := subject_of(words):
            self._alike.setdefault(subject, []).append(link.url)

    def listed(self) -> tuple[TypedLink, ...]:
        """The letters of a list, those that answer others in reserve.

        Where no mark tells an answer from what it answers, all of one subject but the first are answers.
        """
        later = {url for urls in self._alike.values() for url in urls if url != _first_of(urls)}
        answers = self._answers | later
        return tuple(replace(link, reserve=url in answers) for url, link in self._links.items())

    def around(self, here: Collection[str], list_url: str) -> tuple[tuple[TypedLink, ...], Flips]:
        """The letters of other threads, and those of the page's own as its flips, by the number in their address."""
        others = tuple(link for url, link in self._links.items() if url not in self._same and url not in here)
        posts = [url for url in self._links if url in self._same and url not in here]
        numbers = [_further(url, list_url) for url in posts]
        behind = max((number for number in numbers if number is not None), default=1)
        places = enumerate(zip(numbers, posts, strict=True), start=1)
        pages = sorted((behind + place if number is None else number, url) for place, (number, url) in places)
        return others, Flips(tuple(pages), max((page for page, _ in pages), default=1))


def _first_of(urls: Sequence[str]) -> str:
    """The letter that was sent first: by the numbers of their addresses, else the one that is listed first."""
    return min(urls, key=lambda url: max(steps_between(url, urls[0]) or [0], key=abs))


def _further(url: str, first: str) -> int | None:
    """Which page of a thread a letter is, if letters are counted: one more than it is further on than the first."""
    moved = [step for step in steps_between(url, first) or () if step]
    return moved[0] + 1 if len(moved) == 1 and moved[0] > 0 else None
