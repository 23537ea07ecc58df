"""What is expected of a list: decaying sums of its posts, the rhythm of a week, and from both what a look is worth.

Policies ask for these millions of times in a simulated year. So this very file is also compiled, as `_decay` (with the
types of `_decay.pxd`), when the package is installed; `pulse` takes the compiled one where it was built. Both give the
same figures to the last bit. For that the loops are written out: nothing here may depend on the order in which a
library adds up.
"""

from __future__ import annotations

import math
from typing import Final

HOUR: Final = 3600
WEEK: Final = 7 * 24 * HOUR
SCALES: Final = (0.2 * HOUR, 1.0 * HOUR, 6.0 * HOUR, 36.0 * HOUR, 240.0 * HOUR, 2160.0 * HOUR)
# Posts a second below which a decayed sum is not worth an exponential.
FAINTEST: Final = 1e-12
# Time scales after which nothing is left of a sum: e^-40.
OVER: Final = 40.0
# Posts a second that are taken as none: one in thirty million years.
SLOWEST_RATE: Final = 1e-15
# Steps towards the moment at which a look is worth its price; beyond them nobody waits for it.
MOST_STEPS: Final = 12


class Week:
    """The factors of the 168 hours of a week from Thursday 00:00 UTC (the unix epoch), and their masses in seconds."""

    __slots__ = ("cumulated", "end", "end_mass", "factors")

    def __init__(self, factors: list[float], cumulated: list[float]) -> None:
        self.factors = factors
        self.cumulated = cumulated
        self.end = -1.0
        self.end_mass = 0.0

    def at(self, time: float) -> float:
        return self.factors[int(time % WEEK) // HOUR]

    def mass_to(self, time: float) -> float:
        """The integral of the factors from the epoch on."""
        rest = time % WEEK
        hour = int(rest) // HOUR
        return (time - rest) + self.cumulated[hour] + (rest - hour * HOUR) * self.factors[hour]

    def mean(self, start: float, end: float) -> float:
        """The mean factor over a span; its value where the span is empty."""
        if end - start <= 1.0:
            return self.at(start)
        if end != self.end:  # several lists are compared at one moment
            self.end, self.end_mass = end, self.mass_to(end)
        return (self.end_mass - self.mass_to(start)) / (end - start)


class Pulse:
    """The state of one list: its decaying sums, already weighted, at a moment. Rates leave the rhythm out."""

    __slots__ = ("amplitudes", "base", "moment")

    def __init__(self, moment: float, base: float = 0.0) -> None:
        self.moment = moment
        self.base = base
        self.amplitudes = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]

    def move(self, now: float) -> None:
        """Decay to `now`; the past cannot be asked again."""
        passed = now - self.moment
        if passed > 0:
            amplitudes, scales = self.amplitudes, SCALES
            for k in range(6):
                amplitudes[k] *= math.exp(-passed / scales[k])
            self.moment = now

    def add_to(self, whole: Pulse, now: float) -> None:
        """Add what is left of the sums at `now`; the short scales of a list long silent are passed over."""
        passed = now - self.moment if now > self.moment else 0.0
        own, amplitudes, scales = self.amplitudes, whole.amplitudes, SCALES
        for k in range(5, -1, -1):
            scale = scales[k]
            if passed > OVER * scale:
                return
            amplitudes[k] += own[k] * math.exp(-passed / scale)

    def still(self) -> None:
        """Forget the posts: what is left is the base."""
        self.amplitudes = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]

    def post(self, time: float, weights: tuple[float, ...], count: int = 1) -> None:
        """Posts appeared at `time`, which may lie before the state's moment; each adds `weights`."""
        if time > self.moment:
            self.move(time)
        late = self.moment - time
        amplitudes, scales = self.amplitudes, SCALES
        for k in range(6):
            added = count * weights[k]
            if late > 0:
                added *= math.exp(-late / scales[k])
            amplitudes[k] += added

    def rate(self, now: float) -> float:
        passed = now - self.moment
        amplitudes, scales, total = self.amplitudes, SCALES, 0.0
        for k in range(6):
            amplitude = amplitudes[k]
            total += amplitude * math.exp(-passed / scales[k]) if passed > 0 else amplitude
        return self.base + total

    def expected(self, since: float, now: float) -> float:
        """Posts expected from `since` to `now`."""
        before, span = since - self.moment, now - since
        amplitudes, scales, posts = self.amplitudes, SCALES, self.base * span
        for k in range(6):
            amplitude = amplitudes[k]
            if amplitude > FAINTEST:
                scale = scales[k]
                if before > 0:
                    amplitude *= math.exp(-before / scale)
                posts -= amplitude * scale * math.expm1(-span / scale)
        return posts

    def outlook(self, since: float, now: float) -> tuple[float, float]:
        """What `expected` and `rate` give, with half the exponentials."""
        before, span = since - self.moment, now - since
        if before < 0:
            return self.expected(since, now), self.rate(now)
        amplitudes, scales, posts, rate = self.amplitudes, SCALES, self.base * span, self.base
        for k in range(6):
            amplitude = amplitudes[k]
            if amplitude > FAINTEST:
                scale = scales[k]
                if before > 0:
                    amplitude *= math.exp(-before / scale)
                lost = amplitude * math.expm1(-span / scale)
                posts -= lost * scale
                rate += amplitude + lost
        return posts, rate


def sum_of(pulses: list[Pulse], base: float, now: float) -> Pulse:
    """Several lists as one, with a base of its own beside theirs."""
    whole = Pulse(now, base)
    for pulse in pulses:
        whole.base += pulse.base
        pulse.add_to(whole, now)
    return whole


def worth(pulse: Pulse, week: Week, since: float, now: float) -> float:
    """What a look at a list is worth now, in seconds of waiting, if the last look was at `since` (see `activity`)."""
    if now <= since:
        return 0.0
    posts, rate = pulse.outlook(since, now)
    return week.mean(since, now) * posts * posts / 2 / (rate if rate > SLOWEST_RATE else SLOWEST_RATE)


def span_until(price: float, pulse: Pulse, week: Week, since: float, guess: float) -> float:
    """After how many seconds without a look its worth reaches the price, within a fifth; found sooner from a guess."""
    span = guess
    if span <= 0:
        rate = pulse.rate(since) * week.at(since)
        span = math.sqrt(2 * price / (rate if rate > SLOWEST_RATE else SLOWEST_RATE))
    for _ in range(MOST_STEPS):
        now_worth = worth(pulse, week, since, since + span)
        if 0.8 * price < now_worth < 1.25 * price:
            break
        grown = math.sqrt(price / now_worth) if now_worth > 0 else 5.0
        span *= 0.2 if grown < 0.2 else 5.0 if grown > 5.0 else grown
    return span
