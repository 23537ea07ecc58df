"""What a person sees while a crawl runs: live lines on a terminal (`live`), plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TextIO

from thrawl.archive.values import PageState
from thrawl.crawl.options import Tally
from thrawl.harmless import shown
from thrawl.page.pagekind import PageKind

Counts = Callable[[], tuple[tuple[PageKind, PageState, int], ...]]
PaceInWords = Callable[[], str]

_LINE_SECONDS: Final = 10.0
_COUNT_SECONDS: Final = 3.0
_SPEED_SECONDS: Final = 30.0
_DONE: Final = (PageState.DONE, PageState.FAILED)


@dataclass(frozen=True, slots=True)
class Glance:
    """A crawl at one moment: what is found, what is done, how long it may take.

    `speed` is the pages of a second, `pace` what the client keeps to, in words; `learning` the pages that were read
    so far to learn the site, before anything else is known.
    """

    threads_found: int
    threads_done: int
    waiting: int
    pages: int
    posts: int
    failed: int
    useful: float
    speed: float
    pace: str
    url: str
    learning: int = 0

    @property
    def seconds_left(self) -> float | None:
        return self.waiting / self.speed if self.speed > 0 and self.waiting else None

    def line(self) -> str:
        if self.learning:
            return f"learning: {self.learning} pages; {self.pace}"
        left = "" if self.seconds_left is None else f", about {duration(self.seconds_left)} left"
        failed = f", {self.failed} failed" if self.failed else ""
        return (
            f"threads {self.threads_done} of {self.threads_found}, posts {self.posts}, pages {self.pages} "
            f"({self.speed:.1f}/s, {self.useful:.0%} useful{failed}), {self.waiting} waiting{left}; {self.pace}"
        )


class Glances:
    """Makes glances; the archive is counted only now and then, since that grows with it."""

    def __init__(self, counts: Counts, pace: PaceInWords) -> None:
        self._counts = counts
        self._pace = pace
        self._counted = (0, 0, 0)
        self._next_count = 0.0
        self._history: deque[tuple[float, int]] = deque()

    def look(self, tally: Tally) -> Glance:
        now = time.monotonic()
        if now >= self._next_count:
            self._counted = _threads_and_waiting(self._counts())
            took = time.monotonic() - now
            self._next_count = now + max(_COUNT_SECONDS, 50 * took)
        found, done, waiting = self._counted
        return Glance(
            found, done, waiting, tally.pages, tally.posts, sum(tally.failures.values()),
            tally.useful_share, self._speed(now, tally), self._pace(), tally.last_url, tally.learning,
        )  # fmt: skip

    def _speed(self, now: float, tally: Tally) -> float:
        if not self._history:
            self._history.append((tally.started, 0))
        self._history.append((now, tally.pages))
        while now - self._history[0][0] > _SPEED_SECONDS:
            self._history.popleft()
        began, before = self._history[0]
        return (tally.pages - before) / (now - began) if now > began else 0.0


def _threads_and_waiting(counts: tuple[tuple[PageKind, PageState, int], ...]) -> tuple[int, int, int]:
    found = sum(number for kind, _, number in counts if kind is PageKind.THREAD)
    done = sum(number for kind, state, number in counts if kind is PageKind.THREAD and state in _DONE)
    return found, done, sum(number for _, state, number in counts if state not in _DONE)


class Display(Protocol):
    """Shows a crawl to somebody."""

    def say(self, sentence: str) -> None: ...

    def show(self, tally: Tally) -> None: ...

    def close(self) -> None: ...


class Lines:
    """Plain lines, one every few seconds."""

    def __init__(
        self, counts: Counts, pace: PaceInWords, stream: TextIO | None = None, seconds: float = _LINE_SECONDS
    ) -> None:
        self._glances = Glances(counts, pace)
        self._stream = stream or sys.stderr
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def say(self, sentence: str) -> None:
        print(shown(sentence), file=self._stream, flush=True)

    def show(self, tally: Tally) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._seconds
            self.say(self._glances.look(tally).line())

    def close(self) -> None:
        """Nothing is held open."""


class Silent:
    """Says nothing; for --json."""

    def say(self, sentence: str) -> None:
        """Nobody listens."""

    def show(self, tally: Tally) -> None:
        """Nobody looks."""

    def close(self) -> None:
        """Nothing is held open."""


def display_for(counts: Counts, pace: PaceInWords, *, quiet: bool) -> Display:
    """The display that suits the place where the program runs."""
    if quiet:
        return Silent()
    if not sys.stderr.isatty():
        return Lines(counts, pace)
    from thrawl.cli.live import LiveDisplay  # brings Rich along, which nothing but a terminal needs

    return LiveDisplay(counts, pace)


def duration(seconds: float) -> str:
    """A time span as people say it: 40 s, 12 min, 3 h 20 min, 2 days."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{round(seconds)} s"
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{round(minutes / 1440)} days"
