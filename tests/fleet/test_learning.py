"""Processes that learn for a fleet: a forum that is given up costs the others that share one nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from thrawl.errors import FetchError, LearnError
from thrawl.fleet.learning import Learners
from thrawl.fleet.learnprocess import Order
from thrawl.net.message import Request, Response


class DeadHost:
    """Implements Fetcher for a host that answers nothing, which is soon learned."""

    async def fetch(self, request: Request) -> Response:
        raise FetchError(request.url, "the connection was refused")


async def test_a_forum_that_is_given_up_while_its_process_is_reached_costs_the_others_nothing() -> None:
    learners = Learners(1)
    try:
        orders = [Order(f"http://forum{number}.example/") for number in range(3)]
        first, *others = (asyncio.create_task(learners.learn(order, DeadHost(), print)) for order in orders)
        await asyncio.sleep(0)
        (pid,) = learners.pids()
        first.cancel()
        with suppress(asyncio.CancelledError):
            await first
        assert first.cancelled()
        for other in others:
            with pytest.raises(LearnError, match="refused"):
                await other
        assert learners.pids() == [pid]
    finally:
        await learners.close()
