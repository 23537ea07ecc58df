"""Mending a profile in the middle of a crawl: what the ledger finds goes back into learning as evidence.

The site is learned again from the pages that contradict its profile, and a new profile is taken only if it explains
more of them. Then only what the old one could not explain is asked for: links on record that stand where threads or
boards stand, lists that were cut, threads that fell short. What is good is not fetched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from thrawl.archive import Archive
from thrawl.archive.facts import Facts
from thrawl.archive.values import FailureKind, FoundUrl, PageKind, PageState
from thrawl.crawl import lists, update
from thrawl.crawl.evidence import explained
from thrawl.crawl.workers import Readers
from thrawl.net.message import Fetcher, Request, Response
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

if TYPE_CHECKING:  # a crawl by a known profile learns nothing, and starts faster without
    from thrawl.learn.learner import Learned

_MORE: Final = 1.03  # times as much must a new profile explain: below that it is a matter of taste
_MOST_ALSO: Final = 20  # URLs that a new profile is asked to explain
_MOST_AGAIN: Final = 2_000  # thread pages fetched again because their posts were cut wrongly


class Learn(Protocol):
    """Learns a site from a URL; `known` pages need not be fetched, `also` are URLs that the profile must explain."""

    async def __call__(self, start: str, known: Sequence[Response] = (), also: Sequence[str] = ()) -> Learned: ...


class Remembering:
    """Implements Fetcher on top of another one: pages that are known are not asked for."""

    def __init__(self, fetcher: Fetcher, known: Iterable[Response]) -> None:
        self._fetcher = fetcher
        self._known: dict[str, Response] = {}
        for response in known:
            self._known[response.requested] = response
            self._known.setdefault(response.url, response)

    async def fetch(self, request: Request) -> Response:
        known = self._known.get(request.url) if request.cookies else None
        return known or await self._fetcher.fetch(request)

    async def close(self) -> None:
        await self._fetcher.close()


def unexplained(facts: Facts, profile: Profile, start: str) -> tuple[str, ...]:
    """URLs that the site shows as its own and that the profile does not explain, the most telling first."""
    types = UrlTypes(profile)
    strays = [stray.url for _, stray in facts.strays]
    unlisted = [board.url for board in facts.boards if board.url and board.threads and not board.is_listed]
    rows = [promise.subject for promise in facts.promises if promise.subject]
    homes = [str(home) for home in (profile.page_wrapper or {}).get("home", ())]
    wanted = dict.fromkeys([*_spread(strays, _MOST_ALSO // 2), *unlisted, *rows, *homes, start])
    return tuple(url for url in wanted if types.type(url) is None and url != profile.entry)[:_MOST_ALSO]


def can_be_mended(facts: Facts, profile: Profile, also: Sequence[str]) -> bool:
    """Whether there is something that another profile could explain; a login wall or robots.txt is no such thing."""
    empty = any(one.failure in (FailureKind.NO_POSTS, FailureKind.NO_ROWS) for one in facts.failures)
    return bool(also) or empty or any(one.unfollowed > one.pages for one in facts.lists)


def _spread(urls: Sequence[str], count: int) -> Sequence[str]:
    return urls[:: max(1, len(urls) // count)][:count]


async def explains_more(new: Profile, old: Profile, pages: Sequence[Response], readers: Readers) -> bool:
    """Whether a new profile explains more of the pages at hand. The readers read by it afterwards only if it does."""
    before = await explained(pages, old, readers)
    readers.change(new)
    after = await explained(pages, new, readers)
    if after > max(before, 1) * _MORE:
        return True
    readers.change(old)
    return False


def to_fetch(archive: Archive, facts: Facts, new: Profile, old: Profile) -> Iterator[FoundUrl]:
    """What a mended profile explains and the old one did not."""
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
    yield from _failed(archive)
    if new.post_wrapper != old.post_wrapper:
        yield from _short(archive)


def _failed(archive: Archive) -> Iterator[FoundUrl]:
    """Pages that did not fit the old profile get another chance."""
    for page in archive.pages():
        if page.state is PageState.FAILED and page.failure_kind in (FailureKind.NO_POSTS, FailureKind.NO_ROWS):
            place = (page.list_url, page.page_number, page.priority)
            yield FoundUrl(page.url, page.kind, update.MENDED, *place, again=True)


def _short(archive: Archive) -> Iterator[FoundUrl]:
    """The pages of threads that have fewer posts than their rows promise."""
    left = _MOST_AGAIN
    for thread in archive.threads(with_vanished=False):
        if left <= 0 or thread.replies is None:
            continue
        if sum(1 for _ in archive.posts(thread_id=thread.id, with_vanished=False)) >= thread.replies:
            continue
        for page in archive.pages_of_list(thread.url):
            left -= 1
            place = (page.list_url, page.page_number, lists.thread_flip_priority(page.page_number))
            yield FoundUrl(page.url, page.kind, update.MENDED, *place, again=True)
