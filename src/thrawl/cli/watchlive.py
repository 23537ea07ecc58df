"""A watch on a terminal: a few lines that stay in place."""

from __future__ import annotations

import time

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from thrawl.cli.live import LiveLines
from thrawl.cli.progress import duration
from thrawl.cli.watching import DRAW_SECONDS, SHOWN, Ask, Asked, used, visits
from thrawl.harmless import shown
from thrawl.refresh.freshness import Freshness
from thrawl.refresh.watchvalues import WatchTally


class LiveWatch(LiveLines):
    """New threads and posts, delays, where the budget goes, busy boards, and what comes next."""

    def __init__(self, ask: Ask, console: Console | None = None) -> None:
        super().__init__(DRAW_SECONDS, console)
        self._asked = Asked(ask)

    def look(self, tally: WatchTally) -> None:
        self.draw(lambda: picture(tally, self._asked.now(), time.time()))


def picture(tally: WatchTally, fresh: Freshness, now: float) -> Group:
    """A watch as it stands."""
    return Group(_figures(tally, fresh, now), _activity(fresh), _agenda(fresh, now))


def _figures(tally: WatchTally, fresh: Freshness, now: float) -> Table:
    table = Table.grid(padding=(0, 2))
    delay = "-" if fresh.median is None else f"{fresh.median:g} min, 90 % within {fresh.p90:g} min"
    table.add_row("today", _cut(f"{fresh.threads_today:,} new threads, {fresh.posts_today:,} new posts"))
    table.add_row("delay", _cut(delay))
    table.add_row("requests", _cut(used(fresh) or "none"))
    if tally.failed:
        table.add_row("failed", f"{tally.failed:,}")
    for name, share in fresh.reliability.items():
        table.add_row("signal", _cut(f"{name}: told {share:.0%} of the news in time"))
    table.add_row("now", _cut(f"{tally.last_url} ({tally.last_why})"))
    if tally.next_at > now:
        table.add_row("next", f"in {duration(tally.next_at - now)}")
    return table


def _activity(fresh: Freshness) -> Table:
    table = Table.grid(padding=(0, 2))
    for url, posts in fresh.boards[:SHOWN]:
        table.add_row(f"{posts:,}", _cut(f"posts in 30 days: {url}"))
    return table


def _agenda(fresh: Freshness, now: float) -> Table:
    table = Table.grid(padding=(0, 2))
    for when, where, why in visits(fresh, now):
        table.add_row(when, _cut(where), _cut(why))
    return table


def _cut(text: str) -> Text:
    return Text(shown(text[:120]), overflow="ellipsis", no_wrap=True)
