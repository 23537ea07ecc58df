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
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thrawl.limits import FLEET_FORUMS_AT_ONCE, FLEET_TURN_SECONDS

DAY = 86_400.0
# Posts a page, index pages counted in, of the five timelines at 15 posts and 25 rows a page.
POSTS_A_PAGE = 6.9
# Pages of learning a forum; the crawl needs most of them anyway.
LEARNING_PAGES = 40.0
LITTLE_LEFT = 200.0
A_HOST = 4
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


class Queue:
    """Who comes next, by the registry's rule: fewest turns, then the least left; a few of one address at a time."""

    def __init__(self, address: npt.NDArray[np.int64]) -> None:
        self._address = address
        self._heap = [(0, 0.0, number) for number in range(len(address))]
        self._under_way: Counter[int] = Counter()
        self._aside: defaultdict[int, list[tuple[int, float, int]]] = defaultdict(list)
        self._waiting = len(address)

    def __len__(self) -> int:
        return self._waiting

    def take(self, count: int) -> list[int]:
        taken: list[int] = []
        while self._heap and len(taken) < count:
            one = heapq.heappop(self._heap)
            place = int(self._address[one[2]])
            if self._under_way[place] >= A_HOST:
                self._aside[place].append(one)
                continue
            self._under_way[place] += 1
            taken.append(one[2])
        self._waiting -= len(taken)
        return taken

    def ended(self, number: int) -> None:
        place = int(self._address[number])
        self._under_way[place] -= 1
        for one in self._aside.pop(place, ()):
            heapq.heappush(self._heap, one)

    def again(self, number: int, turns: int, left: float) -> None:
        heapq.heappush(self._heap, (turns, left, number))
        self._waiting += 1


def simulate(fleet: Fleet) -> Outcome:
    draw = np.random.default_rng(fleet.seed)
    left = sizes(fleet, draw)
    largest = float(left.max())
    address = addresses(fleet, draw)
    capacity = fleet.machines * fleet.cores / fleet.page_seconds
    room = fleet.machines * FLEET_FORUMS_AT_ONCE
    queue = Queue(address)
    turns = np.zeros(fleet.forums, dtype=np.int64)
    under_way = np.zeros(0, dtype=np.int64)
    began = np.zeros(fleet.forums)
    ended = np.full(fleet.forums, np.nan)
    now = used = held = busy = 0.0
    while len(under_way) or len(queue):
        fresh = np.array(queue.take(room - len(under_way)), dtype=np.int64)
        turns[fresh] += 1
        began[fresh] = now
        under_way = np.concatenate([under_way, fresh])
        rate = rates(address[under_way], fleet.delay, capacity)
        left[under_way] -= rate * STEP
        now += STEP
        if np.isnan(ended).sum() > 0.01 * fleet.forums:
            used, held, busy = used + float(rate.sum()) * STEP, held + len(under_way) * STEP, now
        over = left[under_way] <= 0
        ended[under_way[over]] = now
        # those that had their turn go when others wait
        tired = (now - began[under_way] >= FLEET_TURN_SECONDS) & (left[under_way] > LITTLE_LEFT) & ~over
        gone = over | tired if len(queue) else over
        for number in under_way[gone].tolist():
            queue.ended(number)
        for number in under_way[gone & ~over].tolist():
            queue.again(number, int(turns[number]), float(left[number]))
        under_way = under_way[~gone]
    shares = {share: float(np.quantile(ended, share)) / DAY for share in (0.5, 0.9, 0.99, 1.0)}
    return Outcome(shares, used / busy / capacity, held / busy / room, largest * fleet.delay / DAY, int(turns.sum()))


def addresses(fleet: Fleet, draw: np.random.Generator) -> npt.NDArray[np.int64]:
    """The address of each forum: its own, or one that it shares with a crowd."""
    own = np.arange(fleet.forums)
    crowded = draw.random(fleet.forums) < fleet.shared
    own[crowded] = fleet.forums + np.arange(crowded.sum()) // fleet.crowd
    return own


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
