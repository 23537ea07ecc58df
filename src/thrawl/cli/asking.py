"""The options of every command that asks a site for pages."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from thrawl.errors import InputError

Url = Annotated[str, typer.Argument(help="Any page of the forum.", metavar="URL")]
Urls = Annotated[list[str], typer.Argument(help="Any page of each forum.", metavar="URL…")]
Proxy = Annotated[str | None, typer.Option(help="An HTTP proxy for all requests.", metavar="URL")]
Delay = Annotated[float, typer.Option(help="Seconds between two requests.", metavar="S")]
Concurrency = Annotated[int, typer.Option(help="Requests at a time.", metavar="N", min=1)]
Cookies = Annotated[Path | None, typer.Option(help="A cookies.txt, to see what a member sees.", metavar="FILE")]
CookiesFrom = Annotated[
    Literal["firefox", "chrome"] | None,
    typer.Option("--cookies-from-browser", help="Take the cookies of your browser.", metavar="BROWSER"),
]
UserAgent = Annotated[str | None, typer.Option(help="Another User-Agent than Thrawl's own honest one.")]
Robots = Annotated[Literal["obey", "ignore"], typer.Option(help="'ignore' robots.txt only on a site that is your own.")]
Contact = Annotated[str | None, typer.Option(help="Your address, for the site's operator.")]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="Also follow links into private nets.")]


def warn_of_robots(robots: str) -> None:
    """Ignoring robots.txt is possible, and never silent."""
    if robots == "ignore":
        print("robots.txt is ignored: do so only on a site that is your own", file=sys.stderr)


def require_place(path: Path | None) -> None:
    """Say before the first request that a file could not be written in the end."""
    if path is None or str(path) == "-":
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file to write to")
    if not folder.is_dir():
        raise InputError(f"there is no folder {path.parent} to write to; create it first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InputError(f"{path} may not be written; check the permissions of {folder}")
