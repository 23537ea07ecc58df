"""Linear regression and k-means in numpy alone: small pure learners with `fit` and `predict`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


class LinearModel:
    """Least squares with an intercept (list-wise paper, eq. 1-2).

    The paper inverts X'X, which is singular for features that name an hour, a day and a state; the least-squares
    solution of smallest norm is what that inverse would give if it existed.
    """

    def __init__(self) -> None:
        self.weights_: FloatArray = np.zeros(0)
        self.intercept_ = 0.0

    def fit(self, x: FloatArray, y: FloatArray) -> LinearModel:
        ones = np.ones((len(x), 1))
        solution: FloatArray = np.linalg.lstsq(np.hstack((ones, x)), y, rcond=1e-8)[0].astype(np.float64)
        self.intercept_ = float(solution[0])
        self.weights_ = solution[1:]
        return self

    def predict(self, x: FloatArray) -> FloatArray:
        predicted: FloatArray = x @ self.weights_ + self.intercept_
        return predicted


class KMeans:
    """Lloyd's algorithm from seeded samples; fewer `centres_` than asked for when points coincide."""

    def __init__(self, clusters: int, rounds: int = 20, seed: int = 0) -> None:
        self.clusters = clusters
        self.rounds = rounds
        self.seed = seed
        self._move(np.zeros((0, 0)))

    def fit(self, points: FloatArray) -> KMeans:
        distinct = np.unique(points, axis=0)
        chosen = np.random.default_rng(self.seed).permutation(len(distinct))[: self.clusters]
        self._move(distinct[chosen])
        for _ in range(self.rounds):
            labels = self.predict(points)
            counts = np.bincount(labels, minlength=len(self.centres_))
            sums = np.zeros_like(self.centres_)
            np.add.at(sums, labels, points)
            filled = counts > 0
            sums[filled] /= counts[filled, None]
            self._move(np.where(filled[:, None], sums, self.centres_))
        return self

    def nearest(self, point: Sequence[float]) -> int:
        """The centre next to a single point."""
        if not len(self.centres_):
            return 0
        return int((self._squares - np.array(point) @ self._doubled).argmin())

    def predict(self, points: FloatArray) -> npt.NDArray[np.int64]:
        if not len(self.centres_):
            return np.zeros(len(points), dtype=np.int64)
        nearest: npt.NDArray[np.int64] = np.argmin(self._squares - points @ self._doubled, axis=1)
        return nearest

    def _move(self, centres: FloatArray) -> None:
        self.centres_: FloatArray = centres
        self._squares: FloatArray = (centres**2).sum(axis=1)
        self._doubled: FloatArray = 2 * centres.T
