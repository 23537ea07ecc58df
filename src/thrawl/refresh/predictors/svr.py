"""Support vector regression on windows, one model a thread, and on the discounted sum of all posts (sections 3.2, 3.3).

Every column is scaled to unit spread on the training part: with minutes as they are, one long gap would be all that an
RBF kernel sees. The target is the gap in minutes, or its logarithm (`log_target`). A thread with fewer training gaps
than `LEAST_GAPS` is predicted by its mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from typing import Any, Final

import numpy as np

from thrawl.errors import InputError
from thrawl.refresh.predictors.point import PointPredictor, bounds
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts
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

LEAST_GAPS: Final = 20
WINDOW_OF_GAPS: Final = WindowShape()
LAST_POST: Final = WindowShape(window=1, vocabulary=15)
# A post that is discounted to less than this is not read.
LEAST_WEIGHT: Final = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class ThreadModel:
    """What was learned of one thread: its words, its scaling, and the support vectors of its regression."""

    vocabulary: Vocabulary
    mean: FloatArray
    spread: FloatArray
    vectors: FloatArray
    weights: FloatArray
    intercept: float
    gamma: float

    def predict(self, rows: FloatArray) -> FloatArray:
        """The regression's own sum over its support vectors; scikit-learn's call takes longer than the sum."""
        scaled = (rows - self.mean) / self.spread
        distances = (scaled**2).sum(1)[:, None] + (self.vectors**2).sum(1)[None, :] - 2 * scaled @ self.vectors.T
        predicted: FloatArray = np.exp(-self.gamma * distances) @ self.weights + self.intercept
        return predicted


class WindowSvr(PointPredictor):
    """`fit` gives `models_`, one a thread."""

    def __init__(
        self, shape: WindowShape = WINDOW_OF_GAPS, *, log_target: bool = True, reader: WordReader | None = None
    ) -> None:
        self.shape = shape
        self.log_target = log_target
        self.reader = reader or WordReader()
        self.models_: dict[int, ThreadModel] = {}

    @property
    def memory(self) -> int:
        """The newest posts whose words are read."""
        return self.shape.window

    def _fit(self, threads: Sequence[ThreadPosts]) -> None:
        self.models_ = {thread.key: self._fit_thread(thread) for thread in threads if len(thread) > LEAST_GAPS}

    def _predict(self, thread: ThreadPosts, silences: FloatArray) -> FloatArray:
        model = self.models_.get(thread.key)
        if model is None:
            mean = float(thread.gaps.mean()) if len(thread) > 1 else self.mean_
            return bounds(np.maximum(mean, silences))
        newest = thread.texts[-self.memory :] if self.shape.reads else ()
        words = self._content([self.reader.read(text) for text in newest], model.vocabulary)
        rows = np.array([self._row(thread, silence, words) for silence in silences.tolist()])
        predicted = model.predict(rows)
        return bounds(np.expm1(np.minimum(predicted, 50.0)) * MINUTE if self.log_target else predicted * MINUTE)

    def _fit_thread(self, thread: ThreadPosts) -> ThreadModel:
        gaps = thread.gaps / MINUTE
        target = np.log1p(gaps) if self.log_target else gaps
        words = self._words(thread)
        vocabulary = choose_vocabulary(words[:-1], target, self.shape) if words else Vocabulary(0)
        rows = np.array(
            [
                self._row(thread.first(place + 1), 0.0, self._content(words[: place + 1], vocabulary))
                for place in range(len(gaps))
            ]
        )
        return _regress(vocabulary, rows, target)

    def _row(self, thread: ThreadPosts, silence: float, words: FloatArray) -> FloatArray:
        gaps = last_gaps(thread, self.shape.window, silence, self.mean_)
        if self.log_target:
            gaps = np.log1p(gaps)
        return np.concatenate((gaps, context(thread.last + silence), words))

    def _words(self, thread: ThreadPosts) -> list[PostWords]:
        return words_of(thread, self.reader) if self.shape.reads else []

    def _content(self, words: Sequence[PostWords], vocabulary: Vocabulary) -> FloatArray:
        if not self.shape.reads:
            return np.zeros(0)
        newest = words[-self.memory :]
        return content_row(newest, vocabulary, self.shape, np.ones(len(newest)))


class DiscountedSvr(WindowSvr):
    """The words of all posts so far, each discounted: X'(t) = X(t) + alpha X'(t - 1), X'(1) = X(1)."""

    def __init__(
        self,
        alpha: float = 0.5,
        shape: WindowShape = LAST_POST,
        *,
        log_target: bool = True,
        reader: WordReader | None = None,
    ) -> None:
        super().__init__(shape, log_target=log_target, reader=reader)
        self.alpha = alpha

    @property
    def memory(self) -> int:
        return ceil(log(LEAST_WEIGHT) / log(self.alpha)) if self.alpha > LEAST_WEIGHT else 1

    def _content(self, words: Sequence[PostWords], vocabulary: Vocabulary) -> FloatArray:
        newest = words[-self.memory :]
        return content_row(newest, vocabulary, self.shape, self.alpha ** np.arange(len(newest) - 1, -1, -1.0))


def _regress(vocabulary: Vocabulary, rows: FloatArray, target: FloatArray) -> ThreadModel:
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-9] = 1.0
    scaled = (rows - mean) / spread
    gamma = 1.0 / rows.shape[1]
    model = _svr()(kernel="rbf", gamma=gamma).fit(scaled, target)
    return ThreadModel(
        vocabulary, mean, spread, model.support_vectors_, model.dual_coef_[0], float(model.intercept_[0]), gamma
    )


def _svr() -> Any:
    try:
        from sklearn.svm import SVR
    except ImportError:
        raise InputError(
            "Support vector regression needs scikit-learn; install it with: pip install 'thrawl[train]'."
        ) from None
    return SVR
