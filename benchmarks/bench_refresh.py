"""How fast refreshing is: choosing the next list among many, and a simulated year.

python benchmarks/bench_refresh.py            the choice among 1,000 and 1,000,000 lists, and 30 simulated days
python benchmarks/bench_refresh.py --year     a year with 100,000 posts at 3,000 pages a day, policy by policy
"""

from __future__ import annotations

import random
import sys
import time

from thrawl.lab.simulation.experiment import POLICIES
from thrawl.lab.simulation.forum import Layers, Looks
from thrawl.lab.simulation.run import DAY, Span, simulate
from thrawl.lab.timeline import Timeline, make_timeline
from thrawl.refresh.agenda import Agenda

START = 1_000_000_000
POSTS_A_DAY = 100_000 / 365
BANDWIDTH = 3000
CHOICES = 20_000
FEW, MANY = 1_000, 1_000_000


def seconds_a_choice(lists: int) -> float:
    """Choose a list, visit it, schedule it again; each list has a wait of its own."""
    draw = random.Random(1)
    waits = [draw.lognormvariate(10, 2) for _ in range(lists)]
    visited = [0.0] * lists
    agenda: Agenda[int] = Agenda()
    for key, wait in enumerate(waits):
        agenda.schedule(key, 0.0, wait)
    clock = [0.0]

    def score(key: int) -> float:
        return (clock[0] - visited[key]) / waits[key]

    began = time.perf_counter()
    for _ in range(CHOICES):
        now = clock[0] = clock[0] + 28.8
        found = agenda.best(now, score)
        assert found is not None
        visited[found[0]] = now
        agenda.schedule(found[0], now, now + waits[found[0]])
    return (time.perf_counter() - began) / CHOICES


def busy_forum(days: int) -> Timeline:
    """Replies that follow replies in 20 boards, after as many days of history."""
    draw = random.Random(2)
    posts = int(2 * days * POSTS_A_DAY)
    times = sorted(draw.randrange(START, START + 2 * days * DAY) for _ in range(posts))
    rows: list[tuple[int, ...]] = []
    threads: list[int] = []
    for number, moment in enumerate(times):
        if not threads or draw.random() < 0.12:
            threads.append(int(20 * draw.random() ** 2))
        thread = max(0, len(threads) - 1 - int(draw.lognormvariate(2, 1.5)))
        rows.append((threads[thread], thread, number, moment, 0, 0))
    return make_timeline("busy", rows, now=2 * START)


def simulated(timeline: Timeline, policy: str, layers: Layers, days: int) -> float:
    span = Span(START + days * DAY, days)
    return simulate(timeline, POLICIES[policy], looks=Looks(layers), bandwidth=BANDWIDTH, span=span).seconds


def main() -> None:
    few, many = seconds_a_choice(FEW), seconds_a_choice(MANY)
    print(f"choice among {FEW:,} lists:     {few * 1e6:8.1f} us")
    print(f"choice among {MANY:,} lists: {many * 1e6:8.1f} us ({many / few:.1f} times)")
    assert many < 8 * few, "choosing must grow with the logarithm of the number of lists"
    days = 365 if "--year" in sys.argv else 30
    timeline = busy_forum(days)
    for policy in POLICIES:
        for layers in (Layers.ROWS, Layers.FEED) if policy == "ours" else (Layers.ROWS,):
            print(f"{days} days, {policy:14s} {layers.value:5s} {simulated(timeline, policy, layers, days):6.1f} s")


if __name__ == "__main__":
    main()
