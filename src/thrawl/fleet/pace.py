"""The paces of all hosts that one process of a fleet asks: kept by address, and only for hosts that it holds.

Two names of one address share a pace: it is one machine that answers. Behind a proxy addresses are the proxy's to
know, and names stand for them. Over all hosts together the number of requests under way is bounded, which bounds open
sockets and the memory of their answers.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from aiohttp.abc import AbstractResolver

from thrawl.errors import FetchError, LeaseLost
from thrawl.fleet.values import Hold
from thrawl.limits import FLEET_LEASE_SECONDS, FLEET_REQUESTS_AT_ONCE, MAX_HOSTS
from thrawl.net.guard import literal_address
from thrawl.net.pace import HostPace, Pace

# Of a lease's time, from its last renewal on, that its holder may ask the host: the rest is for clocks that run apart,
# and for a request that stands in a buffer still.
_USABLE: Final = 0.8

Ask = Callable[[str], Hold | None]


class Addresses:
    """What hosts share a pace by."""

    def __init__(self, *, proxied: bool, resolver: AbstractResolver | None = None) -> None:
        self._proxied = proxied
        self._resolver = resolver
        self._known: dict[str, str] = {}

    async def key(self, host: str) -> str:
        """The address of a host, the first in their order where it has many; its name where it has none."""
        if host not in self._known:
            if len(self._known) >= MAX_HOSTS:
                self._known.pop(next(iter(self._known)))
            self._known[host] = await self._look_up(host)
        return self._known[host]

    def known(self, host: str) -> str | None:
        return self._known.get(host)

    async def _look_up(self, host: str) -> str:
        literal = literal_address(host)
        if self._proxied or literal is not None:
            return host if literal is None else str(literal)
        try:
            return min(await self._addresses(host), default=host)
        except OSError:  # a dead name is told of by the fetch that fails
            return host

    async def _addresses(self, host: str) -> list[str]:
        if self._resolver is not None:
            return [found["host"] for found in await self._resolver.resolve(host)]
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return [str(address[0]) for *_, address in found]


class FleetPace(Pace):
    """Implements Pace for all clients of a process. `ask` takes the lease of a host, or gives None."""

    def __init__(
        self,
        delay: float,
        addresses: Addresses,
        ask: Ask,
        *,
        requests: int = FLEET_REQUESTS_AT_ONCE,
        lease_seconds: float | None = FLEET_LEASE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(delay, 1, clock=clock, sleep=sleep)
        self.addresses = addresses
        self._ask = ask
        self._held: dict[str, Hold] = {}
        self._renewed: dict[str, float] = {}
        self._lease_seconds = lease_seconds
        self.requests = asyncio.Semaphore(requests)

    def host(self, name: str) -> HostPace:
        return _Shared(self, name, self._clock, self._sleep)

    def by_key(self, key: str) -> HostPace:
        """The one pace of an address."""
        return super().host(key)

    def took(self, hold: Hold) -> None:
        """A host is held from now on."""
        fresh = self._held.get(hold.key) != hold
        self._held[hold.key] = hold
        self._renewed[hold.key] = self._clock()
        if fresh and hold.pause:
            self.by_key(hold.key).wait(hold.pause)

    def renewed(self, held: Iterable[Hold], began: float) -> None:
        """These leases were put off by a call that began then."""
        for hold in held:
            if self._held.get(hold.key) == hold:
                self._renewed[hold.key] = began

    def left(self, hold: Hold) -> None:
        if self._held.get(hold.key) == hold:
            del self._held[hold.key]

    def holds(self) -> dict[Hold, float]:
        """What is held, and the delay of each host."""
        return {hold: self.by_key(hold.key).delay for hold in self._held.values()}

    def require(self, key: str, name: str) -> None:
        """Hold a host. Raises FetchError where another worker does, LeaseLost where it is not sure to be held still."""
        if key not in self._held:
            hold = self._ask(key)
            if hold is None:
                raise FetchError(f"//{name}/", "the host is asked by another worker of the fleet at the moment")
            self.took(hold)
        self.require_time(key)

    def require_time(self, key: str) -> None:
        """Raises LeaseLost where the lease is not sure to last any more."""
        limit = self._lease_seconds
        if limit is not None and (key not in self._held or self._clock() - self._renewed[key] > _USABLE * limit):
            raise LeaseLost(f"the lease of {key} ran out; another worker may have the host now")


class _Shared(HostPace):
    """One name's way to the pace of its address."""

    def __init__(
        self, fleet: FleetPace, name: str, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        super().__init__(0.0, 1, clock, sleep)
        self._fleet = fleet
        self._name = name
        self._key = name
        known = fleet.addresses.known(name)
        self._pace = None if known is None else fleet.by_key(known)

    @property
    def delay(self) -> float:
        return super().delay if self._pace is None else self._pace.delay

    async def start(self) -> float:
        self._key = key = await self._fleet.addresses.key(self._name)
        self._pace = pace = self._fleet.by_key(key)
        self._fleet.require(key, self._name)
        started = await pace.start()
        try:
            if self._fleet.requests.locked():
                await self._fleet.requests.acquire()
                pace.wait(pace.delay)  # it starts now, and not when its turn came
            else:
                await self._fleet.requests.acquire()
        except BaseException:
            pace.end()
            raise
        try:
            self._fleet.require_time(key)
        except LeaseLost:
            self.end()
            raise
        return started

    async def go(self) -> None:
        assert self._pace is not None
        await self._pace.go()
        self._fleet.require_time(self._key)  # a process that was held up since its turn came may have lost the host

    def end(self) -> None:
        self._fleet.requests.release()
        if self._pace is not None:
            self._pace.end()

    def ask_for_delay(self, seconds: float) -> None:
        if self._pace is not None:
            self._pace.ask_for_delay(seconds)

    def trouble(self, started: float, why: str = "", *, retry_after: float | None = None, sure: bool = False) -> None:
        if self._pace is not None:
            self._pace.trouble(started, why, retry_after=retry_after, sure=sure)

    def success(self) -> None:
        if self._pace is not None:
            self._pace.success()
