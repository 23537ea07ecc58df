"""A crawl tells the archive how it is doing, for `thrawl serve` in another process."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from thrawl.archive.progress import Progress
from thrawl.archive.store import Archive
from thrawl.cli.pace import current_delay, pace_in_words
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import Tally
from thrawl.net.client import Client

_TELL_SECONDS: Final = 2.0  # often enough to look alive, seldom enough to cost nothing
_SPEED_SECONDS: Final = 60.0


class Telling:
    """Wraps what shows a crawl to a person: the archive is told, too."""

    def __init__(self, archive: Archive, client: Client, show: Callable[[Tally], None]) -> None:
        self._archive = archive
        self._client = client
        self._show = show
        self._started = time.time()
        self._next = 0.0
        self._history: deque[tuple[float, int]] = deque()
        self.crawl: ForumCrawl | None = None

    def show(self, tally: Tally) -> None:
        self._show(tally)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _TELL_SECONDS
            self.tell(tally, "files" if tally.media.requests else "pages")

    def tell(self, tally: Tally, phase: str) -> None:
        """Say it once; nothing is said before the forum is in the archive."""
        if self.crawl is None or self.crawl.forum_id is None:
            return
        requests = tally.pages + tally.media.requests
        now = Progress(
            forum_id=self.crawl.forum_id,
            started=self._started,
            updated=time.time(),
            phase=phase,
            requests=requests,
            speed=self._speed(requests),
            delay=current_delay(self._client),
            pace=pace_in_words(self._client),
            url=tally.last_url,
        )
        self._archive.tell(now)

    def _speed(self, requests: int) -> float:
        now = time.monotonic()
        self._history.append((now, requests))
        while now - self._history[0][0] > _SPEED_SECONDS:
            self._history.popleft()
        began, before = self._history[0]
        return (requests - before) / (now - began) if now > began else 0.0
