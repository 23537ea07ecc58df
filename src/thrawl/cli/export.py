"""`thrawl export`: the archive as files that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from thrawl.archive.export import Format, Wanted, What, require_output, zone_named
from thrawl.archive.export import export as write
from thrawl.archive.export_dataset import export_dataset
from thrawl.archive.mediastore import store_for
from thrawl.archive.store import Archive
from thrawl.cli.selecting import Author, Before, Board, Forum, MediaDir, Since, Timezone, selection
from thrawl.errors import UsageError


def export(
    archive: Annotated[str, typer.Argument(help="The archive: a file, or postgresql://…", metavar="ARCHIVE")],
    what: Annotated[What, typer.Option(help="What to export.")] = What.POSTS,
    form: Annotated[Format, typer.Option("--format", help="mbox, html and wacz hold posts only.")] = Format.JSONL,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A file, or a folder for html. Standard output when left out."),
    ] = None,
    vanished: Annotated[bool, typer.Option(help="Include what was archived and is no longer on the site.")] = True,
    forum: Forum = None,
    board: Board = None,
    author: Author = None,
    since: Since = None,
    before: Before = None,
    timezone: Timezone = None,
    redirects: Annotated[
        Literal["nginx", "apache", "netlify"] | None,
        typer.Option(help="With html: also a map from the forum's old addresses to the new ones.", metavar="SERVER"),
    ] = None,
    media_dir: MediaDir = None,
    warc: Annotated[
        Path | None, typer.Option(help="With wacz: the folder of WARC files that the crawl kept.", metavar="DIR")
    ] = None,
    partition: Annotated[
        bool, typer.Option("--partition", help="With parquet: a folder of files by forum and month.")
    ] = False,
) -> None:
    """Write threads and posts as JSON lines, CSV, Parquet, mbox, a static HTML archive or a web archive (WACZ)."""
    target = None if output is None or str(output) == "-" else output
    chosen = selection(forum, board, author, since, before)
    wanted = Wanted(chosen, vanished, zone_named(timezone) if timezone else None)
    if redirects is not None and form is not Format.HTML:
        raise UsageError("--redirects belongs to --format html.")
    if partition and (form is not Format.PARQUET or what is not What.POSTS):
        raise UsageError("--partition belongs to posts with --format parquet.")
    with Archive.open(archive, readonly=True) as opened:
        if partition:
            require_output(what, form, target)
            assert target is not None
            count = export_dataset(opened, target, wanted)
        else:
            count = _write(opened, archive, what, form, target, wanted, redirects, media_dir, warc)
    if target is not None:
        kind = "pages" if form is Format.WACZ else what
        print(f"{count} {kind} written to {target}", file=sys.stderr)


def _write(
    archive: Archive,
    location: str,
    what: What,
    form: Format,
    target: Path | None,
    wanted: Wanted,
    redirects: str | None,
    media_dir: str | None,
    warc: Path | None,
) -> int:
    """Write what is wanted in its format; the number of rows."""
    if form not in (Format.HTML, Format.WACZ):
        return write(archive, what, form, target, wanted)
    require_output(what, form, target)
    assert target is not None
    if form is Format.WACZ:
        from thrawl.web.wacz import export_wacz

        return export_wacz(archive, target, warc)
    from thrawl.web.export import export_site  # brings the templates along
    from thrawl.web.redirects import Server

    server = None if redirects is None else Server(redirects)
    return export_site(archive, target, wanted, store_for(location, media_dir), server)
