"""Kinds of threads that their own pages refute, after the wrappers are known: data decides what rules proposed.

Answers to frequent questions are listed like threads and hold no post; pages of people list the titles of what they
wrote. Print views and plain archives show the posts of threads once more, under the same numbers; so do forms for an
answer, whose addresses have further numbers. And what was taken for a list may prove to be a thread, or a link to be a
flip. Leaves out copies whose addresses do not carry the thread's number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from thrawl.learn.cut import CutPages
from thrawl.learn.flips import inherited_flips, learn_flips, walk_flips
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.structure.atlas import ALIKE
from thrawl.learn.together import overlap, skeleton_of
from thrawl.profile.folding import fold
from thrawl.profile.patterns import NUMBER, Pattern
from thrawl.profile.profile import Flip, ListPattern, Profile, fit, flips_of, is_made_of
from thrawl.profile.urls import take_apart

_FEW: Final = 2  # pages without a post: one may be a thread that was emptied
_TELLING: Final = 40  # letters of a post that stand on no other page by chance
_WORDS: Final = 3  # ways to word an address: a program has a few, titles are as many as threads
_LABELLED: Final = 3  # pages by one and the same, and people elsewhere
_MOSTLY: Final = 0.5  # of the letters of what was cut
_NUMBERS: Final = re.compile(r"\d+")
_SEVERAL: Final = 2  # posts of a page that tell a copy of a thread from a page of one of its posts


async def proven_threads(sampler: Sampler, profile: Profile) -> Profile:
    """The profile without kinds of threads whose pages hold no posts, titles of threads, or posts of another kind."""
    posts = _Posts(profile, sampler.sampled)
    sureness = partial(_sureness_of_lists, profile=profile, pages=sampler.sampled)
    ranked = sorted(profile.thread, key=sureness, reverse=True)
    messages = [one for at, one in enumerate(ranked) if any(_are_messages(posts, one, to) for to in ranked[:at])]
    whole = profile = replace(profile, thread=tuple(one for one in profile.thread if one not in messages))
    profile = replace(profile, thread=tuple(part for one in profile.thread for part in _by_word(one)))
    refuted = [one for one in profile.thread if posts.are_no_posts(one, profile.thread)]
    kept = [one for one in profile.thread if one not in refuted] or list(profile.thread)
    found: list[ListPattern] = []
    for one in sorted(kept, key=sureness, reverse=True):
        copies = [_is_part(posts, one, other) or await _is_copy(sampler, posts, one, other) for other in found]
        if not any(copies):
            found = [other for other in found if not await _is_copy(sampler, posts, other, one)]
            found.append(one)
    gone = [one for one in profile.thread if one not in found]
    return _without(profile, gone, sampler.sampled) if gone else whole


def _sureness_of_lists(kind: ListPattern, profile: Profile, pages: Sequence[Sampled]) -> float:
    """How sure the surest lists are that lead to threads: of a forum and its plain archive, those of the forum."""

    lists = (one for one in profile.index if not one.reserve and fit([kind], _shown_by(one, pages)))
    return max((one.confidence for one in lists), default=0.0)


def _shown_by(lists: ListPattern, pages: Sequence[Sampled]) -> list[str]:
    """What the pages of some lists link to."""
    return [link.url for page in pages if lists.pattern.match(page.url) is not None for link in page.page.links]


def _by_word(kind: ListPattern) -> list[ListPattern]:
    """A kind of threads as one for each of the words that addresses have at one place: each may be a kind itself."""
    few = next((hole for hole in kind.pattern.holes if hole.words), None)
    if few is None or few.name in kind.key:
        return [kind]
    parts = []
    for word in few.words:
        pattern = kind.pattern.held(few.name, [word])
        flips = tuple(replace(flip, pattern=flip.pattern.held(few.name, [word])) for flip in kind.flips)
        examples = tuple(url for url in kind.examples if pattern.match(url) is not None)
        parts.append(replace(kind, pattern=pattern, flips=flips, examples=examples))
    return parts


def proven_lists(sampler: Sampler, profile: Profile) -> Profile:
    """The profile with single addresses in reserve as threads, where they lead to one: that of a board's only thread.

    They answer from a thread's address, or have the form of one and show posts; several that are named need both.
    """
    posts = _Posts(profile, sampler.sampled)
    forms = {take_apart(url).structure for one in profile.thread for url in one.examples}

    def is_thread(url: str) -> bool:
        page = sampler.known(url)
        return page is not None and (
            fit(profile.thread, [page.url]) or (take_apart(url).structure in forms and bool(posts.said(page)))
        )

    def is_named_thread(url: str) -> bool:
        page = sampler.known(url)
        return page is not None and fit(profile.thread, [page.url]) and posts.says(page, profile.thread)

    threads = [one for one in profile.index if one.reserve and not one.pattern.holes and is_thread(str(one.pattern))]
    others = (one for one in profile.index if one not in threads)
    kept = (_without_named(one, is_named_thread) if one.reserve and one.pattern.holes else one for one in others)
    index = tuple(one for one in kept if one is not None)
    single = (replace(one, flips=(), reserve=False) for one in threads)
    seeds = tuple(url for url in profile.seeds if fit(index, [url]) or not fit((*profile.thread, *threads), [url]))
    return replace(profile, index=index, seeds=seeds, thread=(*profile.thread, *single))


async def proven_flips(sampler: Sampler, profile: Profile) -> Profile:
    """The profile with flips that say nothing known and that posts prove, or rows of boards, of which there are more;
    or of the entry page, where it is the only list.

    Only kinds are asked that were not seen to flip; what threads may flip by was looked behind before.
    """
    posts = _Posts(profile, sampler.sampled)
    thread = []
    for one in profile.thread:
        pages = posts.of(one)
        links = {link.url for page in pages for link in page.page.links}
        proven = (
            ()
            if fit(one.flips, links)  # those of other lists are taken over unseen
            else await learn_flips(sampler, one.pattern, pages, posts.go_on, boards=False)
        )
        thread.append(replace(one, flips=(*proven, *one.flips)))
    index = [
        one if one.flips else replace(one, flips=await _proven_by_rows(sampler, one, posts.of(one), profile))
        for one in profile.index or (ListPattern(Pattern((profile.entry,))),)
    ]
    index = index if profile.index else [one for one in index if one.flips]
    thread = inherited_flips(thread)
    flips = flips_of(thread)
    kept = (_without_named(one, lambda url: fit(flips, [url])) for one in index)
    lists = tuple(one for one in kept if one is not None)
    seeds = tuple(url for url in profile.seeds if not fit(flips, [url]))
    return replace(profile, index=lists, seeds=seeds, thread=tuple(thread))


async def _proven_by_rows(
    sampler: Sampler, kind: ListPattern, pages: Sequence[Sampled], profile: Profile
) -> tuple[Flip, ...]:
    """The flips of lists that were not seen to flip, by the threads that stand behind them."""
    listed = {page.url: _listed_on(page, profile.thread) for page in pages}
    everywhere = frozenset.intersection(*listed.values()) if len(pages) > 1 else frozenset()
    return await walk_flips(sampler, kind.pattern, pages, lambda page: _listed_on(page, profile.thread) - everywhere)


def _listed_on(page: Sampled, kinds: Sequence[ListPattern]) -> frozenset[str]:
    """The threads that a page lists."""
    return frozenset(link.url for link in page.page.links if fit(kinds, [link.url]))


def _without_named(kind: ListPattern, is_of_thread: Callable[[str], bool]) -> ListPattern | None:
    """A kind of lists without the addresses it names that are pages of threads: they were met as if they were lists."""
    holes = kind.pattern.holes
    if not holes:
        return None if is_of_thread(str(kind.pattern)) else kind
    words = holes[0].words if len(holes) == 1 else ()
    left = [word for word in words if not is_of_thread(kind.pattern.build({holes[0].name: word}))]
    if len(left) == len(words):
        return kind
    return replace(kind, pattern=kind.pattern.held(holes[0].name, left)) if left else None


def _without(profile: Profile, gone: Sequence[ListPattern], pages: Sequence[Sampled]) -> Profile:
    """The profile without some kinds of threads, and without lists that are such, or lead to them and to no others."""
    kept = tuple(one for one in profile.thread if one not in gone)

    def lead_there(lists: ListPattern) -> bool:
        shown = _shown_by(lists, pages)
        return fit(gone, shown) and not fit(kept, shown)

    lost = [one for one in profile.index if lead_there(one) or is_made_of(one, gone)]
    index = tuple(one for one in profile.index if one not in lost)
    seeds = tuple(url for url in profile.seeds if fit(index, [url]) or not fit((*lost, *gone), [url]))
    return replace(profile, index=index, seeds=seeds, thread=kept)


class _Posts(CutPages):
    """The posts of the pages that were sampled, and what they prove of the kinds of threads."""

    def go_on(self, page: Sampled, other: Sampled) -> bool:
        """Whether a page shows more posts of another one's thread: none but its first, and some that no page showed."""
        mine, theirs = self.said(page), self.said(other)
        new = [text for text in theirs if text not in mine[:1]]
        elsewhere = {text for one in self.pages if one.url not in (page.url, other.url) for text in self.said(one)}
        told = any(len(text) >= _TELLING and text not in elsewhere for text in new)
        return told and not set(new).intersection(mine) and _have_one_title(page, other)

    def are_missing(self, kind: ListPattern, others: Sequence[ListPattern]) -> bool:
        """Whether no page says anything, or anything but titles of threads."""
        pages = self.of(kind)
        return len(pages) >= _FEW and not any(self.says(page, others) for page in pages)

    def says(self, page: Sampled, others: Sequence[ListPattern]) -> bool:
        return any(self.said(page)) and self._title_share(page, others) <= _MOSTLY

    def are_no_posts(self, kind: ListPattern, kinds: Sequence[ListPattern]) -> bool:
        """Whether the pages of a kind hold nothing that somebody wrote there."""
        others = [one for one in kinds if one is not kind]
        are_other = self.are_nobodys(kind, others) or self.are_people(kind)
        return are_other or self.are_missing(kind, others)

    def are_nobodys(self, kind: ListPattern, others: Sequence[ListPattern]) -> bool:
        """Whether one who writes nowhere else wrote each of several pages, beside other people's: a label, no name."""
        authors = [self._authors_of(page) for page in self.of(kind)]
        pages = (page for other in others for page in self.of(other))
        elsewhere = {author for page in pages for author in self._authors_of(page)}
        alone = len(authors) >= _LABELLED and all(len(one) == 1 for one in authors) and len(set.union(*authors)) == 1
        return alone and len(elsewhere) >= _LABELLED and elsewhere.isdisjoint(authors[0])

    def are_people(self, kind: ListPattern) -> bool:
        """Whether several pages are called like who is said to have written them, and differ in nothing else."""
        called = {(author, one.page.tree.title) for one in self.of(kind) for author in self._authors_of(one)}
        beside = {title.replace(author, "\0") for author, title in called}
        return len(called) >= _LABELLED and len(beside) == 1 and "\0" in beside.pop()

    def _authors_of(self, page: Sampled) -> set[str]:
        return {post.author for post in self.posts(page) if post.author is not None}

    def _title_share(self, page: Sampled, others: Sequence[ListPattern]) -> float:
        said = "".join(self.said(page))
        links = {fold(link.anchor) for link in page.page.links if fit(others, [link.url])}
        return sum(len(title) for title in links if title in said) / max(1, len(said))


