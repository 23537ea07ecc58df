"""`thrawl search`: find posts by their words."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from thrawl.archive.export_rows import iso
from thrawl.archive.store import Archive
from thrawl.archive.values import SearchHit
from thrawl.cli.selecting import Author, Before, Board, Forum, Since, selection
from thrawl.harmless import json_line, one_line


def search(
    archive: Annotated[str, typer.Argument(help="The archive: a file, or postgresql://…", metavar="ARCHIVE")],
    words: Annotated[
        list[str], typer.Argument(help="Words, '\"a phrase\"', begin*: a post must hold all of them.", metavar="WORDS…")
    ],
    forum: Forum = None,
    board: Board = None,
    author: Author = None,
    since: Since = None,
    before: Before = None,
    limit: Annotated[int, typer.Option(min=1, help="How many posts to show.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False,
) -> None:
    """Show the posts of an archive that hold all the words: titles that do first, then the newest."""
    chosen = selection(forum, board, author, since, before)
    with Archive.open(archive, readonly=True) as opened:
        hits = opened.search(" ".join(words), limit, chosen)
    if as_json:
        for hit in hits:
            print(json_line(_plain(hit)))
        return
    console = Console(highlight=False, soft_wrap=True)
    for hit in hits:
        console.print(_shown(hit))
    if not hits:
        console.print("no post holds all of these words")


def _shown(hit: SearchHit) -> Text:
    when = iso(hit.published) or ""
    shown = Text(one_line(hit.thread_title or hit.thread_url), style="bold")
    shown.append(f"  {one_line(hit.author or 'unknown')}  {when}\n", style="dim")
    shown.append(f"  {one_line(hit.snippet)}\n", style="not bold")
    return shown.append(f"  {one_line(hit.post_url or hit.thread_url)}", style="dim not bold")


def _plain(hit: SearchHit) -> dict[str, str | None]:
    return {
        "thread_url": hit.thread_url,
        "thread_title": hit.thread_title,
        "post_id": hit.post_id,
        "post_url": hit.post_url,
        "author": hit.author,
        "published": iso(hit.published),
        "snippet": hit.snippet,
    }
