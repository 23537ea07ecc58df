"""Pages that were fetched and left, read once more in the roles that they may have: that takes no request.

Learning looks at pages to tell what they are, and may be wrong of some: a list that others seemed to repeat, a thread
of the one board whose name was taken for a word of the program. What such a page shows that nothing else showed tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.values import EMPTY, FoundUrl
from thrawl.crawl import lists
from thrawl.crawl.news import has_news
from thrawl.crawl.suspects import KnownPages, Shape, shape_of
from thrawl.crawl.values import PageJob, Reading, Role, TypedLink
from thrawl.crawl.workers import Readers
from thrawl.net.message import Response
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile

_LISTED: Final = 2  # threads that make a list; a page of anything else may have a link that looks like one
LISTS: Final = "no pattern explains it, and it shows threads or boards that no list showed"
POSTS: Final = "it was taken for no thread, and it shows posts that no thread has"


@dataclass(frozen=True, slots=True)
class Rereading:
    """Reads pages of one forum again. `unled` are boards that learning found and to which no list led since."""

    archive: Archive
    profile: Profile
    readers: Readers
    unled: Collection[str]

    async def found(self, left: Iterable[Response], barren: Iterable[Response]) -> list[FoundUrl]:
        """What is to be followed: of pages that learning left, and of those fetched as lists that show no thread, or as
        threads that show no post."""
        found = [one for page in left if (one := await self.shown_by(page)) is not None]
        for page in barren:
            known = self.archive.page(page.url)
            if known is None or known.reason in (POSTS, EMPTY):
                continue
            if known.kind is PageKind.THREAD:
                links = (await self._read(page, Role.INDEX)).links
                if any(link.is_thread or not link.reserve for link in self._unknown(links)):
                    found.append(FoundUrl(page.url, PageKind.INDEX, EMPTY, page.url, 1, lists.INDEX, again=True))
            elif await self._is_thread(page):
                found.append(FoundUrl(page.url, PageKind.THREAD, POSTS, page.url, 1, lists.THREAD, again=True))
        return found

    async def shown_by(self, page: Response) -> FoundUrl | None:
        """The page as what it is to be followed as, a list or a thread; None where it shows nothing new."""
        if page.status != 200 or not page.is_html or KnownPages(self.archive).followed(page.url):
            return None
        if await self._lists(page):
            return FoundUrl(page.url, PageKind.INDEX, LISTS, page.url, 1, lists.INDEX)
        if await self._is_thread(page):
            return FoundUrl(page.url, PageKind.THREAD, POSTS, page.url, 1, lists.THREAD)
        return None

    async def _lists(self, page: Response) -> bool:
        links = (await self._read(page, Role.INDEX)).links
        new = self._unknown(links)
        leads = any(link.list_url in self.unled for link in links if link.list_url != page.url)
        alone = all(one.reserve for one in self.profile.index)
        boards = any(not link.is_thread and (alone or not link.reserve) for link in new)
        return leads or boards or sum(link.is_thread for link in new) >= _LISTED

    def _unknown(self, links: Iterable[TypedLink]) -> list[TypedLink]:
        return [link for link in links if not self.archive.knows(link.url)]

    async def _is_thread(self, page: Response) -> bool:
        """Whether a page has an address like those of threads, and posts that no thread has; a list, as that of a tag,
        says more by the titles of its rows than by what else stands in them."""
        if shape_of(page.url) not in self._shapes():
            return False
        reading = await self._read(page, Role.THREAD)
        if not has_news(self.archive, reading):
            return False
        rows = (await self._read(page, Role.INDEX)).rows
        return sum(len(row.title) for row in rows) < sum(len(post.text) for post in reading.posts)

    def _shapes(self) -> set[Shape]:
        return {shape_of(url) for one in self.profile.thread for url in one.examples}

    async def _read(self, page: Response, role: Role) -> Reading:
        job = PageJob(page.url, role, page.url, page.body, page.charset, page.moment)
        return await self.readers.read(job)
