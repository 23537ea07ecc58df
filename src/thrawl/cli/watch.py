"""`thrawl watch`: keep an archive fresh on the live site."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from typing import Annotated, Any, Final

import typer

from thrawl import loops
from thrawl.archive.export_lines import plain_objects
from thrawl.archive.export_rows import EXPORTS, What, post_row
from thrawl.archive.store import Archive
from thrawl.archive.values import StoredForum
from thrawl.archive.watching import Watching
from thrawl.cli.asking import (
    AllowPrivate,
    Contact,
    Cookies,
    CookiesFrom,
    Delay,
    Proxy,
    Robots,
    UserAgent,
    warn_of_robots,
)
from thrawl.cli.interrupts import stop_on_interrupt
from thrawl.cli.watching import watch_display_for
from thrawl.errors import UsageError
from thrawl.harmless import json_line, one_line
from thrawl.limits import DEFAULT_DELAY_SECONDS
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.refresh.budget import Budget, parse_duration
from thrawl.refresh.clock import SystemClock
from thrawl.refresh.freshness import freshness
from thrawl.refresh.registry import BEST, POLICIES, make_policy
from thrawl.refresh.watcher import Watcher
from thrawl.refresh.watchvalues import NewPosts, WatchOptions, WatchTally

INTERRUPTED: Final = 130
STOPPING: Final = "finishing the page in hand; press Ctrl-C again to leave it"


def watch(
    archive: Annotated[str, typer.Argument(help="The archive: a file, or postgresql://…", metavar="ARCHIVE")],
    budget: Annotated[str, typer.Option(help="Requests in a time, as 3000/day or 100/hour.", metavar="N/TIME")] = (
        "3000/day"
    ),
    policy: Annotated[str, typer.Option(help=f"What chooses pages: {', '.join(POLICIES)}.", metavar="NAME")] = BEST,
    predictor: Annotated[
        str | None,
        typer.Option(help="What predicts threads where no row tells of them (see thrawl predict).", metavar="NAME"),
    ] = None,
    duration: Annotated[
        str | None, typer.Option("--for", help="End after this time, as 30min, 2h or 1d.", metavar="DURATION")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="One round over all boards, then end: for cron.")] = False,
    forum: Annotated[str | None, typer.Option(help="Which forum of the archive, by its entry page.")] = None,
    on_new: Annotated[
        str | None,
        typer.Option(help="Run this for each new post, which it reads as JSON on its input.", metavar="COMMAND"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Each new post as a line of JSON, nothing else.")] = False,
    proxy: Proxy = None,
    delay: Delay = DEFAULT_DELAY_SECONDS,
    cookies: Cookies = None,
    cookies_from: CookiesFrom = None,
    robots: Robots = "obey",
    user_agent: UserAgent = None,
    contact: Contact = None,
    allow_private: AllowPrivate = False,
) -> None:
    """Keep an archive fresh: fetch new posts soon after they appear, within a budget of requests.

    It runs until it is stopped, for a time, or for one round. Killed at any moment it goes on where it was.
    """
    warn_of_robots(robots)
    seconds = None if duration is None else parse_duration(duration)
    with_cookies = cookies is not None or cookies_from is not None
    options = WatchOptions(Budget.parse(budget), seconds, once=once, with_cookies=with_cookies)
    chosen = make_policy(policy, predictor, once=once)
    with Archive.open(archive) as opened:
        watched = forum_of(opened, forum)
        client = ClientOptions(
            start_url=watched.entry_url,
            proxy=proxy,
            delay=delay,
            contact=contact,
            agent=user_agent,
            cookies_file=cookies,
            cookies_from=cookies_from,
            allow_private=allow_private,
            obey_robots=robots == "obey",
            limits=FetchLimits(retries=0),  # a page that fails is the policy's to try again: retries are requests, too
        )
        display = watch_display_for(lambda: freshness(Watching(opened, watched.id), time.time()), quiet=as_json)
        tell = _Teller(on_new, as_json=as_json)

        async def run() -> WatchTally:
            async with Client(client) as fetcher:
                watcher = Watcher(
                    opened,
                    watched,
                    fetcher,
                    chosen,
                    options,
                    SystemClock(),
                    tell=tell.tell if on_new or as_json else None,
                    look=display.look,
                    say=display.say,
                )
                stop_on_interrupt(watcher.stop, display.say, STOPPING)
                return await watcher.run()

        display.say(f"watching {watched.entry_url} with {options.budget} requests by {policy}")
        try:
            tally = loops.run(run())
        except asyncio.CancelledError:
            tally = WatchTally(interrupted=True)
        finally:
            display.close()
        display.say(_ended(tally))
    raise typer.Exit(INTERRUPTED if tally.interrupted else 0)


def forum_of(archive: Archive, entry: str | None) -> StoredForum:
    """The forum to watch: the only one, or the one that is named."""
    forums = archive.forums()
    if entry is not None:
        forums = [forum for forum in forums if forum.entry_url.rstrip("/") == entry.rstrip("/")]
    if len(forums) == 1:
        return forums[0]
    known = ", ".join(forum.entry_url for forum in archive.forums())
    raise UsageError(f"Name the forum to watch with --forum; the archive holds {known or 'none yet: crawl one first'}.")


def _ended(tally: WatchTally) -> str:
    asked = ", ".join(f"{number} {kind}" for kind, number in sorted(tally.requests.items()))
    return f"{tally.posts} new posts, {tally.threads} new threads; {tally.asked} requests ({asked or 'none'})"


class _Teller:
    """Hands new posts to a program, or writes them to stdout."""

    def __init__(self, command: str | None, *, as_json: bool) -> None:
        self._command = command
        self._as_json = as_json

    def tell(self, news: NewPosts) -> None:
        for item in plain_objects(EXPORTS[What.POSTS], map(post_row, news.posts)):
            if self._as_json:
                print(json_line(item), flush=True)
            if self._command is not None:
                self._run(self._command, item)

    def _run(self, command: str, item: dict[str, Any]) -> None:
        """A command that fails is told of, and keeps nothing from being archived."""
        words = {"THRAWL_THREAD": str(item["thread_url"]), "THRAWL_AUTHOR": str(item["author"] or "")}
        done = subprocess.run(
            command, shell=True, input=json_line(item).encode() + b"\n", env={**os.environ, **words}, check=False
        )
        if done.returncode:
            print(f"thrawl: --on-new ended with {done.returncode}: {one_line(command)}", file=sys.stderr)
