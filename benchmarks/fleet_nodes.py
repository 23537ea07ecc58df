"""Two nodes for a fleet's campaign: of a Ray cluster, or plain processes that are started again when they die."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

_NUMBER = 2
_ENDED = (0, 3)  # with which a fleet says that nothing is left


class Nodes(Protocol):
    """Machines that crawl."""

    def kill(self, draw: Random) -> None:
        """One of them is gone from one moment to the next; another comes."""

    def is_over(self) -> bool:
        """Whether nothing is left to crawl."""

    def wait(self) -> None:
        """Until it is."""


@dataclass(slots=True)
class RayNodes:
    """Nodes of Ray's own local cluster, and the driver that has a worker on each."""

    cluster: Any
    here: dict[str, Any]
    nodes: list[Any]
    driver: subprocess.Popen[bytes]

    def kill(self, draw: Random) -> None:
        self.cluster.remove_node(self.nodes.pop(draw.randrange(_NUMBER)), allow_graceful=False)
        time.sleep(draw.uniform(0, 5))
        self.nodes.append(self.cluster.add_node(num_cpus=1, **self.here))

    def is_over(self) -> bool:
        return self.driver.poll() is not None

    def wait(self) -> None:
        print(f"the driver ended with {self.driver.wait()}", flush=True)


@contextmanager
def ray_nodes(command: Sequence[str], log: Path) -> Iterator[RayNodes]:
    # before Ray is loaded: it tells nobody, and its nodes are on loopback
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0")
    os.environ.update(
        RAY_worker_niceness="0"
    )  # Ray has its workers step back behind all else: on a busy machine for ever
    from ray.cluster_utils import Cluster

    here: dict[str, Any] = {"object_store_memory": 80 * 1024**2}
    cluster = Cluster()
    try:
        cluster.add_node(num_cpus=0, include_dashboard=False, **here)
        nodes = [cluster.add_node(num_cpus=1, **here) for _ in range(_NUMBER)]
        assert cluster.address.startswith("127.0.0.1:"), cluster.address
        with (
            log.open("w", encoding="utf-8") as told,
            subprocess.Popen([*command, "--ray", cluster.address], stderr=told) as driver,
        ):
            yield RayNodes(cluster, here, nodes, driver)
    finally:
        cluster.shutdown()


class PlainNodes:
    """Processes of `thrawl fleet run`, each with its readers and learners in a group of its own."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._command = command
        self._log = log
        self._nodes = [self._start() for _ in range(_NUMBER)]

    def kill(self, draw: Random) -> None:
        node = draw.choice(self._nodes)
        if node.poll() is None:
            os.killpg(node.pid, signal.SIGKILL)

    def is_over(self) -> bool:
        ended = any(node.poll() in _ENDED for node in self._nodes)
        if not ended:
            self._nodes = [node if node.poll() is None else self._start() for node in self._nodes]
        return ended

    def wait(self) -> None:
        while not self.is_over():
            time.sleep(1)
        for node in self._nodes:
            node.wait()

    def end(self) -> None:
        for node in self._nodes:
            if node.poll() is None:
                os.killpg(node.pid, signal.SIGKILL)
            node.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("a", encoding="utf-8") as told:
            return subprocess.Popen(self._command, stdout=told, stderr=told, start_new_session=True)


@contextmanager
def plain_nodes(command: Sequence[str], log: Path) -> Iterator[PlainNodes]:
    nodes = PlainNodes(command, log)
    try:
        yield nodes
    finally:
        nodes.end()
