"""The fleet's figures: memory a forum, CPU beside single crawls, cost a page, two workers beside one, COPY.

    python benchmarks/bench_fleet.py memory cpu scaling

Without arguments all parts run at a small scale; what kills do is the business of `fleet_campaign.py`. Servers and
database are this machine's own, on loopback.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from small_machines import in_front_of_others, small_machine
from thrawl.archive import Archive, PageKind, PageOutcome, ThreadRef, copying
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.status import status_of
from thrawl.lab.postgres import running_postgres
from thrawl.lab.town import Plan, running_town
from thrawl.page.shown import PostRecord

DELAY = 0.5
_MACHINES = 2
_CORES = 0.25  # of each: two of them, their servers and the database together need less than this machine has
_POSTS_A_PAGE = (1, 5, 10, 15, 25, 50)
_POSTS = 3000  # that are saved in each way: some seconds
_WAYS = (("inserted", 10**9), ("copied", 1))  # posts of a page from which on they are copied
THRAWL = [sys.executable, "-c", "import sys; from thrawl.cli.main import main; sys.exit(main(sys.argv[1:]))"]
PARTS = ("memory", "cpu", "cost", "scaling", "copy")


@dataclass(frozen=True, slots=True)
class Scale:
    """How large a run is."""

    forums: int
    threads: tuple[int, int]
    seed: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, help=", ".join(PARTS))
    parser.add_argument("--forums", type=int, default=12)
    parser.add_argument("--threads", default="15-40")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    few, _, many = options.threads.partition("-")
    scale = Scale(options.forums, (int(few), int(many or few)), options.seed)
    for part in options.parts:
        print(f"== {part}: {scale.forums} forums of {options.threads} threads", flush=True)
        globals()[part](scale)
    return 0


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
    command = [*THRAWL, "fleet", "run", *fleet(str(place), proxy), "--json"]
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
        with Registry.open(FleetPlace(place)) as registry:
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
            with Registry.open(FleetPlace(place), readonly=True) as registry:
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

    if not FleetPlace(place).is_shared:
        files = list(Path(place).glob("*-*.db"))
        return sum(map(rows_of, map(str, files))), sum(path.stat().st_size for path in files)
    query = "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    with psycopg.connect(place) as connection:
        found = connection.execute(f"{query} WHERE n.nspname LIKE 'forum_%' AND c.relkind = 'r'".encode()).fetchone()
    with Registry.open(FleetPlace(place), readonly=True) as registry:
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
    """The same forums by one worker and by two, on a small machine each (`small_machines` says why), until the last of
    them is whole: starting the workers is counted, as is the time in which only one has something left to do."""
    machines = [f"machine{number}" for number in range(_MACHINES)]
    rates = [pages_a_second(scale, machines[:number]) for number in (1, _MACHINES)]
    print(f"two workers bring {rates[1] / rates[0]:.2f} times the pages of one (wanted 1.8)", flush=True)


def pages_a_second(scale: Scale, machines: Sequence[str]) -> float:
    plan = Plan(scale.forums, scale.threads, 0.0, scale.seed)
    with ExitStack() as closing:
        closing.enter_context(in_front_of_others())
        proxy, urls = closing.enter_context(running_town(plan))
        pg = closing.enter_context(running_postgres(connections=300))
        nodes = [closing.enter_context(small_machine(name, _CORES)) for name in machines]
        add(pg.address, urls)
        at_once = ["--at-once", str(scale.forums // len(nodes))]
        command = [*THRAWL, "fleet", "run", *fleet(pg.address, proxy, delay=0.0), *at_once, "--json"]
        began, before, server = time.monotonic(), used(), cpu_of_family(pg.pid)
        running = [node.start(command) for node in nodes]
        for process in running:
            process.wait()
        seconds, spent, server = time.monotonic() - began, used() - before, cpu_of_family(pg.pid) - server
        held_back = min(node.held_back() for node in nodes)
        with Registry.open(FleetPlace(pg.address)) as registry:
            now = status_of(registry)
    print(
        f"{len(nodes)} of {_CORES} cores: {now.pages} pages, {now.posts} posts in {seconds:.0f} s: "
        f"{now.pages / seconds:.2f} a second; {spent / now.pages * 1e3:.1f} ms of CPU a page, "
        f"{spent / seconds / _CORES / len(nodes):.0%} of what they had, held back in {held_back:.0%} of all periods; "
        f"{server / now.pages * 1e3:.1f} ms a page of the database",
        flush=True,
    )
    return now.pages / seconds


def copy(scale: Scale) -> None:
    """Posts a CPU second, of client and server together: pages saved by INSERT, and by COPY, in turn."""
    with running_postgres() as pg:
        for number in _POSTS_A_PAGE:
            inserted, copied = saved_in_turn(pg.address, number)
            print(
                f"{number} posts a page: {inserted:.0f} posts a CPU second by INSERT, {copied:.0f} by COPY: "
                f"{copied / inserted:.2f} times",
                flush=True,
            )


def saved_in_turn(server: str, number: int) -> list[float]:
    """Posts a CPU second of pages of so many posts, each saved in both ways: a busy machine slows them alike."""
    with ExitStack() as closing:
        archives = [new_archive(server, f"{name}{number}", closing) for name, _ in _WAYS]
        spent = [0.0] * len(_WAYS)
        for page in range(_POSTS // number):
            outcome = thread_page(page, number)
            for way, (_, least) in enumerate(_WAYS):
                archive, backend = archives[way]
                copying.LEAST_POSTS = least  # type: ignore[misc]  # the one figure that differs
                before = time.process_time() + cpu_of(backend)
                archive.save(outcome)
                spent[way] += time.process_time() + cpu_of(backend) - before
    return [_POSTS // number * number / seconds for seconds in spent]


def new_archive(server: str, schema: str, closing: ExitStack) -> tuple[Archive, int]:
    """An archive with one forum, and the server's process that serves it."""
    import psycopg
    from sqlalchemy import text

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    archive = closing.enter_context(Archive.open(f"{server}?options=-csearch_path%3D{schema}", create=True))
    archive.put_forum("http://f.example/", "f.example")
    with archive.access.reading() as own:
        return archive, int(own.execute(text("SELECT pg_backend_pid()")).scalar_one())


