"""Threaded forums: a page shows one post in full, and the rest of its thread as a tree of titles.

There a thread has as many pages as posts, all at addresses of one form, so nothing in a URL tells which pages
belong together; the tree does. Two signs together make a forum threaded: its thread pages show one post each, and
the pages that such a page links to link back to it and to the same others. "Similar threads" do not: flat threads
have pages with more than one post.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from thrawl.learn.cut import CutPages
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

_FEWEST_PAGES: Final = 4  # of one post each: three threads without an answer may be met first anywhere
_SINGLE: Final = 0.95  # of the pages show one post; a page that was cut wrong may show two
_TRIED: Final = 2  # trees that are looked at, the largest
_ASKED: Final = 3  # pages of a tree: two of the links may lead to neighbours
_SHARED: Final = 0.6  # of a tree's links: threads before and after stand among them
_EVERYWHERE: Final = 0.5  # of the pages: what more of them link to is news, no tree


async def is_threaded(sampler: Sampler, profile: Profile) -> bool:
    """Whether each page of this forum's threads is one post among a tree of others; asks for a few pages at most."""
    types = UrlTypes(profile)
    pages = [one for one in sampler.sampled if types.is_thread(one.url)]
    if len(pages) < _FEWEST_PAGES or not show_one_post(CutPages(profile, pages)):
        return False
    trees = own_trees(types, pages, profile.is_answer)
    largest = sorted((one for one in pages if len(trees[one.url]) > 1), key=lambda one: -len(trees[one.url]))
    answers = [await _answers(sampler, types, one, trees[one.url]) for one in largest[:_TRIED]]
    return bool(answers) and all(answers)


def show_one_post(cut: CutPages) -> bool:
    """Whether hardly a page has more than one post, and some have one."""
    counts = [len(cut.posts(one)) for one in cut.pages]
    return any(counts) and sum(count <= 1 for count in counts) >= _SINGLE * len(counts)


def own_trees(
    types: UrlTypes, pages: Sequence[Sampled], is_answer: Callable[[str], bool] = lambda _: True
) -> dict[str, dict[str, str]]:
    """The thread URLs that each page links to, each by its key, without those that stand on many pages, as a list of
    news does: addresses may hold a token that changes with each answer.

    Where answers have a form of their own, the links of other forms lead to other threads.
    """
    linked = {one.url: _threads(types, one) for one in pages}
    everywhere = Counter(key for found in linked.values() for key in found)
    most = max(2.0, _EVERYWHERE * len(pages))
    return {
        page: {key: url for key, url in found.items() if is_answer(url) and everywhere[key] < most}
        for page, found in linked.items()
    }


async def _answers(sampler: Sampler, types: UrlTypes, page: Sampled, tree: dict[str, str]) -> bool:
    """Whether a page of the tree links back to where the tree was seen, and to the same others.

    Threads before and after this one may stand among them, so a page that does not is not the last word.
    """
    own = key_of(types, page.url)
    for key, url in sorted(tree.items(), key=lambda one: (sampler.known(one[1]) is None, one[1]))[:_ASKED]:
        other = await sampler.get(url)
        links = _threads(types, other).keys() if other is not None else set()
        rest = tree.keys() - {key}
        if own in links and len(rest & links) >= _SHARED * len(rest):
            return True
    return False


def key_of(types: UrlTypes, url: str) -> str | None:
    """What tells the thread, or the post of a tree, at an address from others."""
    typed = types.type(url)
    return None if typed is None else typed.key


def _threads(types: UrlTypes, page: Sampled) -> dict[str, str]:
    own = key_of(types, page.url)
    typed = (types.type(link.url) for link in page.page.links)
    return {one.key: one.url for one in typed if one is not None and one.kind is PageKind.THREAD and one.key != own}
