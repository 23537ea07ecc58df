"""Politeness on a clock of our own: nothing here waits for real."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from thrawl.net.pace import Pace


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def make(clock):
    return lambda delay=1.0, concurrency=1: Pace(delay, concurrency, clock=clock, sleep=clock.sleep).host("a.test")


async def starts(pace, clock, count):
    moments = []
    for _ in range(count):
        await pace.start()
        moments.append(clock.now - 100)
        pace.end()
    return moments


async def test_requests_to_one_host_start_a_delay_apart(make, clock):
    assert await starts(make(), clock, 4) == [0, 1, 2, 3]


async def test_hosts_do_not_wait_for_each_other(clock):
    pace = Pace(1.0, 1, clock=clock, sleep=clock.sleep)
    await pace.host("a.test").start()
    await pace.host("b.test").start()
    assert clock.now == 100


async def test_only_so_many_requests_are_under_way_at_once(make):
    pace = make(delay=0, concurrency=2)
    await pace.start()
    await pace.start()
    third = asyncio.create_task(pace.start())
    await asyncio.sleep(0.01)
    assert not third.done()
    pace.end()
    await asyncio.wait_for(third, 60)


async def test_a_crawl_delay_slows_and_never_hastens(make, clock):
    pace = make()
    pace.ask_for_delay(0.1)
    assert pace.delay == 1
    pace.ask_for_delay(5)
    assert await starts(pace, clock, 3) == [5, 10, 15]


async def test_a_crawl_delay_of_a_week_is_capped(make):
    pace = make()
    pace.ask_for_delay(7 * 86400)
    assert pace.delay == 120


async def test_trouble_doubles_the_delay_and_success_takes_it_back(make, clock):
    pace = make()
    delays = []
    for _ in range(3):
        began = await pace.start()
        clock.now += 0.5
        pace.trouble(began)
        pace.end()
        delays.append(pace.delay)
    assert delays == [2, 4, 8]
    for _ in range(12):
        pace.success()
    assert pace.delay == 1


async def test_a_burst_of_refusals_is_one_sign(make, clock):
    pace = make(delay=0, concurrency=8)
    began = [await pace.start() for _ in range(8)]
    clock.now += 1
    for moment in began:
        pace.trouble(moment)
    assert 0 < pace.delay <= 0.2


async def test_trouble_never_slows_beyond_the_cap(make, clock):
    pace = make()
    for _ in range(30):
        clock.now += 1
        pace.trouble(clock.now)
    assert pace.delay == 120


async def test_a_429_pauses_the_whole_host(make, clock):
    pace = make(delay=0)
    began = await pace.start()
    pace.end()
    pace.trouble(began, retry_after=30, sure=True)
    assert pace.state("a.test").pause == 30
    assert (await starts(pace, clock, 1))[0] >= 30


async def test_a_lone_503_does_not_pause_the_host_but_a_second_does(make, clock):
    pace = make(delay=0)
    pace.trouble(clock.now, retry_after=30)
    assert pace.state("a.test").pause == 0
    pace.trouble(clock.now, retry_after=30)
    assert pace.state("a.test").pause == 30


async def test_a_pause_reaches_those_who_already_wait(make, clock):
    pace = make(delay=1, concurrency=2)
    await pace.start()
    waiting = asyncio.create_task(pace.start())
    await asyncio.sleep(0)
    pace.trouble(clock.now, retry_after=50, sure=True)
    assert await waiting >= 150


async def test_a_waiter_that_is_cancelled_leaves_its_place(make):
    pace = make(delay=0)
    await pace.start()
    waiting = asyncio.create_task(pace.start())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    pace.end()
    await asyncio.wait_for(pace.start(), 60)
    assert pace.active == 1


def test_thousands_of_hosts_are_not_all_remembered(clock):
    pace = Pace(clock=clock)
    for number in range(3000):
        pace.host(f"{number}.test")
    assert len(pace.states()) == 1024


async def test_a_request_that_starts_late_puts_off_the_next() -> None:
    """On a busy machine sleeps take longer than asked for; the host must not see two requests close to each other."""
    now = [100.0]

    async def oversleep(seconds: float) -> None:
        now[0] += seconds + 0.7

    pace = Pace(1.0, clock=lambda: now[0], sleep=oversleep).host("forum.example")
    starts = []
    for _ in range(4):
        starts.append(await pace.start())
        pace.end()
    assert all(later - earlier >= 1.0 for earlier, later in pairwise(starts))


async def test_a_host_that_was_just_asked_is_not_forgotten_for_others(clock) -> None:
    pace = Pace(1.0, clock=clock, sleep=clock.sleep)
    first = pace.host("forum.test")
    await first.start()
    first.end()
    for number in range(3000):
        pace.host(f"{number}.test")
    assert await pace.host("forum.test").start() >= 101
