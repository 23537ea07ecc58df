"""`thrawl rules`: what was learned, for other crawlers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from thrawl.cli.selecting import Forum
from thrawl.errors import InputError
from thrawl.learn.tell.rules import FORMATS, with_flips_met
from thrawl.profile.profile import Profile

_SQLITE = b"SQLite format 3\0"  # how every file of that database begins
_POSTGRES = ("postgresql:", "postgres:", "postgresql+")


def rules(
    profile: Annotated[
        str, typer.Argument(help="A profile that 'thrawl learn -o' wrote, or an archive.", metavar="PROFILE")
    ],
    form: Annotated[
        Literal["scrapy", "wget", "heritrix", "browsertrix", "regex"],
        typer.Option("--format", help="For which crawler."),
    ] = "regex",
    forum: Forum = None,
) -> None:
    """Print what was learned of a forum as rules for another crawler."""
    learned = in_archive(profile, forum) if _is_archive(profile) else Profile.load(Path(profile))
    typer.echo(FORMATS[form](learned))


def _is_archive(location: str) -> bool:
    if location.startswith(_POSTGRES):
        return True
    try:
        with Path(location).open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False  # loading it as a profile says why


def in_archive(location: str, forum: str | None) -> Profile:
    """The profile of an archive's forum, with all that the crawl met beyond what was learned before it."""
    from thrawl.archive import Archive, PageKind  # a profile in a file needs no database

    kinds = (PageKind.INDEX_FLIP, PageKind.THREAD_FLIP)
    with Archive.open(location, readonly=True) as archive:
        flips = [(page.list_url, page.url) for page in archive.pages() if page.kind in kinds and page.list_url]
        found = {one.entry_url: one.profile for one in archive.forums() if _is_meant(forum, one.entry_url, one.host)}
    learned = {entry: text for entry, text in found.items() if text is not None}
    if not learned:
        raise InputError(f"the archive {location} holds no profile of {forum or 'a forum'}; crawl it first")
    if len(learned) > 1:
        raise InputError(f"the archive {location} holds several forums; add --forum and one of: {', '.join(learned)}")
    ((entry, text),) = learned.items()
    return with_flips_met(Profile.from_json(text, f"the profile of {entry}"), flips)


def _is_meant(asked: str | None, entry: str, host: str) -> bool:
    return asked is None or asked.rstrip("/") in (entry.rstrip("/"), host)
