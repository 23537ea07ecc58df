"""Whether people talk on a site: what makes it a forum, and not a shop or a wiki.

These have lists that flip and titles that lead to pages, too. What they lack is talk: a page with two posts, or pages
of one post each that hang together (as a tree, as letters, by flips, or by title, also behind a mark: "Re:") or that
ask for answers (a blog may have few). Where a dozen pages of threads show none of that, nor who wrote them or when, the
site is no forum; and where a score of them shows none, it is none whoever wrote them: a newspaper, a gallery. What
looks like posts and is as many on each of them (teasers of other articles, files) is of the layout: people answer here
and there. (The papers are silent on this: their start pages are forums.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thrawl.learn.cut import CutPages
from thrawl.learn.letters import lists_answers
from thrawl.learn.sampler import Sampled, Sampler
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import PostRecord
from thrawl.profile.heading import PageWrapper
from thrawl.profile.profile import Profile
from thrawl.profile.subjects import names, subject_of
from thrawl.profile.urls import adds_to
from thrawl.profile.urltypes import UrlTypes

# Where two thirds of the threads have no answer, twelve without are met once in 130 forums, twenty once in 3,300;
# and of a site with fewer pages nobody can tell.
_ENOUGH: Final = 12
_BEYOND_DOUBT: Final = 20
_SEVERAL: Final = 2  # names; or links by a page's own title: a print view may be one


def nobody_talks(sampler: Sampler, profile: Profile) -> bool:
    """Whether enough pages of threads were read, and none shows that people talk."""
    types = UrlTypes(profile)
    typed = [(one, kind) for one in sampler.sampled if (kind := types.type(one.url)) is not None and kind.is_thread]
    pages = [one for one, _ in typed]
    flipped = any(kind.kind is PageKind.THREAD_FLIP for _, kind in typed)
    if profile.threaded or profile.letters or flipped or len(pages) < _ENOUGH:
        return False
    if (
        _lead_to_answers(profile, pages)
        or 2 * sum("textarea" in one.page.tree.tags for one in pages) > len(pages)
        or lists_answers(sampler, types)
    ):
        return False
    read = CutPages(profile, pages)
    cut = [posts for posts in map(read.posts, pages) if posts]
    if len({len(posts) for posts in cut}) > 1:
        return False
    alone = all(len(posts) == 1 for posts in cut)
    return len(pages) >= _BEYOND_DOUBT or (alone and not _name_people([posts[0] for posts in cut]))


def _lead_to_answers(profile: Profile, pages: Sequence[Sampled]) -> bool:
    """Whether a page leads to others by its own title, as to the posts of its thread."""
    if profile.page_wrapper is None:
        return False
    heading = PageWrapper.from_json(profile.page_wrapper)
    return any(len(_named_alike(one, heading.title(one.page.tree, one.url) or "")) >= _SEVERAL for one in pages)


def _named_alike(page: Sampled, title: str) -> set[str]:
    """The addresses of other pages that a page calls by its own title; views of itself have more in their query."""
    subject = subject_of(title)
    named = {link.url for link in page.page.links if names(link.anchor, subject)}
    return {url for url in named if url != page.url and not adds_to(url, page.url)}


def _name_people(posts: Sequence[PostRecord]) -> bool:
    """Whether posts were written by several people, or at some time."""
    people = {post.author for post in posts if post.author is not None}
    timed = sum(post.published_text is not None for post in posts)
    return len(people) >= _SEVERAL or 2 * timed > len(posts)
