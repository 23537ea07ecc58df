"""How many posts each board has by its entry row, against how many are known: what is left its index page must tell.

As with threads (`holdings`), a row is compared with the row before: by how many posts it grew, or that its time is
later. What boards count differently from the archive (hidden and deleted posts) is a surplus that is taken off.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from thrawl.crawl.changes import RowFacts, row_changed
from thrawl.refresh.activity import Activity
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import EntryShown

# Seconds for which the shares of the boards are taken as they were.
SHARES_KEPT: Final = 3600.0
# Posts by which a row that is seen for the first time may be ahead of the archive and still be taken at its word.
BELIEVED_AT_FIRST: Final = 50


class BoardCounts:
    def __init__(self, holdings: Holdings, rows: Mapping[int, tuple[int | None, int | None]] | None = None) -> None:
        self._known: defaultdict[int, int] = defaultdict(int)
        self._last_known: defaultdict[int, int] = defaultdict(int)
        self._rows: dict[int, RowFacts] = {board: RowFacts(*row) for board, row in (rows or {}).items()}
        self._shown: dict[int, int] = {}
        self._behind: list[tuple[int, int]] = []
        self._last: EntryShown | None = None
        self._untold: Collection[int] = ()
        self._untold_by = (0, 0)
        self._shares: dict[int, float] = {}
        self._busiest = 0
        self._shared = float("-inf")
        for entry in holdings.threads.values():
            self._known[entry.board] += entry.told
            if entry.told_time > self._last_known[entry.board]:
                self._last_known[entry.board] = entry.told_time
        self._shown.update((board, self._known[board]) for board in self._rows)

    def know(self, board: int, posts: int, time: int) -> None:
        """Some page told of posts in a board, the last made at `time`; of fewer than a link had promised."""
        self._known[board] += posts
        if posts < 0 and self._shown.get(board, 0) > self._known[board]:
            heapq.heappush(self._behind, (self._known[board] - self._shown[board], board))
        self._last_known[board] = max(self._last_known[board], time)

    def read_entry(self, shown: EntryShown) -> Iterator[int]:
        """Take in the entry page; yields the places of the boards whose rows tell of posts."""
        if shown is self._last:
            return
        self._last = shown
        for place, board in enumerate(shown.boards):
            posts = None if shown.posts is None else shown.posts[place]
            time = None if shown.last_times is None else shown.last_times[place]
            facts = RowFacts(posts, time)
            before = self._rows.get(board)
            if facts == before:
                continue
            self._rows[board] = facts
            self._shown[board] = self._known[board] if before is None else self._shown.get(board, self._known[board])
            if posts is None:
                # nothing says how many there are: one more than is known, if the last of them is not
                self._shown[board] = self._known[board]
                news = int(isinstance(time, int) and time > self._last_known[board])
            else:
                news = self._first_news(board, facts) if before is None else _growth(before, facts)
            if news > 0:
                self._shown[board] += news
                if self._shown[board] > self._known[board]:
                    heapq.heappush(self._behind, (self._known[board] - self._shown[board], board))
                yield place

    def correct(self, board: int) -> None:
        """A row links to a post that is not known: if its number says that all are, too many were taken for known."""
        self._shown[board] = max(self._shown.get(board, 0), self._known[board] + 1)

    def is_unchanged(self, board: int) -> bool:
        """Whether the entry page was read and told nothing of this board that is not known."""
        return self._last is not None and board in self._rows and self._shown.get(board, 0) <= self._known[board]

    def most_behind(self) -> int | None:
        """The board with the most posts that no page told of."""
        while self._behind:
            negative, board = self._behind[0]
            behind = self._shown[board] - self._known[board]
            if behind == -negative:
                return board
            heapq.heappop(self._behind)
            if behind > 0:
                heapq.heappush(self._behind, (-behind, board))
        return None

    def settle(self, board: int) -> None:
        """The board's index pages were read: a number still ahead counts posts that are not shown."""
        if board in self._shown:
            self._shown[board] = self._known[board]

    def busiest(self, activity: Activity, now: float) -> tuple[int, float]:
        """The board with the largest share of the site's posts now, and that share."""
        if now - self._shared > SHARES_KEPT:
            self._shared = now
            rates = {board: pulse.rate(now) for board, pulse in activity.boards.items()}
            total = max(sum(rates.values()), 1e-15)
            self._shares = {board: rate / total for board, rate in rates.items()}
            self._busiest = max(self._shares, key=self._shares.__getitem__, default=0)
        return self._busiest, self._shares.get(self._busiest, 0.0)

    def worth_more(
        self,
        activity: Activity,
        boards: Collection[int],
        site_looked: float,
        heads_looked: Mapping[int, float],
        now: float,
    ) -> int | None:
        """A board whose index page is worth more than the entry page: it is that busy, or no row tells of it.

        An entry row names one thread: of a board with more new posts the index page is needed too. So a look at the
        entry page costs one request and another for each board that is likely to have several.
        """
        posts, worth = activity.expected(activity.site, site_looked, now)
        board, share = self.busiest(activity, now)
        untold = self._untold_of(boards)
        if untold:
            told = 1.0 - sum(self._shares.get(one, 0.0) for one in untold)
            worths = {one: activity.worth(activity.boards[one], heads_looked.get(one, 0.0), now) for one in untold}
            best = max(worths, key=worths.__getitem__)
            if worths[best] > worth * told:
                return best
        extra = min(posts * posts * share * share, posts) / 2
        looked = max(site_looked, heads_looked.get(board, 0.0))
        return board if activity.worth(activity.boards[board], looked, now) > worth / (1 + extra) else None

    def _untold_of(self, boards: Collection[int]) -> Collection[int]:
        """The boards that no entry row told of; known anew when the entry page changed, or the boards."""
        if self._last is None:
            return ()
        if self._untold_by != (id(self._last), len(boards)):
            self._untold_by = (id(self._last), len(boards))
            self._untold = [one for one in boards if one not in self._rows]
        return self._untold

    def share(self, activity: Activity, board: int, now: float) -> float:
        self.busiest(activity, now)
        return self._shares.get(board, 0.0)

    def _first_news(self, board: int, facts: RowFacts) -> int:
        """By how many posts a row that there is nothing to compare with is ahead of the archive."""
        ahead = 0 if facts.posts is None else facts.posts - self._known[board]
        if isinstance(facts.time, int):
            later = facts.time > self._last_known[board]
            return max(1, ahead if ahead <= BELIEVED_AT_FIRST else 1) if later else 0
        return ahead if 0 < ahead <= BELIEVED_AT_FIRST else 0


def _growth(before: RowFacts, facts: RowFacts) -> int:
    """How many posts a row tells of that the row before did not: at least one where its time is later."""
    if not row_changed(before, facts):
        return 0
    grown = 0 if before.posts is None or facts.posts is None else facts.posts - before.posts
    later = isinstance(facts.time, int) and isinstance(before.time, int) and facts.time > before.time
    return max(grown, 1 if later else 0)
