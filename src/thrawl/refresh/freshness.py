"""How fresh an archive is, from what it holds: new posts and their delays, where the budget went, what comes next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from thrawl.archive.values import from_seconds
from thrawl.archive.watching import HOUR, Planned, Watching
from thrawl.refresh.rhythm import DAY

MONTH: Final = 30 * DAY
# A post that is older than that when it is first seen was not missed by the watch: it came with a crawl.
OLDEST: Final = 2 * DAY
NEXT: Final = 10


@dataclass(frozen=True, slots=True)
class Freshness:
    """Delays are minutes from a post to the first look at it, over a week; `days` are (day, median, 90th, posts)."""

    threads_today: int
    posts_today: int
    median: float | None
    p90: float | None
    requests_today: dict[str, int]
    useful_today: dict[str, int]
    signals: dict[str, Any]
    reliability: dict[str, float]
    boards: tuple[tuple[str, int], ...]
    next_visits: tuple[Planned, ...]
    days: tuple[tuple[str, float | None, float | None, int], ...]

    def plain(self) -> dict[str, Any]:
        """One JSON object."""
        return {
            "threads_today": self.threads_today,
            "posts_today": self.posts_today,
            "delay_minutes": {"median": self.median, "p90": self.p90},
            "requests_today": self.requests_today,
            "useful_today": self.useful_today,
            "signals": self.signals,
            "reliability": self.reliability,
            "boards": [{"url": url, "posts": posts} for url, posts in self.boards],
            "next_visits": [
                {
                    "kind": one.kind,
                    "url": one.url,
                    "looked": from_seconds(one.looked).isoformat(),
                    "due": from_seconds(one.due).isoformat() if one.due else None,
                    "why": one.why,
                }
                for one in self.next_visits
            ],
            "days": [
                {"day": day, "median": median, "p90": p90, "posts": posts} for day, median, p90, posts in self.days
            ],
        }


def freshness(watching: Watching, now: float) -> Freshness:
    """The freshness of a forum now."""
    arrivals = watching.arrivals(now - MONTH)
    delays = [(seen, (seen - made) / 60) for seen, made in arrivals if made is not None and 0 <= seen - made <= OLDEST]
    spent = watching.spent(now - DAY)
    week = [delay for seen, delay in delays if seen > now - 7 * DAY]
    state = watching.state()
    planned = [one for one in watching.planned() if one.due is not None]
    requests: Counter[str] = Counter()
    useful: Counter[str] = Counter()
    for one in spent:
        if one.hour * HOUR > now - DAY:
            requests[one.kind] += one.requests
            useful[one.kind] += one.useful
    return Freshness(
        threads_today=watching.threads_since(now - DAY),
        posts_today=sum(seen > now - DAY for seen, _ in arrivals),
        median=_percentile(week, 50),
        p90=_percentile(week, 90),
        requests_today=dict(requests),
        useful_today=dict(useful),
        signals=dict(state.get("site") or {}),
        reliability={name: round(share, 4) for name, share in dict(state.get("reliability") or {}).items()},
        boards=tuple(watching.posts_by_board(now - MONTH)[:NEXT]),
        next_visits=tuple(planned[:NEXT]),
        days=_days(delays),
    )


def _days(delays: list[tuple[float, float]]) -> tuple[tuple[str, float | None, float | None, int], ...]:
    by_day: dict[str, list[float]] = {}
    for seen, delay in delays:
        by_day.setdefault(from_seconds(seen).date().isoformat(), []).append(delay)
    return tuple((day, _percentile(some, 50), _percentile(some, 90), len(some)) for day, some in sorted(by_day.items()))


def _percentile(values: list[float], share: float) -> float | None:
    return round(float(np.percentile(values, share)), 2) if values else None
