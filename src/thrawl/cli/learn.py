"""`thrawl learn`: only learn a site, and say in words what was found."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from thrawl import loops
from thrawl.cli.asking import (
    AllowPrivate,
    Concurrency,
    Contact,
    Cookies,
    CookiesFrom,
    Delay,
    Proxy,
    Robots,
    Url,
    UserAgent,
    require_place,
    warn_of_robots,
)
from thrawl.crawl.garbage import collecting_rarely
from thrawl.crawl.kept import KeptPages
from thrawl.crawl.workers import worker_pool
from thrawl.errors import InputError, UsageError
from thrawl.harmless import json_line, shown
from thrawl.learn.learner import Learned
from thrawl.learn.learner import learn as learn_site
from thrawl.learn.tell.boards import board_map
from thrawl.learn.tell.explain import explain
from thrawl.limits import DEFAULT_DELAY_SECONDS
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.net.url import usable_url
from thrawl.profile.profile import Profile


def learn(
    url: Url,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the profile here.", metavar="FILE")
    ] = None,
    sitemap: Annotated[
        Path | None,
        typer.Option(help="Also sample the site and draw its kinds of pages and links (.svg, .html).", metavar="FILE"),
    ] = None,
    proxy: Proxy = None,
    delay: Delay = DEFAULT_DELAY_SECONDS,
    concurrency: Concurrency = 1,
    cookies: Cookies = None,
    cookies_from: CookiesFrom = None,
    robots: Robots = "obey",
    user_agent: UserAgent = None,
    contact: Contact = None,
    allow_private: AllowPrivate = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object instead of words.")] = False,
) -> None:
    """Find the forum's entry page and learn its URL patterns and layout, without crawling it."""
    start = usable_url(url)
    warn_of_robots(robots)
    require_place(output)
    require_place(sitemap)
    if sitemap is not None and sitemap.suffix.lower() not in (".svg", ".html"):
        raise UsageError(f"a sitemap is drawn as .svg or .html, not as '{sitemap.name}'.")
    options = ClientOptions(
        start_url=start,
        proxy=proxy,
        delay=delay,
        concurrency=concurrency,
        contact=contact,
        agent=user_agent,
        cookies_file=cookies,
        cookies_from=cookies_from,
        allow_private=allow_private,
        obey_robots=robots == "obey",
    )
    began = time.monotonic()
    learned = loops.run(_learn(start, options, sitemap))
    if output is not None:
        _write(output, learned.profile)
    if as_json:
        typer.echo(json_line(summary(learned.profile, time.monotonic() - began)))
    else:
        for line in explain(learned.profile, board_map(learned.profile, learned.pages)):
            typer.echo(shown(line))


async def _learn(start: str, options: ClientOptions, sitemap: Path | None) -> Learned:
    async with Client(options) as client, worker_pool(workers=1) as reader:
        with collecting_rarely():
            learned = await learn_site(start, client, reader=reader, progress=_progress)
        if sitemap is not None:
            # the laboratory is of no use to learning itself, which starts faster without
            from thrawl.lab.rivals.drawing import draw_sitemap

            kept = KeptPages(client, learned.pages, str)
            await draw_sitemap(learned.profile.entry, kept, sitemap, _progress)
        return learned


def _progress(words: str) -> None:
    print(shown(words), file=sys.stderr)


def _write(path: Path, profile: Profile) -> None:
    try:
        path.write_text(profile.to_json(), encoding="utf-8")
    except OSError as error:
        raise InputError(f"the profile cannot be written to {path}: {error.strerror or error}.") from error


def summary(profile: Profile, seconds: float) -> dict[str, Any]:
    """The object of `--json`, by the design's contract."""
    return {
        "entry": profile.entry,
        "pages_fetched": profile.pages_fetched,
        "patterns": {
            "index": [one.pattern.regex for one in profile.index],
            "thread": [one.pattern.regex for one in profile.thread],
            "index_flip": [flip.pattern.regex for one in profile.index for flip in one.flips],
            "thread_flip": [flip.pattern.regex for one in profile.thread for flip in one.flips],
        },
        "confidence": round(profile.confidence, 3),
        "seconds": round(seconds, 1),
    }