def thread_page(page: int, number: int) -> PageOutcome:
    """A page of a new thread, its posts of some 80 words, by people who write again and again."""
    draw = Random(page)
    url, moment = f"http://f.example/t/{page}", datetime(2026, 5, 1, tzinfo=UTC)
    posts = []
    for place in range(number):
        words = " ".join("".join(draw.choices("abcdefghij", k=draw.randint(2, 9))) for _ in range(80))
        name = f"author {draw.randrange(500)}"
        post_id = f"p{page}-{place}"
        posts.append(
            PostRecord(
                post_id, f"{url}#{post_id}", name, f"/u/{name}", moment, "1 May 2026", None, words, f"<p>{words}"
            )
        )
    return PageOutcome(1, url, PageKind.THREAD, moment, status=200, thread=ThreadRef(url, "title"), posts=tuple(posts))


def cpu_of(pid: int) -> float:
    """CPU seconds of a process that runs, as the kernel's scheduler counts them."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


def cpu_of_family(pid: int) -> float:
    """CPU seconds of a process, and of those of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def used() -> float:
    """CPU seconds of all processes that were started and waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def add(place: str, urls: Sequence[str]) -> None:
    with Registry.open(FleetPlace(place), create=True) as registry:
        registry.add(urls)


def run(place: str, proxy: str, delay: float = DELAY) -> None:
    command = [*THRAWL, "fleet", "run", *fleet(place, proxy, delay), "--json"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def fleet(place: str, proxy: str, delay: float = DELAY) -> list[str]:
    return ["--fleet", place, "--proxy", proxy, "--delay", str(delay)]


if __name__ == "__main__":
    sys.exit(main())
