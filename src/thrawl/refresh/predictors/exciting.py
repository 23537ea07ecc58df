"""The self-exciting rate that the policy `ours` uses, as a predictor: rhythm x decaying sums over a thread's posts.

See `refresh.excitation` for the process. Here it is learned from the gaps of the threads at hand, with a constant rate
beside the kernel for threads whose pulse is gone, and with the rhythm's mean over each gap. `boosted` scales this rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final, Self

import numpy as np

from thrawl.refresh.predictors.forecast import LONGEST_WAIT, SHORTEST_WAIT
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts
from thrawl.refresh.pulse import SCALES
from thrawl.refresh.rhythm import DAY, Rhythm

SCALE_ROW: Final = np.array(SCALES)
# Posts after which a post causes none, before anything is learned; spread evenly over the scales.
PRIOR_BRANCHING: Final = 0.8
# Gaps that the prior counts for, at each scale; and the rate of a thread whose pulse is gone, one post in ten years.
PRIOR_GAPS: Final = 0.1
PRIOR_BASE: Final = 1 / (3650.0 * DAY)
ROUNDS: Final = 60
# Gaps that are learned from: enough for seven weights, whatever the forum's size.
LEARNED_GAPS: Final = 60_000
# The last posts of a thread that move its rate: the thousandth before the last is long decayed or outweighed.
PULSE_POSTS: Final = 1000


@dataclass(frozen=True, slots=True)
class Exciting:
    """The forecast of one thread: its amplitudes at its last visible post, and the rhythm of the site."""

    moment: float
    amplitudes: tuple[float, ...]
    base: float
    rhythm: Rhythm

    def rate(self, now: float) -> float:
        passed = max(0.0, now - self.moment)
        level = sum(a * exp(-passed / scale) for a, scale in zip(self.amplitudes, SCALES, strict=True))
        return self.rhythm.at(now) * (self.base + level)

    def expected(self, since: float, now: float) -> float:
        start = max(since, self.moment)
        if now <= start:
            return 0.0
        passed, until = start - self.moment, now - self.moment
        posts = self.base * (until - passed)
        for amplitude, scale in zip(self.amplitudes, SCALES, strict=True):
            posts += amplitude * scale * (exp(-passed / scale) - exp(-until / scale))
        return self.rhythm.mean(start, now) * posts


class SelfExciting:
    """`fit` gives `rhythm_`, `weights_` (posts a second that a fresh post causes at each scale) and `base_`."""

    def __init__(self) -> None:
        self.rhythm_ = Rhythm()
        self.weights_: FloatArray = PRIOR_BRANCHING / len(SCALES) / SCALE_ROW
        self.base_ = PRIOR_BASE

    def fit(self, threads: Sequence[ThreadPosts], until: float | None = None) -> Self:
        times = np.sort(np.concatenate([thread.times for thread in threads])) if threads else np.zeros(0)
        self.rhythm_ = Rhythm(weeks=None).fit(times.astype(np.int64))
        learned = [gaps for thread in _spread(threads) for gaps in self._gaps(thread, until)]
        if learned:
            sums, exposure = (np.concatenate(parts) for parts in zip(*learned, strict=True))
            self._maximise(sums, exposure.sum(axis=0))
        return self

    def predict(self, threads: Sequence[ThreadPosts]) -> FloatArray:
        """When one post is expected, as for an exponential waiting time: its mean."""
        return one_post([self.follow(thread) for thread in threads])

    def follow(self, thread: ThreadPosts, now: float | None = None) -> Exciting:
        return self.scaled(thread, 1.0, decayed_sums(thread))

    def scaled(self, thread: ThreadPosts, factor: float, sums: FloatArray) -> Exciting:
        """The forecast with the thread's pulse, whose decayed sums are given, times a factor."""
        moment = thread.last if len(thread) else 0.0
        return Exciting(moment, tuple((factor * self.weights_ * sums).tolist()), self.base_, self.rhythm_)

    def _maximise(self, sums: FloatArray, exposure: FloatArray) -> None:
        """EM: how much each scale, and the base, had to do with each post that ended a gap."""
        weights = np.append(PRIOR_BRANCHING / len(SCALES) / SCALE_ROW, PRIOR_BASE)
        prior = PRIOR_GAPS / weights
        ended = sums[sums[:, -1] > 0]
        for _ in range(ROUNDS):
            share = ended * weights
            share /= share.sum(axis=1, keepdims=True)
            weights = (share.sum(axis=0) + PRIOR_GAPS) / (exposure + prior)
        self.weights_, self.base_ = weights[:-1], float(weights[-1])

    def _gaps(self, thread: ThreadPosts, until: float | None) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Of each gap: the decayed sums when it ended (none where it has not yet), and the kernel's mass within it."""
        ends = thread.times[1:] if until is None else np.append(thread.times[1:], max(until, thread.last))
        if not len(ends):
            return
        starts = thread.times[: len(ends)]
        after, gaps = running_sums(thread)[: len(ends)], ends - starts
        left = np.exp(-gaps[:, None] / SCALE_ROW)
        rhythm = np.array([self.rhythm_.mean(start, end) for start, end in zip(starts, ends, strict=True)])
        mass = np.column_stack((after * SCALE_ROW * (1 - left), gaps)) * rhythm[:, None]
        sums = np.column_stack((after * left, np.ones(len(gaps))))
        sums[len(thread) - 1 :] = 0.0
        yield sums, mass


def running_sums(thread: ThreadPosts) -> FloatArray:
    """After each post, the sums of e^(-age / scale) over the posts so far; one column a scale."""
    sums = np.zeros((len(thread), len(SCALES)))
    decays = np.exp(-thread.gaps[:, None] / SCALE_ROW)
    sums[:1] = 1.0
    for place in range(1, len(thread)):
        sums[place] = sums[place - 1] * decays[place - 1] + 1.0
    return sums


def decayed_sums(thread: ThreadPosts) -> FloatArray:
    """The sums after the last post; none without posts."""
    ages = thread.times[-1:] - thread.times[-PULSE_POSTS:]
    sums: FloatArray = np.exp(ages[:, None] / -SCALE_ROW).sum(axis=0)
    return sums


def one_post(forecasts: Sequence[Exciting]) -> FloatArray:
    """The waits after which one post is expected; all at once by bisection, with the mean rhythm."""
    amplitudes = np.array([forecast.amplitudes for forecast in forecasts]).reshape(-1, len(SCALES))
    base = np.array([forecast.base for forecast in forecasts])
    low = np.full(len(forecasts), SHORTEST_WAIT)
    high = np.full(len(forecasts), LONGEST_WAIT)
    for _ in range(40):
        wait = np.sqrt(low * high)
        posts = base * wait + (amplitudes * SCALE_ROW * -np.expm1(-wait[:, None] / SCALE_ROW)).sum(axis=1)
        low, high = np.where(posts < 1, wait, low), np.where(posts < 1, high, wait)
    waits: FloatArray = np.sqrt(low * high)
    return waits


def _spread(threads: Sequence[ThreadPosts]) -> Sequence[ThreadPosts]:
    """Every n-th thread, so that about as many gaps as are learned from are left; dead ones stay in proportion."""
    posts = sum(len(thread) for thread in threads)
    return [thread for thread in threads[:: 1 + posts // LEARNED_GAPS] if len(thread)]
