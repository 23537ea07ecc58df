"""From what a page says to what a policy is shown: rows, board rows, feeds and posts as numbers and seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise, takewhile
from typing import Final

from thrawl.archive.identity import names_its_hour, names_its_year
from thrawl.crawl.values import BoardRow, Reading
from thrawl.page.shown import ThreadRow
from thrawl.refresh.atlas import MINUTE, Atlas
from thrawl.refresh.feeds import FeedItem
from thrawl.refresh.pages import EntryShown, RowsShown

# Seconds by which "3 hours ago" may be off, and the share of its age: "3 days ago" is off by a day.
FUZZ_SECONDS: Final = 3600
FUZZ_SHARE: Final = 0.35
# The share of rows that must tell something before it counts as shown.
TOLD_SHARE: Final = 0.5
# The share of neighbouring rows that must be in order before a list counts as sorted by last reply.
SORTED_SHARE: Final = 0.8
# How far a number may be from the posts held of its board, as a factor, to be taken for their count.
LIKE_POSTS: Final = 2.0
# Seconds of which zones differ by a multiple, and the most that they differ by.
ZONE_STEP: Final = 900
WIDEST_ZONE: Final = 26 * 3600
# Threads of a feed without which nothing is said of its zone.
FEWEST_COMPARED: Final = 5


def seconds(moment: datetime) -> int:
    """Seconds of a shown time; without a zone it is taken as UTC."""
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def rows_shown(reading: Reading, atlas: Atlas, board: int, fetched: datetime) -> RowsShown:
    """An index page. Where the wrapper cuts no rows, the threads that it links are all that is known."""
    rows = reading.rows or tuple(ThreadRow("", link.list_url) for link in reading.links if link.is_thread)
    numbers = atlas.threads(row.url for row in rows)
    listed = {numbers[row.url]: row for row in rows}
    known = {thread: atlas.rows.get(thread, (None, None)) for thread in listed}
    times = {thread: _row_time(row, known[thread][1], fetched) for thread, row in listed.items()}
    counts = {thread: _row_posts(row, known[thread][0]) for thread, row in listed.items()}
    for thread in listed:
        atlas.rows[thread] = (counts[thread], times[thread])
        if not atlas.board_of.get(thread):
            atlas.board_of[thread] = board
    pinned = sum(1 for _ in takewhile(lambda row: row.sticky, listed.values()))
    return RowsShown(
        threads=list(listed),
        last_times=_column([times[thread] for thread in listed]),
        posts=_column([counts[thread] for thread in listed]),
        boards=None,
        sticky=pinned,
        pages=max(reading.flips.last, 2 if reading.flips.next_url else 1),
    )


def entry_shown(rows: Sequence[BoardRow], atlas: Atlas, place: str | None) -> EntryShown:
    """The entry page: the boards whose rows tell something, their posts (the number at `place`) and last posts."""
    boards = [row for row in rows if atlas.knows_board(row.url) and (row.last_time or _count(row, place) is not None)]
    linked = [row.last_thread for row in boards]
    numbers = atlas.threads(url for url in linked if url is not None)
    return EntryShown(
        boards=[atlas.board(row.url) for row in boards],
        posts=_column([_count(row, place) for row in boards]),
        last_times=_column([None if row.last_time is None else seconds(row.last_time) for row in boards]),
        last_threads=[None if url is None else numbers[url] for url in linked] if numbers else None,
    )


def _count(row: BoardRow, place: str | None) -> int | None:
    return None if place is None else dict(row.numbers).get(place)


def newest_shown(reading: Reading, atlas: Atlas, fetched: datetime) -> RowsShown:
    """A page of the newest posts of all boards; mostly it tells times, and counts nothing."""
    numbers = atlas.threads(row.url for row in reading.rows)
    listed = {numbers[row.url]: row for row in reading.rows}
    times = [_row_time(row, atlas.last_times.get(thread), fetched) for thread, row in listed.items()]
    counts = [None if row.replies is None else row.replies + 1 for row in listed.values()]
    boards = [atlas.board_of.get(thread, 0) for thread in listed]
    return RowsShown(list(listed), _column(times), _column(counts), boards, 0, 1)


def feed_shown(items: Sequence[FeedItem], threads: Mapping[str, str], atlas: Atlas) -> RowsShown:
    """A feed; `threads` are those that its addresses lead to. Of a thread that is named twice the newest counts."""
    newest: dict[str, int] = {}
    for item in items:
        thread = threads.get(item.url)
        if thread is not None:
            newest[thread] = max(newest.get(thread, 0), item.time or 0)
    numbers = atlas.threads(newest)
    keys = [numbers[url] for url in newest]
    times = _as_pages_tell(keys, list(newest.values()), atlas)
    boards = [atlas.board_of.get(key, 0) for key in keys]
    return RowsShown(keys, times if any(times) else None, None, boards, 0, 1)


def _as_pages_tell(threads: Sequence[int], times: Sequence[int], atlas: Atlas) -> list[int]:
    """The times of a feed in the site's own terms: pages may show minutes only, and the time of another zone.

    Most of a feed's threads are known, and have no newer post than the archive holds: by how much their times differ,
    in quarters of an hour, is the difference of the zones.
    """
    off = [time - atlas.last_times[one] for one, time in zip(threads, times, strict=True) if one in atlas.last_times]
    zone = round(_middle(off) / ZONE_STEP) * ZONE_STEP if len(off) >= FEWEST_COMPARED else 0
    if abs(zone) > WIDEST_ZONE:
        zone = 0
    step = 1 if atlas.shows_seconds else MINUTE
    return [(time - zone) // step * step for time in times]


def tells_replies(rows: Sequence[ThreadRow]) -> bool:
    """Whether rows tell of replies, by counts or by times that can be compared."""
    told = [row for row in rows if row.replies is not None or _is_lasting(row)]
    return bool(rows) and len(told) >= TOLD_SHARE * len(rows)


def order_of(shown: RowsShown, last_times: Mapping[int, int]) -> tuple[int, int]:
    """How many neighbouring rows stand in the order of their last replies, and how many could be compared."""
    times = list(shown.last_times) if shown.last_times is not None else [0] * len(shown.threads)
    moments = [time or last_times.get(thread, 0) for thread, time in zip(shown.threads, times, strict=True)]
    pairs = [(a, b) for a, b in pairwise(moments[shown.sticky :]) if a and b]
    return sum(a >= b for a, b in pairs), len(pairs)


def posts_place(rows: Sequence[BoardRow], held: Mapping[str, int]) -> str | None:
    """Which number of the boards' rows counts their posts: the one that is nearest to what is held of them."""
    off: dict[str, list[float]] = {}
    for row in rows:
        posts = held.get(row.url, 0)
        for place, number in row.numbers if posts else ():
            off.setdefault(place, []).append(max(number + 1, posts + 1) / (min(number, posts) + 1))
    best = min(off, key=lambda place: (-len(off[place]), _middle(off[place])), default=None)
    return best if best is not None and _middle(off[best]) <= LIKE_POSTS else None


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def _row_posts(row: ThreadRow, known: int | None) -> int | None:
    return known if row.replies is None else row.replies + 1


def _row_time(row: ThreadRow, known: int | None, fetched: datetime) -> int | None:
    if row.last_time is None:
        return known
    time = seconds(row.last_time)
    if _is_lasting(row) or known is None:
        return time
    fuzz = max(FUZZ_SECONDS, FUZZ_SHARE * max(0, seconds(fetched) - time))
    return known if abs(time - known) <= fuzz else time


def _is_lasting(row: ThreadRow) -> bool:
    """Whether the time of a row reads the same a day later."""
    text = row.last_time_text
    return bool(text) and row.last_time is not None and (names_its_year(text) or names_its_hour(text))


def _column(values: Sequence[int | None]) -> list[int] | None:
    """A column that the site shows: of the few rows that lack it nothing is known."""
    told = sum(value is not None for value in values)
    return [value or 0 for value in values] if told and told >= TOLD_SHARE * len(values) else None
