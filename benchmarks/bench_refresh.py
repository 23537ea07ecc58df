"""How fast refreshing is: choosing the next list among many, and a simulated year.

python benchmarks/bench_refresh.py            the choice among 1,000 and 1,000,000 lists, and 30 simulated days
python benchmarks/bench_refresh.py --year     a year with 100,000 posts at 3,000 pages a day, policy by policy
python benchmarks/bench_refresh.py --round    a round on a forum of 100,000 threads where nothing changed
python benchmarks/bench_refresh.py --dead     rows against layers where most boards are dead
"""

from __future__ import annotations

import os
import random
import resource
import sys
import time
from dataclasses import replace

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does, before numpy is loaded

from thrawl.lab.simulation.experiment import POLICIES
from thrawl.lab.simulation.forum import Forum, Layers, Looks, PostsPage
from thrawl.lab.simulation.run import DAY, Span, simulate
from thrawl.lab.timeline import Timeline, make_timeline
from thrawl.refresh.agenda import Agenda
from thrawl.refresh.pages import ENTRY_PAGE, EntryShown
from thrawl.refresh.policies.ours import Ours

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

    def score(key: int, now: float) -> float:
        return (now - visited[key]) / waits[key]

    now = 0.0
    began = time.perf_counter()
    for _ in range(CHOICES):
        now += 28.8
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
    """The seconds of CPU that a run takes."""
    span = Span(START + days * DAY, days)
    began = cpu_seconds()
    simulate(timeline, POLICIES[policy], looks=Looks(layers), bandwidth=BANDWIDTH, span=span)
    return cpu_seconds() - began


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def quiet_round(threads: int, boards: int, layers: Layers) -> tuple[int, float]:
    """The requests of a round on a forum where nothing changed, and the seconds that it took."""
    rows = [(thread % boards, thread, thread, START + 60 * thread, 0, 0) for thread in range(threads)]
    forum = Forum(make_timeline("quiet", rows, now=2 * START), Looks(layers))
    now = float(START + 60 * threads + DAY)
    forum.advance(now)
    history = forum.history()
    shown = forum.show(ENTRY_PAGE)
    assert isinstance(shown, EntryShown)
    if shown.posts is not None and shown.last_times is not None:
        told = zip(shown.boards, zip(shown.posts, shown.last_times, strict=True), strict=True)
        history = replace(history, board_rows=dict(told))
    began = time.perf_counter()
    policy = Ours(once=True)
    policy.begin(forum.site(1.0), history, forum.looked(now), now)
    asked = 0
    while (ref := policy.choose(now)) is not None:
        asked += 1
        page = forum.show(ref)
        assert not isinstance(page, PostsPage), "a thread was asked for, and nothing is new in any"
        policy.observe(now, ref, page)
    return asked, time.perf_counter() - began


def dead_boards(posts: int, days: int, live: int, dead: int) -> Timeline:
    """Most boards got their last post years ago; now and then one of them gets another."""
    draw = random.Random(3)
    old = [(live + board, board, board, START - 400 * DAY + board, 0, 0) for board in range(dead)]
    rows, threads = old, list[int]()
    for moment in sorted(draw.randrange(START, START + days * DAY) for _ in range(posts)):
        if not threads or draw.random() < 0.15:
            threads.append(live + draw.randrange(dead) if draw.random() < 0.02 else int(live * draw.random() ** 2))
        thread = max(0, len(threads) - 1 - int(draw.lognormvariate(2, 1.5)))
        rows.append((threads[thread], dead + thread, len(rows), moment, 0, 0))
    return make_timeline("dead", rows, now=2 * START)


def main() -> None:
    if "--round" in sys.argv:
        for layers in (Layers.ROWS, Layers.ENTRY):
            asked, seconds = quiet_round(100_000, 50, layers)
            print(f"a round on 100,000 threads in 50 boards, {layers.value:5s}: {asked} requests, {seconds:.1f} s")
        return
    if "--dead" in sys.argv:
        timeline, span = dead_boards(6000, 90, 8, 200), Span(START + 45 * DAY, 45)
        for bandwidth in (300, 1000):
            for policy in ("layers", "ours"):
                run = simulate(timeline, POLICIES[policy], looks=Looks(Layers.ROWS), bandwidth=bandwidth, span=span)
                told = run.measures()
                print(
                    f"200 dead boards beside 8, {bandwidth}/day, {policy:6s}: "
                    f"mean delay {told.timeliness:.1f} min, coverage {told.coverage:.4f}"
                )
        return
    few, many = seconds_a_choice(FEW), seconds_a_choice(MANY)
    print(f"choice among {FEW:,} lists:     {few * 1e6:8.1f} us")
    print(f"choice among {MANY:,} lists: {many * 1e6:8.1f} us ({many / few:.1f} times)")
    assert many < 8 * few, "choosing must grow with the logarithm of the number of lists"
    days = 365 if "--year" in sys.argv else 30
    timeline = busy_forum(days)
    for policy in ("ours", *(other for other in POLICIES if other != "ours")):
        for layers in Layers if policy == "ours" else (Layers.ROWS,):
            seconds = simulated(timeline, policy, layers, days)
            print(f"{days} days, {policy:14s} {layers.value:11s} {seconds:6.1f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
