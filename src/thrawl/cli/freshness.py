"""How fresh a watch keeps an archive: in words, as one object, or as a report with a plot of the delays over time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from thrawl.archive.store import Archive
from thrawl.archive.values import from_seconds
from thrawl.archive.watching import Watching
from thrawl.harmless import json_line, one_line
from thrawl.refresh.freshness import Freshness, freshness

if TYPE_CHECKING:
    from thrawl.lab.report import Section, Table, Value


def tell_freshness(archive: Archive, *, as_json: bool, report: Path | None) -> None:
    """How fresh each forum of the archive is kept."""
    found = {forum.entry_url: freshness(Watching(archive, forum.id), time.time()) for forum in archive.forums()}
    if report is not None:
        write_freshness(report, found)
    if as_json:
        forums = [{"forum": entry, **fresh.plain()} for entry, fresh in found.items()]
        print(json_line({"archive": archive.location, "forums": forums}))
        return
    for entry, fresh in found.items():
        for sentence in _in_words(entry, fresh, archive.location):
            print(one_line(sentence))


def _in_words(entry: str, fresh: Freshness, location: str) -> list[str]:
    told = [f"{entry}: {fresh.posts_today} new posts, {fresh.threads_today} new threads in 24 hours"]
    if fresh.median is not None and fresh.p90 is not None:
        told.append(f"delay over a week: median {fresh.median:g} min, 90 % within {fresh.p90:g} min")
    used = ", ".join(
        f"{number} {kind} ({fresh.useful_today.get(kind, 0)} with news)"
        for kind, number in sorted(fresh.requests_today.items())
    )
    told.append(f"requests in 24 hours: {used or 'none; start one with: thrawl watch ' + location}")
    told += [f"  {name} told {share:.0%} of the news in time" for name, share in fresh.reliability.items()]
    told += [f"  {posts} posts in 30 days: {url}" for url, posts in fresh.boards]
    for one in fresh.next_visits:
        when = "now" if not one.due else from_seconds(one.due).isoformat(sep=" ", timespec="minutes")
        told.append(f"  next {one.kind} {when}: {one.url} (last: {one.why})")
    return told


def write_freshness(folder: Path, found: dict[str, Freshness]) -> None:
    """`index.html` with tables and plots, and `report.json` with one object a forum and day."""
    from thrawl.lab.report import Report, write_report  # the laboratory's reports, which no other status needs

    results: list[dict[str, Value]] = [
        {"forum": entry, "day": day, "median_minutes": median, "p90_minutes": p90, "posts": posts}
        for entry, fresh in found.items()
        for day, median, p90, posts in fresh.days
    ]
    sections = [_section(entry, fresh) for entry, fresh in found.items()]
    write_report(folder, Report("thrawl status --freshness", "How fresh", 0, results, sections))


def _section(entry: str, fresh: Freshness) -> Section:
    from thrawl.lab.plots import Axis, Line, line_plot
    from thrawl.lab.report import Section, Table

    days = [(number - len(fresh.days) + 1, *day[1:]) for number, day in enumerate(fresh.days)]
    lines = [
        Line("median", [(at, median) for at, median, _, _ in days if median is not None]),
        Line("90th percentile", [(at, p90) for at, _, p90, _ in days if p90 is not None], dashed=True),
    ]
    plot = line_plot("Delay of new posts", lines, Axis("days, the last one with posts is 0"), Axis("minutes"))
    kinds = sorted(fresh.requests_today.items())
    tables: list[Table] = [
        Table("Days", ("day", "median", "90th", "posts"), fresh.days),
        Table(
            "Requests in 24 hours",
            ("kind of page", "requests", "with news"),
            [(kind, number, fresh.useful_today.get(kind, 0)) for kind, number in kinds],
        ),
        Table("Boards", ("board", "posts in 30 days"), fresh.boards),
    ]
    text = f"{fresh.posts_today} new posts and {fresh.threads_today} new threads in 24 hours."
    return Section(entry, text, tables, [plot])
