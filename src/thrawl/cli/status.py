"""`thrawl status`: an archive in numbers, its health, and why a URL was fetched or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from thrawl.archive.store import Archive
from thrawl.archive.values import PageState, StoredForum, Summary
from thrawl.crawl import asked
from thrawl.crawl.forum import missing_of
from thrawl.crawl.missing import Missing
from thrawl.errors import UsageError
from thrawl.harmless import json_line, one_line


def status(
    archive: Annotated[str, typer.Argument(help="The archive: a file, or postgresql://…", metavar="ARCHIVE")],
    as_json: Annotated[bool, typer.Option("--json", help="One object.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Check the archive's integrity; exit status 1 if broken.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--freshness", help="How fresh a watch keeps it: new posts, delays, budget, next visits.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(help="With --freshness: index.html with plots, and report.json.", metavar="DIR")
    ] = None,
    why: Annotated[
        str | None, typer.Option("--why", metavar="URL", help="Why this URL was followed or refused.")
    ] = None,
) -> None:
    """Tell what an archive holds, what is still to fetch, and what failed."""
    if report is not None and not fresh:
        raise UsageError("--report goes with --freshness.")
    with Archive.open(archive, readonly=True) as opened:
        if why is not None:
            _tell_why(opened, why, as_json=as_json)
        elif check:
            _tell_check(opened, as_json=as_json)
        elif fresh:
            from thrawl.cli.freshness import tell_freshness  # brings numpy along, which nothing else here needs

            tell_freshness(opened, as_json=as_json, report=report)
        else:
            forums, summary = opened.forums(), opened.summary()
            missing = () if waiting(summary) else _missing(opened, forums)
            if as_json:
                print(json_line(plain(opened.location, forums, summary, missing)))
            else:
                _show(opened.location, forums, summary, missing)


def _missing(archive: Archive, forums: list[StoredForum]) -> tuple[Missing, ...]:
    """What the ledgers of all forums find missing, once all is fetched."""
    return tuple(one for forum in forums for one in missing_of(archive, forum.id))


def _tell_why(archive: Archive, url: str, *, as_json: bool) -> None:
    reason = asked.why(archive, url)
    if as_json:
        print(json_line({"url": url, "why": reason}))
    else:
        print(one_line(reason) if reason else "never met: no page fetched so far links to this URL")


def _tell_check(archive: Archive, *, as_json: bool) -> None:
    problems = archive.check()
    if as_json:
        print(json_line({"archive": archive.location, "problems": problems}))
    else:
        print("\n".join(problems) or "the archive is sound")
    if problems:
        raise typer.Exit(1)


def plain(
    location: str, forums: list[StoredForum], summary: Summary, missing: Sequence[Missing] = ()
) -> dict[str, Any]:
    """The numbers of an archive as one JSON object."""
    pages: dict[str, dict[str, int]] = {}
    for kind, state, number in summary.pages:
        pages.setdefault(kind.value, {})[state.value] = number
    return {
        "archive": location,
        "forums": [forum.entry_url for forum in forums],
        "boards": summary.boards,
        "threads": summary.threads,
        "threads_with_posts": summary.threads_with_posts,
        "threads_vanished": summary.threads_vanished,
        "posts": summary.posts,
        "posts_vanished": summary.posts_vanished,
        "posts_promised": summary.posts_promised or None,
        "coverage": summary.coverage,
        "revisions": summary.revisions,
        "authors": summary.authors,
        "pages": pages,
        "pending": waiting(summary),
        "failed": summary.pages_in(PageState.FAILED),
        "complete": waiting(summary) == 0 and not missing,
        "missing": [one.plain() for one in missing],
        "requests": dict(summary.requests),
        "failures": dict(summary.failures),
        "refusals": dict(summary.refusals),
        "media": dict(summary.media),
    }


def waiting(summary: Summary) -> int:
    """Pages that are still to fetch."""
    return summary.pages_in(PageState.PENDING) + summary.pages_in(PageState.LEASED)


def _show(location: str, forums: list[StoredForum], summary: Summary, missing: Sequence[Missing]) -> None:
    print(one_line(f"{location}: {', '.join(forum.entry_url for forum in forums) or 'no forum yet'}"))
    print(f"{summary.boards} boards, {summary.threads} threads, {summary.posts} posts by {summary.authors} authors")
    for sentence in _remarks(summary):
        print(sentence)
    Console(highlight=False).print(_pages(summary))
    for title, reasons in (("failed", summary.failures), ("patterns refused", summary.refusals)):
        for reason, number in reasons:
            print(f"  {number} {title}: {one_line(reason)}")
    for one in missing:
        print(f"missing: {one_line(one.sentence())}")
    left = waiting(summary)
    if left:
        print(f"{left} pages still to fetch; go on with: thrawl crawl URL")
    else:
        print("not complete, though nothing is left to fetch" if missing else "complete: nothing left to fetch")


def _remarks(summary: Summary) -> list[str]:
    remarks = []
    if summary.coverage is not None:
        remarks.append(f"{summary.coverage:.1%} of the {summary.posts_promised} posts that index pages promise")
    if summary.revisions:
        remarks.append(f"{summary.revisions} earlier wordings of edited posts")
    if summary.posts_vanished or summary.threads_vanished:
        gone = f"{summary.posts_vanished} posts and {summary.threads_vanished} threads"
        remarks.append(f"{gone} are no longer on the site (kept)")
    if summary.media:
        told = ", ".join(f"{number} {state}" for state, number in summary.media)
        remarks.append(f"pictures and files: {told}")
    return remarks


def _pages(summary: Summary) -> Table:
    numbers = {(kind, state): number for kind, state, number in summary.pages}
    table = Table("pages", *(state.value for state in PageState), box=None, pad_edge=False)
    for kind in dict.fromkeys(kind for kind, _, _ in summary.pages):
        table.add_row(kind.value, *(str(numbers.get((kind, state), 0)) for state in PageState))
    return table
