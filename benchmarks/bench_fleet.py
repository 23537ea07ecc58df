"""The fleet's figures: archives after kills, pace, memory a forum, CPU beside single crawls, two workers beside one.

    python benchmarks/bench_fleet.py campaign --forums 200 --threads 50-500 --kills 30
    python benchmarks/bench_fleet.py memory cpu scaling

Without arguments all parts run at a small scale. Servers, database and Ray nodes are this machine's own, on loopback.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from thrawl.fleet.place import Place
from thrawl.fleet.registry import Registry
from thrawl.fleet.status import status_of
from thrawl.fleet.values import ForumState
from thrawl.lab.hostile.kills import content
from thrawl.lab.postgres import Postgres, running_postgres
from thrawl.lab.town import Plan, running_town

DELAY = 0.5
_CLOCKS = 0.001  # the kernel stamps by a clock that it may slow or hasten by this share, to set it right
THRAWL = [sys.executable, "-c", "import sys; from thrawl.cli.main import main; sys.exit(main(sys.argv[1:]))"]
PARTS = ("campaign", "memory", "cpu", "cost", "scaling")


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a run is."""

    forums: int
    threads: tuple[int, int]
    kills: int
    fault: float
    seed: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, help=", ".join(PARTS))
    parser.add_argument("--forums", type=int, default=12)
    parser.add_argument("--threads", default="15-40")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--fault", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    few, _, many = options.threads.partition("-")
    scale = Scale(options.forums, (int(few), int(many or few)), options.kills, options.fault, options.seed)
    for part in options.parts:
        print(f"== {part}: {scale.forums} forums of {options.threads} threads", flush=True)
        globals()[part](scale)
    return 0


def campaign(scale: Scale) -> None:
    """Forums on two Ray nodes while nodes, workers and the database are killed; archives as if nothing had been."""
    with tempfile.TemporaryDirectory(prefix="thrawl-fleet-") as name:
        folder = Path(name)
        plan = Plan(scale.forums, scale.threads, scale.fault, scale.seed)
        with (
            running_town(plan, folder / "killed.log") as (proxy, urls),
            running_postgres(safe=True, connections=300) as pg,
        ):
            began = time.monotonic()
            add(pg.address, urls)
            hits = disturbed(pg, proxy, scale)
            print(f"killed: {hits}; all ended after {time.monotonic() - began:.0f} s")
            quiet = str(folder / "undisturbed")
            add(quiet, urls)
            run(quiet, proxy)
            compare(pg.address, quiet)
        tell_pace(folder / "killed.log", scale)


def disturbed(pg: Postgres, proxy: str, scale: Scale) -> dict[str, int]:
    """Run the fleet on a cluster of two nodes, and kill what can be killed until the kills are used up."""
    # before Ray is loaded: it tells nobody, and its nodes are on loopback
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0")
    from ray.cluster_utils import Cluster

    here: dict[str, Any] = {"object_store_memory": 80 * 1024**2}
    cluster = Cluster()
    cluster.add_node(num_cpus=0, include_dashboard=False, **here)
    nodes = [cluster.add_node(num_cpus=1, **here) for _ in range(2)]
    assert cluster.address.startswith("127.0.0.1:"), cluster.address
    draw, hits = Random(scale.seed), {"node": 0, "worker": 0, "frozen worker": 0, "database": 0}
    command = [*THRAWL, "fleet", "run", *fleet(pg.address, proxy), "--ray", cluster.address]
    try:
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as driver:
            while driver.poll() is None and sum(hits.values()) < scale.kills:
                time.sleep(draw.uniform(2, 12))
                what = draw.choice(list(hits))
                if what == "node":
                    gone = nodes.pop(draw.randrange(2))
                    cluster.remove_node(gone, allow_graceful=False)
                    time.sleep(draw.uniform(0, 5))
                    nodes.append(cluster.add_node(num_cpus=1, **here))
                elif what == "database":
                    pg.kill()
                    time.sleep(draw.uniform(0, 8))
                    pg.start()
                elif not hit_worker(pg, draw, freeze=what == "frozen worker"):
                    continue
                hits[what] += 1
            print(f"the driver ended with {driver.wait()}")
    finally:
        cluster.shutdown()
    return hits


