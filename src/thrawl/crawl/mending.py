"""Mending a profile in the middle of a crawl: what the ledger finds goes back into learning as evidence.

The site is learned again from the pages that contradict its profile, and a new profile is taken only if it explains
more of them. Then only what the old one could not explain is asked for: links on record that stand where threads or
boards stand, lists that were cut, threads that fell short. What is good is not fetched again.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from thrawl.archive import Archive
from thrawl.archive.facts import Facts
from thrawl.archive.values import FailureKind, FoundUrl, PageState
from thrawl.crawl import lists, update
from thrawl.crawl.allowance import Allowance
from thrawl.crawl.evidence import Evidence, Explained, explained
from thrawl.crawl.values import PageJob, Reading, Role
from thrawl.crawl.workers import Readers
from thrawl.errors import FetchError
from thrawl.net.message import Fetcher, Request, Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Flip, ListPattern, Profile
from thrawl.profile.urltypes import UrlTypes

if TYPE_CHECKING:  # a crawl by a known profile learns nothing, and starts faster without
    from thrawl.learn.learner import Learned

_MORE: Final = 1.03  # times as much must a new profile explain: below that it is a matter of taste
_MORE_WORDS: Final = 1.5  # times as many: answers have as many as first posts, titles a few
_T = TypeVar("_T")
_MOST_ALSO: Final = 20  # URLs that a new profile is asked to explain
_TRIED: Final = 4  # new threads, and new flips, that are asked for before a new profile is believed
_GOOD: Final = 0.7  # of them that must be what it says
_MOST_OF_BOARDS: Final = 20  # pages of a list of boards that are read once more
_MOST_AGAIN: Final = 2_000  # thread pages fetched again because their posts were cut wrongly


class Learn(Protocol):
    """Learns a site from a URL; `known` pages need not be fetched, `also` are URLs that the profile must explain."""

    async def __call__(
        self, start: str, allowance: Allowance, known: Sequence[Response] = (), also: Sequence[str] = ()
    ) -> Learned: ...


def unexplained(facts: Facts, profile: Profile, start: str) -> tuple[str, ...]:
    """URLs that the site shows as its own and that the profile does not explain, the most telling first."""
    types = UrlTypes(profile)
    strays = [stray.url for _, stray in facts.strays]
    unlisted = [board.url for board in facts.boards if board.url and board.threads and not board.is_listed]
    rows = [promise.subject for promise in facts.promises if promise.subject]
    homes = [str(home) for home in (profile.page_wrapper or {}).get("home", ())]
    wanted = dict.fromkeys([*spread(strays, _MOST_ALSO // 2), *unlisted, *rows, *homes, start])
    return tuple(url for url in wanted if types.type(url) is None and url != profile.entry)[:_MOST_ALSO]


def spread(urls: Sequence[_T], count: int) -> Sequence[_T]:
    """A few of many, from all over them."""
    return urls[:: max(1, len(urls) // count)][:count]


class Trial:
    """Holds a new profile to the pages at hand, and tries what it promises with a few requests, which are kept."""

    def __init__(self, archive: Archive, fetcher: Fetcher, readers: Readers) -> None:
        self._archive = archive
        self._fetcher = fetcher
        self._readers = readers
        self.fetched: list[Response] = []
        self.cuts_alike = False
        """Whether the profile found best cuts the posts of all pages at hand as the old one did."""

    async def best(
        self, new: Profile, old: Profile, evidence: Evidence, pages: Sequence[Response] = ()
    ) -> Profile | None:
        """The new profile, or the old one with a part of it, that explains most; None where none explains more.

        The readers read by it afterwards. `pages` are those from which it was learned: lists that the old one has no
        role for speak for the new one.
        """
        promised = self._archive.promised_replies
        types = UrlTypes(old)
        others = [page for page in pages if types.type(types.clean(page.url)) is None]
        before = await explained(evidence, old, self._readers, promised, others)
        tried: list[tuple[Explained, Profile]] = []
        for candidate in _candidates(new, old):
            self._readers.change(candidate)
            tried.append((await explained(evidence, candidate, self._readers, promised, others), candidate))
        for after, candidate in sorted(tried, key=lambda pair: -pair[0].much):
            self._readers.change(candidate)
            cuts_well = candidate.post_wrapper == old.post_wrapper or _cuts_well(before, after)
            if _is_better(before, after) and cuts_well and await self._holds(before, after):
                self.cuts_alike = before.cut <= after.cut
                return candidate
        self._readers.change(old)
        return None

    async def _holds(self, before: Explained, after: Explained) -> bool:
        """Whether what only the new profile explains is what it says: threads with posts of their own, further rows."""
        threads = spread(sorted(after.threads - before.threads), _TRIED)
        flips = spread(sorted(after.flips - before.flips), _TRIED)
        seen: set[str] = set()
        found = [await self._is_thread(url, seen) for url in threads]
        led = [await self._leads_on(*flip) for flip in flips]
        return all(sum(good) >= _GOOD * len(good) for good in (found, led))

    async def _is_thread(self, url: str, seen: set[str]) -> bool:
        """Whether a page has posts, and others than those before it and those in the archive; or is known for a thread:
        what stood where threads stand was followed before any pattern explained it."""
        if (known := self._archive.thread(url)) is not None and any(self._archive.posts(thread_id=known.id)):
            return True
        reading = await self._read(url, Role.THREAD)
        if reading is None or not reading.posts or reading.digest in seen:
            return False
        if reading.digest is None:
            return True
        seen.add(reading.digest)
        return not self._archive.has_digest(reading.digest)

    async def _leads_on(self, role: Role, url: str, list_url: str) -> bool:
        """Whether a flip shows threads, or posts of its thread that are not archived."""
        reading = await self._read(url, role)
        if reading is None:
            return False
        if role is not Role.THREAD:
            return any(link.is_thread for link in reading.links)
        thread = self._archive.thread(list_url)
        known = {post.text for post in self._archive.posts(thread_id=thread.id)} if thread is not None else set()
        return any(post.text not in known for post in reading.posts)

    async def _read(self, url: str, role: Role) -> Reading | None:
        try:
            response = await self._fetcher.fetch(Request(url))
        except FetchError:
            return None
        if response.status != 200 or not response.is_html:
            return None
        self.fetched.append(response)
        return await self._readers.read(
            PageJob(response.url, role, url, response.body, response.charset, response.moment)
        )


def _is_better(before: Explained, after: Explained) -> bool:
    """Whether a profile explains more, or how lists go on: those that open with their last page show little there."""
    if after.contradicted > before.contradicted:
        return False
    goes_on = after.unfollowed < before.unfollowed and after.much >= before.much
    return goes_on or after.much > max(before.much, 1) * _MORE


def _cuts_well(before: Explained, after: Explained) -> bool:
    """Whether more posts are more by what rows promise, else by their words: titles of a tree can be cut like posts."""
    if not before.posts or after.posts <= before.posts:
        return True
    return after.kept > before.kept if after.told else after.written > _MORE_WORDS * before.written


def _candidates(new: Profile, old: Profile) -> Iterator[Profile]:
    """What was learned now, whole or in parts: a part may be better where the whole is worse.

    In the middle of a crawl threads keep the addresses that they have in the archive, also if these show the last page.
    """
    new = replace(new, thread=tuple(replace(one, flips=_from_own_address(one.flips)) for one in new.thread))
    yield new
    yield replace(old, entry=new.entry, seeds=new.seeds, index=new.index)
    yield replace(old, index=_with_flips_of(new.index, old.index))
    yield replace(old, thread=_with_further_flips(new.thread, old.thread))
    yield replace(old, thread=new.thread, threaded=new.threaded, letters=new.letters, **_wrappers(new))
    yield replace(old, **_wrappers(new))


def _with_flips_of(new: Sequence[ListPattern], old: Sequence[ListPattern]) -> tuple[ListPattern, ...]:
    """The old lists, with the flips that were learned for them now, and lists that are only pages of their own."""
    flips = {one.pattern: one.flips for one in new}
    known = {one.pattern for one in old}
    single = (one for one in new if not one.pattern.holes and one.flips and one.pattern not in known)
    return (*(replace(one, flips=one.flips or flips.get(one.pattern, ())) for one in old), *single)


def _with_further_flips(new: Sequence[ListPattern], old: Sequence[ListPattern]) -> tuple[ListPattern, ...]:
    """The old threads, with the flips that were learned for them now beside those that are known."""
    flips = {one.pattern: one.flips for one in new}
    return tuple(replace(one, flips=tuple(dict.fromkeys((*one.flips, *flips.get(one.pattern, ()))))) for one in old)


def _from_own_address(flips: Sequence[Flip]) -> tuple[Flip, ...]:
    return tuple(flip.shifted() if flip.opens_last else flip for flip in flips)


def _wrappers(profile: Profile) -> dict[str, Any]:
    return {
        "post_wrapper": profile.post_wrapper,
        "row_wrapper": profile.row_wrapper,
        "page_wrapper": profile.page_wrapper,
    }


def without_keys(profile: Profile, patterns: Container[str]) -> Profile:
    """The profile in which threads of these patterns are known by their whole addresses."""
    return replace(
        profile,
        thread=tuple(replace(one, key=()) if str(one.pattern) in patterns else one for one in profile.thread),
    )


def to_fetch(
    archive: Archive, facts: Facts, new: Profile, old: Profile, *, cuts_alike: bool = False
) -> Iterator[FoundUrl]:
    """What a mended profile explains and the old one did not; whole threads only if their posts are not cut alike."""
    types, before = UrlTypes(new), UrlTypes(old)
    told = (*(stray.url for _, stray in facts.strays), *(promise.subject for promise in facts.promises))
    for url in dict.fromkeys(told):
        typed = types.type(url) if url and before.type(url) is None else None
        if typed is None or typed.list_url is None:
            continue
        kind, rank = (PageKind.THREAD, lists.THREAD) if typed.is_thread else (PageKind.INDEX, lists.INDEX)
        yield FoundUrl(typed.list_url, kind, update.MENDED, typed.list_url, 1, rank)
    for one in facts.lists:
        yield FoundUrl(one.url, PageKind.INDEX, update.MENDED, one.url, 1, lists.INDEX, again=True)
        if one.url == new.entry or not one.threads:  # boards of its later pages were not known for what they are
            yield from _further_pages(archive, one.url)
    threads = (where for where, _ in facts.strays if (typed := types.type(where)) is not None and typed.is_thread)
    for url in dict.fromkeys(threads):  # they go on, as was seen
        yield FoundUrl(url, PageKind.THREAD, update.MENDED, url, 1, lists.THREAD, again=True)
    yield from _failed(archive)
    if new.post_wrapper != old.post_wrapper:
        yield from _short(archive, cuts_alike=cuts_alike)
    if [one.flips for one in new.thread] != [one.flips for one in old.thread]:
        yield from _to_go_on(archive, facts)


def _further_pages(archive: Archive, list_url: str) -> Iterator[FoundUrl]:
    for page in itertools.islice(archive.pages_of_list(list_url), _MOST_OF_BOARDS):
        if page.page_number > 1:
            place = (page.list_url, page.page_number, lists.INDEX_FLIP)
            yield FoundUrl(page.url, page.kind, update.MENDED, *place, again=True)


def _failed(archive: Archive) -> Iterator[FoundUrl]:
    """Pages that did not fit the old profile get another chance."""
    for page in archive.pages():
        if page.state is PageState.FAILED and page.failure_kind in (FailureKind.NO_POSTS, FailureKind.NO_ROWS):
            place = (page.list_url, page.page_number, page.priority)
            yield FoundUrl(page.url, page.kind, update.MENDED, *place, again=True)


def _to_go_on(archive: Archive, facts: Facts) -> Iterator[FoundUrl]:
    """The threads that end with a full page as far as is known, or with a pager that nobody followed: they may go on in
    a way that was learned now."""
    sizes = {thread.url: sum(1 for _ in archive.posts(thread_id=thread.id)) for thread in archive.threads()}
    most = max(sizes.values(), default=0)
    full = (url for url, size in sizes.items() if size == most)
    for url in itertools.islice(dict.fromkeys((*facts.unfollowed_threads, *full)), _MOST_AGAIN):
        yield FoundUrl(url, PageKind.THREAD, update.MENDED, url, 1, lists.THREAD, again=True)


def _short(archive: Archive, *, cuts_alike: bool) -> Iterator[FoundUrl]:
    """The pages of threads that have fewer posts than their rows promise; where posts are cut otherwise now, also of
    threads of which rows tell nothing."""
    left = _MOST_AGAIN
    for thread in archive.threads(with_vanished=False):
        if left <= 0:
            return
        got = sum(1 for _ in archive.posts(thread_id=thread.id, with_vanished=False))
        if cuts_alike if thread.replies is None else got >= thread.replies:
            continue
        for page in archive.pages_of_list(thread.url):
            left -= 1
            place = (page.list_url, page.page_number, lists.thread_flip_priority(page.page_number))
            yield FoundUrl(page.url, page.kind, update.MENDED, *place, again=True)
