"""`thrawl extract`: posts out of saved pages, without a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from thrawl import loops
from thrawl.aio import extract_into, scratch_archive
from thrawl.archive.export import Format, What, export
from thrawl.cli.asking import require_place
from thrawl.crawl.extract import Extracted
from thrawl.errors import InputError


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
) -> None:
    """Turn saved pages into posts, as JSON lines. What the pages mean is learned from the files themselves."""
    require_place(output)
    with scratch_archive() as archive:
        extracted = loops.run(extract_into(archive, sources, url, profile, _say))
        if not extracted.posts:
            raise InputError(f"No posts were found on the saved pages of {', '.join(map(str, sources))}.")
        export(archive, What.POSTS, Format.JSONL, None if output is None or str(output) == "-" else output)
    _tell(extracted)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _tell(extracted: Extracted) -> None:
    _say(f"{extracted.posts} posts on {extracted.thread_pages} thread pages of {extracted.pages} saved pages")
