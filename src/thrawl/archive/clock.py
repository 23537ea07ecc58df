"""The archive's time never runs back: what is fetched later counts as later, also where the clock was set back.

Which wording of a post is the newer one is told by the moments at which they were fetched. Where the archive holds
moments that the clock has not reached yet, all that this process fetches is moved on by as much.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from thrawl.archive.values import PageOutcome, to_seconds


class ArchiveClock:
    """Moments of this process as the archive counts them. `latest` gives the last moment that the archive holds."""

    def __init__(self, latest: Callable[[], float | None]) -> None:
        self._latest = latest
        self._opened = time.time()
        self._behind: float | None = None

    def moved(self, outcome: PageOutcome) -> PageOutcome:
        """An outcome at its moment."""
        moment = self._at(outcome.fetched)
        return outcome if moment is outcome.fetched else replace(outcome, fetched=moment)

    def seconds(self, moment: datetime) -> float:
        """A moment of this process in the archive's seconds."""
        return to_seconds(self._at(moment))

    def _at(self, moment: datetime) -> datetime:
        """What was fetched before the archive was opened stays where it is: it comes from another place."""
        behind = self._seconds_behind()
        return moment + timedelta(seconds=behind) if behind and to_seconds(moment) >= self._opened else moment

    def _seconds_behind(self) -> float:
        if self._behind is None:  # asked for once, by the first that writes
            self._behind = max(0.0, (self._latest() or 0.0) - self._opened)
        return self._behind
