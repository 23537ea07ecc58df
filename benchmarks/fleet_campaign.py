"""Forums on two Ray nodes while nodes, workers and the database are killed: archives and paces as if nothing had been.

    python benchmarks/fleet_campaign.py --forums 200 --threads 50-500 --skew 8 --kills 30 --kept /tmp/campaign

The forums are those of a town (`thrawl.lab.town`): many skins, each with a speed of its own, and a share of faults.
Each archive is compared, post for post, with that of a crawl that nobody disturbed, neither by kills nor by faults.
That one is kept in the folder `--kept`, goes on there if it was broken off, and serves larger campaigns of the same
seed; whoever changes how forums are read begins with an empty folder. Politeness is judged by the moments at which
requests came, as the kernel stamped them. On a machine too busy for Ray to start on, `--without-ray` has two processes
that are started again when they die; leases, fences and archives are tried as well by them. Servers, database and Ray
nodes are this machine's own, on loopback.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from random import Random

from bench_fleet import THRAWL, add, fleet, run, used
from fleet_nodes import Nodes, plain_nodes, ray_nodes
from thrawl.archive import Archive
from thrawl.archive.values import PageState
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.status import status_of
from thrawl.fleet.values import FleetForum
from thrawl.lab.hostile.kills import Content, content
from thrawl.lab.postgres import Postgres, running_postgres
from thrawl.lab.town import Plan, running_town

_CLOCKS = 0.001  # the kernel stamps by a clock that it may slow or hasten by this share, to set it right
_AT_ONCE = 60  # forums that one worker has under way at the most: both nodes have some, and a server has connections
_FROZEN_SECONDS = 40  # longer than leases last, so that a worker wakes up believed dead
_SHARE = 0.9  # of the requests that an undisturbed crawl takes, over which the kills are spread
# Seconds between two kills: what was killed may bring nothing for long. Where they are few, a busy machine has learned
# no forum before the next kill, and begins with all of them again and again.
_LONGEST_PAUSE = 300.0
VICTIMS = ("node", "worker", "frozen worker", "database")


@dataclass(frozen=True, slots=True)
class Campaign:
    """A town, how often something is killed, and the pace that is asked for."""

    plan: Plan
    kills: int
    delay: float
    away: tuple[float, ...]
    kept: Path
    on_ray: bool
    victims: tuple[str, ...] = VICTIMS

    @property
    def reference(self) -> Path:
        """Where the undisturbed crawl is: forums are the same whatever their number."""
        few, many = self.plan.threads
        return self.kept / f"undisturbed-{few}-{many}-{self.plan.skew:g}-{self.plan.seed}"

    @property
    def log(self) -> Path:
        """Every request of the disturbed crawl."""
        return self.kept / "requests.log"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forums", type=int, default=10)
    parser.add_argument("--threads", default="15-40")
    parser.add_argument("--skew", type=float, default=1.0, help="more than 1: fewer large forums")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--away", default="1,8,60", help="seconds of which one is drawn for the database to be away")
    parser.add_argument("--victims", default=",".join(VICTIMS), help="what is killed, of these")
    parser.add_argument("--fault", type=float, default=0.05)
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-ray", action="store_true", help="two processes instead of two nodes of Ray")
    parser.add_argument("--kept", type=Path, default=Path("campaign"))
    options = parser.parse_args()
    few, _, many = options.threads.partition("-")
    plan = Plan(options.forums, (int(few), int(many or few)), options.fault, options.seed, skew=options.skew)
    away = tuple(map(float, options.away.split(",")))
    victims = tuple(options.victims.split(","))
    campaign = Campaign(plan, options.kills, options.delay, away, options.kept, not options.without_ray, victims)
    campaign.kept.mkdir(parents=True, exist_ok=True)
    undisturbed(campaign)
    return 0 if disturbed(campaign) else 1


def undisturbed(campaign: Campaign) -> None:
    """Crawl what the folder does not hold yet."""
    place, began, before = str(campaign.reference), time.monotonic(), used()
    with running_town(replace(campaign.plan, fault=0.0)) as (proxy, urls):
        add(place, urls)
        run(place, proxy, delay=0.0)
    with Registry.open(FleetPlace(place), readonly=True) as registry:
        now = status_of(registry)
    print(
        f"undisturbed: {now.states}, {now.pages} pages, {now.posts} posts; "
        f"{time.monotonic() - began:.0f} s, {used() - before:.0f} s of CPU",
        flush=True,
    )


def disturbed(campaign: Campaign) -> bool:
    """Crawl the same forums while things are killed; whether all is as it should be."""
    campaign.log.unlink(missing_ok=True)
    campaign.log.touch()
    with running_town(campaign.plan, campaign.log) as (proxy, urls), running_postgres(safe=True, connections=300) as pg:
        add(pg.address, urls)
        began, before = time.monotonic(), used()
        hits = kill_things(pg, proxy, campaign)
        with Registry.open(FleetPlace(pg.address), readonly=True) as registry:
            now = status_of(registry)
        print(f"killed: {hits}, {sum(hits.values())} in all; {now.states}, {now.pages} pages, {now.posts} posts")
        print(f"ended after {time.monotonic() - began:.0f} s, {used() - before:.0f} s of CPU of the driver", flush=True)
        equal = compare(pg.address, campaign, urls)
    return tell_pace(campaign) and equal


def kill_things(pg: Postgres, proxy: str, campaign: Campaign) -> dict[str, int]:
    """Run the fleet on two nodes, and kill what can be killed until the kills are used up."""
    draw, hits = Random(campaign.plan.seed), dict.fromkeys(VICTIMS, 0)
    moments = Moments.drawn(campaign, draw)
    at_once = ["--at-once", str(min(_AT_ONCE, campaign.plan.forums // 2 + 1))]
    command = [*THRAWL, "fleet", "run", *fleet(pg.address, proxy, campaign.delay), *at_once]
    running = ray_nodes if campaign.on_ray else plain_nodes
    with running(command, campaign.kept / "driver.log") as nodes:
        while not nodes.is_over() and sum(hits.values()) < campaign.kills:
            moments.wait(nodes)
            what = draw.choice(campaign.victims)
            if what == "node":
                nodes.kill(draw)
            elif what == "database":
                pg.kill()
                time.sleep(draw.choice(campaign.away))
                pg.start()
            elif not hit_worker(pg, draw, freeze=what == "frozen worker"):
                continue
            hits[what] += 1
            print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)
        nodes.wait()
    return hits


@dataclass(slots=True)
class Moments:
    """When things are killed: at requests drawn from all that the crawl will take, so that no phase is spared."""

    log: Path
    left: list[int]

    @classmethod
    def drawn(cls, campaign: Campaign, draw: Random) -> Moments:
        with Registry.open(FleetPlace(str(campaign.reference)), readonly=True) as registry:
            pages = sum(forum.pages for forum in islice(registry.forums(), campaign.plan.forums))
        return cls(campaign.log, sorted(draw.randrange(int(_SHARE * pages)) for _ in range(campaign.kills)))

    def wait(self, nodes: Nodes) -> None:
        """Until the next of them, or until nothing happens any more."""
        request = self.left.pop(0) if self.left else 0
        latest = time.monotonic() + _LONGEST_PAUSE
        while not nodes.is_over() and time.monotonic() < latest and self._requests() < request:
            time.sleep(1)

    def _requests(self) -> int:
        with self.log.open("rb") as lines:
            return sum(1 for _ in lines)


def hit_worker(pg: Postgres, draw: Random, *, freeze: bool) -> bool:
    """Kill a worker; or freeze one for longer than its leases last, so that it wakes up believed dead."""
    with Registry.open(FleetPlace(pg.address)) as registry:
        pids = [one.pid for one in status_of(registry).workers if Path(f"/proc/{one.pid}").exists()]
    if not pids:
        return False
    pid = draw.choice(pids)
    try:
        os.kill(pid, signal.SIGSTOP if freeze else signal.SIGKILL)
        if freeze:
            time.sleep(_FROZEN_SECONDS)
            os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        return False
    return True


def compare(place: str, campaign: Campaign, urls: list[str]) -> bool:
    """Every forum's archive with that of the undisturbed crawl; whether all are equal."""
    found, wanted = forums(place), forums(str(campaign.reference))
    equal, posts, counted = 0, 0, 0
    for url in urls:
        ours, theirs = archived(place, found[url]), archived(str(campaign.reference), wanted[url])
        if theirs is None:
            print(f"no archive to compare with: {url}: {wanted[url].state}: {wanted[url].reason}")
            continue
        counted += 1
        posts += len(theirs)
        if ours == theirs:
            equal += 1
            continue
        print(f"not equal: {url}: {found[url].state.value}: {found[url].reason}")
        tell_difference(campaign.kept / "unequal" / f"forum{found[url].id}", ours or [], theirs)
        if ours is not None:
            tell_failures(FleetPlace(place).archive(found[url]))
    print(f"{equal} of {counted} archives equal, {posts} posts", flush=True)
    return equal == counted


