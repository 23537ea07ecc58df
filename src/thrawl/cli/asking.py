"""The options of every command that asks a site for pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Url = Annotated[str, typer.Argument(help="Any page of the forum.", metavar="URL")]
Proxy = Annotated[str | None, typer.Option(help="An HTTP proxy for all requests.", metavar="URL")]
Delay = Annotated[float, typer.Option(help="Seconds between two requests.", metavar="S")]
Concurrency = Annotated[int, typer.Option(help="Requests at a time.", metavar="N", min=1)]
Cookies = Annotated[Path | None, typer.Option(help="A cookies.txt, to see what a member sees.", metavar="FILE")]
Contact = Annotated[str | None, typer.Option(help="Your address, for the site's operator.")]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="Also follow links into private nets.")]
