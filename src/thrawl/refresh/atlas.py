"""Between the numbers by which a policy knows boards and threads and the addresses by which a site has them.

Boards are numbered as they are met. Threads have the archive's own numbers; one that a feed names before the archive
knows it gets a number below zero, and keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from thrawl.archive.watching import HeldRow, Watching
from thrawl.crawl import lists
from thrawl.refresh.pages import History, Layer, ListKey

MINUTE: Final = 60
# Of all threads; more of them are no posts that a crawl missed, but rows that count and tell the time otherwise.
MOST_BEHIND: Final = 0.2
NO_WALKS: Final[Mapping[str, float]] = MappingProxyType({})

RowKnown = tuple[int | None, int | None]


class Atlas:
    """All lists of one forum."""

    def __init__(self, watching: Watching) -> None:
        self._watching = watching
        self._boards: dict[str, int] = {}
        self._board_urls: dict[int, str] = {}
        self._unknown: dict[str, int] = {}
        self._unknown_urls: dict[int, str] = {}
        self._renamed: dict[int, int] = {}
        self.rows: dict[int, RowKnown] = {}
        self.board_of: dict[int, int] = {}
        self.looked: dict[ListKey, float] = {}
        self.last_times: dict[int, int] = {}
        self.shows_seconds = True

    def begin(self, now: float, walks: Mapping[str, float] = NO_WALKS) -> History:
        """Read what the archive holds; `walks` are lists whose pages a watch was reading, and since when."""
        # a board that is empty today gets threads one day; an entry page without any is no board
        found = [one for one in self._watching.index_lists() if one.threads or not one.is_entry]
        # lists in reserve repeat what others list: sorted otherwise, by tag, by author
        for one in [one for one in found if one.priority < lists.RESERVE] or found:
            if one.url not in self._boards:
                self.looked[Layer.INDEX, self.board(one.url)] = one.fetched
        posts = self._watching.held_posts()
        columns = [
            (self._boards.get(post.board, 0) if post.board is not None else 0, post.thread, post.time) for post in posts
        ]
        board, thread, time = np.array(columns, dtype=np.int64).reshape(-1, 3).T
        self.board_of = dict(zip(thread.tolist(), board.tolist(), strict=True))
        self.last_times = dict(zip(thread.tolist(), time.tolist(), strict=True))
        self.shows_seconds = bool((time % MINUTE).any())
        held = self._watching.held_rows()
        self._note_rows(held)
        shown = {self.board(url): row for url, row in self._watching.board_rows().items() if url in self._boards}
        told = self._told({row.url: row.thread for row in held}, now)
        rows = {thread: row for thread, row in self.rows.items() if row != (None, None)}
        walked = {self.board(url): self._walked(url, since) for url, since in walks.items() if url in self._boards}
        return History(board, thread, time, rows, shown, told, walks=walked)

    def behind(self, history: History) -> list[int]:
        """Threads of which a row told of a post that no page showed, by its count and by its time.

        A crawl reads the rows of a list after threads that it looked at while it learned the site.
        """
        held = Counter(history.thread.tolist())
        found = [
            thread
            for thread, (posts, time) in history.rows.items()
            if posts is not None
            and time is not None
            and posts > held[thread]
            and time > self.last_times.get(thread, time)
        ]
        return found if len(found) <= MOST_BEHIND * len(held) else []

    @property
    def boards(self) -> tuple[int, ...]:
        return tuple(self._board_urls)

    def board(self, url: str) -> int:
        """The number of a board; a new one if it was never met."""
        number = self._boards.get(url)
        if number is None:
            number = self._boards[url] = len(self._boards) + 1
            self._board_urls[number] = url
        return number

    def knows_board(self, url: str) -> bool:
        return url in self._boards

    def board_url(self, number: int) -> str:
        return self._board_urls[number]

    def thread(self, url: str) -> int:
        """The number of a thread."""
        return self.threads((url,))[url]

    def threads(self, urls: Iterable[str]) -> dict[str, int]:
        """The numbers of several threads, with one question to the archive."""
        wanted = list(dict.fromkeys(urls))
        known = self._watching.thread_ids(wanted)
        found = {}
        for url in wanted:
            number = known.get(url)
            if number is None:
                number = self._unknown.setdefault(url, -1 - len(self._unknown))
                self._unknown_urls[number] = url
            elif url in self._unknown:
                self._renamed[number] = self._unknown[url]
            found[url] = self._renamed.get(number, number)
        return found

    def thread_url(self, number: int) -> str | None:
        """The address of a thread; None for one that is gone from the archive."""
        if number < 0:
            return self._unknown_urls[number]
        return self._watching.thread_urls((number,)).get(number)

    def archived(self, number: int) -> int | None:
        """The archive's number of a thread; None where it holds nothing of it."""
        return number if number > 0 else self._watching.thread_id(self._unknown_urls[number])

    def _note_rows(self, held: Iterable[HeldRow]) -> None:
        for row in held:
            self.rows[row.thread] = (row.posts, row.last_time)
            self.looked[Layer.POSTS, row.thread] = row.fetched

    def _walked(self, url: str, since: float) -> list[int]:
        """Threads of a list of which something was read since then."""
        places = (0, self.board(url))
        return [thread for thread in self._watching.seen_since(since) if self.board_of.get(thread, 0) in places]

    def _told(self, threads: dict[str, int], now: float) -> list[int]:
        """Threads with pages in the frontier."""
        waiting = {url for kind, url, _ in self._watching.waiting(now) if kind.value.startswith("thread")}
        return [threads[url] if url in threads else self.thread(url) for url in sorted(waiting)]