def forums(place: str) -> dict[str, FleetForum]:
    with Registry.open(FleetPlace(place), readonly=True) as registry:
        return {forum.url: forum for forum in registry.forums()}


def archived(place: str, forum: FleetForum) -> Content | None:
    """What the archive of a forum holds; None where there is none."""
    return content(FleetPlace(place).archive(forum)) if forum.state.has_archive else None


def tell_difference(folder: Path, ours: Content, theirs: Content) -> None:
    """The first posts that differ, and all of them in files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    more, less = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    print(f"  {more.total()} of {len(ours)} posts differ from {less.total()} of {len(theirs)}; all are in {folder}")
    for name, rows in (("ours", more), ("theirs", less)):
        lines = [json.dumps(row, ensure_ascii=False) for row in sorted(rows, key=str)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        print(*(f"  {name}: {line[:300]}" for line in lines[:2]), sep="\n")


def tell_failures(location: str) -> None:
    with Archive.open(location, readonly=True) as archive:
        failed = [page for page in archive.pages() if page.state is PageState.FAILED]
        for page in failed[:5]:
            print(f"  failed: {page.url}: {page.failure}")


def tell_pace(campaign: Campaign) -> bool:
    """From the server's log, whose moments are the kernel's own; whether no host was asked too fast."""
    moments: dict[str, list[float]] = {}
    for line in campaign.log.read_text(encoding="utf-8").splitlines():
        moment, host, _ = line.split(" ", 2)
        moments.setdefault(host, []).append(float(moment))
    known = {campaign.plan.host(number) for number in range(campaign.plan.forums)}
    times = {host: sorted(found) for host, found in moments.items() if host in known}
    gaps = sorted(later - first for found in times.values() for first, later in pairwise(found))
    short = [gap for gap in gaps if gap < campaign.delay * (1 - _CLOCKS)]
    print(
        f"pace {campaign.delay} s: {len(times)} hosts, {len(gaps)} gaps, {len(short)} shorter than the delay; "
        f"the shortest: {[round(gap, 4) for gap in gaps[:5]]}"
    )
    return not short


if __name__ == "__main__":
    sys.exit(main())