def hit_worker(pg: Postgres, draw: Random, *, freeze: bool) -> bool:
    """Kill a worker; or freeze one for longer than its leases last, so that it wakes up believed dead."""
    with Registry.open(Place(pg.address)) as registry:
        pids = [one.pid for one in status_of(registry).workers if Path(f"/proc/{one.pid}").exists()]
    if not pids:
        return False
    pid = draw.choice(pids)
    try:
        os.kill(pid, signal.SIGSTOP if freeze else signal.SIGKILL)
        if freeze:
            time.sleep(40)
            os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        return False
    return True


def compare(place: str, reference: str) -> None:
    found, wanted = archives(place), archives(reference)
    wrong, posts = 0, 0
    for url, location in wanted.items():
        ours, theirs = content(found[url]), content(location)
        posts += len(theirs)
        if ours != theirs:
            wrong += 1
            more, less = set(ours) - set(theirs), set(theirs) - set(ours)
            print(f"not equal: {url}: {len(more)} of {len(ours)} posts differ from {len(less)} of {len(theirs)}")
            print(*(str(one)[:300] for one in [*sorted(more)[:2], *sorted(less)[:2]]), sep="\n")
    print(f"{len(wanted) - wrong} of {len(wanted)} archives equal, {posts} posts")


def archives(place: str) -> dict[str, str]:
    with Registry.open(Place(place), readonly=True) as registry:
        forums = list(registry.forums())
        ended = {ForumState.COMPLETE, ForumState.SHORT}
        assert all(forum.state in ended for forum in forums), [(one.url, one.state, one.reason) for one in forums]
        return {forum.url: registry.place.archive(forum) for forum in forums}


def tell_pace(log: Path, scale: Scale) -> None:
    """From the server's log, whose moments are the kernel's own, of both crawls, the disturbed and the undisturbed."""
    moments: dict[str, list[float]] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        moment, host, _ = line.split(" ", 2)
        moments.setdefault(host, []).append(float(moment))
    known = {f"f{number}.town.example" for number in range(scale.forums)}
    times = {host: sorted(found) for host, found in moments.items() if host in known}
    gaps = sorted(later - first for found in times.values() for first, later in pairwise(found))
    short = [gap for gap in gaps if gap < DELAY * (1 - _CLOCKS)]
    print(
        f"pace {DELAY} s: {len(gaps)} gaps, {len(short)} shorter than the delay; "
        f"the shortest: {[round(gap, 4) for gap in gaps[:5]]}"
    )


def memory(scale: Scale) -> None:
    """What each forum under way adds to the process: all of them at once, beside a few of them."""
    few, many = max(2, scale.forums // 6), scale.forums
    plan = Plan(many, scale.threads, 0.0, scale.seed)
    with tempfile.TemporaryDirectory(prefix="thrawl-fleet-") as name, running_town(plan) as (proxy, urls):
        most = [peak(Path(name, str(number)), proxy, urls[:number]) for number in (few, many)]
    each = (most[1] - most[0]) / (many - few)
    print(f"{most[0]:.0f} MB with {few} forums, {most[1]:.0f} MB with {many}: {each:.2f} MB a forum (limit 3)")


def peak(place: Path, proxy: str, urls: Sequence[str]) -> float:
    """The largest resident memory in MB of a fleet's own process; its readers and learners are bounded in number."""
    add(str(place), urls)
    command = [*THRAWL, "fleet", "run", *fleet(str(place), proxy, delay=1.0), "--json"]
    most = 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                pages = int(Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1])
            except (OSError, IndexError):
                break
            most = max(most, pages * resource.getpagesize() / 1e6)
            time.sleep(0.5)
    return most


def cpu(scale: Scale) -> None:
    """CPU seconds of the fleet with all that it starts, beside crawls one by one."""
    with (
        tempfile.TemporaryDirectory(prefix="thrawl-fleet-") as name,
        running_town(Plan(scale.forums, scale.threads, 0.0, scale.seed)) as (proxy, urls),
    ):
        warm = str(Path(name, "warm"))
        add(warm, urls)
        run(warm, proxy, delay=0.0)  # the town's pages are made, and files are in memory
        before = used()
        for number, url in enumerate(urls):
            options = [
                "--archive",
                f"{name}/{number}.db",
                "--proxy",
                proxy,
                "--delay",
                "0",
                "--media",
                "none",
                "--json",
            ]
            subprocess.run([*THRAWL, "crawl", url, *options], stdout=subprocess.DEVNULL, check=False)
        single = used() - before
        place = str(Path(name, "fleet"))
        add(place, urls)
        before = used()
        run(place, proxy, delay=0.0)
        together = used() - before
        with Registry.open(Place(place)) as registry:
            pages = status_of(registry).pages
    print(
        f"{single:.1f} s one by one, {together:.1f} s in the fleet: {together / single - 1:+.1%} (limit +5 %), "
        f"{together / pages * 1e3:.1f} ms a page of {pages}"
    )


