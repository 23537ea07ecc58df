"""The options that choose a part of an archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from thrawl.archive.selection import Selection

Forum = Annotated[str | None, typer.Option(help="Only of this forum: its entry URL or host.", metavar="URL")]
Board = Annotated[str | None, typer.Option(help="Only of boards whose title holds this, and boards below.")]
Author = Annotated[str | None, typer.Option(help="Only posts by this author.", metavar="NAME")]
Since = Annotated[str | None, typer.Option(help="Only posts from then on: 2026, 2026-05, 2026-05-01.", metavar="TIME")]
Before = Annotated[str | None, typer.Option(help="Only posts from before then.", metavar="TIME")]

Timezone = Annotated[
    str | None, typer.Option(help="The zone of times whose own the site does not tell: Europe/Berlin.", metavar="ZONE")
]
MediaDir = Annotated[
    str | None,
    typer.Option(help="Where pictures are kept: a folder, or s3://…; beside the archive when left out.", metavar="DIR"),
]


def selection(
    forum: str | None, board: str | None, author: str | None, since: str | None, before: str | None
) -> Selection:
    """The selection that a user asked for."""
    from thrawl.archive.selection import Selection, moment  # some commands have a part of the options and no database

    return Selection(forum, board, author, moment(since) if since else None, moment(before) if before else None)
