"""The schedule of a fleet at web scale, on paper time: how many days 10^5 forums with 10^9 posts take.

    python benchmarks/simulate_fleet.py --machines 20

No page is fetched. Forums are given out by the registry's rule (fewest turns first, then the least left), give their
places away after their turns, keep their hosts' paces, and share each machine's CPU by the cost a page that
`bench_fleet.py cpu` measures. Sizes are drawn from a lognormal distribution whose mean gives the posts in all; its
width decides how large the largest forum is, so it is an option: nobody has a census of forums, and five timelines of
real ones (`--narrow`) are all of middling size.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thrawl.limits import FLEET_FORUMS_AT_ONCE, FLEET_TURN_SECONDS

DAY = 86_400.0
# Posts a page, index pages counted in, of the five timelines at 15 posts and 25 rows a page.
POSTS_A_PAGE = 6.9
# Pages and CPU seconds of learning a forum.
LEARNING_PAGES, LEARNING_SECONDS = 40.0, 1.5
LITTLE_LEFT = 200.0
STEP = 60.0

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fleet:
    """What is simulated. `shared` of all forums stand on addresses of `crowd` forums each, and share their pace."""

    forums: int
    posts: float
    width: float
    machines: int
    cores: int
    page_seconds: float
    delay: float
    shared: float
    crowd: int
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """When shares of the forums were complete, in days, and how busy the machines were until all but 1 % were."""

    done: dict[float, float]
    cpu: float
    slots: float
    largest_days: float
    turns: int


def sizes(fleet: Fleet, draw: np.random.Generator) -> Numbers:
    """Pages of each forum."""
    drawn = draw.lognormal(0.0, fleet.width, fleet.forums)
    posts = np.maximum(1.0, drawn / drawn.sum() * fleet.posts)
    return posts / POSTS_A_PAGE + LEARNING_PAGES


def simulate(fleet: Fleet) -> Outcome:
    draw = np.random.default_rng(fleet.seed)
    left = sizes(fleet, draw)
    largest = float(left.max())
    address = np.arange(fleet.forums)
    crowded = draw.random(fleet.forums) < fleet.shared
    address[crowded] = fleet.forums + np.arange(crowded.sum()) // fleet.crowd
    # learning costs CPU like that many pages
    capacity = fleet.machines * fleet.cores / fleet.page_seconds
    room = fleet.machines * FLEET_FORUMS_AT_ONCE
    turns = np.zeros(fleet.forums, dtype=np.int64)
    queue = [(0, 0.0, number) for number in range(fleet.forums)]
    under_way = np.zeros(0, dtype=np.int64)
    began = np.zeros(fleet.forums)
    ended = np.full(fleet.forums, np.nan)
    now = used = held = 0.0
    busy_until = 0.0
    while len(under_way) or queue:
        taken = [heapq.heappop(queue)[2] for _ in range(min(room - len(under_way), len(queue)))]
        if taken:
            fresh = np.array(taken)
            turns[fresh] += 1
            began[fresh] = now
            under_way = np.concatenate([under_way, fresh])
        rate = rates(address[under_way], fleet.delay, capacity)
        step = min(STEP, FLEET_TURN_SECONDS)
        left[under_way] -= rate * step
        now += step
        if np.isnan(ended).sum() > 0.01 * fleet.forums:
            used += float(rate.sum()) * step
            held += len(under_way) * step
            busy_until = now
        over = left[under_way] <= 0
        ended[under_way[over]] = now
        gone = over
        if queue:
            tired = (now - began[under_way] >= FLEET_TURN_SECONDS) & (left[under_way] > LITTLE_LEFT) & ~over
            for number in under_way[tired]:
                heapq.heappush(queue, (int(turns[number]), float(left[number]), int(number)))
            gone = over | tired
        under_way = under_way[~gone]
    shares = {share: float(np.quantile(ended, share)) / DAY for share in (0.5, 0.9, 0.99, 1.0)}
    busy = max(busy_until, 1.0)
    return Outcome(shares, used / busy / capacity, held / busy / room, largest * fleet.delay / DAY, int(turns.sum()))


def rates(address: npt.NDArray[np.int64], delay: float, capacity: float) -> Numbers:
    """Pages a second of each forum under way: its part of its address's pace, and of the CPU where that is short."""
    _, index, number = np.unique(address, return_inverse=True, return_counts=True)
    wanted: Numbers = 1.0 / delay / number[index]
    return wanted * min(1.0, capacity / max(float(wanted.sum()), 1e-9))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forums", type=int, default=100_000)
    parser.add_argument("--posts", type=float, default=1e9)
    parser.add_argument("--width", type=float, default=2.5, help="sigma of the logarithm of a forum's size")
    parser.add_argument("--narrow", action="store_true", help="the width of the five timelines, 1.15")
    parser.add_argument("--machines", type=int, nargs="+", default=[5, 20, 80])
    parser.add_argument("--cores", type=int, default=8)
    parser.add_argument("--page-ms", type=float, default=15.0, help="CPU of a page, all processes together")
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--shared", type=float, default=0.2, help="share of forums on addresses of many")
    parser.add_argument("--crowd", type=int, default=20, help="forums on such an address")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("machines  50 %   90 %   99 %   all (days)  CPU   slots  turns    largest forum alone (days)")
    for machines in options.machines:
        fleet = Fleet(
            options.forums, options.posts, 1.15 if options.narrow else options.width, machines, options.cores,
            options.page_ms / 1e3, options.delay, options.shared, options.crowd, options.seed,
        )  # fmt: skip
        told = simulate(fleet)
        days = "  ".join(f"{told.done[share]:5.2f}" for share in (0.5, 0.9, 0.99, 1.0))
        print(
            f"{machines:8}  {days}       {told.cpu:4.0%}  {told.slots:4.0%}  {told.turns:7}  {told.largest_days:.1f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
