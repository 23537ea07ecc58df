"""`thrawl extract`: posts out of saved pages, without a network."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from thrawl.archive.export import Format, What, export
from thrawl.archive.store import Archive
from thrawl.crawl.extract import Extracted
from thrawl.crawl.extract import extract as read_saved
from thrawl.crawl.saved import open_saved
from thrawl.errors import InputError
from thrawl.learn.profile import Profile
from thrawl.net.url import usable_url


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
    known = Profile.load(profile) if profile else None
    saved = open_saved(sources, usable_url(url) if url else None)
    with (
        tempfile.TemporaryDirectory(prefix="thrawl-") as folder,
        Archive.open(f"{folder}/a.db", create=True) as archive,
    ):
        extracted = asyncio.run(read_saved(saved, archive, known, _say))
        if not extracted.posts:
            raise InputError(f"No posts were found on the {extracted.pages} pages of {', '.join(map(str, sources))}.")
        export(archive, What.POSTS, Format.JSONL, None if output is None or str(output) == "-" else output)
    _tell(extracted)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _tell(extracted: Extracted) -> None:
    _say(f"{extracted.posts} posts on {extracted.thread_pages} thread pages of {extracted.pages} saved pages")
