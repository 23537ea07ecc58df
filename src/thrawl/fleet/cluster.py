"""The fleet on Ray: one worker on every node of a cluster, started where nodes join and again where workers die.

Ray brings processes to machines and notices when they are gone; who crawls what is the registry's business, so a worker
on Ray is a `FleetRunner` like any other, and may be joined by some that Ray knows nothing of.
"""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from thrawl.errors import ArchiveAway, InputError, UsageError
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.runner import FleetOptions, FleetRunner

AUTO: Final = "auto"
_LOOK_SECONDS: Final = 1.0
# Where Ray notes the address of a cluster that runs on this machine; one that was killed leaves its note.
_NOTED: Final = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir(), "ray", "ray_current_cluster")
_CONNECT_SECONDS: Final = 5.0
# Ray's switch between an address that other machines reach and loopback. Its name tells where it is off by default; its
# option for a node's address is no help, for it takes loopback to mean the machine's other address.
_REACHABLE: Final = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
# Bytes of Ray's own store, which nothing of a crawl goes through.
_OBJECT_STORE: Final = 100 * 1024**2

Say = Callable[[str], None]


def runs_here() -> bool:
    """Whether a cluster of this machine answers."""
    try:
        host, _, port = _NOTED.read_text(encoding="utf-8").rpartition(":")
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except (OSError, ValueError):
        return False
    return True


def start_ray(address: str) -> Any:
    """Join a cluster; `auto` joins the one that runs here, and else makes one of this machine, on loopback alone."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told about a user's archive
    alone = address == AUTO and "RAY_ADDRESS" not in os.environ and not runs_here()
    if alone:
        os.environ[_REACHABLE] = "0"
    try:
        import ray
    except ImportError as error:
        raise UsageError("A fleet on Ray needs Ray: pip install 'thrawl[fleet]', or leave --ray out.") from error
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if alone:
        ray.init(address="local", include_dashboard=False, object_store_memory=_OBJECT_STORE, **quiet)
        return ray
    try:
        ray.init(address=address, **quiet)
    except ConnectionError as error:
        raise InputError(f"no Ray cluster answers at {address}; start one with: ray start --head") from error
    return ray


class Worker:
    """A worker of the fleet as an actor of Ray."""

    def __init__(self, location: str, options: FleetOptions) -> None:
        self._location = location
        self._options = options
        self._runner: FleetRunner | None = None
        self._stopped = False

    async def run(self) -> int:
        """Run forums until nothing is left; the pages that came."""
        with await self._registry() as registry:
            self._runner = FleetRunner(registry, self._options)
            if self._stopped:
                return 0
            return (await self._runner.run()).pages

    async def _registry(self) -> Registry:
        """The list, once its database answers."""
        while True:
            try:
                return Registry.open(FleetPlace(self._location))
            except ArchiveAway:
                await asyncio.sleep(_LOOK_SECONDS)

    async def stop(self) -> None:
        """Finish the pages in hand."""
        self._stopped = True
        if self._runner is not None:
            self._runner.stop.set()


@dataclass(slots=True)
class RayFleet:
    """Keeps a worker on every node until all workers say that nothing is left, or `stop` is set."""

    location: str
    options: FleetOptions
    address: str = AUTO
    say: Say = lambda _: None
    look: Callable[[], None] = lambda: None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    _workers: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    async def run(self) -> None:
        while not await self._joined():
            self._workers.clear()  # Ray ends what a command started when it leaves the cluster
            self.say("the node that this command speaks through is gone: joining the cluster again")

    async def _joined(self) -> bool:
        """Whether all is over, and not only the node gone through which the cluster is spoken to.

        Ray says nothing of that: what was asked of it then is never answered.
        """
        ray = start_ray(self.address)
        here = ray.get_runtime_context().get_node_id()
        try:
            while here in (alive := {str(node["NodeID"]): node for node in ray.nodes() if node["Alive"]}):
                if self._is_over(ray, {name for name, node in alive.items() if node["Resources"].get("CPU", 0) >= 1}):
                    return True
                self.look()
                await asyncio.sleep(_LOOK_SECONDS)
            return False
        finally:
            ray.shutdown()

    def _is_over(self, ray: Any, nodes: set[str]) -> bool:
        ended = self._ended(ray)
        if self.stop.is_set():
            for actor, _ in self._workers.values():
                actor.stop.remote()
            return not self._workers
        if ended and not self._workers:
            return True
        if not ended:
            for node in nodes - self._workers.keys():
                self._workers[node] = self._start(ray, node)
                self.say(f"a worker on node {node[:8]}")
        return False

    def _ended(self, ray: Any) -> bool:
        """Whether some worker found nothing left to do. Those that died are forgotten, and started again."""
        ended = False
        refs = {ref: node for node, (_, ref) in self._workers.items()}
        done, _ = ray.wait(list(refs), num_returns=len(refs), timeout=0) if refs else ([], [])
        for ref in done:
            node = refs[ref]
            del self._workers[node]
            try:
                ray.get(ref)
                ended = True
            except ray.exceptions.RayTaskError:
                raise  # a bug, or a fleet that cannot be used: another worker would end the same way
            except ray.exceptions.RayError:
                self.say(f"the worker on node {node[:8]} is gone")
        return ended

    def _start(self, ray: Any, node: str) -> tuple[Any, Any]:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
        actor = ray.remote(num_cpus=1, max_concurrency=4, scheduling_strategy=here)(Worker).remote(
            self.location, self.options
        )
        return actor, actor.run.remote()