async def _is_copy(sampler: Sampler, posts: _Posts, kind: ListPattern, other: ListPattern) -> bool:
    """Whether the page of a kind with the number of a long page of another kind says what that one says."""
    long = max(posts.of(other), key=lambda page: len(posts.said(page)), default=None)
    if long is None or any(
        overlap(skeleton_of(page.page), skeleton_of(long.page)) >= ALIKE for page in posts.of(kind)[:1]
    ):
        return False
    said = [text for text in posts.said(long) if len(text) >= _TELLING]
    met = [*kind.examples, *(link.url for page in (long, *posts.of(kind)) for link in page.page.links)]
    for url in _under_same_number(long.url, other, kind, met) if len(said) >= _SEVERAL else ():
        page = await sampler.get(url)
        there = fold(page.page.tree.text(0)) if page is not None and not _are_one_page(long, page) else ""
        if 2 * sum(text in there for text in said) > len(said):
            return True
    return False


def _have_one_title(page: Sampled, other: Sampled) -> bool:
    """Whether the windows of two pages are called alike, but for a page's number."""
    mine, theirs = (_NUMBERS.sub("", one.page.tree.title) for one in (page, other))
    return fold(mine) in fold(theirs) or fold(theirs) in fold(mine)


def _is_part(posts: _Posts, kind: ListPattern, other: ListPattern) -> bool:
    """Whether pages of a kind say what pages of another kind say that link to them, and no more.

    A window with one post, one author's posts alone, or a form for an answer below what was said last: most of its
    words stand in the thread.
    """
    told = {page.url: page for page in posts.of(kind) if posts.said(page)}
    found = []
    for host in posts.of(other):
        there, most = fold(host.page.tree.text(0)), len(posts.said(host))
        for page in (told[url] for url in {link.url for link in host.page.links} & told.keys()):
            said = posts.said(page)
            mine = [text for text in said if len(text) >= _TELLING]
            if len(said) < most or (len(said) == most and not _are_one_page(page, host)):
                found.append(2 * sum(text in there for text in mine) > len(mine))
    return sum(found) >= _FEW and 2 * sum(found) > len(found)


