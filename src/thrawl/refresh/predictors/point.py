"""Predictors that name one moment: what they share.

A point forecast is used in two ways. The report's crawler plans its next visit at the last visible post + prediction.
Given the silence, it predicts again at a visit that found nothing: the silence so far then stands for the newest gap.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

import numpy as np

from thrawl.refresh.predictors.forecast import LONGEST_WAIT, SHORTEST_WAIT, Exponential
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts, all_gaps
from thrawl.refresh.rhythm import DAY


class PointPredictor(ABC):
    """`fit` gives `mean_`, the mean gap of all threads, for those of which nothing is known."""

    mean_ = float(DAY)

    def fit(self, threads: Sequence[ThreadPosts], until: float | None = None) -> Self:
        gaps = all_gaps(threads)
        self.mean_ = bounded(float(gaps.mean())) if len(gaps) else float(DAY)
        self._fit(threads)
        return self

    def predict(self, threads: Sequence[ThreadPosts]) -> FloatArray:
        """Seconds from the last visible post of each thread to its next."""
        return np.array([self._predict(thread, np.zeros(1))[0] for thread in threads])

    def predict_silent(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        """Seconds still to wait after each silence since the last post."""
        return self._predict(thread, silences)

    def follow(self, thread: ThreadPosts, now: float | None = None) -> Exponential:
        silence = 0.0 if now is None or not len(thread) else max(0.0, now - thread.last)
        return Exponential(bounded(float(self._predict(thread, np.array([silence]))[0])))

    @abstractmethod
    def _fit(self, threads: Sequence[ThreadPosts]) -> None: ...

    @abstractmethod
    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        """Seconds to the next post, after each silence; a silence of 0 is the moment of the last post."""


def bounded(wait: float) -> float:
    return min(max(wait, SHORTEST_WAIT), LONGEST_WAIT)


def bounds(waits: FloatArray) -> FloatArray:
    clipped: FloatArray = np.clip(waits, SHORTEST_WAIT, LONGEST_WAIT)
    return clipped
