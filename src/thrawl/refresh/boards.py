"""How many posts each board has by its entry row, against how many are known: what is left its index page must tell."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from thrawl.refresh.activity import Activity
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import EntryShown

# Seconds for which the shares of the boards are taken as they were.
SHARES_KEPT: Final = 3600.0


class BoardCounts:
    def __init__(self, holdings: Holdings) -> None:
        self._known: defaultdict[int, int] = defaultdict(int)
        self._shown: dict[int, int] = {}
        self._behind: list[tuple[int, int]] = []
        self._last: EntryShown | None = None
        self._shares: dict[int, float] = {}
        self._busiest = 0
        self._shared = float("-inf")
        for entry in holdings.threads.values():
            self._known[entry.board] += entry.told

    def know(self, board: int, posts: int) -> None:
        self._known[board] += posts

    def read_entry(self, shown: EntryShown) -> Iterator[int]:
        """Take in the entry page; yields the places of the boards that have posts nobody told of."""
        if shown is self._last:
            return
        self._last = shown
        for place, (board, posts) in enumerate(zip(shown.boards, shown.posts, strict=True)):
            if self._shown.get(board) != posts:
                self._shown[board] = posts
                if posts > self._known[board]:
                    heapq.heappush(self._behind, (self._known[board] - posts, board))
                    yield place

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
            self._known[board] = max(self._known[board], self._shown[board])

    def busiest(self, activity: Activity, now: float) -> tuple[int, float]:
        """The board with the largest share of the site's posts now, and that share."""
        if now - self._shared > SHARES_KEPT:
            self._shared = now
            rates = {board: pulse.rate(now) for board, pulse in activity.boards.items()}
            total = max(sum(rates.values()), 1e-15)
            self._shares = {board: rate / total for board, rate in rates.items()}
            self._busiest = max(self._shares, key=self._shares.__getitem__, default=0)
        return self._busiest, self._shares.get(self._busiest, 0.0)

    def share(self, activity: Activity, board: int, now: float) -> float:
        self.busiest(activity, now)
        return self._shares.get(board, 0.0)
