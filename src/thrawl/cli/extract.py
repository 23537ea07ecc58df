"""`thrawl extract`: posts out of saved pages, without a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from thrawl import loops
from thrawl.aio import extract_into, scratch_archive
from thrawl.archive.export import Format, Wanted, What, export, zone_named
from thrawl.archive.trying import opened_for
from thrawl.cli.asking import require_place
from thrawl.cli.selecting import Timezone
from thrawl.crawl.extract import Extracted
from thrawl.errors import InputError
from thrawl.harmless import shown


def extract(
    sources: Annotated[
        list[Path],
        typer.Argument(help="WARC files, mirrors, folders of HTML files, or single pages.", metavar="FILE_OR_WARC..."),
    ],
    url: Annotated[str | None, typer.Option(help="Where the page or folder stood on the web.", metavar="URL")] = None,
    profile: Annotated[
        Path | None, typer.Option(help="What 'thrawl learn' found out, instead of learning.", metavar="FILE")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file; standard output when left out.", metavar="FILE")
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(help="Also keep the posts in an archive: a file, or postgresql://…", metavar="FILE"),
    ] = None,
    timezone: Timezone = None,
) -> None:
    """Turn saved pages into posts, as JSON lines. What the pages mean is learned from the files themselves."""
    require_place(output)
    wanted = Wanted(zone=zone_named(timezone) if timezone else None)
    with scratch_archive() if archive is None else opened_for(archive) as opened:
        extracted = loops.run(extract_into(opened, sources, url, profile, _say))
        if not extracted.posts:
            raise InputError(f"No posts were found on the saved pages of {', '.join(map(str, sources))}.")
        if archive is None or output is not None:
            target = None if output is None or str(output) == "-" else output
            export(opened, What.POSTS, Format.JSONL, target, wanted)
    _tell(extracted)


def _say(sentence: str) -> None:
    print(shown(sentence), file=sys.stderr)


def _tell(extracted: Extracted) -> None:
    _say(f"{extracted.posts} posts on {extracted.thread_pages} thread pages of {extracted.pages} saved pages")
    if extracted.skipped:
        kinds = ", ".join(f"{number} {ending}" for ending, number in extracted.skipped)
        _say(f"skipped as no pages: {kinds}")
