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

from thrawl.archive import Archive, PageKind, PageOutcome, ThreadRef, copying
from thrawl.fleet.place import FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.status import status_of
from thrawl.lab.postgres import running_postgres
from thrawl.lab.town import Plan, running_town
from thrawl.page.shown import PostRecord

DELAY = 0.5
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


@dataclass(frozen=True, slots=True)
class Spent:
    """What workers took for their pages, in CPU seconds: they themselves with their readers and learners, and the
    database; and of the moments at which statements ran, those at which one waited for another's lock."""

    pages: int
    workers: float
    database: float
    moments: int
    waiting: int

    def __str__(self) -> str:
        return (
            f"{self.pages} pages, {self.workers:.1f} s of CPU ({self.workers / self.pages * 1e3:.1f} ms a page), "
            f"{self.database / self.pages * 1e3:.1f} ms a page of the database; "
            f"locks were waited for in {self.waiting} of {self.moments} moments"
        )


def scaling(scale: Scale) -> None:
    """Two workers beside one, by CPU: what starting one costs is told by two runs of one worker, what a page costs
    by those and by one of two workers. Cores may be shared with servers and other work; the clock says nothing here."""
    some, all_by_one, all_by_two = (spent(scale, *run) for run in ((1, 1), (1, 2), (2, 2)))
    for name, one in (("one worker", some), ("one, twice the forums", all_by_one), ("two workers", all_by_two)):
        print(f"{name}: {one}", flush=True)
    page = (all_by_one.workers - some.workers) / (all_by_one.pages - some.pages)
    start = some.workers - page * some.pages
    page_of_two = (all_by_two.workers - 2 * start) / all_by_two.pages
    print(
        f"a worker starts in {start:.1f} s of CPU; then a page takes {page * 1e3:.1f} ms with one and "
        f"{page_of_two * 1e3:.1f} ms with two"
    )
    for pages in (all_by_two.pages, 10_000, 100_000):
        times = (start + page * pages) / (start + page_of_two * pages / 2)
        print(f"{pages} pages: two workers bring {times:.2f} times the pages of one (wanted 1.8)", flush=True)


def spent(scale: Scale, workers: int, share: int) -> Spent:
    """Crawl `share` times half of the forums."""
    plan = Plan(scale.forums // 2 * share, scale.threads, 0.0, scale.seed)
    with running_town(plan) as (proxy, urls), running_postgres() as pg:
        add(pg.address, urls)
        before, server = used(), cpu_of_family(pg.pid)
        at_once = ["--at-once", str(plan.forums // workers)]
        command = [*THRAWL, "fleet", "run", *fleet(pg.address, proxy, delay=0.0), *at_once, "--json"]
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(workers)]
        moments, waiting = watch_locks(pg.address, running)
        used_by_them, server = used() - before, cpu_of_family(pg.pid) - server
        with Registry.open(FleetPlace(pg.address)) as registry:
            return Spent(status_of(registry).pages, used_by_them, server, moments, waiting)


def watch_locks(address: str, running: Sequence[subprocess.Popen[bytes]]) -> tuple[int, int]:
    """Until all have ended: the looks at which some statement ran, and those at which one waited for a lock."""
    import psycopg

    query = (
        "SELECT count(*), count(*) FILTER (WHERE wait_event_type = 'Lock') FROM pg_stat_activity "
        "WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    moments = waiting = 0
    with psycopg.connect(address, autocommit=True) as connection:
        while any(process.poll() is None for process in running):
            active, locked = connection.execute(query).fetchone() or (0, 0)
            moments += active > 0
            waiting += locked > 0
            time.sleep(0.1)
    return moments, waiting


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
