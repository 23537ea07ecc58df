"""`thrawl status`: an archive in numbers, its health, and why a URL was fetched or not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from thrawl.archive.glance import NotKept, glance
from thrawl.archive.values import PageState, StoredForum, Summary
from thrawl.crawl.ledger import Audited, missing_of
from thrawl.crawl.missing import Missing
from thrawl.errors import UsageError
from thrawl.harmless import json_line, one_line

if TYPE_CHECKING:
    from thrawl.archive.store import Archive


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
    if why is None and not check and not fresh and _tell_at_once(archive, as_json=as_json):
        return
    from thrawl.archive.store import Archive  # brings along what writes an archive; a glance is told in half the time

    with Archive.open(archive, readonly=True) as opened:
        if why is not None:
            _tell_why(opened, why, as_json=as_json)
        elif check:
            _tell_check(opened, as_json=as_json)
        elif fresh:
            from thrawl.cli.freshness import tell_freshness  # brings numpy along, which nothing else here needs

            tell_freshness(opened, as_json=as_json, report=report)
        else:
            _tell(told_by(opened), as_json=as_json)


class Told(Audited, Protocol):
    """An archive, open or glanced at."""

    location: str

    def summary(self) -> Summary: ...


@dataclass(frozen=True, slots=True)
class Status:
    """What there is to tell."""

    location: str
    forums: list[StoredForum]
    summary: Summary
    missing: tuple[Missing, ...]
    unasked: tuple[str, ...]
    """Forums of which nobody looked for what is missing: saved pages, or what other crawlers brought."""

    @property
    def complete(self) -> bool:
        return bool(self.forums) and not waiting(self.summary) and not self.missing and not self.unasked


def told_by(archive: Told) -> Status:
    """All of it: what the ledgers of all forums find missing is asked once all is fetched."""
    forums, summary = archive.forums(), archive.summary()
    missing = () if waiting(summary) else (one for forum in forums for one in missing_of(archive, forum.id))
    unasked = tuple(forum.entry_url for forum in forums if not _was_crawled(archive, forum))
    return Status(archive.location, forums, summary, tuple(missing), unasked)


def _was_crawled(archive: Told, forum: StoredForum) -> bool:
    """Whether a crawl of Thrawl's own began with the entry page, as it does; what it lacks, it knows itself."""
    entry = archive.page(forum.entry_url)
    return forum.profile is not None and entry is not None and entry.reason is not None


def _tell_at_once(location: str, *, as_json: bool) -> bool:
    """Tell what a closed archive keeps of itself; whether that is all there is to tell."""
    with glance(location) as archive:
        if archive is None:
            return False
        try:
            told = told_by(archive)
        except NotKept:
            return False
    _tell(told, as_json=as_json)
    return True


def _tell(told: Status, *, as_json: bool) -> None:
    if as_json:
        print(json_line(plain(told)))
    else:
        _show(told)


def _tell_why(archive: Archive, url: str, *, as_json: bool) -> None:
    from thrawl.crawl import asked  # reads pages

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


def plain(told: Status) -> dict[str, Any]:
    """The numbers of an archive as one JSON object."""
    summary = told.summary
    pages: dict[str, dict[str, int]] = {}
    for kind, state, number in summary.pages:
        pages.setdefault(kind.value, {})[state.value] = number
    return {
        "archive": told.location,
        "forums": [forum.entry_url for forum in told.forums],
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
        "complete": told.complete,
        "missing": [one.plain() for one in told.missing],
        "requests": dict(summary.requests),
        "failures": dict(summary.failures),
        "refusals": dict(summary.refusals),
        "media": dict(summary.media),
    }


def waiting(summary: Summary) -> int:
    """Pages that are still to fetch."""
    return summary.pages_in(PageState.PENDING) + summary.pages_in(PageState.LEASED)


def _show(told: Status) -> None:
    summary = told.summary
    print(one_line(f"{told.location}: {', '.join(forum.entry_url for forum in told.forums) or 'no forum yet'}"))
    print(f"{summary.boards} boards, {summary.threads} threads, {summary.posts} posts by {summary.authors} authors")
    for sentence in _remarks(summary):
        print(sentence)
    print("\n".join(_columns(_pages(summary))))
    for title, reasons in (("failed", summary.failures), ("patterns refused", summary.refusals)):
        for reason, number in reasons:
            print(f"  {number} {title}: {one_line(reason)}")
    for one in told.missing:
        print(f"missing: {one_line(one.sentence())}")
    left = waiting(summary)
    if left:
        print(f"{left} pages still to fetch; go on with: thrawl crawl URL")
    elif not told.forums:
        print("nothing is archived yet; go on with: thrawl crawl URL")
    elif told.missing:
        print("not complete, though nothing is left to fetch")
    elif told.unasked:
        print(f"whether that is all, only a crawl tells: thrawl crawl {one_line(' '.join(told.unasked))}")
    else:
        print("complete: nothing left to fetch")


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


def _pages(summary: Summary) -> list[tuple[str, ...]]:
    """How many pages of each kind are in each state, under a heading."""
    numbers = {(kind, state): number for kind, state, number in summary.pages}
    rows = [("pages", *(state.value for state in PageState))]
    for kind in dict.fromkeys(kind for kind, _, _ in summary.pages):
        rows.append((kind.value, *(str(numbers.get((kind, state), 0)) for state in PageState)))
    return rows


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    """The rows as lines. By hand: to load what draws tables takes as long as all else here."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return [line.rstrip() for line in lines]
