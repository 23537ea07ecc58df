"""One run: one timeline, one policy, one budget, a fixed span of days."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from thrawl.errors import InputError
from thrawl.lab.simulation.forum import Forum, Looks
from thrawl.lab.simulation.ledger import Ledger, Measures
from thrawl.lab.timeline import Timeline
from thrawl.refresh.pages import PageRef, Shown
from thrawl.refresh.policy import Policy

DAY: Final = 86_400
LIST_KINDS: Final = ("all", "index", "post")


@dataclass(frozen=True, slots=True)
class Span:
    """When a run begins, how many days it lasts, and how many of them are not measured (the warm-up)."""

    start: int
    days: int
    warmup_days: int = 0

    @property
    def end(self) -> int:
        return self.start + self.days * DAY

    @property
    def measured_from(self) -> int:
        return self.start + self.warmup_days * DAY


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What a run came to."""

    ledger: Ledger
    span: Span
    seconds: float

    def measures(self, kind: str = "all") -> Measures:
        return self.ledger.measures(kind, self.span.measured_from, self.span.end)

    def daily(self, kind: str = "all") -> list[Measures]:
        """The measures of each day, warm-up included (figure 6)."""
        starts = range(self.span.start, self.span.end, DAY)
        return [self.ledger.measures(kind, start, start + DAY) for start in starts]


MakePolicy = Callable[[Forum], Policy]
MakeForum = Callable[[Timeline, Looks], Forum]
Watch = Callable[[float, PageRef, Shown], None]


def simulate(
    timeline: Timeline,
    make_policy: MakePolicy,
    *,
    looks: Looks,
    bandwidth: float,
    span: Span,
    make_forum: MakeForum = Forum,
    watch: Watch | None = None,
) -> Run:
    """Let a policy crawl the timeline's forum with `bandwidth` evenly spaced requests a day."""
    began = time.perf_counter()
    requests = int(bandwidth * span.days)
    if requests < 1:
        raise InputError(f"A bandwidth of {bandwidth} requests a day leaves no request; give a larger one.")
    step = DAY / bandwidth
    forum = make_forum(timeline, looks)
    forum.advance(span.start - 1)
    policy = make_policy(forum)
    policy.begin(forum.site(step), forum.history(), forum.looked(span.start), float(span.start))
    ledger = Ledger(forum)
    goes_down = looks.up > looks.down
    for number in range(requests):
        now = span.start + (number + 1) * step
        forum.advance(now)
        ref = policy.choose(now)
        if ref is None:
            continue
        if goes_down and looks.is_down(now):
            ledger.note_failure(now, ref)
            policy.failed(now, ref, gone=False)
            continue
        shown, _ = ledger.note(now, ref, forum.show(ref))
        policy.observe(now, ref, shown)
        if watch is not None:
            watch(now, ref, shown)
    return Run(ledger, span, time.perf_counter() - began)


def busiest_span(timeline: Timeline, days: int, warmup_days: int) -> Span:
    """The busiest measured days that leave a quarter of the timeline, or as long again, as history before them."""
    whole = max(1, -(-(timeline.end + 1 - timeline.start) // DAY))
    days = min(days, whole)
    history = min(days + warmup_days, (whole - days) // 4)
    first = timeline.start + history * DAY
    starts = range(first, max(first, timeline.end + 1 - days * DAY) + 1, DAY)
    times = timeline.time
    best = max(starts, key=lambda start: int(times.searchsorted(start + days * DAY) - times.searchsorted(start)))
    return span_from(timeline, best, days, warmup_days)


def span_from(timeline: Timeline, start: int, days: int, warmup_days: int) -> Span:
    """Measure from `start`; the run begins the warm-up days before, as far as the timeline goes back."""
    warmup_days = max(0, min(warmup_days, (start - timeline.start) // DAY))
    return Span(start - warmup_days * DAY, days + warmup_days, warmup_days)
