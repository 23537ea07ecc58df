"""`thrawl export`: the archive as files that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from thrawl.archive.export import Format, Wanted, What, zone_named
from thrawl.archive.export import export as write
from thrawl.archive.store import Archive
from thrawl.cli.selecting import Author, Before, Board, Forum, Since, Timezone, selection


def export(
    archive: Annotated[str, typer.Argument(help="The archive: a file, or postgresql://…", metavar="ARCHIVE")],
    what: Annotated[What, typer.Option(help="What to export.")] = What.POSTS,
    form: Annotated[Format, typer.Option("--format", help="mbox and html hold posts only.")] = Format.JSONL,
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
) -> None:
    """Write threads and posts as JSON lines, CSV, Parquet, mbox or a static HTML archive."""
    target = None if output is None or str(output) == "-" else output
    chosen = selection(forum, board, author, since, before)
    wanted = Wanted(chosen, vanished, zone_named(timezone) if timezone else None)
    with Archive.open(archive, readonly=True) as opened:
        count = write(opened, what, form, target, wanted)
    if target is not None:
        print(f"{count} {what} written to {target}", file=sys.stderr)
