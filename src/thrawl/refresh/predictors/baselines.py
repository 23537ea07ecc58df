"""The baselines of the report's section 3.1: one period for all threads, a thread's mean gap, a window's mean gap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thrawl.refresh.predictors.point import PointPredictor, bounded, bounds
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts


class OnePeriod(PointPredictor):
    """The mean gap of all threads, whatever a thread does."""

    def _fit(self, threads: Sequence[ThreadPosts]) -> None:
        pass

    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        return np.full(len(silences), self.mean_)


class MeanGap(PointPredictor):
    """`fit` gives `means_`, the mean gap of each thread in training; it is not learned again."""

    def _fit(self, threads: Sequence[ThreadPosts]) -> None:
        self.means_ = {thread.key: bounded(float(thread.gaps.mean())) for thread in threads if len(thread) > 1}

    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        mean = self.means_.get(thread.key)
        if mean is None:
            mean = float(thread.gaps.mean()) if len(thread) > 1 else self.mean_
        known = max(len(thread) - 1, 1)
        return bounds(np.where(silences > 0, (mean * known + silences) / (known + 1), mean))


class WindowMean(PointPredictor):
    """The mean of the w gaps before the last visible post."""

    def __init__(self, window: int = 5) -> None:
        self.window = window

    def _fit(self, threads: Sequence[ThreadPosts]) -> None:
        pass

    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        gaps = thread.gaps[-self.window :]
        if not len(gaps):
            return bounds(np.maximum(self.mean_, silences))
        newer = gaps[1:] if len(gaps) == self.window else gaps
        given = (float(newer.sum()) + silences) / (len(newer) + 1)
        return bounds(np.where(silences > 0, given, float(gaps.mean())))
