"""A crawl on a terminal: a few lines that stay in place."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from thrawl.cli.progress import Counts, Glance, Glances, PaceInWords, duration
from thrawl.crawl.options import Tally
from thrawl.harmless import shown

_LIVE_SECONDS: Final = 0.25


class LiveLines:
    """A few lines on a terminal that stay in place, drawn now and then; sentences are said above them."""

    def __init__(self, seconds: float, console: Console | None = None) -> None:
        self._seconds = seconds
        self._console = console or Console(stderr=True, highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._live.start()
        self._next = 0.0

    def say(self, sentence: str) -> None:
        self._console.print(Text(shown(sentence)))

    def draw(self, picture: Callable[[], RenderableType]) -> None:
        """Draw a picture, if it is time: it is not made otherwise."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._seconds
            self._live.update(picture(), refresh=True)

    def close(self) -> None:
        self._live.stop()


class LiveDisplay(LiveLines):
    """A crawl as it goes on."""

    def __init__(self, counts: Counts, pace: PaceInWords, console: Console | None = None) -> None:
        super().__init__(_LIVE_SECONDS, console)
        self._glances = Glances(counts, pace)

    def show(self, tally: Tally) -> None:
        self.draw(lambda: _table(self._glances.look(tally)))


def _table(glance: Glance) -> Table:
    table = Table.grid(padding=(0, 2))
    if glance.learning:
        table.add_row("learning", f"{glance.learning:,} pages")
        table.add_row("pace", Text(glance.pace, overflow="ellipsis", no_wrap=True))
        return table
    left = "-" if glance.seconds_left is None else duration(glance.seconds_left)
    table.add_row("threads", f"{glance.threads_done:,} of {glance.threads_found:,}", "posts", f"{glance.posts:,}")
    table.add_row("pages", f"{glance.pages:,} ({glance.speed:.1f}/s)", "useful", f"{glance.useful:.0%}")
    table.add_row("waiting", f"{glance.waiting:,}", "time left", left)
    table.add_row("pace", Text(glance.pace, overflow="ellipsis", no_wrap=True), "", "")
    if glance.failed:
        table.add_row("failed", f"{glance.failed:,}", "", "")
    table.add_row("now", Text(shown(glance.url[:80]), overflow="ellipsis", no_wrap=True), "", "")
    return table
