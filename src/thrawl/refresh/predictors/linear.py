"""Linear regression on the list-wise features (report, section 3.2; list-wise paper, table 1), one model for all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thrawl.refresh.features import ListTimes
from thrawl.refresh.interval import IntervalPredictor
from thrawl.refresh.predictors.point import PointPredictor, bounds
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts

# Before every post: no thread is taken as silent since its last known one, after which nothing is known.
BEFORE_ALL = float("-inf")


class ListwiseLinear(PointPredictor):
    """`fit` gives `model_`."""

    def __init__(self) -> None:
        self.model_ = IntervalPredictor(lists_end=True)

    def _fit(self, threads: Sequence[ThreadPosts]) -> None:
        lists = [thread.times.tolist() for thread in threads if len(thread)]
        self.model_ = IntervalPredictor(lists_end=True).fit(lists, BEFORE_ALL)

    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        times = ListTimes()
        for time in thread.times.tolist():
            times.add(time)
        return bounds(np.array([self.model_.predict(times, times.last + silence) for silence in silences.tolist()]))
