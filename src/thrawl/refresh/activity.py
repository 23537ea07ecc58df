"""How busy each list of a site is now: rhythm and self-excitation learned together and kept up to date.

What a visit is worth. Let a list get posts at rate r, each post not seen costing its waiting time, and let every
request cost a price. Of looks at moments T1 < T2 < ..., moving Tk a little changes nothing where the posts n that wait
for it equal r(Tk) (Tk+1 - Tk): the next look is best n / r away, and without this one they would all wait for it. So a
look now is worth n x n / r / 2 seconds of waiting (the list's Whittle index; the half makes it exact for a steady rate,
where it is r T^2 / 2, so that visits go with the square root of the rate, not with the rate). Lists whose worth reaches
the going price are due, and of two lists the one with the larger worth comes first. That r is the rate at the end of
the wait matters where it decays: a thread whose burst is over still has posts waiting, and gets no other look for long.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from thrawl.refresh.excitation import LEARNED_POSTS, Excitation
from thrawl.refresh.pages import History
from thrawl.refresh.pulse import SLOWEST_RATE, Pulse, span_until, worth
from thrawl.refresh.revivals import Revivals
from thrawl.refresh.rhythm import DAY, Rhythm

# Days of posts that still move a list's rate: the longest time scale has then decayed to a hundredth.
PULSE_DAYS: Final = 400
# New threads a board gets are counted over these days, or over its silence where that is longer.
OPENING_DAYS: Final = 60
# Of the shape of the prior for boards: below it a board that was ever seen alive would not be expected to wake up,
# above it boards would hardly differ. The half thread is what a site without any new thread is taken to have had.
SHAPES: Final = (0.02, 2.0)
OPENING_PSEUDO_COUNT: Final = 0.5
RELEARNED_AFTER: Final = 30 * DAY


class Activity:
    """Pulses of all threads and boards and of the site; the board's and the site's follow what pages tell."""

    def __init__(self, history: History, boards: tuple[int, ...], now: float) -> None:
        self._posts: deque[tuple[int, int]] = deque(maxlen=LEARNED_POSTS)
        first = max(0, len(history.time) - LEARNED_POSTS)
        self._posts.extend(zip(history.thread[first:].tolist(), history.time[first:].tolist(), strict=True))
        self.threads: dict[int, Pulse] = {}
        self._revivals = Revivals(history, PULSE_DAYS * DAY)
        self._learn(now)
        self.site = Pulse(now)
        self.boards: defaultdict[int, Pulse] = defaultdict(lambda: Pulse(self.site.moment))
        self._read_history(history, now)
        self._count_openings(history, boards, now)

    def told(self, board: int, posts: int, time: float) -> None:
        """A page told of posts in a board."""
        self.boards[board].post(time, self.excitation.weights_, posts)
        self.site.post(time, self.excitation.weights_, posts)

    def read(self, thread: int, times: list[int], now: float) -> None:
        """A thread page showed posts that were not held."""
        pulse = self.thread(thread, now)
        for time in times:
            pulse.post(time, self.excitation.weights_)
            self._posts.append((thread, time))
            self._revivals.post(thread, time)
        if now - self._learned > RELEARNED_AFTER:
            self._learn(now)

    def thread(self, thread: int, now: float) -> Pulse:
        pulse = self.threads.get(thread)
        if pulse is None:
            pulse = self.threads[thread] = Pulse(now, self._revival_rate)
        return pulse

    def pulses(self, threads: Sequence[int], now: float) -> list[Pulse]:
        try:
            return list(map(self.threads.__getitem__, threads))
        except KeyError:  # one of them is new
            return [self.thread(thread, now) for thread in threads]

    def worth(self, pulse: Pulse, since: float, now: float) -> float:
        """What a look at a list is worth now, in seconds of waiting, if the last look was at `since`."""
        return worth(pulse, self.rhythm.week, since, now)

    def expected(self, pulse: Pulse, since: float, now: float) -> tuple[float, float]:
        """The posts expected since the last look, and the worth of looking now."""
        if now <= since:
            return 0.0, 0.0
        rhythm = self.rhythm.mean(since, now)
        posts, rate = pulse.outlook(since, now)
        return rhythm * posts, rhythm * posts * posts / 2 / max(rate, SLOWEST_RATE)

    def span_until(self, price: float, pulse: Pulse, since: float, guess: float = 0.0) -> float:
        """After how many seconds without a look its worth reaches the price, within a fifth."""
        return span_until(price, pulse, self.rhythm.week, since, guess)

    def _learn(self, now: float) -> None:
        self._learned = now
        self._revival_rate = self._revivals.rate(now)
        for pulse in self.threads.values():
            pulse.base = self._revival_rate
        posts = np.array(self._posts, dtype=np.int64).reshape(-1, 2)
        posts = posts[np.argsort(posts[:, 1], kind="stable")]
        self.rhythm = Rhythm().fit(posts[:, 1])
        self.excitation = Excitation().fit(posts[:, 0], posts[:, 1], self.rhythm)

    def _read_history(self, history: History, now: float) -> None:
        first = int(np.searchsorted(history.time, now - PULSE_DAYS * DAY))
        columns = (column[first:].tolist() for column in (history.board, history.thread, history.time))
        for board, thread, time in zip(*columns, strict=True):
            self.told(board, 1, time)
            self.thread(thread, time).post(time, self.excitation.weights_)

    def _count_openings(self, history: History, boards: tuple[int, ...], now: float) -> None:
        """How often each board gets a new thread: its own count, drawn towards what the boards of this site are like.

        Rates of boards are taken as drawn from a gamma distribution that is fitted to the site (by its moments). Where
        most boards are dead its shape is far below one: a board without new threads then costs next to nothing, and
        all the less the longer it is silent.
        """
        _, first = np.unique(history.thread, return_index=True)
        span = float(OPENING_DAYS * DAY)
        recent = history.board[first[history.time[first] > now - span]]
        if len(history.time):
            span = min(span, max(DAY, now - float(history.time[0])))
        opened = dict.fromkeys(boards, 0)
        opened.update(zip(*(column.tolist() for column in np.unique(recent, return_counts=True)), strict=True))
        last = dict.fromkeys(boards, 0.0)
        last.update(zip(history.board.tolist(), history.time.tolist(), strict=True))
        self._typical, self._shape = _fit_prior(list(opened.values()))
        self._typical_base = self._typical / span
        for board in boards:
            silence = now - last[board] if last[board] else span
            exposure = span if opened[board] else max(span, silence)
            drawn = exposure / span + self._shape / self._typical
            self.boards[board].base = (opened[board] + self._shape) / drawn / span
        self.site.base = sum(pulse.base for pulse in self.boards.values())

    def meet(self, board: int, now: float) -> None:
        """A board came up that the archive does not know: it is expected to be like the others."""
        if board not in self.boards:
            self.boards[board] = Pulse(now, self._typical_base)
            self.site.base += self._typical_base


def _fit_prior(opened: list[int]) -> tuple[float, float]:
    """The mean of the boards' counts, and the shape of the gamma distribution that their rates come from."""
    counts = np.array(opened or [0], dtype=np.float64)
    mean = max(float(counts.mean()), OPENING_PSEUDO_COUNT / len(counts))
    spread = float(counts.var()) - mean
    shape = mean * mean / spread if spread > 0 else SHAPES[1]
    return mean, min(max(shape, SHAPES[0]), SHAPES[1])
