"""`thrawl fleet`: many forums, on one machine or many."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Final

import typer

from thrawl import loops
from thrawl.cli.asking import AllowPrivate, Contact, Delay, Proxy, Robots, UserAgent, warn_of_robots
from thrawl.cli.selecting import MediaDir
from thrawl.crawl.options import CrawlOptions, MediaMode
from thrawl.errors import ArchiveAway, ArchiveBusy, UsageError
from thrawl.fleet.place import DEFAULT, FleetPlace
from thrawl.fleet.registry import Registry
from thrawl.fleet.status import FleetStatus, status_of
from thrawl.fleet.values import ForumState
from thrawl.harmless import json_line, one_line, shown
from thrawl.limits import DEFAULT_DELAY_SECONDS, FLEET_FORUMS_AT_ONCE
from thrawl.net.options import ClientOptions

if TYPE_CHECKING:  # status and add need no crawler, and start faster without
    from thrawl.fleet.cluster import RayFleet
    from thrawl.fleet.runner import FleetOptions, FleetRunner

INTERRUPTED: Final = 130
MISSING: Final = 3
_LINE_SECONDS: Final = 10.0
_FLOOR: Final = "4/day"  # a silent forum is looked at every six hours

fleet: Final = typer.Typer(no_args_is_help=True, help="Many forums side by side, on one machine or many.")

At = Annotated[str, typer.Option("--fleet", help="Where the fleet is: a folder, or postgresql://…", metavar="PLACE")]
AsJson = Annotated[bool, typer.Option("--json", help="One object, nothing else.")]


@fleet.command()
def add(
    sources: Annotated[
        list[str], typer.Argument(help="URLs, and files with a URL a line; - is standard input.", metavar="FILE|URL…")
    ],
    fleet: At = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Put forums on the list: any page of each. A fleet that is running takes them up at once."""
    from thrawl.fleet import inbox
    from thrawl.fleet.adding import Given

    given = Given(sources)
    place = FleetPlace(fleet)
    new = known = left = 0
    try:
        with Registry.open(place, create=True) as registry:
            new, known = registry.add(given.urls())
    except ArchiveBusy:
        left = inbox.leave(place, given.urls())
    for sentence in given.told:
        print(shown(sentence), file=sys.stderr)
    if as_json:
        counts = {"added": new, "known": known, "left": left, "unusable": given.bad}
        print(json_line({"fleet": place.shown, **counts}))
    elif left:
        print(f"{left} forums left for the run that is going on, {given.bad} lines are no URLs")
    else:
        print(f"{new} forums added, {known} were on the list already, {given.bad} lines are no URLs")
    raise typer.Exit(MISSING if given.bad else 0)


