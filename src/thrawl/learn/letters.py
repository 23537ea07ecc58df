"""Archives of letters, a page each: links to the letters of the same thread are known by its subject.

Where each page shows one post, and some pages link to letters of the same subject, which have it in their own titles,
say something else and lead back, there the subject tells threads apart. Links to other subjects lead to the letters
with the next number and the one before, where there are any: the letters of a tree have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thrawl.learn.cut import CutPages
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.learn.threaded import show_one_post
from thrawl.page.pagekind import PageKind
from thrawl.profile.heading import PageWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.subjects import is_answer, names, subject_of
from thrawl.profile.urls import steps_between
from thrawl.profile.urltypes import UrlTypes

_FEWEST: Final = 4  # pages of letters
_SEVERAL: Final = 2  # of them, and one in five, link to letters of their own subject: many are never answered
_SOME: Final = 0.2
_MOSTLY: Final = 0.5  # of those that link to others link to a neighbour: what is listed on all pages is none
_TRIED: Final = 3  # letters of the same subject that are looked at


async def are_letters(sampler: Sampler, profile: Profile, *, mixed: bool) -> bool:
    """Whether threads are letters that their subjects tell apart; asks for a few of them.

    `mixed`: as many letters lead to others of another subject as to those of their own, so that nothing else does.
    """
    types = UrlTypes(profile)
    cut = CutPages(profile, [one for one in sampler.sampled if types.is_thread(one.url)])
    if profile.page_wrapper is None or len(cut.pages) < _FEWEST or not show_one_post(cut):
        return False
    heading = PageWrapper.from_json(profile.page_wrapper)
    subjects = {one.url: subject_of(heading.title(one.page.tree, one.url) or "") for one in cut.pages}
    linked = {one.url: _linked(types, one, subjects[one.url]) for one in cut.pages}
    apart = [url for url, (_, others) in linked.items() if others]
    beside = [url for url in apart if any(sum(map(abs, steps_between(url, to) or ())) == 1 for to in linked[url][1])]
    together = [one for one in cut.pages if linked[one.url][0]]
    least = len(together) if not mixed else min(len(apart), len(together))
    if len(beside) < _MOSTLY * len(apart) or least < max(_SEVERAL, _SOME * len(cut.pages)):
        return not mixed and lists_answers(sampler, types)
    return await _lead_back(sampler, types, heading, cut, together, linked) or (
        not mixed and lists_answers(sampler, types)
    )


def lists_answers(sampler: Sampler, types: UrlTypes) -> bool:
    """Whether titles come back behind a mark, several of them: what they lead to are answers."""
    links = (link for one in sampler.sampled for link in one.page.links if types.is_thread(link.url))
    titles = {link.anchor for link in links}
    answered = {subject_of(title) for title in titles if is_answer(title)}
    return len(answered & {subject_of(title) for title in titles if not is_answer(title)} - {""}) >= _SEVERAL


def _linked(types: UrlTypes, page: Sampled, subject: str) -> tuple[list[str], list[str]]:
    """The letters that a page links to: those of its own subject, and the others."""
    same: dict[str, bool] = {}
    for link in page.page.links:
        typed = types.type(link.url)
        if typed is not None and typed.kind is PageKind.THREAD and typed.url != page.url:
            same[typed.url] = same.get(typed.url, False) or names(link.anchor, subject) or names(link.title, subject)
    return [url for url, is_same in same.items() if is_same], [url for url, is_same in same.items() if not is_same]


async def _lead_back(
    sampler: Sampler,
    types: UrlTypes,
    heading: PageWrapper,
    cut: CutPages,
    pages: Sequence[Sampled],
    linked: dict[str, tuple[list[str], list[str]]],
) -> bool:
    """Whether letters that are said to have the same subject have it, say something else, and lead back."""
    looked = 0
    for page in sorted(pages, key=lambda one: -len(linked[one.url][0]))[:_TRIED]:
        other = await sampler.get(linked[page.url][0][0])
        if other is None:
            continue
        subject = subject_of(heading.title(page.page.tree, page.url) or "")
        same = subject_of(heading.title(other.page.tree, other.url) or "") == subject
        if not same or cut.said(other) == cut.said(page) or page.url not in _linked(types, other, subject)[0]:
            return False
        looked += 1
    return looked > 0
