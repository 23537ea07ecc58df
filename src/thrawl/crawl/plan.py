"""What follows from a page: the URLs to fetch next, each with its reason, and the ones refused.

A thread is followed under the first URL that it is met under; another URL with the same key is refused. Whether a
page brought anything new is asked of the archive, which holds every URL ever met.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, PendingPage, RefusedUrl, Stray
from thrawl.crawl import lists
from thrawl.crawl.values import Flips, Reading, TypedLink
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import ThreadRow
from thrawl.profile.patterns import NUMBER
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

INDEX_KINDS: Final = frozenset({PageKind.ENTRY, PageKind.INDEX, PageKind.INDEX_FLIP})
_REMEMBERED: Final = 50_000
_MOST_CLASHES: Final = 2_000  # as many as are asked for again
_STALE_WALK: Final = 5
"""Pages of a list without page numbers that may bring nothing new in a row before it is left."""

UNNUMBERED: Final = "its list has no numbered first page"
UNLISTED: Final = "learning looked at it, and no list led there"
NEEDLESS: Final = "the last lists of its kind brought nothing that other lists do not"
REPEATS: Final = "the pages around it list only threads that are known from shorter lists"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a page leads to. `rows` are its rows under the URLs that their threads are followed by.

    `strays` are links of a page without rows that nothing explains.
    """

    found: tuple[FoundUrl, ...] = ()
    refused: tuple[RefusedUrl, ...] = ()
    strays: tuple[Stray, ...] = ()
    rows: tuple[ThreadRow, ...] = ()
    fresh: bool = False


