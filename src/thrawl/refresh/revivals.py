"""How often threads come back that were silent for so long that nothing of their pulse is left.

Learned from what the archive holds when a watch begins, and again, with all that was read since, whenever the rest is.
An archive of a year says nothing of it: were that never learned, dead pages would be asked for more and more as threads
gather.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from thrawl.refresh.pages import History
from thrawl.refresh.rhythm import DAY

# Half a revival in a year of one thread is added, for sites that had none.
PSEUDO_COUNT: Final = 0.5
PSEUDO_SECONDS: Final = 365 * DAY


class Revivals:
    """Counts the silences of threads beyond `after` seconds, and those that a post has ended."""

    def __init__(self, history: History, after: float) -> None:
        self._after = after
        order = np.lexsort((history.time, history.thread))
        thread, time = history.thread[order], history.time[order].astype(np.float64)
        same = thread[1:] == thread[:-1]
        ended = np.diff(time)[same] - after
        self._revived = int(np.count_nonzero(ended > 0))
        self._seconds = float(np.maximum(ended, 0).sum())
        last = np.append(~same, True) if len(thread) else np.zeros(0, dtype=bool)
        self._last: dict[int, float] = dict(zip(thread[last].tolist(), time[last].tolist(), strict=True))

    def post(self, thread: int, time: float) -> None:
        """A thread got a post."""
        last = self._last.get(thread, time)
        silence = time - last - self._after
        if silence > 0:
            self._revived += 1
            self._seconds += silence
        self._last[thread] = max(last, time)

    def rate(self, now: float) -> float:
        """Posts a second of a thread that is silent for longer."""
        silences = now - self._after - np.array(list(self._last.values()), dtype=np.float64)
        seconds = self._seconds + float(np.maximum(silences, 0).sum())
        return (self._revived + PSEUDO_COUNT) / (seconds + PSEUDO_SECONDS)
