"""The command that goes on with a crawl: all that was asked for, as a shell takes it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thrawl.archive.connect import shown_location
from thrawl.crawl.options import CrawlOptions, MediaMode
from thrawl.limits import DEFAULT_DELAY_SECONDS
from thrawl.net.options import ClientOptions
from thrawl.profile.profile import Profile

THRAWL: Final = "thrawl"
"""The strategy that is Thrawl's own; all others are rivals of the laboratory."""


@dataclass(frozen=True, slots=True)
class Order:
    """A crawl as the command line asks for it. `profile_file` is where its profile came from."""

    start: str
    archive: str
    client: ClientOptions
    options: CrawlOptions
    profile: Profile | None = None
    warc: Path | None = None
    profile_file: Path | None = None
    media_dir: str | None = None
    strategy: str = THRAWL


def again(order: Order) -> str:
    """The command that goes on with this crawl. A database's password is left out: it would stay on the screen."""
    return shlex.join(["thrawl", "crawl", order.start, "--archive", shown_location(order.archive), *_options(order)])


def _options(order: Order) -> Iterator[str]:
    client = order.client
    named = (
        ("--proxy", client.proxy),
        ("--delay", None if client.delay == DEFAULT_DELAY_SECONDS else f"{client.delay:g}"),
        ("--concurrency", None if client.concurrency == 1 else client.concurrency),
        ("--max-pages", order.options.max_pages),
        ("--strategy", None if order.strategy == THRAWL else order.strategy),
        ("--profile", order.profile_file),
        ("--warc", order.warc),
        ("--media", None if order.options.media is MediaMode.IMAGES else order.options.media.value),
        ("--media-dir", order.media_dir),
        ("--cookies", client.cookies_file),
        ("--cookies-from-browser", client.cookies_from),
        ("--contact", client.contact),
        ("--user-agent", client.agent),
        ("--robots", None if client.obey_robots else "ignore"),
    )
    for name, value in named:
        if value is not None:
            yield from (name, str(value))
    if client.allow_private:
        yield "--allow-private"