class Planner:
    """Plans the crawl of one forum. All that it must not forget is in the archive; the rest is bounded memory."""

    def __init__(self, archive: Archive, profile: Profile, home: str | None = None) -> None:
        """`home` is the entry page by which the archive knows the forum, where the profile's is another by now."""
        self._archive = archive
        self._types = UrlTypes(profile)
        self._patience = lists.patience(alone=all(one.reserve for one in profile.index))
        self._home = home or profile.entry
        self._first_forms: OrderedDict[str, str] = OrderedDict()
        self.clashes: dict[str, str] = {}
        """Threads that have the key of another one and other numbers, or names of lists, beside it: each with its
        pattern."""
        self._threaded = profile.threaded
        self.unled = set(profile.seeds)
        """Boards that learning found and to which no list has led: some list is not known."""
        self._scheduled: OrderedDict[str, int] = OrderedDict()
        self._stale: dict[str, int] = {}
        self._shown: OrderedDict[tuple[str, int], None] = OrderedDict()
        self._fruitless: dict[str | None, int] = {}
        self._barren: dict[str | None, int] = {}
        self._fruitful: Counter[str | None] = Counter()

    def plan(self, page: PendingPage, list_url: str, number: int, reading: Reading) -> Plan:
        """What follows from page `number` of a list."""
        links, refused = self._one_form_each(reading.links)
        if page.kind in INDEX_KINDS:
            led = self.unled.intersection(link.list_url for link in links if link.list_url != list_url)
            self.unled -= led
            fresh = self._is_fresh(links)
            # a redirect may lead to a list of another kind than was asked for
            asked = page.url if page.kind is PageKind.INDEX else list_url
            self._note_fruit(asked, fresh=fresh or bool(led))  # learning came to that board by this very list
            self._note_harvest(asked, links)
            flips, skipped = self._index_flips(list_url, number, reading.flips, fresh=fresh)
            rows = tuple(self._renamed(row) for row in reading.rows)
            found = (
                self._last_if_barren(self._in_turn(url)) for url in _linked_from("an index page", links, lists.THREAD)
            )
            return Plan((*found, *flips), (*refused_urls(reading), *refused, *skipped), rows=rows, fresh=fresh)
        believed = self._believed(list_url, number, reading)
        if believed.next_url is not None and self._was_shown(list_url, reading):
            believed = replace(believed, next_url=None, others=())
        flips = self._thread_flips(list_url, number, believed)
        linked = map(self._in_turn, _linked_from("a thread page", links, lists.LINKED_IN_POSTS))
        return Plan((*linked, *flips), (*refused_urls(reading), *refused), fresh=bool(reading.posts))

    def is_needless(self, page: PendingPage) -> bool:
        """Whether a page is of lists in reserve of which the last few brought nothing new.

        Those that brought something, when all other lists were read, are given as many more as did.
        """
        if page.kind is not PageKind.INDEX or not lists.is_in_reserve(page.priority):
            return False
        pattern = self._types.pattern_of(page.url)
        if self._barren.get(pattern, 0) >= lists.BARREN + lists.FRUITLESS:
            return True
        patience = self._patience + min(self._fruitful[pattern], lists.MOST_PATIENCE)
        return self._fruitless.get(pattern, 0) >= patience

    def note_no_list(self, page: PendingPage) -> None:
        """A list was asked for, and something else was shown: that is nothing new, too."""
        if page.kind is PageKind.INDEX:
            self._note_fruit(page.url, fresh=False)
            self._note_harvest(page.url, ())

    def _note_fruit(self, list_url: str, *, fresh: bool) -> None:
        pattern = self._types.pattern_of(list_url)
        self._fruitless[pattern] = 0 if fresh else self._fruitless.get(pattern, 0) + 1
        self._fruitful[pattern] += fresh

    def _note_harvest(self, list_url: str, links: Iterable[TypedLink]) -> None:
        """Count the lists of a kind, in a row, that led to no new thread and to no new list of another kind.

        Facets that combine lead to ever more lists of their own kind, and to threads that are known.
        """
        pattern = self._types.pattern_of(list_url)
        others = (one for one in links if one.is_thread or self._types.pattern_of(one.url) != pattern)
        bore = any(not self._archive.knows(one.url) for one in others)
        self._barren[pattern] = 0 if bore else self._barren.get(pattern, 0) + 1

    def _in_turn(self, found: FoundUrl) -> FoundUrl:
        if found.priority != lists.RESERVE:
            return found
        return replace(found, priority=lists.reserve_priority(self._types.turn_of(found.url)))

    def _last_if_barren(self, found: FoundUrl) -> FoundUrl:
        """A list of a kind that led to nothing for long is asked for when all threads were."""
        if found.kind is not PageKind.INDEX or self._barren.get(self._types.pattern_of(found.url), 0) < lists.BARREN:
            return found
        return replace(found, priority=max(found.priority or 0, lists.RESERVE))

    def alias_of(self, list_url: str) -> str | None:
        """The name under which the archive finds a thread by its key; None where the URL is the key."""
        typed = self._types.type(list_url)
        return None if typed is None or typed.key == typed.list_url else self._alias(typed.key)

    def type_of(self, url: str) -> TypedLink | None:
        """The list that a URL belongs to, in the form under which it was first met."""
        typed = self._types.type(url)
        if typed is None or typed.list_url is None:
            return None
        return TypedLink(url, typed.is_thread, typed.list_url, None if typed.key == typed.list_url else typed.key)

    def threads_at(self, urls: Iterable[str]) -> list[FoundUrl]:
        """The threads that some addresses lead to and that were never met, as learning does by itself."""
        typed = (link for url in urls if (link := self.type_of(self._types.clean(url))) is not None and link.is_thread)
        forms = dict.fromkeys(self.first_form(replace(link, url=link.list_url)) for link in typed)
        new = (url for url in forms if not self._archive.knows(url))
        return [FoundUrl(url, PageKind.THREAD, UNLISTED, url, 1, lists.THREAD) for url in new]

    def page_number(self, url: str) -> int | None:
        typed = self._types.type(url)
        return None if typed is None else typed.page

    def flip_url(self, list_url: str, page: int) -> str | None:
        return self._types.flip_url(list_url, page)

    def instead_of(self, page: PendingPage) -> Plan:
        """What to ask for where a page is not there: a list's own address, if its numbered first page was asked for."""
        own = self._types.without_number(page.url)
        if own is None:
            return Plan()
        return Plan((FoundUrl(own, page.kind, UNNUMBERED, page.list_url or page.url, 1, page.priority),))

    def _alias(self, key: str) -> str:
        return f"{self._home}#thread={key}"  # two forums of one host may count their threads alike

    def _one_form_each(self, links: Iterable[TypedLink]) -> tuple[list[TypedLink], list[RefusedUrl]]:
        kept, refused = [], []
        for link in links:
            first = self.first_form(link)
            if first == link.url:
                kept.append(link)
            else:
                refused.append(RefusedUrl(link.url, f"it is another URL of {first}", pattern=link.url))
                self._note_clash(link, first)
        return kept, refused

    def _note_clash(self, link: TypedLink, first: str) -> None:
        """A title that was changed or a thread that moved gives a thread two addresses; so does a number that counts
        within each board, and these are two threads."""
        if not link.is_thread or len(self.clashes) >= _MOST_CLASHES:
            return
        differences = self._types.differences(link.url, first)
        if any(
            kind == NUMBER or (self._names_a_list(one) and self._names_a_list(two)) for kind, one, two in differences
        ):
            self.clashes[link.url] = self._types.pattern_of(link.url) or ""

    def _names_a_list(self, word: str) -> bool:
        return any(self._archive.knows(url) for url in self._types.lists_called(word))

    def first_form(self, link: TypedLink) -> str:
        """The URL under which the list of a link was first met."""
        if link.key is None:
            return link.url
        name = f"{link.is_thread} {link.key}"
        first = self._first_forms.get(name)
        if first is None:
            known = self._archive.address_of(self._alias(link.key)) if link.is_thread else None
            first = self._first_forms[name] = link.url if known is None else known
            _trim(self._first_forms)
        return first

    def settled_form(self, link: TypedLink) -> str:
        """The URL of a list that a redirect led to: the address that it has, whatever it was asked by.

        Were it the form that was met first, a run that goes on would name threads otherwise than one that does not end.
        """
        known = self._archive.address_of(self._alias(link.key)) if link.key is not None and link.is_thread else None
        form = link.url if known is None else known
        if link.key is not None:
            self._first_forms[f"{link.is_thread} {link.key}"] = form
            _trim(self._first_forms)
        return form

    def _renamed(self, row: ThreadRow) -> ThreadRow:
        typed = self.type_of(row.url)
        first = row.url if typed is None else self.first_form(replace(typed, url=typed.list_url))
        return row if first == row.url else replace(row, url=first)

    def _is_fresh(self, links: Iterable[TypedLink]) -> bool:
        """Whether any link is new; further lists in reserve are no news by themselves."""
        return not all(self._archive.knows(link.url) for link in links if not link.reserve)

    def _index_flips(
        self, list_url: str, number: int, flips: Flips, *, fresh: bool
    ) -> tuple[list[FoundUrl], list[RefusedUrl]]:
        if flips.next_url is not None:
            return self._walk(list_url, number, (flips.next_url, *flips.others), fresh=fresh)
        last = max(flips.last, number)
        priority = lists.index_flip_priority(last)
        place = f"of {last} of the list {list_url}"
        wanted = lists.index_pages(number, last, fresh=fresh)
        found = list(self._flips(list_url, flips, wanted, PageKind.INDEX_FLIP, place, priority))
        skipped = []
        if number > 1 and not fresh:
            beside = (self._flip(list_url, flips, one) for one in (number - 1, number + 1) if 1 < one <= last)
            skipped = [RefusedUrl(url, REPEATS) for url in beside if url is not None]
        return found, skipped

    def _walk(
        self, list_url: str, number: int, ahead: tuple[str, ...], *, fresh: bool
    ) -> tuple[list[FoundUrl], list[RefusedUrl]]:
        stale = self._stale[list_url] = 0 if fresh else self._stale.get(list_url, 0) + 1
        if stale >= _STALE_WALK:
            reason = f"the last {stale} pages of its list brought no thread that is not known from others"
            return [], [RefusedUrl(url, reason, pattern=url) for url in ahead]
        reason = f"the page after page {number} of the list {list_url}"
        found = (FoundUrl(url, PageKind.INDEX_FLIP, reason, list_url, number + 1, lists.WALKED) for url in ahead)
        return list(found), []

    def _believed(self, list_url: str, number: int, reading: Reading) -> Flips:
        """The pager of a thread's page as far as it can be right.

        Some lead to a last page that is not there. Where the row of the thread promised fewer posts than so many pages
        hold, pages are asked for one after the other, as far as they are linked without a gap.
        """
        flips = reading.flips
        near = _linked_on_from(number, flips)
        if not flips.counted or near >= flips.last:
            return flips
        replies = self._archive.promised_replies(list_url)
        held_before = (flips.last - 2) * len(reading.posts)
        return flips if replies is None or replies + 1 > held_before else replace(flips, last=near)

    def _was_shown(self, list_url: str, reading: Reading) -> bool:
        """Whether an earlier page of a walked thread showed the same posts: addresses may change with every answer."""
        shown = list_url, hash(tuple(post.text for post in reading.posts))
        if shown in self._shown:
            return True
        self._shown[shown] = None
        _trim(self._shown)
        return False

    def _thread_flips(self, list_url: str, number: int, flips: Flips) -> list[FoundUrl]:
        place = f"of {flips.last} of the thread"
        if not flips.counted:
            linked = (page for page, _ in flips.linked)
            found = list(self._flips(list_url, flips, linked, PageKind.THREAD_FLIP, place, None))
            ahead = () if flips.next_url is None else (flips.next_url, *flips.others)
            return [*found, *_next_of_thread(list_url, number, ahead)]
        scheduled = self._scheduled.get(list_url, number)
        pages = lists.thread_pages(number, flips.last, scheduled)
        if flips.last > 1:
            self._scheduled[list_url] = max(scheduled, min(flips.last, number + lists.AHEAD))
            _trim(self._scheduled)
        return list(self._flips(list_url, flips, pages, PageKind.THREAD_FLIP, place, None))

    def _flips(
        self, list_url: str, flips: Flips, pages: Iterable[int], kind: PageKind, place: str, priority: int | None
    ) -> Iterator[FoundUrl]:
        for number in pages:
            url = self._flip(list_url, flips, number)
            if url is not None:
                rank = lists.thread_flip_priority(number) if priority is None else priority
                yield FoundUrl(url, kind, f"page {number} {place}", list_url, number, rank)

    def _flip(self, list_url: str, flips: Flips, page: int) -> str | None:
        """The URL of a page: as the pager links it, or by the list's arithmetic. A post in a tree keeps the one that
        it was met by: addresses may change with every answer."""
        linked = next((url for number, url in flips.linked if number == page), None)
        post = self.type_of(linked) if linked is not None and self._threaded else None
        if post is not None:
            return self.first_form(post)
        return linked or (self._types.flip_url(self._address(list_url, flips), page) if flips.counted else None)

    def _address(self, list_url: str, flips: Flips) -> str:
        """The address that a list has, by its own flips: the one that it was asked by may only lead there."""
        typed = (self._types.type(url) for _, url in flips.linked)
        return next((flip.list_url for flip in typed if flip is not None and flip.list_url is not None), list_url)


