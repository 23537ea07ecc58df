"""Our policy with any predictor: where rows tell nothing of replies, threads are polled by what it expects of them.

The predictor learns from the archive when watching begins; an online one goes on learning, a gap at a time, when a
visit reveals it. Boards are polled as in `ours`, and so is everything where rows tell of replies.
"""

from __future__ import annotations

from thrawl.refresh.agenda import Price
from thrawl.refresh.arms import PRICE_MEMORY, Arm, Arms
from thrawl.refresh.pages import History, Layer, Looked, Site
from thrawl.refresh.policies.ours import Ours
from thrawl.refresh.predictors.forecast import Forecast, OnlinePredictor, Predictor, wait_until, worth
from thrawl.refresh.predictors.posts import ThreadPosts, thread_posts


class Predicted(Ours):
    """`ours` with the forecasts of a predictor for its threads."""

    def __init__(self, predictor: Predictor, *, once: bool = False) -> None:
        super().__init__(once=once)
        self._predictor = predictor

    def begin(self, site: Site, history: History, looked: Looked, now: float) -> None:
        self._times: dict[int, list[float]] = {}
        for thread, time in zip(history.thread.tolist(), history.time.tolist(), strict=True):
            self._times.setdefault(thread, []).append(float(time))
        self._predictor.fit([self._posts(thread) for thread in self._times], until=now)
        super().begin(site, history, looked, now)

    def _read_times(self, thread: int, times: list[int], now: float) -> None:
        super()._read_times(thread, times, now)
        known = self._times.setdefault(thread, [])
        for time in times:
            known.append(float(time))
            if isinstance(self._predictor, OnlinePredictor):
                self._predictor.partial_fit([self._posts(thread)])

    def _make_arms(self) -> Arms:
        return _PredictedArms(self)

    def _posts(self, thread: int) -> ThreadPosts:
        return thread_posts(thread, self._times.get(thread, []))


class _PredictedArms(Arms):
    """Arms whose threads are valued by the predictor."""

    def __init__(self, policy: Predicted) -> None:
        super().__init__(policy._site, policy._activity, Price(1.0, PRICE_MEMORY))
        self._policy = policy
        self._forecasts: dict[int, tuple[float, Forecast]] = {}

    def worth(self, arm: Arm, now: float) -> float:
        if arm.ref.kind is not Layer.POSTS:
            return super().worth(arm, now)
        return worth(self._forecast(arm.ref.list, arm.looked), arm.looked, now)

    def span(self, arm: Arm, looked: float, guess: float = 0.0) -> float:
        if arm.ref.kind is not Layer.POSTS:
            return super().span(arm, looked, guess)
        return wait_until(self.price.value, self._forecast(arm.ref.list, looked), looked, guess)

    def _forecast(self, thread: int, looked: float) -> Forecast:
        """What is expected of a thread since the last look at it, given what that look showed."""
        made = self._forecasts.get(thread)
        if made is None or made[0] != looked:
            posts = self._policy._posts(thread)
            made = self._forecasts[thread] = looked, self._policy._predictor.follow(posts, looked)
        return made[1]
