"""The fleet on Ray's own local cluster, by the command line; and one sentence where there is no Ray."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.fleet.conftest import RunningTown

from thrawl.fleet import cluster
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.lab.hostile.kills import Content, content

_TOO_BUSY = "timed out during startup"
_WHY_BUSY = "Ray gives its own processes half a minute to start, and this machine is too busy for that"
_CAMPAIGN = Path(__file__).parents[2] / "benchmarks" / "fleet_campaign.py"
_THRAWL = "import sys; from thrawl.cli.main import main; sys.exit(main(sys.argv[1:]))"

_ITS_NODE_IS_LOST = """
import subprocess, sys
from ray.cluster_utils import Cluster

small = {"object_store_memory": 80 * 1024**2}
cluster = Cluster()
first = cluster.add_node(num_cpus=1, include_dashboard=False, **small)
with subprocess.Popen([*sys.argv[1:], "--ray", cluster.address], stderr=subprocess.PIPE, text=True) as driver:
    next(line for line in driver.stderr if "a worker on node" in line)
    cluster.add_node(num_cpus=1, **small)
    first.kill_raylet()
    sys.stderr.write(driver.stderr.read())
cluster.shutdown()
sys.exit(driver.returncode)
"""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)


def thrawl(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-c", _THRAWL, *words, **environment)


@pytest.fixture
def no_cluster() -> Iterator[dict[str, str]]:
    """An environment in which none is known, whatever runs on this machine; Ray's paths must be short."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        yield {"RAY_TMPDIR": folder}


def test_a_local_cluster_crawls_the_forums(
    postgres: str, town: RunningTown, undisturbed: dict[str, Content], no_cluster: dict[str, str]
) -> None:
    at = ("--fleet", postgres)
    assert thrawl("fleet", "add", *town.urls[:2], *at).returncode == 0
    done = thrawl("fleet", "run", "--ray", "auto", *at, "--proxy", town.proxy, "--delay", "0.02", **no_cluster)
    if _TOO_BUSY in done.stderr:
        pytest.skip(_WHY_BUSY)
    assert done.returncode in (0, 3), done.stderr  # as complete as crawls of their own are
    assert "a worker on node" in done.stderr
    with Registry.open(FleetPlace(postgres)) as registry:
        for forum in registry.forums():
            assert forum.state.has_archive
            assert content(registry.place.archive(forum)) == undisturbed[forum.url]


def test_two_nodes_of_which_one_is_killed_crawl_what_an_undisturbed_crawl_does(
    postgres_server: str, no_cluster: dict[str, str], tmp_path: Path
) -> None:
    """The campaign as it is, small; it says whether archives and paces are as they should be."""
    size = ("--forums", "2", "--threads", "8-12", "--delay", "0.1", "--kills", "1", "--victims", "node")
    done = run(sys.executable, str(_CAMPAIGN), *size, "--kept", str(tmp_path), **no_cluster)
    if _TOO_BUSY in done.stderr:
        pytest.skip(_WHY_BUSY)
    assert "killed: {'node': 1," in done.stdout, done.stderr
    assert "2 of 2 archives equal" in done.stdout
    assert "2 hosts" in done.stdout
    assert done.returncode == 0


def test_a_fleet_whose_own_node_is_lost_goes_on_by_another(
    postgres: str, town: RunningTown, no_cluster: dict[str, str]
) -> None:
    at = ("--fleet", postgres)
    assert thrawl("fleet", "add", *town.urls[:2], *at).returncode == 0
    fleet = (sys.executable, "-c", _THRAWL, "fleet", "run", *at, "--proxy", town.proxy, "--delay", "0.5")
    on_loopback = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    done = run(sys.executable, "-c", _ITS_NODE_IS_LOST, *fleet, **no_cluster, **on_loopback)
    if _TOO_BUSY in done.stderr:
        pytest.skip(_WHY_BUSY)
    assert done.returncode in (0, 3), done.stderr
    assert "joining the cluster again" in done.stderr
    with Registry.open(FleetPlace(postgres)) as registry:
        assert all(forum.state.has_archive for forum in registry.forums())


def test_what_a_killed_cluster_left_is_not_taken_for_one_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = tmp_path / "ray_current_cluster"
    monkeypatch.setattr(cluster, "_NOTED", noted)
    assert not cluster.runs_here()
    with socket.create_server(("127.0.0.1", 0)) as server:
        noted.write_text(f"127.0.0.1:{server.getsockname()[1]}", encoding="ascii")
        assert cluster.runs_here()
    assert not cluster.runs_here()


def test_a_cluster_of_this_machine_alone_is_on_loopback(no_cluster: dict[str, str]) -> None:
    program = "from thrawl.fleet.cluster import start_ray; ray = start_ray('auto'); print(ray.nodes())"
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | no_cluster
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    if _TOO_BUSY in done.stderr:
        pytest.skip(_WHY_BUSY)
    assert done.returncode == 0, done.stderr
    assert "'NodeManagerAddress': '127.0.0.1'" in done.stdout


def test_without_ray_one_sentence_says_how_to_get_it(postgres: str, tmp_path: object) -> None:
    folder = str(tmp_path)
    with open(f"{folder}/ray.py", "w", encoding="utf-8") as blocked:
        blocked.write("raise ImportError('no ray here')")
    assert thrawl("fleet", "add", "http://forum.example/", "--fleet", postgres).returncode == 0
    path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    done = thrawl("fleet", "run", "--ray", "auto", "--fleet", postgres, PYTHONPATH=path)
    assert done.returncode == 2
    assert done.stderr == "thrawl: A fleet on Ray needs Ray: pip install 'thrawl[fleet]', or leave --ray out.\n"


def test_ray_needs_a_fleet_that_several_machines_can_reach(tmp_path: object) -> None:
    done = thrawl("fleet", "run", "--ray", "auto", "--fleet", f"{tmp_path}/fleet")
    assert done.returncode == 2
    assert "postgresql://" in done.stderr
