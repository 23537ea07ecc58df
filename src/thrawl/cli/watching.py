"""What a person sees while a watch runs: lines that stay in place on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final, Protocol

from thrawl.archive.values import from_seconds
from thrawl.cli.progress import duration
from thrawl.harmless import shown
from thrawl.refresh.freshness import Freshness
from thrawl.refresh.watchvalues import WatchTally

LINE_SECONDS: Final = 60.0
# How often a terminal is drawn, and how often the archive is asked for its freshness: that grows with a month's posts,
# so it takes a fiftieth of the time at most.
DRAW_SECONDS: Final = 0.25
ASK_SECONDS: Final = 10.0
ASK_SHARE: Final = 0.02
# Next visits and boards that are shown: a screen has room for so many.
SHOWN: Final = 5

Ask = Callable[[], Freshness]


class WatchDisplay(Protocol):
    """Shows a watch to somebody."""

    def say(self, sentence: str) -> None: ...

    def look(self, tally: WatchTally) -> None: ...

    def close(self) -> None: ...


class Asked:
    """The freshness of an archive, as it was a little while ago at most."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._known: Freshness | None = None
        self._next = 0.0

    def now(self) -> Freshness:
        began = time.monotonic()
        if self._known is None or began >= self._next:
            self._known = self._ask()
            took = time.monotonic() - began
            self._next = began + max(ASK_SECONDS, took / ASK_SHARE)
        return self._known


class WatchLines:
    """Plain lines, one a minute."""

    def __init__(self, ask: Ask, seconds: float = LINE_SECONDS) -> None:
        self._asked = Asked(ask)
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def say(self, sentence: str) -> None:
        print(shown(sentence), file=sys.stderr, flush=True)

    def look(self, tally: WatchTally) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._seconds
            self.say(line(tally, self._asked.now()))

    def close(self) -> None:
        """Nothing is held open."""


class SilentWatch:
    """Says nothing; for --json."""

    def say(self, sentence: str) -> None:
        """Nobody listens."""

    def look(self, tally: WatchTally) -> None:
        """Nobody looks."""

    def close(self) -> None:
        """Nothing is held open."""


def watch_display_for(ask: Ask, *, quiet: bool) -> WatchDisplay:
    """The display that suits the place where the program runs."""
    if quiet:
        return SilentWatch()
    if not sys.stderr.isatty():
        return WatchLines(ask)
    from thrawl.cli.watchlive import LiveWatch  # brings Rich along, which nothing but a terminal needs

    return LiveWatch(ask)


def line(tally: WatchTally, fresh: Freshness) -> str:
    """A watch in one line."""
    failed = f", {tally.failed} failed" if tally.failed else ""
    delay = "" if fresh.median is None else f", delay {fresh.median:g} min (90 %: {fresh.p90:g})"
    return (
        f"today {fresh.threads_today} new threads, {fresh.posts_today} new posts{delay}; "
        f"requests {used(fresh) or 'none'}{failed}; last {tally.last_url} ({tally.last_why})"
    )


def used(fresh: Freshness) -> str:
    """Where the budget of a day went, by kind of page."""
    return ", ".join(f"{kind} {number}" for kind, number in sorted(fresh.requests_today.items()))


def visits(fresh: Freshness, now: float) -> list[tuple[str, str, str]]:
    """The next visits: when, where, and why the last one was made."""
    return [
        (
            "now" if not one.due or one.due <= now else f"in {duration(one.due - now)}",
            f"{one.kind} {one.url}",
            f"last {from_seconds(one.looked):%H:%M}: {one.why}",
        )
        for one in fresh.next_visits[:SHOWN]
    ]
