"""Ours: the self-exciting rate times a factor learned by boosted trees from times, authors and, if asked, content.

The factor holds from one post to the next. It is fitted by the Poisson likelihood of the posts that came against those
that the rate expected, so it is 1 where the rate is right. How far it is believed is chosen on the newest quarter of
each thread's training part: the factor's power is the one in 0 to 1 with the highest likelihood there, so that a forum
where trees find nothing is left with the self-exciting rate. Threads that were all watched until one moment are judged
by every fourth thread instead. Trees need scikit-learn (extra `train`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from thrawl.errors import InputError
from thrawl.refresh.predictors.exciting import Exciting, SelfExciting, decayed_sums, one_post
from thrawl.refresh.predictors.posts import FloatArray, ThreadPosts
from thrawl.refresh.predictors.topics import Topics
from thrawl.refresh.rhythm import DAY, HOUR

# The newest gaps whose lengths are given to the trees.
GAPS: Final = 5
# Posts back in which an author counts as present, and of which the authors are counted.
PRESENT_POSTS: Final = 50
COUNTED_POSTS: Final = 10
# Powers of the factor that are tried, and the share of each thread's training part on which they are judged.
POWERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
JUDGED_SHARE: Final = 0.25
# Below this many gaps nothing is boosted.
LEAST_GAPS: Final = 400
# Gaps that are learned from; more would make training long and change little.
LEARNED_GAPS: Final = 60_000
# The least posts that may be expected in a gap: equal times have none, and the target is one over it.
LEAST_EXPECTED: Final = 1e-3
LEAF_GAPS: Final = 60
# Posts a second that are none, where logarithms are taken.
FAINTEST: Final = 1e-12
TREES: Final = 100
# A factor beyond these was never met; trees may say so of a thread unlike all others.
SMALLEST_FACTOR, LARGEST_FACTOR = 0.2, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """Gaps in parallel: what was known when each began, the posts that the rate expected in it, those that came."""

    rows: FloatArray
    expected: FloatArray
    posts: FloatArray

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, places: slice) -> Gaps:
        return Gaps(self.rows[places], self.expected[places], self.posts[places])


class BoostedRate:
    """`fit` gives `rate_`, `trees_` and `power_`. With `content`, topics and figures of the words go into the trees."""

    def __init__(self, *, content: bool = False, topics: Topics | None = None, seed: int = 0) -> None:
        self.content = content
        self.topics = topics or Topics(seed=seed)
        self.seed = seed
        self.rate_ = SelfExciting()
        self.trees_: Any = None
        self.power_ = 0.0

    def fit(self, threads: Sequence[ThreadPosts], until: float | None = None) -> Self:
        self.rate_ = SelfExciting().fit(threads, until)
        self.trees_, self.power_ = None, 0.0
        posts = sum(len(thread) for thread in threads)
        chosen = [thread for thread in threads[:: 1 + posts // LEARNED_GAPS] if len(thread) > 1]
        if sum(len(thread) - 1 for thread in chosen) < LEAST_GAPS:
            return self
        if self.content:
            self.topics.fit(chosen)
        gaps = [self._gaps(thread, until) for thread in chosen]
        by_threads = until is not None and len(gaps) > 1 / JUDGED_SHARE
        learned, judged = _threads_apart(gaps) if by_threads else _newest_apart(gaps)
        self.trees_ = self._grow(learned)
        self.power_ = _best_power(self._factors(judged.rows), judged)
        self.trees_ = self._grow(_join(gaps))
        return self

    def predict(self, threads: Sequence[ThreadPosts]) -> FloatArray:
        """When one post is expected, as for an exponential waiting time: its mean."""
        return one_post(self.follow_all(threads))

    def follow(self, thread: ThreadPosts, now: float | None = None) -> Exciting:
        return self.follow_all([thread])[0]

    def follow_all(self, threads: Sequence[ThreadPosts]) -> list[Exciting]:
        """The forecasts of many threads; trees are much faster on many rows at once."""
        sums = [decayed_sums(thread) for thread in threads]
        factors = np.ones(len(threads))
        known = [place for place, thread in enumerate(threads) if len(thread)]
        if self.trees_ is not None and self.power_ > 0 and known:
            rows = np.array([self._row(threads[place], sums[place]) for place in known])
            factors[known] = self._factors(rows) ** self.power_
        return [
            self.rate_.scaled(thread, factor, its_sums)
            for thread, factor, its_sums in zip(threads, factors.tolist(), sums, strict=True)
        ]

    def _grow(self, gaps: Gaps) -> Any:
        trees = _booster()(
            loss="poisson",
            learning_rate=0.05,
            max_iter=TREES,
            max_depth=4,
            min_samples_leaf=LEAF_GAPS,
            l2_regularization=5.0,
            early_stopping=False,
            random_state=self.seed,
        )
        return trees.fit(gaps.rows, gaps.posts / gaps.expected, sample_weight=gaps.expected)

    def _factors(self, rows: FloatArray) -> FloatArray:
        factors: FloatArray = np.clip(self.trees_.predict(rows), SMALLEST_FACTOR, LARGEST_FACTOR)
        return factors

    def _gaps(self, thread: ThreadPosts, until: float | None) -> Gaps:
        """Every gap of a thread, as it was when the gap began; the last, if it has not ended until a moment, too."""
        ends = thread.times[1:].tolist() + ([] if until is None else [max(until, thread.last)])
        begun = [thread.first(count) for count in range(1, len(ends) + 1)]
        sums = [decayed_sums(one) for one in begun]
        expected = [
            self.rate_.scaled(one, 1.0, its_sums).expected(one.last, end)
            for one, its_sums, end in zip(begun, sums, ends, strict=True)
        ]
        posts = np.ones(len(ends))
        posts[len(thread) - 1 :] = 0.0
        rows = np.array([self._row(one, its_sums) for one, its_sums in zip(begun, sums, strict=True)])
        return Gaps(rows, np.maximum(expected, LEAST_EXPECTED), posts)

    def _row(self, thread: ThreadPosts, sums: FloatArray) -> FloatArray:
        pulse = np.log(self.rate_.weights_ * sums + FAINTEST)
        parts = [pulse, _lengths(thread), _moment(thread), _authors(thread)]
        return np.concatenate([*parts, self.topics.row(thread)] if self.content else parts)


def _lengths(thread: ThreadPosts) -> FloatArray:
    """The newest gaps, newest first, and the mean, all as logarithms of minutes; NaN where there is none."""
    lengths = np.log1p(thread.gaps / 60.0)
    row = np.full(GAPS + 1, np.nan)
    newest = lengths[: -GAPS - 1 : -1]
    row[: len(newest)] = newest
    if len(lengths):
        row[GAPS] = lengths.mean()
    return row


def _moment(thread: ThreadPosts) -> FloatArray:
    age = np.log1p((thread.last - thread.times[0]) / HOUR)
    return np.array([thread.last % DAY / HOUR, thread.last // DAY % 7, np.log(len(thread)), age])


def _authors(thread: ThreadPosts) -> FloatArray:
    """Is the last author new, the same as before, back after one other, the first? And how many took part of late?"""
    newest = thread.authors[-PRESENT_POSTS - 1 :].tolist()
    last, before = newest[-1], newest[:-1]
    return np.array(
        [
            last not in before,
            bool(before) and before[-1] == last,
            len(before) > 1 and before[-2] == last,
            last == thread.authors[0],
            len(set(newest[-COUNTED_POSTS:])),
        ],
        dtype=np.float64,
    )


def _join(parts: Sequence[Gaps]) -> Gaps:
    rows, expected, posts = zip(*((part.rows, part.expected, part.posts) for part in parts), strict=True)
    return Gaps(np.concatenate(rows), np.concatenate(expected), np.concatenate(posts))


def _newest_apart(gaps: Sequence[Gaps]) -> tuple[Gaps, Gaps]:
    """The gaps to learn from, and the newest of each thread to judge by."""
    places = [max(1, round(len(one) * (1 - JUDGED_SHARE))) for one in gaps]
    return (
        _join([one.part(slice(0, place)) for one, place in zip(gaps, places, strict=True)]),
        _join([one.part(slice(place, None)) for one, place in zip(gaps, places, strict=True)]),
    )


def _threads_apart(gaps: Sequence[Gaps]) -> tuple[Gaps, Gaps]:
    """The same by threads: where each ends with a gap that has not ended, the newest gaps are unlike the others."""
    step = round(1 / JUDGED_SHARE)
    return _join([one for place, one in enumerate(gaps) if place % step]), _join(gaps[::step])


def _best_power(factors: FloatArray, gaps: Gaps) -> float:
    """The power of the factors under which the posts that came are most likely."""
    likely = [float((gaps.posts * power * np.log(factors) - factors**power * gaps.expected).sum()) for power in POWERS]
    return POWERS[int(np.argmax(likely))]


def _booster() -> Any:
    try:
        from sklearn.ensemble import HistGradientBoostingRegressor
    except ImportError:
        raise InputError("Boosted trees need scikit-learn; install it with: pip install 'thrawl[train]'.") from None
    return HistGradientBoostingRegressor
