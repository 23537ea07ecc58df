"""A bounded sample of fetched pages, kept in memory to learn from when the ledger contradicts the profile.

Pages that contradict what was learned come first (rows that no pattern explains, pagers that nobody follows, threads
without posts); a few that fit are kept beside them, so that a new profile is held to what the old one did well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from thrawl.archive.values import PendingPage
from thrawl.crawl.goingon import GoingOn
from thrawl.crawl.plan import INDEX_KINDS
from thrawl.crawl.suspects import explains
from thrawl.crawl.unread import Unread, letters_of
from thrawl.crawl.values import Flips, Misfit, PageJob, Reading, Role
from thrawl.crawl.workers import Readers
from thrawl.errors import PageError
from thrawl.net.message import Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes

_LARGEST: Final = 1_000_000  # bytes of a page that is kept; a real one has 50,000


_LANDING: Final = 4  # sorts of links; a page of fewer stands before a forum and only leads to it


class Sort(StrEnum):
    """Why a page is kept."""

    INDEX_FITS = "index that fits"
    INDEX_DOUBTED = "index with something unexplained"
    THREAD_FITS = "thread that fits"
    THREAD_DOUBTED = "thread without posts or with words in none, or with a pager that nobody followed"


# Pages of each sort: enough for a vote on each question, some 2 MB in all.
_ROOM: Final = {Sort.INDEX_FITS: 8, Sort.INDEX_DOUBTED: 14, Sort.THREAD_FITS: 8, Sort.THREAD_DOUBTED: 8}


_FULLEST: Final = 4  # lists, and threads, with the most rows or posts


@dataclass(slots=True)
class Evidence:
    """The pages kept of one run, by their sort; `proved` is what those that showed posts or threads are."""

    proved: dict[str, Role] = field(default_factory=dict)
    going_on: GoingOn = field(default_factory=GoingOn)
    unread: Unread = field(default_factory=Unread)
    _fullest: dict[Role, list[tuple[int, Response]]] = field(default_factory=lambda: {Role.INDEX: [], Role.THREAD: []})
    _kept: dict[Sort, list[Response]] = field(default_factory=lambda: {sort: [] for sort in Sort})

    def look(self, page: PendingPage, response: Response, reading: Reading | None) -> None:
        """Keep a page if there is room for its sort."""
        if reading is None or not 200 <= response.status < 300 or len(response.body) > _LARGEST:
            return
        self._weigh(page, response, reading)
        half_read = bool(reading.posts) and self.unread.add(reading.unread, letters_of(reading.posts))
        sort = Sort.THREAD_DOUBTED if half_read else _sort_of(page, reading)
        if sort is not None and len(self._kept[sort]) < _ROOM[sort]:
            self._kept[sort].append(response)
            if reading.posts or reading.sighting.threads:
                self.proved[response.url] = Role.THREAD if reading.posts else Role.INDEX

    def _weigh(self, page: PendingPage, response: Response, reading: Reading) -> None:
        """Keep the fullest first pages of lists and threads: only there is seen how they go on."""
        role = Role.INDEX if page.kind in INDEX_KINDS else Role.THREAD
        size = len(reading.posts) if role is Role.THREAD else reading.sighting.threads
        if role is Role.INDEX and (page.page_number > 1 or reading.flips.last > 1 or reading.flips.next_url):
            self.going_on.lists_flip = True
        if page.page_number == 1 and page.kind is not PageKind.ENTRY and reading.sighting.beyond is not None:
            self.going_on.add(role, response.url, page.list_url or page.url, size, reading.sighting.beyond)
        if page.page_number == 1 and size:
            self._fullest[role].append((size, response))
            self._fullest[role].sort(key=lambda one: (-one[0], -len(one[1].body)))  # answers may not have been cut
            del self._fullest[role][_FULLEST:]

    @property
    def pages(self) -> tuple[Response, ...]:
        kept = [response for kept in self._kept.values() for response in kept]
        return tuple({one.url: one for one in (*kept, *self._longest())}.values())

    def _longest(self) -> Iterator[Response]:
        return (response for kept in self._fullest.values() for _, response in kept)

    @property
    def doubted(self) -> tuple[str, ...]:
        """The addresses of what contradicts the profile, or may go on in a way that it does not know."""
        doubted = [one.url for sort in (Sort.INDEX_DOUBTED, Sort.THREAD_DOUBTED) for one in self._kept[sort]]
        return tuple(dict.fromkeys([*doubted, *(one.url for one in self._longest())]))

    @property
    def barren(self) -> tuple[Response, ...]:
        """Pages that were fetched as lists and show no thread, or as threads and show no post."""
        sorts = (Sort.INDEX_FITS, Sort.INDEX_DOUBTED, Sort.THREAD_DOUBTED)
        kept = (one for sort in sorts for one in self._kept[sort])
        return tuple(one for one in kept if one.url not in self.proved)

    def forget(self) -> None:
        """What was doubted was looked at; what comes now is new."""
        self.proved.clear()
        self.going_on = GoingOn()
        self.unread = Unread()
        for kept in self._kept.values():
            kept.clear()
        for longest in self._fullest.values():
            longest.clear()


def _sort_of(page: PendingPage, reading: Reading) -> Sort | None:
    if page.kind in INDEX_KINDS:
        if reading.misfit not in (None, Misfit.NO_ROWS):
            return None
        doubted = reading.misfit is not None or reading.sighting.strays or reading.sighting.unfollowed > 1
        return Sort.INDEX_DOUBTED if doubted else Sort.INDEX_FITS
    if reading.misfit not in (None, Misfit.NO_POSTS):
        return None
    doubted = not reading.posts or reading.general or reading.sighting.unfollowed > 1
    return Sort.THREAD_DOUBTED if doubted else Sort.THREAD_FITS


@dataclass(frozen=True, slots=True)
class Explained:
    """What a profile makes of some pages: their threads, posts, and the pages that their lists go on with.

    `flips` come with the role and the address of their list. `contradicted` are pages that it takes for threads
    although they list them, or the other way round; `kept` counts threads that have as many posts as rows promise, of
    those of which rows `told`; `written` are the letters of all posts, `unfollowed` the pages with a pager that it does
    not explain, `cut` the authors and words of the posts on each page that has some.
    """

    threads: frozenset[str]
    flips: frozenset[tuple[Role, str, str]]
    posts: int
    further: int
    strays: int
    contradicted: int
    kept: int
    told: int
    written: int
    unfollowed: int
    cut: frozenset[tuple[str, tuple[tuple[str | None, str], ...]]]

    @property
    def much(self) -> int:
        """How much that is: threads and posts at hand, as many again behind flips; less what is left unexplained."""
        return len(self.threads) + self.posts + self.further - self.strays


async def explained(
    evidence: Evidence,
    profile: Profile,
    readers: Readers,
    promised: Callable[[str], int | None],
    also: Iterable[Response] = (),
) -> Explained:
    """How much of the pages kept, and of the lists among some others, a profile explains, read by it.

    `promised` are the replies that rows tell of.
    """
    types = UrlTypes(profile)
    threads: set[str] = set()
    flips: dict[tuple[Role, str, str], int] = {}
    cut: set[tuple[str, tuple[tuple[str | None, str], ...]]] = set()
    posts = strays = contradicted = kept = told = written = unfollowed = 0
    kept_urls = {one.url for one in evidence.pages}
    pages = {one.url: one for one in (*also, *evidence.pages)}
    for response, role in _roles(pages.values(), profile, types):
        if role is Role.THREAD and response.url not in kept_urls:
            continue  # posts that the other profile was never asked for say nothing of how well they are cut
        proved = evidence.proved.get(response.url, role)
        contradicted += (proved is Role.THREAD) != (role is Role.THREAD)
        job = PageJob(response.url, role, types.clean(response.url), response.body, response.charset, response.moment)
        reading = await readers.read(job)
        posts += len(reading.posts)
        if reading.posts:
            cut.add((response.url, tuple((post.author, post.text) for post in reading.posts)))
        unfollowed += reading.sighting.unfollowed > 1
        written += sum(len(post.text) for post in reading.posts)
        if reading.posts and reading.flips.last == 1 and (replies := promised(job.list_url)) is not None:
            told += 1
            kept += replies == len(reading.posts) - 1
        if reading.misfit is not None:
            continue
        on = _further(reading.flips, job.url, types)
        if on is not None:
            flips[role, on, job.list_url] = len(reading.posts) if role is Role.THREAD else reading.sighting.threads
        if role is Role.THREAD:
            continue
        threads.update(link.list_url for link in reading.links if link.is_thread)
        strays += len(reading.sighting.strays)
    # what lists show as threads are no pages of another one: in a tree of posts every link may look like that
    further = sum(behind for (_, url, _), behind in flips.items() if url not in threads)
    found = (posts, further, strays, contradicted, kept, told, written, unfollowed)
    return Explained(frozenset(threads), frozenset(flips), *found, frozenset(cut))


def _further(flips: Flips, url: str, types: UrlTypes) -> str | None:
    """Another page of the list that a page is one of: the numbered first one, where its own address shows the last."""
    typed = types.type(types.clean(url))
    opening = typed.list_url if typed is not None else None
    linked = [flips.next_url, *(one for _, one in flips.linked)]
    if flips.last > 1 and opening is not None:
        linked = [opening, *linked]
    return next((one for one in linked if one not in (None, url)), None)


def _roles(pages: Iterable[Response], profile: Profile, types: UrlTypes) -> Iterator[tuple[Response, Role]]:
    """The pages that a profile has a role for; it explains nothing of the others."""
    for response in pages:
        url = types.clean(response.url)
        typed = types.type(url)
        if url == profile.entry:
            yield response, Role.ENTRY
        elif typed is not None:
            yield response, Role.THREAD if typed.is_thread else Role.INDEX


async def leads_to_forum(start: Response, profile: Profile, readers: Readers, pages: Sequence[Response] = ()) -> bool:
    """Whether a page is one of the forum's, or at least leads to more of it than its entry page, if by ways that other
    `pages` were reached by.

    So is every page that is neither a list nor a thread, as somebody's profile: it stands beside the forum.
    """
    types = UrlTypes(profile)
    url = types.clean(start.url)
    if url == profile.entry or explains(types, url):
        return True
    job = PageJob(start.url, Role.ENTRY, url, start.body, start.charset, start.moment)
    reading = await readers.read(job)
    leads_on = any(link.list_url != profile.entry for link in reading.links)
    if leads_on or len(reading.refused) < _LANDING:
        return True
    from thrawl.learn.classifier import PageClassifier  # it was loaded to learn the site, and so was the reader
    from thrawl.page.reading import read_page

    try:
        page = read_page(start.text, start.url, reference=start.moment)
    except PageError:
        return True
    ways = _ways_in(pages, profile, types)
    leads_on = any(types.clean(link.url) in ways for link in page.links)
    return leads_on or PageClassifier.load().classify(page).type is PageKind.OTHER


def _ways_in(pages: Sequence[Response], profile: Profile, types: UrlTypes) -> set[str]:
    """Addresses that answer from a list or a thread of the forum: ways to newest posts, as portals show them."""
    ends = ((page.requested, types.clean(page.url)) for page in pages if page.requested != page.url)
    return {types.clean(asked) for asked, end in ends if end != profile.entry and explains(types, end)}
