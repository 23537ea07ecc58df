"""What happens to sites and machines: too many requests, clocks that are set, the hour that comes twice."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.crawl.tinyforum import Crawl, TinyForum, archived
from tests.refresh.conftest import VirtualClock, Watch

from thrawl.lab.faults import Refusals
from thrawl.refresh.clock import SystemClock
from thrawl.refresh.holdings import Holdings
from thrawl.refresh.pages import History, Layer, PageRef, RowsShown

STEP = 60.0
BUDGET = "60/hour"
NOW = 2_000_000_000.0


class Requests:
    """When a watch asked for pages."""

    def __init__(self, clock: VirtualClock) -> None:
        self.clock = clock
        self.moments: list[float] = []

    def __call__(self, url: str) -> None:
        self.moments.append(self.clock.now())

    @property
    def closest(self) -> float:
        return min(later - earlier for earlier, later in pairwise(self.moments))


async def test_a_site_that_answers_429_for_an_hour_gets_fewer_requests_and_no_storm_afterwards(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    clock = VirtualClock(NOW)
    asked = Requests(clock)
    forum.faults.append(Refusals(429, share=1.0, retry_after=None))
    await watch(forum, hours=1, budget=BUDGET, clock=clock, before=asked)
    assert len(asked.moments) < 30
    forum.faults.clear()
    forum.write(103)
    forum.write(206)
    await watch(forum, hours=3, budget=BUDGET, clock=clock, before=asked)
    assert asked.closest >= STEP - 1e-6
    assert archived(location) == forum.written()


@pytest.mark.parametrize("seconds", [40 * 86_400.0, -3 * 86_400.0])
async def test_a_clock_that_was_set_brings_neither_a_storm_nor_silence(
    seconds: float, forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)
    await crawl(forum)
    clock = VirtualClock(NOW)
    await watch(forum, hours=2, budget=BUDGET, clock=clock)
    forum.write(103)
    forum.write(206)
    clock.moment += seconds
    asked = Requests(clock)
    await watch(forum, hours=3, budget=BUDGET, clock=clock, before=asked)
    assert asked.closest >= STEP - 1e-6
    assert len(asked.moments) > 100
    assert archived(location) == forum.written()


def test_the_clock_of_a_watch_follows_one_that_jumps_ahead_and_never_goes_back() -> None:
    wall, monotonic = [1000.0], [50.0]
    clock = SystemClock(lambda: wall[0], lambda: monotonic[0])
    told = [clock.now()]
    for ahead, passed in ((5.0, 5.0), (3600.0, 5.0), (-7200.0, 5.0), (5.0, 5.0)):
        wall[0] += ahead
        monotonic[0] += passed
        told.append(clock.now())
    assert told == [1000.0, 1005.0, 4605.0, 4610.0, 4615.0]


def rows(time: int, posts: int | None) -> RowsShown:
    return RowsShown([10], [time], None if posts is None else [posts], None, 0, 1)


@pytest.mark.parametrize(("before", "after"), [(None, None), (4, 5)])
def test_a_post_in_the_hour_that_clocks_repeat_is_news_though_its_time_is_earlier(
    before: int | None, after: int | None
) -> None:
    board = PageRef(Layer.INDEX, 1, 1)
    boards, threads, times = np.full(4, 1), np.full(4, 10), np.array([0, 3000, 6000, 9000])
    holdings = Holdings(History(boards, threads, times, {10: (before, 9000)}), 15)
    assert not holdings.read_rows(board, rows(9000, before), now=9100).news
    (news,) = holdings.read_rows(board, rows(6000, after), now=9700).news
    assert (news.thread, news.posts) == (10, 1)
