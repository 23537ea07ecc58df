"""What an answer shows a policy, by the kind of page that was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thrawl.crawl.plan import Planner
from thrawl.page.pagekind import PageKind
from thrawl.profile.profile import Profile
from thrawl.profile.urltypes import UrlTypes
from thrawl.refresh import seeing
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.feeds import FeedItem, read_feed
from thrawl.refresh.pages import ENTRY_PAGE, UNCHANGED, Layer, PageRef, PostsShown, Shown
from thrawl.refresh.signals import SignalKind
from thrawl.refresh.sitemaps import read_sitemap
from thrawl.refresh.visitor import Answer


class Showing:
    """`posts_place` is where the rows of boards count their posts, `signal` what is read as the site's feed."""

    def __init__(self, profile: Profile, planner: Planner, atlas: Atlas) -> None:
        self._types = UrlTypes(profile)
        self._planner = planner
        self._atlas = atlas
        self.posts_place: str | None = None
        self.signal = SignalKind.FEED

    def shown(self, ref: PageRef, answer: Answer, new: list[tuple[int, int]]) -> Shown:
        reading, response = answer.reading, answer.response
        assert response is not None
        if ref.kind is Layer.FEED:
            return self._feed_shown(answer)
        if reading is None:
            return UNCHANGED
        if ref.kind is Layer.POSTS:
            typed = self._types.type(response.url)
            page = typed.page if typed is not None and typed.page and typed.is_thread else answer.page.page_number
            pages = max(reading.flips.last, page + 1 if reading.flips.next_url else page)
            return PostsShown([time for _, time in new], len(reading.posts), page, pages)
        if ref.kind is Layer.ENTRY:
            return seeing.entry_shown(reading.board_rows, self._atlas, self.posts_place)
        return seeing.rows_shown(reading, self._atlas, ref.list, response.fetched)

    def also_shown(self, ref: PageRef, answer: Answer) -> Iterator[tuple[PageRef, Shown]]:
        """A page can be two at once: an entry page that lists threads, or boards that nobody knew."""
        reading = answer.reading
        if reading is None:
            return
        if ref.kind is Layer.INDEX and answer.page.kind is PageKind.ENTRY and reading.board_rows:
            yield ENTRY_PAGE, seeing.entry_shown(reading.board_rows, self._atlas, self.posts_place)

    def _feed_shown(self, answer: Answer) -> Shown:
        response = answer.response
        assert response is not None
        if response.status == 304:
            return UNCHANGED
        if self.signal is SignalKind.NEWEST:
            if answer.reading is None:
                return UNCHANGED
            return seeing.newest_shown(answer.reading, self._atlas, response.fetched)
        if self.signal is SignalKind.SITEMAP:
            items = read_sitemap(response.body, response.url).items
        else:
            items = read_feed(response.body, response.url)
        return seeing.feed_shown(items, self.threads_of(items), self._atlas)

    def threads_of(self, items: Sequence[FeedItem]) -> dict[str, str]:
        """The threads that the addresses of a feed lead to."""
        found = {}
        for item in items:
            typed = self._types.type(self._types.clean(item.url.partition("#")[0]))
            if typed is not None and typed.is_thread and typed.list_url is not None:
                link = self._planner.type_of(item.url.partition("#")[0])
                found[item.url] = typed.list_url if link is None else self._planner.first_form(link)
        return found

    def board_rows(self, answer: Answer) -> dict[str, tuple[int | None, int | None]]:
        assert answer.reading is not None
        place = self.posts_place
        return {
            row.url: (
                dict(row.numbers).get(place) if place is not None else None,
                None if row.last_time is None else seeing.seconds(row.last_time),
            )
            for row in answer.reading.board_rows
        }
