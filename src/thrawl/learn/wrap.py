"""From the pages that learning fetched to the wrappers in the profile: how posts, rows and titles are cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from thrawl.learn.sampler import Sampled
from thrawl.learn.wrappers.learnheading import learn_page_wrapper
from thrawl.learn.wrappers.learnrows import ThreadFacts, learn_row_wrapper
from thrawl.learn.wrappers.posts import PostWrapper, learn_post_wrapper
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.subjects import undated
from thrawl.profile.urltypes import UrlTypes


def learn_wrappers(profile: Profile, sampled: Sequence[Sampled], anchors: Mapping[str, str]) -> Profile:
    """The profile with its wrappers. `anchors` are the titles that index rows gave to threads, by URL."""
    types = UrlTypes(profile)
    threads = [one for one in sampled if (typed := types.type(one.url)) is not None and typed.is_thread]
    index = [one for one in sampled if one.url == profile.entry or types.is_list(one.url)]
    fetched = sampled[0].response.moment if sampled else None
    posts = learn_post_wrapper([one.page for one in threads], fetched)
    rows = learn_row_wrapper(
        [one.page for one in index],
        types.is_thread,
        _facts(types, threads, posts),
        fetched,
    )
    page = learn_page_wrapper(
        [one.page for one in threads],
        [one.page for one in index],
        _titles(types, threads, anchors),
        lambda url: None if (typed := types.type(url)) is None else not typed.is_thread,
    )
    return replace(
        profile,
        post_wrapper=posts.to_json() if posts else None,
        row_wrapper=rows.to_json() if rows else None,
        page_wrapper=page.to_json(),
    )


def _titles(types: UrlTypes, threads: Sequence[Sampled], anchors: Mapping[str, str]) -> dict[str, str]:
    """The titles of threads, by URL; a further page has that of its thread, whatever its own link said ("2")."""
    typed = {url: found for url in (*anchors, *(one.url for one in threads)) if (found := types.type(url)) is not None}
    first = {url: one.key for url, one in typed.items() if one.kind is PageKind.THREAD}
    anchors = {url: undated(title) for url, title in anchors.items()}
    of_thread = {first[url]: title for url, title in anchors.items() if url in first}
    further = {url: of_thread[one.key] for url, one in typed.items() if url not in first and one.key in of_thread}
    return {**anchors, **further}


def _facts(types: UrlTypes, threads: Sequence[Sampled], posts: PostWrapper | None) -> dict[str, ThreadFacts]:
    """What the first pages of the sampled threads tell of them; the number of posts only where nothing flips."""
    found: dict[str, ThreadFacts] = {}
    for one in threads if posts else ():
        typed = types.type(one.url)
        cut = posts.cut(one.page.tree, one.url, one.response.moment) if posts else None
        if typed is None or typed.kind is not PageKind.THREAD or not cut:
            continue
        whole = not any(
            (other := types.type(link.url)) is not None
            and other.kind is PageKind.THREAD_FLIP
            and other.key == typed.key
            for link in one.page.links
        )
        found[one.url] = ThreadFacts(len(cut) if whole else None, cut[0].author, cut[-1].author if whole else None)
    return found
