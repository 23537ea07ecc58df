"""The daily and weekly rhythm of a site, learned from all its posts together.

The rate of posts at a moment is a site's mean rate times the rhythm, the product of an hour's and a weekday's factor:
31 numbers instead of 168, so that quiet forums can be learned too. Both are drawn towards 1 by pseudo-counts.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.refresh.pulse import Week

HOUR: Final = 3600
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY
HOURS_A_WEEK: Final = 168
LEARNED_WEEKS: Final = 26
HOUR_PSEUDO_COUNT: Final = 10.0
DAY_PSEUDO_COUNT: Final = 20.0

FloatArray = npt.NDArray[np.float64]


class Rhythm:
    """`fit` gives `factors_`: the 168 hours of a week from Thursday 00:00 UTC (the unix epoch), with mean 1."""

    def __init__(self, weeks: int | None = LEARNED_WEEKS) -> None:
        self._weeks = weeks
        self._use(np.ones(HOURS_A_WEEK))

    def fit(self, times: npt.NDArray[np.int64]) -> Rhythm:
        """Learn from times in order: those of the last weeks, or all of them."""
        recent = times[times > times[-1] - self._weeks * WEEK] if len(times) and self._weeks else times
        hours = np.bincount(recent % DAY // HOUR, minlength=24) + HOUR_PSEUDO_COUNT
        smooth = (np.roll(hours, 1) + 2 * hours + np.roll(hours, -1)) / 4
        days = np.bincount(recent % WEEK // DAY, minlength=7) + DAY_PSEUDO_COUNT
        self._use((days[:, None] * smooth[None, :]).ravel())
        return self

    def at(self, time: float) -> float:
        return self.week.at(time)

    def mass(self, start: float, end: float) -> float:
        """The integral of the rhythm over time, in seconds."""
        return self.week.mass_to(end) - self.week.mass_to(start)

    def mean(self, start: float, end: float) -> float:
        """The rhythm's mean over a span; its value where the span is empty."""
        return self.week.mean(start, end)

    def _use(self, weights: FloatArray) -> None:
        self.factors_: FloatArray = weights / weights.mean()
        cumulated = np.concatenate(([0.0], np.cumsum(self.factors_) * HOUR))
        self.week = Week(self.factors_.tolist(), cumulated.tolist())