def cost(scale: Scale) -> None:
    """What a page costs: CPU, rows and disk, in files and on PostgreSQL."""
    plan = Plan(scale.forums, scale.threads, 0.0, scale.seed)
    with (
        tempfile.TemporaryDirectory(prefix="thrawl-fleet-") as name,
        running_town(plan) as (proxy, urls),
        running_postgres(connections=300) as pg,
    ):
        for place in (str(Path(name, "fleet")), pg.address):
            add(place, urls)
            before = used()
            run(place, proxy, delay=0.0)
            spent = used() - before
            with Registry.open(Place(place), readonly=True) as registry:
                now = status_of(registry)
            rows, disk = sizes(place)
            print(
                f"{now.place.partition(':')[0]}: {now.pages} pages, {now.posts} posts; a page: "
                f"{spent / now.pages * 1e3:.1f} ms of CPU, {rows / now.pages:.1f} rows, "
                f"{disk / now.pages / 1e3:.1f} kB of disk; a post: {disk / now.posts:.0f} bytes"
            )


def sizes(place: str) -> tuple[int, int]:
    """The rows of all archives of a fleet, and their bytes."""
    import psycopg

    if not Place(place).is_shared:
        files = list(Path(place).glob("*-*.db"))
        return sum(map(rows_of, map(str, files))), sum(path.stat().st_size for path in files)
    query = "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    with psycopg.connect(place) as connection:
        found = connection.execute(f"{query} WHERE n.nspname LIKE 'forum_%' AND c.relkind = 'r'".encode()).fetchone()
    with Registry.open(Place(place), readonly=True) as registry:
        rows = sum(rows_of(registry.place.archive(forum)) for forum in registry.forums())
    return rows, int(found[0]) if found else 0


def rows_of(location: str) -> int:
    from sqlalchemy import func, select

    from thrawl.archive import Archive
    from thrawl.archive.tables import metadata

    with Archive.open(location, readonly=True) as archive, archive.reading() as connection:
        return sum(
            connection.execute(select(func.count()).select_from(table)).scalar_one() for table in metadata.sorted_tables
        )


def scaling(scale: Scale) -> None:
    """Pages a second of two workers beside one, each with one core; the servers take their part of both."""
    speeds = []
    for workers in (1, 2):
        with (
            running_town(Plan(scale.forums, scale.threads, 0.0, scale.seed)) as (proxy, urls),
            running_postgres() as pg,
        ):
            add(pg.address, urls)
            began = time.monotonic()
            command = [
                *THRAWL,
                "fleet",
                "run",
                *fleet(pg.address, proxy, delay=0.0),
                "--at-once",
                str(scale.forums // 2),
            ]
            before = used()
            running = [
                subprocess.Popen(
                    ["taskset", "-c", str(core), *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                for core in range(workers)
            ]
            for process in running:
                process.wait()
            seconds = time.monotonic() - began
            with Registry.open(Place(pg.address)) as registry:
                pages = status_of(registry).pages
            speeds.append(pages / seconds)
            spent = used() - before
            print(f"{workers} workers: {pages} pages in {seconds:.0f} s, {spent / pages * 1e3:.1f} ms of CPU a page")
    print(f"{speeds[1] / speeds[0]:.2f} times as fast (wanted 1.8)")


def used() -> float:
    """CPU seconds of all processes that were started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def add(place: str, urls: Sequence[str]) -> None:
    with Registry.open(Place(place), create=True) as registry:
        registry.add(urls)


def run(place: str, proxy: str, delay: float = DELAY) -> None:
    command = [*THRAWL, "fleet", "run", *fleet(place, proxy, delay), "--json"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def fleet(place: str, proxy: str, delay: float = DELAY) -> list[str]:
    return ["--fleet", place, "--proxy", proxy, "--delay", str(delay)]


if __name__ == "__main__":
    sys.exit(main())
