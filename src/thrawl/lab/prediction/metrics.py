"""The metrics of the thread-update report (section 4), for one thread: posts P, visits V, both in minutes, in order.

MAPE          mean of |gap - predicted| / gap, over gaps above 0
T-score       mean over posts of (first visit after the post - post)
pairwise      over neighbours in the order of all events: post then visit 1 - e^(-D), visit then visit e^(-D), divided
              by all pairs (the report's second T); as its code has it: e^(-0.01 D), over the pairs that score above 0
Pr_miss       windows of 20 minutes slid by one, r posts and h visits in each: #(r > h) / #(r > 0)
Pr_fa         #(h > r) / #windows; Pr_error is half of each, added
parts         (a) of all windows, those with a visit before their first post (any visit, where there is no post);
              (b) of windows with a post, those with more visits than posts from the first post on, itself counted;
              (c) of the same, those with more posts than visits
P_miss        sum of waits / sum of (last post - post): waits end at the last post
P_FA          visits until the last post / (minutes of life - number of posts)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thrawl.refresh.predictors.posts import FloatArray

IntArray = npt.NDArray[np.int64]

# Minutes of a sliding window (the report's code).
WINDOW: Final = 20
# How fast the pairwise score of the report's code falls, a minute; its formula has 1.
PUBLISHED_DECAY: Final = 0.01


@dataclass(frozen=True, slots=True)
class Windows:
    """What the sliding windows tell; the three parts last."""

    pr_miss: float
    pr_fa: float
    before: float
    more_visits: float
    more_posts: float

    @property
    def pr_error(self) -> float:
        return (self.pr_miss + self.pr_fa) / 2


def mape(gaps: FloatArray, predicted: FloatArray) -> float:
    real = gaps > 0
    return float(np.mean(np.abs(gaps[real] - predicted[real]) / gaps[real])) if real.any() else float("nan")


def t_score(posts: FloatArray, visits: FloatArray) -> float:
    """The last visit must lie after the last post."""
    return float(np.mean(visits[np.searchsorted(visits, posts, side="right")] - posts))


def pairwise_score(posts: FloatArray, visits: FloatArray, decay: float = 1.0, *, positive_only: bool = False) -> float:
    moments = np.concatenate((posts, visits))
    order = np.argsort(moments, kind="stable")
    is_visit = (order >= len(posts)).astype(bool)
    passed = np.exp(-decay * np.diff(moments[order]))
    first, second = is_visit[:-1], is_visit[1:]
    scores = np.where(second, np.where(first, passed, 1 - passed), 0.0)
    counted = scores > 0 if positive_only else np.ones(len(scores), dtype=bool)
    return float(scores[counted].mean()) if counted.any() else float("nan")


def published_pairwise(posts: FloatArray, visits: FloatArray) -> float:
    """The pairwise score as the report's code has it."""
    return pairwise_score(posts, visits, PUBLISHED_DECAY, positive_only=True)


def p_miss(posts: FloatArray, visits: FloatArray) -> float:
    end = posts[-1]
    until = np.append(visits, np.inf)[np.searchsorted(visits, posts, side="right")]
    worst = float((end - posts).sum())
    return float((np.minimum(until, end) - posts).sum()) / worst if worst > 0 else float("nan")


def p_fa(posts: FloatArray, visits: FloatArray) -> float:
    frames = float(posts[-1] - posts[0]) - len(posts)
    return int(np.count_nonzero(visits <= posts[-1])) / frames if frames > 0 else float("nan")


def sliding_windows(posts: FloatArray, visits: FloatArray, width: int = WINDOW) -> Windows:
    """Windows [i, i + width) for every whole minute i from the first post on that end before the last post does.

    What a window holds changes only where an event enters or leaves, so windows are looked at once for each such
    stretch and counted by its length: a thread of years costs what its events cost.
    """
    start = float(posts[0])
    posts, visits = posts - start, visits - start
    length = int(posts[-1]) + 1
    windows = max(1, length - width + 1)
    firsts, counts = _stretches(np.concatenate((posts, visits)), width, windows)
    ends = firsts + width
    first_post, end_post = np.searchsorted(posts, firsts), np.searchsorted(posts, ends)
    first_visit, end_visit = np.searchsorted(visits, firsts), np.searchsorted(visits, ends)
    r, h = end_post - first_post, end_visit - first_visit
    some = r > 0
    opening = np.where(some, posts[np.minimum(first_post, len(posts) - 1)], np.inf)
    before = np.minimum(np.searchsorted(visits, opening, side="right"), end_visit) - first_visit
    after = h - before
    with_post = max(1, int(counts[some].sum()))
    return Windows(
        pr_miss=int(counts[r > h].sum()) / with_post,
        pr_fa=int(counts[h > r].sum()) / windows,
        before=int(counts[before > 0].sum()) / windows,
        more_visits=int(counts[some & (after > r)].sum()) / with_post,
        more_posts=int(counts[some & (r > after)].sum()) / with_post,
    )


def _stretches(events: FloatArray, width: int, windows: int) -> tuple[IntArray, IntArray]:
    """The first window of each stretch of windows that hold the same events, and how many it has."""
    minutes = np.floor(events).astype(np.int64)
    edges = np.unique(np.concatenate(([0], minutes - width + 1, minutes + 1)))
    firsts = edges[(edges >= 0) & (edges < windows)]
    return firsts, np.diff(np.append(firsts, windows))
