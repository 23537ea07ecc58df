"""`thrawl crawl`: a whole forum into an archive."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from thrawl import loops
from thrawl.archive.connect import default_archive, shown_location
from thrawl.archive.mediastore import store_for
from thrawl.archive.store import Archive
from thrawl.archive.trying import opened_for
from thrawl.archive.values import Summary
from thrawl.cli.again import THRAWL, Order, again
from thrawl.cli.asking import (
    AllowPrivate,
    Concurrency,
    Contact,
    Cookies,
    CookiesFrom,
    Delay,
    Proxy,
    Robots,
    Urls,
    UserAgent,
    warn_of_robots,
)
from thrawl.cli.interrupts import stop_on_interrupt
from thrawl.cli.news import News
from thrawl.cli.pace import current_delay, pace_in_words
from thrawl.cli.progress import Display, display_for, duration
from thrawl.cli.selecting import MediaDir
from thrawl.cli.telling import Telling
from thrawl.crawl.forum import ForumCrawl, learner
from thrawl.crawl.missing import Missing
from thrawl.crawl.options import CrawlOptions, Finished, MediaMode, MediaTally
from thrawl.errors import ThrawlError, UsageError
from thrawl.harmless import json_line, one_line, shown
from thrawl.limits import DEFAULT_DELAY_SECONDS, MAX_MENDS
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.net.recording import open_client
from thrawl.net.url import usable_url
from thrawl.profile.profile import Profile

if TYPE_CHECKING:
    from thrawl.lab.rivals.crawl import RivalCrawl

INTERRUPTED: Final = 130
MISSING: Final = 3  # ended, but something that the site promises is missing
_TOLD: Final = 10  # missing things that are said; --json has all of them


def crawl(
    urls: Urls,
    archive: Annotated[
        str | None, typer.Option(help="A file, or postgresql://…; ./HOST.db when left out.", metavar="FILE")
    ] = None,
    proxy: Proxy = None,
    delay: Delay = DEFAULT_DELAY_SECONDS,
    concurrency: Concurrency = 1,
    max_pages: Annotated[int | None, typer.Option(help="Stop after this many pages.", metavar="N", min=1)] = None,
    strategy: Annotated[
        Literal["thrawl", "focus", "skeleton", "irobot", "structure", "generic"],
        typer.Option(help="Crawl as another crawler of the papers would, for comparison."),
    ] = THRAWL,
    profile: Annotated[
        Path | None, typer.Option(help="What 'thrawl learn' found out, instead of learning.", metavar="FILE")
    ] = None,
    warc: Annotated[Path | None, typer.Option(help="Also keep every exchange as WARC files.", metavar="DIR")] = None,
    media: Annotated[
        MediaMode, typer.Option(help="Pictures that posts show: images; attachments too: all.")
    ] = MediaMode.IMAGES,
    media_dir: MediaDir = None,
    cookies: Cookies = None,
    cookies_from: CookiesFrom = None,
    robots: Robots = "obey",
    user_agent: UserAgent = None,
    contact: Contact = None,
    allow_private: AllowPrivate = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try all pages again that failed in earlier runs.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One summary object at the end, nothing else.")] = False,
) -> None:
    """Find the forum's entry page, learn the site, fetch every thread, archive its posts.

    Run again with the same archive: it goes on where it stopped; when it was complete, it updates. Several forums are
    crawled one after the other.
    """
    starts = list(dict.fromkeys(map(usable_url, urls)))
    warn_of_robots(robots)
    known = Profile.load(profile) if profile else None
    if known is not None and len(starts) > 1:
        raise UsageError("A profile is of one forum; give one URL with --profile.")
    if known is not None and strategy != THRAWL:
        raise UsageError(f"A profile is Thrawl's own knowledge; '{strategy}' has no use for it.")

    def order(start: str) -> Order:
        client = ClientOptions(
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
        options = CrawlOptions(
            concurrency=concurrency,
            max_pages=max_pages,
            retry_failed=retry_failed,
            with_cookies=cookies is not None or cookies_from is not None,
            mends=0 if profile else MAX_MENDS,  # a profile that somebody gave is theirs to mend
            media=media,
        )
        place = archive or default_archive(start)
        return Order(start, place, client, options, known, warc, profile, media_dir, strategy)

    orders = list(map(order, starts))
    raise typer.Exit(run_crawl(orders[0], as_json=as_json) if len(orders) == 1 else run_all(orders, as_json=as_json))


def run_all(orders: Sequence[Order], *, as_json: bool) -> int:
    """Crawl several forums; one that fails does not keep the others from their turn. The worst exit status counts."""
    worst = 0
    for number, order in enumerate(orders, 1):
        try:
            status = run_crawl(order, as_json=as_json)
        except ThrawlError as error:
            print(f"thrawl: {one_line(str(error))}", file=sys.stderr)
            status = error.exit_status
        if status == INTERRUPTED:
            for later in orders[number:]:
                print(f"not begun; crawl it with: {again(later)}", file=sys.stderr)
            return status
        worst = worst or status
    return worst


def run_crawl(order: Order, *, as_json: bool) -> int:
    """Crawl, tell what came of it, and give the exit status."""
    with opened_for(order.archive) as archive:
        before = archive.summary()
        try:
            finished, delay = loops.run(_crawl(order, archive, quiet=as_json))
        except asyncio.CancelledError:
            print(f"interrupted; go on with: {again(order)}", file=sys.stderr)
            return INTERRUPTED
        summary = archive.summary()
        news = News.between(before, summary)
        location = archive.location
    if not summary.threads and finished.fetched_all:
        raise ThrawlError(nothing(order, finished))
    if as_json:
        audited = order.strategy == THRAWL
        print(json_line(plain(location, finished, summary, delay, audited=audited) | {"new": news.plain()}))
    else:
        sentences = told(order, finished, summary)
        for sentence in [sentences[0], *([news.sentence()] if finished.updated else ()), *sentences[1:]]:
            print(shown(sentence))
    if finished.interrupted:
        return INTERRUPTED
    return MISSING if finished.missing else 0


async def _crawl(order: Order, archive: Archive, *, quiet: bool) -> tuple[Finished, float]:
    """Crawl and show it; the delay that the site was given in the end comes with the result."""
    async with open_client(order.client, order.warc) as client:
        pace = partial(pace_in_words, client)
        with closing(display_for(archive.page_counts, pace, quiet=quiet)) as display:
            return await _shown(order, archive, client, display), current_delay(client)


async def _shown(order: Order, archive: Archive, client: Client, display: Display) -> Finished:
    if order.strategy != THRAWL:
        rival = _rival(order, archive, client, display)
        _stop_on_interrupt(rival, display)
        return await rival.run()
    telling = Telling(archive, client, display.show)
    crawl = telling.crawl = ForumCrawl(
        start=order.start,
        archive=archive,
        fetcher=client,
        learn=learner(client, display.say),
        options=order.options,
        profile=order.profile,
        watch=telling.show,
        say=display.say,
        store=store_for(order.archive, order.media_dir),
    )
    if crawl.store is None and order.options.media is not MediaMode.NONE:
        display.say("pictures are not kept: name a folder for them with --media-dir")
    _stop_on_interrupt(crawl, display)
    try:
        return await crawl.run()
    finally:
        telling.tell(crawl.tally, "ended")


def _rival(order: Order, archive: Archive, client: Client, display: Display) -> RivalCrawl:
    # the laboratory is of no use to a crawl of Thrawl's own, which starts faster without
    from thrawl.lab.rivals.crawl import RivalCrawl
    from thrawl.lab.rivals.strategies import strategy_named

    return RivalCrawl(
        start=order.start,
        archive=archive,
        fetcher=client,
        strategy=strategy_named(order.strategy),
        options=order.options,
        watch=display.show,
        say=display.say,
    )


def _stop_on_interrupt(crawl: ForumCrawl | RivalCrawl, display: Display) -> None:
    """Finish the pages in hand; while nothing is archived, end at once."""
    sentence = "finishing the pages in hand; press Ctrl-C again to leave them"
    stop_on_interrupt(crawl.stop, display.say, sentence, lambda: crawl.crawling)


def plain(location: str, finished: Finished, summary: Summary, delay: float, *, audited: bool = True) -> dict[str, Any]:
    """The summary object of --json. Without an audit by the ledger nobody knows whether a forum is complete."""
    tally = finished.tally
    return {
        "entry": finished.entry,
        "archive": location,
        "complete": finished.complete and audited,
        "missing": [one.plain() for one in finished.missing],
        "update": finished.updated,
        "requests": {kind.value: number for kind, number in sorted(tally.requests.items())},
        "requests_total": tally.pages,
        "learning_pages": tally.learning_pages,
        "thread_pages": tally.thread_pages,
        "by_general_reader": tally.by_general_reader,
        "useful_share": round(tally.useful_share, 4),
        "boards": summary.boards,
        "threads": summary.threads,
        "threads_with_posts": summary.threads_with_posts,
        "posts": summary.posts,
        "coverage": summary.coverage,
        "waiting": finished.waiting,
        "failures": dict(tally.failures),
        "media": {
            "requests": tally.media.requests,
            "kept": tally.media.kept,
            "bytes": tally.media.bytes,
            "missing": tally.media.missing,
            "put_off": tally.media.put_off,
        },
        "delay": round(delay, 3),
        "elapsed": round(tally.elapsed, 3),
    }


def told(order: Order, finished: Finished, summary: Summary) -> list[str]:
    """The end of a crawl in sentences."""
    tally = finished.tally
    told = [
        f"{summary.threads_with_posts} threads with {summary.posts} posts in {shown_location(order.archive)} "
        f"({tally.pages} requests in {duration(tally.elapsed)}, {tally.useful_share:.0%} useful)"
    ]
    if summary.coverage is not None:
        told.append(f"{summary.coverage:.1%} of the posts that index pages promise")
    if tally.by_general_reader:
        told.append(
            f"{tally.by_general_reader} of {tally.thread_pages} thread pages did not fit what was learned "
            "and were read by the general reader"
        )
    failed = tally.failures.most_common(5)
    told += [f"{number} {'page' if number == 1 else 'pages'} failed: {reason}" for reason, number in failed]
    told += media_in_words(tally.media)
    if order.strategy != THRAWL and finished.fetched_all:
        told.append(f"the strategy '{order.strategy}' goes nowhere else; whether that was all, only 'thrawl' tells")
    elif finished.complete:
        told.append(f"complete; run again to update: {again(order)}")
    elif finished.fetched_all:
        told += missing_in_words(finished.missing)
        told.append(f"not complete, though nothing is left to fetch; try again later with: {again(order)}")
    elif not finished.waiting and finished.spent:
        told.append(f"not all was looked at, as --max-pages ended it; go on with: {again(order)}")
    else:
        told.append(f"{finished.waiting} pages are still to fetch; go on with: {again(order)}")
    return told


def media_in_words(media: MediaTally) -> list[str]:
    """What a run did about pictures and attachments."""
    if not media.requests and not media.put_off:
        return []
    sizes = f" ({media.bytes / 1e6:.1f} MB)" if media.kept else ""
    why = f", most of them: {media.failures.most_common(1)[0][0]}" if media.failures else ""
    told = [f"{media.kept} pictures and files kept{sizes}, {media.missing} missing{why}"]
    return [*told, f"{media.put_off} more wait for the next run"] if media.put_off else told


def missing_in_words(missing: Sequence[Missing]) -> list[str]:
    """What the site promises and the archive lacks, a sentence each."""
    told = [f"missing: {one_line(one.sentence())}" for one in missing[:_TOLD]]
    return told if len(missing) <= _TOLD else [*told, f"missing: {len(missing) - _TOLD} more, see --json"]


def nothing(order: Order, finished: Finished) -> str:
    """Why a crawl brought nothing."""
    reasons = finished.tally.failures.most_common(1)
    why = f" ({reasons[0][0]})" if reasons else ""
    return f"no thread of {order.start} could be archived{why}; try another page of the forum, or --cookies."
