"""Our policy with any predictor: where rows tell nothing of replies, threads are polled by what it expects of them.

The predictor learns from the archive when watching begins; an online one goes on learning, a gap at a time, when a
visit reveals it. Boards are polled as in `ours`, and so is everything where rows tell of replies.
"""

from __future__ import annotations

from thrawl.refresh.pages import History, PageKind, Site
from thrawl.refresh.policies.ours import Arm, Ours
from thrawl.refresh.predictors.forecast import Forecast, OnlinePredictor, Predictor, wait_until, worth
from thrawl.refresh.predictors.posts import ThreadPosts, thread_posts


class Predicted(Ours):
    """`ours` with the forecasts of a predictor for its threads."""

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor

    def begin(self, site: Site, history: History, now: float) -> None:
        self._times: dict[int, list[float]] = {}
        for thread, time in zip(history.thread.tolist(), history.time.tolist(), strict=True):
            self._times.setdefault(thread, []).append(float(time))
        self._predictor.fit([self._posts(thread) for thread in self._times], until=now)
        self._forecasts: dict[int, tuple[float, Forecast]] = {}
        super().begin(site, history, now)

    def _read_times(self, thread: int, times: list[int], now: float) -> None:
        super()._read_times(thread, times, now)
        known = self._times.setdefault(thread, [])
        for time in times:
            known.append(float(time))
            if isinstance(self._predictor, OnlinePredictor):
                self._predictor.partial_fit([self._posts(thread)])

    def _worth(self, arm: Arm, now: float) -> float:
        kind, thread = arm
        if kind is not PageKind.POSTS:
            return super()._worth(arm, now)
        looked = self._looked[arm]
        return worth(self._forecast(thread, looked), looked, now)

    def _span(self, arm: Arm, looked: float, now: float, guess: float = 0.0) -> float:
        kind, thread = arm
        if kind is not PageKind.POSTS:
            return super()._span(arm, looked, now, guess)
        return wait_until(self._price.value, self._forecast(thread, looked), looked, guess)

    def _forecast(self, thread: int, looked: float) -> Forecast:
        """What is expected of a thread since the last look at it, given what that look showed."""
        made = self._forecasts.get(thread)
        if made is None or made[0] != looked:
            made = self._forecasts[thread] = looked, self._predictor.follow(self._posts(thread), looked)
        return made[1]

    def _posts(self, thread: int) -> ThreadPosts:
        return thread_posts(thread, self._times.get(thread, []))
