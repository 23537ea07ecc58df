"""Arrivals as a self-exciting process: every post makes more posts in its thread likely, for minutes to months.

The rate of a thread is rhythm(t) x sum over its posts of a kernel of their age; the kernel is a mixture of exponentials
with fixed time scales whose weights are learned site-wide by maximum likelihood (EM, as in a Hawkes process with known
scales). Such rates add up: the rate of a board is that of all its posts, plus its rate of new threads. So a state of
six decaying sums (`pulse`) is all that is kept of a list, whether a thread, a board or the whole site.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.refresh.pulse import SCALES
from thrawl.refresh.rhythm import DAY, HOUR, Rhythm

LEARNED_POSTS: Final = 30_000
ROUNDS: Final = 40
PRIOR_EVENTS: Final = 2.0
# Below that nothing is learned of how replies follow replies.
FEWEST_REPLIES: Final = 10

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class Excitation:
    """`fit` gives `weights_`: posts a second that a fresh post causes at each time scale."""

    def __init__(self) -> None:
        spread = 0.8 / len(SCALES)
        self.weights_: tuple[float, ...] = tuple(spread / scale for scale in SCALES)

    def fit(self, thread: IntArray, time: IntArray, rhythm: Rhythm) -> Excitation:
        """Learn from posts in order of time, of all threads of a site."""
        moments = time[-LEARNED_POSTS:].astype(np.float64)
        sums = _sums_before(thread[-LEARNED_POSTS:], moments)
        sums = sums[sums[:, -1] > 0]
        if len(sums) < FEWEST_REPLIES:
            return self
        exposure = _exposure(moments, rhythm)
        weights = np.array(self.weights_)
        prior = PRIOR_EVENTS * weights * np.array(SCALES) / 0.8
        for _ in range(ROUNDS):
            share = sums * weights
            share /= share.sum(axis=1, keepdims=True)
            weights = (share.sum(axis=0) + prior) / (exposure + PRIOR_EVENTS * np.array(SCALES))
        self.weights_ = tuple(weights.tolist())
        return self


def _sums_before(thread: IntArray, time: FloatArray) -> FloatArray:
    """For each post, the decayed sums over the earlier posts of its thread, one column a scale."""
    order = np.argsort(thread, kind="stable")
    ordered = thread[order]
    follows = ordered[1:] == ordered[:-1]
    gaps = np.diff(time[order])[follows]
    decays = np.zeros((len(thread), len(SCALES)))
    decays[1:][follows] = np.exp(-gaps[:, None] / np.array(SCALES))
    sums = np.zeros_like(decays)
    for posts in _by_rank(follows):  # those of a thread's first post are zero
        sums[posts] = (sums[posts - 1] + 1.0) * decays[posts]
    before = np.empty_like(sums)
    before[order] = sums
    return before


def _by_rank(follows: npt.NDArray[np.bool_]) -> list[IntArray]:
    """Posts that stand thread by thread: the places of all second posts of threads, of all third ones, and so on."""
    places = np.arange(len(follows) + 1)
    first = np.concatenate(([True], ~follows))
    rank = places - np.maximum.accumulate(np.where(first, places, 0))
    order = np.argsort(rank, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(rank[order])) + 1)[1:]


def _exposure(time: FloatArray, rhythm: Rhythm) -> FloatArray:
    """The integral of rhythm x kernel over what was watched after each post, one figure a scale."""
    left = time[-1] - time
    exposure = np.empty(len(SCALES))
    for k, scale in enumerate(SCALES):
        ahead = rhythm.factors_[((time + min(scale, 3.0 * HOUR) / 2) % (7 * DAY) // HOUR).astype(np.int64)]
        share = min(1.0, 6.0 * HOUR / scale)
        exposure[k] = float(((share * ahead + 1 - share) * scale * (1 - np.exp(-left / scale))).sum())
    return exposure