def _are_messages(posts: _Posts, kind: ListPattern, other: ListPattern) -> bool:
    """Whether a kind is that of addresses of single posts, each its own, on pages of the kind that lists lead to."""
    told = [
        {post.post_url.partition("#")[0] for post in posts.posts(page) if post.post_url} for page in posts.of(other)
    ]
    return sum(len(urls) >= _SEVERAL and all(map(kind.pattern.match, urls)) for urls in told) >= _FEW


def _are_one_page(page: Sampled, other: Sampled) -> bool:
    """Whether two addresses show one page: most of its links are the same. A print view has few of them."""
    mine, theirs = ({link.url for link in one.page.links} for one in (page, other))
    return 2 * len(mine & theirs) > len(mine | theirs)


def _under_same_number(url: str, kind: ListPattern, other: ListPattern, met: Iterable[str]) -> list[str]:
    """The addresses of another kind with the number of this one, the first if it has several, and the words of those
    that were met; none where that kind has no number, or several."""
    values = kind.pattern.match(url) or {}
    number = next((value for name, value in values.items() if value.isdecimal() and name in (kind.key or values)), None)
    numbers = [hole.name for hole in other.pattern.holes if hole.kind == NUMBER]
    if number is None or len(numbers) != 1:
        return []
    seen = (found for one in met if (found := other.pattern.match(one)) is not None)
    built = dict.fromkeys(other.pattern.build({**words, numbers[0]: number}) for words in seen)
    return list(built)[:_WORDS]
