"""`thrawl threads`: list the threads of an archive."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from thrawl.archive.export_lines import plain_objects
from thrawl.archive.export_rows import EXPORTS, What, thread_row
from thrawl.archive.store import Archive
from thrawl.archive.values import StoredThread
from thrawl.harmless import json_line, one_line


def threads(
    archive: Annotated[str, typer.Argument(help="The archive: a file, or postgresql://…", metavar="ARCHIVE")],
    board: Annotated[str | None, typer.Option(help="Only threads of boards whose title holds this.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False,
) -> None:
    """List the threads of an archive: board, title, replies, URL."""
    with Archive.open(archive, readonly=True) as opened:
        found = (thread for thread in opened.threads() if _matches(thread, board))
        shown = islice(found, limit)
        if as_json:
            for item in plain_objects(EXPORTS[What.THREADS], map(thread_row, shown)):
                print(json_line(item))
        else:
            for thread in shown:
                print(_line(thread))


def _matches(thread: StoredThread, board: str | None) -> bool:
    return board is None or any(board.lower() in step.lower() for step in thread.board)


def _line(thread: StoredThread) -> str:
    board = one_line(" > ".join(thread.board)) or "-"
    replies = "?" if thread.replies is None else str(thread.replies)
    gone = "  (no longer on the site)" if thread.vanished else ""
    return f"{board}\t{one_line(thread.title or '-')}\t{replies}\t{one_line(thread.url)}{gone}"
