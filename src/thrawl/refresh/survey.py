"""What a site tells of its changes, found out by looking at its entry page, a few boards, feeds and the like.

A profile says where pages are; how their rows are ordered, which number of a board's row counts posts and which feed
leads to threads is learned when a watch begins, from pages that it has to look at anyway, and again after a month. Each
part of it is kept when it is found: a watch that is killed meanwhile goes on with the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final, TypeAlias
from urllib.parse import urljoin

from thrawl.crawl.values import UNKNOWN
from thrawl.profile.profile import Profile
from thrawl.refresh import seeing
from thrawl.refresh.addresses import Addresses
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.feeds import FeedItem, read_feed
from thrawl.refresh.pages import ENTRY_PAGE, FEED_HEAD, History, Layer, Looked, PageRef, RowsShown, Shown, Site
from thrawl.refresh.rhythm import DAY
from thrawl.refresh.showing import Showing
from thrawl.refresh.signals import Signal, SignalKind
from thrawl.refresh.sitemaps import Sitemap, named_sitemaps, read_sitemap
from thrawl.refresh.visitor import Answer

# Boards whose heads are looked at: an order that three boards share is the site's.
BOARDS: Final = 3
# Feeds of a page's head that are tried: of posts, of threads.
FEEDS: Final = 2
# Links of the entry page that no pattern explains and that are looked at for newest posts; a menu has some six.
OTHER_PAGES: Final = 6
# Rows in order of time below which a page may be so by chance.
FEWEST_ROWS: Final = 5
SITEMAPS: Final = 2
# The share of a feed's addresses that must lead to threads.
FEED_SHARE: Final = 0.5
# Sites change their looks; what was found is looked at again after this time.
LASTS: Final = 30 * DAY


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What was found: whether entry rows, index rows and a feed tell of changes, and how."""

    moment: float
    entry_rows: bool = False
    posts_place: str | None = None
    index_rows: bool = False
    sorted_rows: bool = True
    signals: tuple[Signal, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> Surveyed | None:
        """What an archive remembers; None where that cannot be read."""
        if not isinstance(data, Mapping):
            return None
        try:
            signals = tuple(Signal(SignalKind(one["kind"]), one["url"]) for one in data.get("signals", ()))
            return cls(**{**data, "signals": signals})
        except (TypeError, KeyError, ValueError):
            return None


LookAt = Callable[[PageRef], Awaitable[Answer | None]]
Parts: TypeAlias = dict[str, Any]
Keep = Callable[[Parts], None]


class Surveyor:
    """Looks at pages through `look_at`, which saves what they bring."""

    def __init__(
        self,
        profile: Profile,
        atlas: Atlas,
        addresses: Addresses,
        showing: Showing,
        look_at: LookAt,
        *,
        with_cookies: bool = False,
    ) -> None:
        self._with_cookies = with_cookies
        self._profile = profile
        self._atlas = atlas
        self._addresses = addresses
        self._showing = showing
        self._look_at = look_at

    async def survey(self, history: History, now: float, known: Parts, keep: Keep) -> Surveyed:
        """Find out what is not `known` from an earlier run; `keep` is told of all that is known after each part."""
        parts: Parts = known if 0 <= now - float(known.get("moment", -1.0)) < LASTS else {"moment": now}
        for name, look in (
            ("entry", self._entry),
            ("index", self._index_rows),
            ("feeds", self._feeds),
            ("newest", self._newest),
            ("sitemaps", self._sitemaps),
        ):
            if name not in parts:
                parts = {**parts, name: await look(history, parts)}
                keep(parts)
        # most forums are so; what could not be seen is looked at again by the next run
        index_rows, sorted_rows = parts["index"] or (True, True)
        signals = [*parts["feeds"], *parts["newest"], *parts["sitemaps"]]
        return Surveyed(
            moment=parts["moment"] if parts["index"] else 0.0,
            entry_rows=parts["entry"]["rows"],
            posts_place=parts["entry"]["posts_place"],
            index_rows=index_rows,
            sorted_rows=sorted_rows,
            signals=tuple(Signal(SignalKind(kind), url) for kind, url in signals),
        )

    async def _entry(self, history: History, parts: Parts) -> Parts:
        """What the rows of the entry page tell, and the links that no pattern explains."""
        entry = await self._look_at(ENTRY_PAGE)
        reading = None if entry is None else entry.reading
        rows = () if reading is None else reading.board_rows
        held = Counter(history.board.tolist())
        place = seeing.posts_place(rows, {self._atlas.board_url(board): held[board] for board in self._atlas.boards})
        told = [row for row in rows if self._atlas.knows_board(row.url) and (row.last_time or place is not None)]
        links = () if reading is None else (one.url for one in reading.refused if one.reason == UNKNOWN)
        enough = len(told) >= max(2, seeing.TOLD_SHARE * len(self._atlas.boards))
        return {"rows": enough, "posts_place": place, "links": list(islice(links, OTHER_PAGES))}

    async def _index_rows(self, history: History, parts: Parts) -> tuple[bool, bool] | None:
        """Whether the rows of boards tell of replies, and stand in the order of the last ones; None if none came."""
        held = Counter(history.board.tolist())
        last_times = dict(zip(history.thread.tolist(), history.time.tolist(), strict=True))
        in_order = compared = telling = looked = 0
        for board in sorted(self._atlas.boards, key=lambda board: -held[board])[:BOARDS]:
            answer = await self._look_at(PageRef(Layer.INDEX, board, 1))
            if answer is None or answer.reading is None or answer.fetched is None:
                continue
            looked += 1
            telling += seeing.tells_replies(answer.reading.rows)
            shown = seeing.rows_shown(answer.reading, self._atlas, board, answer.fetched)
            right, pairs = seeing.order_of(shown, last_times)
            in_order, compared = in_order + right, compared + pairs
        if not looked:
            return None
        return telling * 2 > looked, in_order >= seeing.SORTED_SHARE * compared

    async def _feeds(self, history: History, parts: Parts) -> list[tuple[str, str]]:
        """The first feed of the entry page that leads to threads."""
        for url in self._profile.feeds[:FEEDS]:
            answer = await self._look_at_signal(Signal(SignalKind.FEED, url))
            if answer is not None and self._leads_to_threads(read_feed(answer[0], answer[1])):
                return [(SignalKind.FEED.value, url)]
        return []

    async def _newest(self, history: History, parts: Parts) -> list[tuple[str, str]]:
        """A page that the entry page links and no pattern explains: its rows are threads of several boards by time.

        Who comes with cookies follows no such link: it may end a session, or mark all as read.
        """
        if self._with_cookies:
            return []
        last_times = dict(zip(history.thread.tolist(), history.time.tolist(), strict=True))
        for url in parts["entry"]["links"]:
            self._showing.signal = SignalKind.NEWEST
            self._addresses.feed = url
            answer = await self._look_at(FEED_HEAD)
            if answer is None or answer.failed or answer.reading is None or answer.fetched is None:
                continue
            if not seeing.tells_replies(answer.reading.rows):
                continue
            shown = seeing.newest_shown(answer.reading, self._atlas, answer.fetched)
            right, pairs = seeing.order_of(shown, last_times)
            boards = {board for board in shown.boards or () if board}
            if pairs >= FEWEST_ROWS and right >= seeing.SORTED_SHARE * pairs and len(boards) > 1:
                return [(SignalKind.NEWEST.value, url)]
        return []

    async def _sitemaps(self, history: History, parts: Parts) -> list[tuple[str, str]]:
        """A sitemap that names threads and when each was changed."""
        robots = await self._look_at_signal(Signal(SignalKind.SITEMAP, urljoin(self._profile.entry, "/robots.txt")))
        text = "" if robots is None else robots[0].decode("utf-8", errors="replace")
        for url in named_sitemaps(text, self._profile.entry)[:SITEMAPS]:
            for _ in range(2):  # a sitemap of sitemaps leads to another
                answer = await self._look_at_signal(Signal(SignalKind.SITEMAP, url))
                found = Sitemap() if answer is None else read_sitemap(*answer)
                if found.inner is None:
                    break
                url = found.inner
            if self._leads_to_threads(found.items):
                return [(SignalKind.SITEMAP.value, url)]
        return []

    async def _look_at_signal(self, signal: Signal) -> tuple[bytes, str] | None:
        """The body of a page and its address; None where it cannot be had."""
        self._showing.signal, self._addresses.feed = signal.kind, signal.url
        answer = await self._look_at(FEED_HEAD)
        if answer is None or answer.response is None or answer.failed:
            return None
        return answer.response.body, answer.response.url

    def _leads_to_threads(self, items: Sequence[FeedItem]) -> bool:
        return bool(items) and len(self._showing.threads_of(items)) >= FEED_SHARE * len(items)


class Quiet:
    """Stands in for the policy while the site is surveyed: keeps what pages showed, for it to see afterwards."""

    def __init__(self) -> None:
        self.met: list[tuple[PageRef, Shown]] = []

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        """Nothing begins."""

    def choose(self, now: float) -> PageRef | None:
        return None

    def observe(self, now: float, ref: PageRef, shown: Shown) -> None:
        if isinstance(shown, RowsShown):
            self.met.append((ref, shown))

    def failed(self, now: float, ref: PageRef, *, gone: bool) -> None:
        """It is tried again."""

    def is_walking(self, board: int) -> bool:
        """Whether rows below those that were seen are news, the policy will tell."""
        return True