@fleet.command()
def run(
    fleet: At = DEFAULT,
    at_once: Annotated[
        int, typer.Option(help="Forums under way at once, in one process.", metavar="N", min=1)
    ] = FLEET_FORUMS_AT_ONCE,
    proxy: Proxy = None,
    delay: Delay = DEFAULT_DELAY_SECONDS,
    robots: Robots = "obey",
    user_agent: UserAgent = None,
    contact: Contact = None,
    allow_private: AllowPrivate = False,
    media: Annotated[
        MediaMode, typer.Option(help="Pictures that posts show: images; attachments too: all.")
    ] = MediaMode.NONE,
    media_dir: MediaDir = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try forums again that failed, or are not complete.")
    ] = False,
    budget: Annotated[
        str | None,
        typer.Option(help="Keep complete forums fresh, with so many requests over all: 100000/day.", metavar="N/TIME"),
    ] = None,
    floor: Annotated[str, typer.Option(help="The least of the budget that one forum gets.", metavar="N/TIME")] = _FLOOR,
    duration: Annotated[
        str | None, typer.Option("--for", help="End after this time, as 30min, 2h or 1d.", metavar="DURATION")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(help="On all nodes of a Ray cluster; auto is one on this machine.", metavar="ADDRESS"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Crawl all forums of the list; run again to go on. On PostgreSQL, run it on as many machines as you like."""
    from thrawl.fleet.budget import FleetBudget
    from thrawl.fleet.runner import FleetOptions
    from thrawl.refresh.budget import Budget, parse_duration

    warn_of_robots(robots)
    client = ClientOptions(
        proxy=proxy,
        delay=delay,
        contact=contact,
        agent=user_agent,
        allow_private=allow_private,
        obey_robots=robots == "obey",
    )
    shared = None if budget is None else FleetBudget(Budget.parse(budget), Budget.parse(floor))
    seconds = None if duration is None else parse_duration(duration)
    began = time.monotonic()
    place = FleetPlace(fleet)
    if ray is not None and not place.is_shared:
        raise UsageError("A fleet on Ray is kept in PostgreSQL: name it with --fleet postgresql://…")
    if media is not MediaMode.NONE and media_dir is None and place.is_shared:
        raise UsageError("Pictures have no place in PostgreSQL: name a folder or a bucket with --media-dir.")
    with Registry.open(place) as registry:
        if retry_failed:
            registry.retry([ForumState.FAILED, ForumState.SHORT])
        crawl = CrawlOptions(media=media)
        options = FleetOptions(client, crawl, at_once, budget=shared, seconds=seconds, media_dir=media_dir)
        runner = _runner(registry, options, ray, quiet=as_json)

        async def go() -> None:
            _stop_on_interrupt(runner.stop)
            await runner.run()

        with suppress(asyncio.CancelledError):
            loops.run(go())
        now = status_of(registry)
    print(json_line(now.plain()) if as_json else "\n".join(map(shown, told(now))))
    over = seconds is not None and time.monotonic() - began >= seconds
    if runner.stop.is_set() and not over:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(MISSING if now.states[ForumState.FAILED] + now.states[ForumState.SHORT] else 0)


def _runner(registry: Registry, options: FleetOptions, ray: str | None, *, quiet: bool) -> FleetRunner | RayFleet:
    from thrawl.fleet.cluster import RayFleet
    from thrawl.fleet.runner import FleetRunner

    lines = _Lines(registry, quiet=quiet)
    if ray is None:
        return FleetRunner(registry, options, lambda _: lines.look())
    return RayFleet(registry.place.location, options, ray, say=lines.say, look=lines.look)


@fleet.command()
def status(fleet: At = DEFAULT, as_json: AsJson = False) -> None:
    """How the fleet is doing: forums by state, pages a second, errors, stuck ones, machines."""
    with Registry.open(FleetPlace(fleet), readonly=True) as registry:
        now = status_of(registry)
    print(json_line(now.plain()) if as_json else "\n".join(map(shown, told(now))))


def told(now: FleetStatus) -> list[str]:
    """A status as lines for a person."""
    states = ", ".join(f"{number} {state}" for state, number in now.states.items() if number)
    lines = [
        f"{now.forums} forums: {states or 'none'}",
        *([f"{now.watched} of those under way are kept fresh"] if now.watched else []),
        f"{now.pages} pages, {now.posts} posts, {now.failed_pages} pages failed; {now.speed:.1f} pages a second",
    ]
    for one in now.workers:
        lines.append(f"worker {one.machine} ({one.pid}): {one.forums} forums, {one.speed:.1f} pages a second")
    for trouble in (*now.stuck, *now.troubles):
        lines.append(f"{trouble.state}: {trouble.url}: {one_line(trouble.reason)}")
    return lines


class _Lines:
    """A line now and then while the fleet runs."""

    def __init__(self, registry: Registry, *, quiet: bool) -> None:
        self._registry = registry
        self._quiet = quiet
        self._next = time.monotonic() + _LINE_SECONDS

    def say(self, sentence: str) -> None:
        if not self._quiet:
            print(shown(sentence), file=sys.stderr, flush=True)

    def look(self) -> None:
        if self._quiet or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _LINE_SECONDS
        try:
            self.say("; ".join(told(status_of(self._registry))[:3]))
        except ArchiveAway as error:
            self.say(str(error))


def _stop_on_interrupt(stop: asyncio.Event) -> None:
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        if stop.is_set():
            task.cancel()
        else:
            print("finishing the pages in hand; press Ctrl-C again to leave them", file=sys.stderr)
            stop.set()

    with suppress(NotImplementedError):
        for asked in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(asked, interrupt)
