"""Arrivals as a self-exciting process: every post makes more posts in its thread likely, for minutes to months.

The rate of a thread is rhythm(t) x sum over its posts of a kernel of their age; the kernel is a mixture of exponentials
with fixed time scales whose weights are learned site-wide by maximum likelihood (EM, as in a Hawkes process with known
scales). Such rates add up: the rate of a board is that of all its posts, plus its rate of new threads. So a state of
six decaying sums is all that is kept of a list, whether a thread, a board or the whole site.
"""

from __future__ import annotations

from math import exp, expm1
from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.refresh.rhythm import DAY, HOUR, Rhythm

SCALES: Final = (0.2 * HOUR, 1.0 * HOUR, 6.0 * HOUR, 1.5 * DAY, 10.0 * DAY, 90.0 * DAY)
LEARNED_POSTS: Final = 30_000
ROUNDS: Final = 40
PRIOR_EVENTS: Final = 2.0
# Posts a second below which a decayed sum is not worth an exponential.
FAINTEST: Final = 1e-12
# Time scales after which nothing is left of a sum: e^-40.
OVER: Final = 40.0

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
        replies = sums[:, -1] > 0
        if np.count_nonzero(replies) < 10:
            return self
        exposure = _exposure(moments, rhythm)
        weights = np.array(self.weights_)
        prior = PRIOR_EVENTS * weights * np.array(SCALES) / 0.8
        for _ in range(ROUNDS):
            share = sums[replies] * weights
            share /= share.sum(axis=1, keepdims=True)
            weights = (share.sum(axis=0) + prior) / (exposure + PRIOR_EVENTS * np.array(SCALES))
        self.weights_ = tuple(weights.tolist())
        return self


class Pulse:
    """The state of one list: its decaying sums, already weighted, at a moment. Rates leave the rhythm out."""

    __slots__ = ("amplitudes", "base", "moment")

    def __init__(self, moment: float, base: float = 0.0) -> None:
        self.moment = moment
        self.base = base
        self.amplitudes = [0.0] * len(SCALES)

    def move(self, now: float) -> None:
        """Decay to `now`; the past cannot be asked again."""
        passed = now - self.moment
        if passed > 0:
            self.amplitudes = [a * exp(-passed / scale) for a, scale in zip(self.amplitudes, SCALES, strict=True)]
            self.moment = now

    def add_to(self, amplitudes: list[float], now: float) -> None:
        """Add what is left of the sums at `now`; the short scales of a list long silent are passed over."""
        passed = max(0.0, now - self.moment)
        for k in range(len(SCALES) - 1, -1, -1):
            scale = SCALES[k]
            if passed > OVER * scale:
                return
            amplitudes[k] += self.amplitudes[k] * exp(-passed / scale)

    def still(self) -> None:
        """Forget the posts: what is left is the base."""
        self.amplitudes = [0.0] * len(SCALES)

    def post(self, time: float, excitation: Excitation, count: int = 1) -> None:
        """Posts appeared at `time`, which may lie before the state's moment."""
        if time > self.moment:
            self.move(time)
        late = self.moment - time
        for k, scale in enumerate(SCALES):
            self.amplitudes[k] += count * excitation.weights_[k] * (exp(-late / scale) if late > 0 else 1.0)

    def rate(self, now: float) -> float:
        passed = now - self.moment
        if passed <= 0:
            return self.base + sum(self.amplitudes)
        return self.base + sum(a * exp(-passed / scale) for a, scale in zip(self.amplitudes, SCALES, strict=True))

    def expected(self, since: float, now: float) -> float:
        """Posts expected from `since` to `now`."""
        before, span = since - self.moment, now - since
        posts = self.base * span
        for amplitude, scale in zip(self.amplitudes, SCALES, strict=True):
            if amplitude > FAINTEST:
                start = amplitude * exp(-before / scale) if before > 0 else amplitude
                posts -= start * scale * expm1(-span / scale)
        return posts

    def outlook(self, since: float, now: float) -> tuple[float, float]:
        """What `expected` and `rate` give, with half the exponentials: policies ask for both, millions of times."""
        before, span = since - self.moment, now - since
        if before < 0:
            return self.expected(since, now), self.rate(now)
        posts, rate = self.base * span, self.base
        for amplitude, scale in zip(self.amplitudes, SCALES):  # noqa: B905 - millions of times; both have six
            if amplitude > FAINTEST:
                if before:
                    amplitude *= exp(-before / scale)
                lost = amplitude * expm1(-span / scale)
                posts -= lost * scale
                rate += amplitude + lost
        return posts, rate


def _sums_before(thread: IntArray, time: FloatArray) -> FloatArray:
    """For each post, the decayed sums over the earlier posts of its thread, one column a scale."""
    scales = np.array(SCALES)
    sums = np.zeros((len(thread), len(SCALES)))
    state: dict[int, tuple[float, FloatArray]] = {}
    for place, (key, moment) in enumerate(zip(thread.tolist(), time.tolist(), strict=True)):
        last = state.get(key)
        if last is not None:
            sums[place] = last[1] * np.exp((last[0] - moment) / scales)
        state[key] = (moment, sums[place] + 1.0)
    return sums


def _exposure(time: FloatArray, rhythm: Rhythm) -> FloatArray:
    """The integral of rhythm x kernel over what was watched after each post, one figure a scale."""
    left = time[-1] - time
    exposure = np.empty(len(SCALES))
    for k, scale in enumerate(SCALES):
        ahead = rhythm.factors_[((time + min(scale, 3.0 * HOUR) / 2) % (7 * DAY) // HOUR).astype(np.int64)]
        share = min(1.0, 6.0 * HOUR / scale)
        exposure[k] = float(((share * ahead + 1 - share) * scale * (1 - np.exp(-left / scale))).sum())
    return exposure
