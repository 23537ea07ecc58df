"""The scaled sigmoid with stochastic gradient updates at run time (report, section 3.4), one model a thread.

f(X) = (L - l) / (1 + e^(w X)) + l, with L = Q3 + 2.5 (Q3 - Q1) of the training gaps and l = 0 (the report prints that
value as l). Update: w += eta (f - gap) / (L - l) s (1 - s) X, with s the sigmoid before scaling; the printed form puts
f itself into the gradient and diverges within minutes. Weights start at 0, the bias at 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, Self

import numpy as np

from thrawl.refresh.predictors.point import PointPredictor, bounded, bounds
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts
from thrawl.refresh.predictors.svr import LEAST_GAPS
from thrawl.refresh.predictors.windows import (
    MINUTE,
    Vocabulary,
    WindowShape,
    choose_vocabulary,
    content_row,
    context,
    last_gaps,
    words_of,
)
from thrawl.refresh.predictors.words import PostWords, WordReader

LEARNING_RATE: Final = 0.2
# Tokens of a window are counted in tens, so that no weight meets inputs much above 1.
COUNT_UNIT: Final = 10.0
# Beyond this the sigmoid is 0 or 1, and e would overflow.
LARGEST_SUM: Final = 50.0
WINDOW_OF_WORDS: Final = WindowShape(window=5, vocabulary=15)


@dataclass(slots=True)
class SigmoidModel:
    """One thread's weights; the last is the bias."""

    upper: float
    vocabulary: Vocabulary
    weights: FloatArray

    def sigmoid(self, row: FloatArray) -> float:
        total = min(max(float(self.weights @ row), -LARGEST_SUM), LARGEST_SUM)
        return 1.0 / (1.0 + exp(total))

    def learn(self, row: FloatArray, gap: float, rate: float) -> None:
        s = self.sigmoid(row)
        self.weights += rate * (s - gap / self.upper) * s * (1 - s) * row


class ScaledSigmoid(PointPredictor):
    """`fit` gives `models_`; `partial_fit` learns the newest gap of threads."""

    def __init__(
        self,
        shape: WindowShape = WINDOW_OF_WORDS,
        *,
        learning_rate: float = LEARNING_RATE,
        reader: WordReader | None = None,
    ) -> None:
        self.shape = shape
        self.learning_rate = learning_rate
        self.reader = reader or WordReader()
        self.models_: dict[int, SigmoidModel] = {}

    def partial_fit(self, threads: Sequence[ThreadPosts]) -> Self:
        for thread in threads:
            model = self.models_.get(thread.key)
            if model is not None and len(thread) > 1:
                self._learn(model, thread.first(len(thread) - 1), float(thread.gaps[-1]))
        return self

    def _fit(self, threads: Sequence[ThreadPosts]) -> None:
        self.models_ = {thread.key: self._fit_thread(thread) for thread in threads if len(thread) > LEAST_GAPS}

    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        model = self.models_.get(thread.key)
        if model is None:
            mean = float(thread.gaps.mean()) if len(thread) > 1 else self.mean_
            return bounds(np.maximum(mean, silences))
        words = self._newest_words(thread)
        rows = (self._row(model, thread, silence, words) for silence in silences.tolist())
        return bounds(np.array([model.upper * model.sigmoid(row) for row in rows]))

    def _fit_thread(self, thread: ThreadPosts) -> SigmoidModel:
        lower, upper = np.percentile(thread.gaps, (25, 75))
        vocabulary = choose_vocabulary(words_of(thread, self.reader)[:-1], thread.gaps / MINUTE, self.shape)
        width = self.shape.window + len(context(0.0)) + 1 + len(vocabulary.tokens_) + 1
        weights = np.zeros(width)
        weights[-1] = 1.0
        model = SigmoidModel(bounded(float(upper + 2.5 * (upper - lower))), vocabulary, weights)
        for place in range(1, len(thread)):
            self._learn(model, thread.first(place), float(thread.gaps[place - 1]))
        return model

    def _learn(self, model: SigmoidModel, thread: ThreadPosts, gap: float) -> None:
        model.learn(self._row(model, thread, 0.0, self._newest_words(thread)), gap, self.learning_rate)

    def _newest_words(self, thread: ThreadPosts) -> list[PostWords]:
        return [self.reader.read(text) for text in thread.texts[-self.shape.window :]]

    def _row(self, model: SigmoidModel, thread: ThreadPosts, silence: float, words: Sequence[PostWords]) -> FloatArray:
        gaps = last_gaps(thread, self.shape.window, silence, self.mean_) * MINUTE / model.upper
        content = content_row(words, model.vocabulary, self.shape, np.ones(len(words))) / COUNT_UNIT
        return np.concatenate((np.minimum(gaps, 1.0), context(thread.last + silence), content, [1.0]))