def _linked_on_from(number: int, flips: Flips) -> int:
    """The last page that can be reached from a page by going on to the next number, by links that it shows."""
    linked = {page for page, _ in flips.linked}
    while number + 1 in linked:
        number += 1
    return number


def _next_of_thread(list_url: str, number: int, ahead: Iterable[str]) -> Iterator[FoundUrl]:
    reason = f"the page after page {number} of the thread"
    rank = lists.thread_flip_priority(number + 1)
    for url in ahead:
        yield FoundUrl(url, PageKind.THREAD_FLIP, reason, list_url, number + 1, rank)


def _linked_from(page: str, links: Iterable[TypedLink], thread_rank: int) -> Iterator[FoundUrl]:
    for link in links:
        if link.is_thread:
            rank = lists.LINKED_IN_POSTS if link.reserve else thread_rank  # answers are led to by what they answer
            yield FoundUrl(link.url, PageKind.THREAD, f"a thread URL on {page}", link.list_url, 1, rank)
        else:
            rank = lists.RESERVE if link.reserve else lists.INDEX
            yield FoundUrl(link.url, PageKind.INDEX, f"an index URL on {page}", link.list_url, 1, rank)


def refused_urls(reading: Reading) -> tuple[RefusedUrl, ...]:
    return tuple(RefusedUrl(link.url, link.reason) for link in reading.refused)


def _trim(kept: OrderedDict[str, str] | OrderedDict[str, int] | OrderedDict[tuple[str, int], None]) -> None:
    if len(kept) > _REMEMBERED:
        kept.popitem(last=False)
