"""The address of each page that a policy can ask for, and the page that an address stands for."""

from __future__ import annotations

from typing import Final

from thrawl.archive import Archive
from thrawl.archive.values import FoundUrl, PendingPage
from thrawl.crawl import lists
from thrawl.crawl.plan import Planner
from thrawl.page.pagekind import PageKind
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.pages import ENTRY_PAGE, FEED_HEAD, Layer, PageRef

WATCHED: Final = "update: the watch chose it"


class Addresses:
    """The pages of one forum. `feed` is the page that is read as its feed, where there is one."""

    def __init__(self, archive: Archive, entry: str, planner: Planner, atlas: Atlas) -> None:
        self._archive = archive
        self._entry = entry
        self._planner = planner
        self._atlas = atlas
        self.feed: str | None = None

    def wanted(self, ref: PageRef) -> FoundUrl | None:
        """The address of a page; None where nothing leads there."""
        if ref.kind is Layer.FEED:
            feed = self.feed
            return None if feed is None else FoundUrl(feed, PageKind.OTHER, WATCHED, feed, again=True)
        if ref.kind is Layer.ENTRY:
            return FoundUrl(self._entry, PageKind.ENTRY, WATCHED, self._entry, 1, lists.ENTRY, again=True)
        is_thread = ref.kind is Layer.POSTS
        list_url = self._atlas.thread_url(ref.list) if is_thread else self._atlas.board_url(ref.list)
        if list_url is None:
            return None
        number, url = self._address(list_url, ref.page)
        if is_thread:
            kind = PageKind.THREAD if number == 1 else PageKind.THREAD_FLIP
            return FoundUrl(url, kind, WATCHED, list_url, number, lists.thread_flip_priority(number), again=True)
        kind = PageKind.INDEX if number == 1 else PageKind.INDEX_FLIP
        if url == self._entry:
            kind = PageKind.ENTRY
        return FoundUrl(url, kind, WATCHED, list_url, number, lists.INDEX_FLIP, again=True)

    def _address(self, list_url: str, number: int) -> tuple[int, str]:
        """A page of a list: as it was met, by the list's arithmetic, or the last one before it that is known."""
        if number == 1:
            return 1, list_url
        known = {page.page_number: page.url for page in self._archive.pages_of_list(list_url)}
        url = known.get(number) or self._planner.flip_url(list_url, number)
        if url is not None:
            return number, url
        nearest = max((page for page in known if page <= number), default=1)
        return nearest, known.get(nearest, list_url)

    def ref_of(self, page: PendingPage) -> PageRef:
        list_url = page.list_url or page.url
        if page.kind is PageKind.OTHER:
            return FEED_HEAD
        if page.kind is PageKind.ENTRY and not self._atlas.knows_board(list_url):
            return ENTRY_PAGE
        if page.kind in (PageKind.THREAD, PageKind.THREAD_FLIP):
            return PageRef(Layer.POSTS, self._atlas.thread(list_url), page.page_number)
        return PageRef(Layer.INDEX, self._atlas.board(list_url), page.page_number)
