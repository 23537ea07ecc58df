"""Kinds of threads that their own pages refute, after the wrappers are known: data decides what rules proposed.

Answers to frequent questions are listed like threads and hold no post. Print views and plain archives show the posts of
threads once more, under the same numbers; so do forms for an answer, whose addresses have further numbers. Leaves out
copies whose addresses do not carry the thread's number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from thrawl.learn.sampler import Sampled, Sampler
from thrawl.profile.cutting import PostWrapper
from thrawl.profile.nodes import fold
from thrawl.profile.patterns import NUMBER
from thrawl.profile.profile import ListPattern, Profile

_FEW: Final = 2  # pages without a post: one may be a thread that was emptied
_TELLING: Final = 40  # letters of a post that stand on no other page by chance
_SEVERAL: Final = 2  # posts of a page that tell a copy of a thread from a page of one of its posts


async def proven_threads(sampler: Sampler, profile: Profile) -> Profile:
    """The profile without kinds of threads whose pages hold no posts, or those of a kind before them."""
    if profile.post_wrapper is None:
        return profile
    posts = _Posts(PostWrapper.from_json(profile.post_wrapper), sampler.sampled)
    kept = [one for one in profile.thread if not posts.are_missing(one)] or list(profile.thread)
    found: list[ListPattern] = []
    for one in kept:
        copies = [
            await _is_copy(sampler, posts, one, other) or await _is_summary(sampler, posts, one, other)
            for other in found
        ]
        if not any(copies):
            found.append(one)
    gone = [one for one in profile.thread if one not in found]
    return _without(profile, gone, sampler.sampled) if gone else profile


def _without(profile: Profile, gone: Sequence[ListPattern], pages: Sequence[Sampled]) -> Profile:
    """The profile without some kinds of threads, and without the lists that lead to them and to no others."""
    kept = tuple(one for one in profile.thread if one not in gone)
    links = {page.url: [link.url for link in page.page.links] for page in pages}

    def lead_there(lists: ListPattern) -> bool:
        shown = [url for page, urls in links.items() if lists.pattern.match(page) is not None for url in urls]
        return _fit(gone, shown) and not _fit(kept, shown)

    lost = [one for one in profile.index if lead_there(one)]
    index = tuple(one for one in profile.index if one not in lost)
    seeds = tuple(url for url in profile.seeds if _fit(index, [url]) or not _fit(lost, [url]))
    return replace(profile, index=index, seeds=seeds, thread=kept)


def _fit(lists: Sequence[ListPattern], urls: Iterable[str]) -> bool:
    return any(one.pattern.match(url) is not None for url in urls for one in lists)


class _Posts:
    """The posts of the pages that were sampled, as far as the wrapper cuts them."""

    def __init__(self, wrapper: PostWrapper, pages: Sequence[Sampled]) -> None:
        self._wrapper = wrapper
        self._pages = pages
        self._cut: dict[str, list[str]] = {}

    def of(self, page: Sampled) -> list[str]:
        if page.url not in self._cut:
            cut = self._wrapper.cut(page.page.tree, page.url, page.response.fetched) or ()
            self._cut[page.url] = [fold(post.text) for post in cut]
        return self._cut[page.url]

    def pages_of(self, kind: ListPattern) -> list[Sampled]:
        return [page for page in self._pages if kind.pattern.match(page.url) is not None]

    def are_missing(self, kind: ListPattern) -> bool:
        pages = self.pages_of(kind)
        return len(pages) >= _FEW and not any(map(self.of, pages))


async def _is_copy(sampler: Sampler, posts: _Posts, kind: ListPattern, other: ListPattern) -> bool:
    """Whether the page of a kind with the number of a long page of another kind says what that one says."""
    long = max(posts.pages_of(other), key=lambda page: len(posts.of(page)), default=None)
    if long is None:
        return False
    said = [text for text in posts.of(long) if len(text) >= _TELLING]
    url = _under_same_number(long.url, other, kind)
    page = await sampler.get(url) if url is not None and len(said) >= _SEVERAL else None
    if page is None or _are_one_page(long, page):
        return False
    there = fold(page.page.tree.text(0))
    return 2 * sum(text in there for text in said) > len(said)


async def _is_summary(sampler: Sampler, posts: _Posts, kind: ListPattern, other: ListPattern) -> bool:
    """Whether the page of another kind with one of the numbers of a short page of this kind says what this one says."""
    told = {page.url: [text for text in posts.of(page) if len(text) >= _TELLING] for page in posts.pages_of(kind)}
    short = min((url for url in told if len(told[url]) >= _SEVERAL), key=lambda url: len(told[url]), default=None)
    here = sampler.known(short) if short is not None else None
    if short is None or here is None:
        return False
    for url in _with_its_numbers(short, kind, other):
        page = await sampler.get(url)
        if page is not None and posts.of(page) and not _are_one_page(here, page):
            there = fold(page.page.tree.text(0))
            return 2 * sum(text in there for text in told[short]) > len(told[short])
    return False


def _with_its_numbers(url: str, kind: ListPattern, other: ListPattern) -> Iterator[str]:
    """The addresses of another kind, which has one number, with each of several numbers of this one and its words."""
    values = kind.pattern.match(url) or {}
    mine = [values[hole.name] for hole in kind.pattern.holes if hole.kind == NUMBER]
    words = [values[hole.name] for hole in kind.pattern.holes if hole.kind != NUMBER]
    numbers = [hole.name for hole in other.pattern.holes if hole.kind == NUMBER]
    names = [hole.name for hole in other.pattern.holes if hole.kind != NUMBER]
    if len(mine) > 1 and len(numbers) == 1 and len(names) == len(words):
        for number in mine:
            yield other.pattern.build({numbers[0]: number, **dict(zip(names, words, strict=True))})


def _are_one_page(page: Sampled, other: Sampled) -> bool:
    """Whether two addresses show one page: most of its links are the same. A print view has few of them."""
    mine, theirs = ({link.url for link in one.page.links} for one in (page, other))
    return 2 * len(mine & theirs) > len(mine | theirs)


def _under_same_number(url: str, kind: ListPattern, other: ListPattern) -> str | None:
    """The address of another kind with the number of this one, the first if it has several, and the words of one that
    was seen; None where that kind has no number, or several."""
    values = kind.pattern.match(url) or {}
    number = next((value for name, value in values.items() if value.isdecimal() and name in (kind.key or values)), None)
    numbers = [hole.name for hole in other.pattern.holes if hole.kind == NUMBER]
    seen = next((found for one in other.examples if (found := other.pattern.match(one)) is not None), None)
    if number is None or seen is None or len(numbers) != 1:
        return None
    return other.pattern.build({**seen, numbers[0]: number})
