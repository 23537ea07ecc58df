"""`thrawl rules`: what was learned, for other crawlers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from thrawl.learn.tell.rules import FORMATS
from thrawl.profile.profile import Profile


def rules(
    profile: Annotated[Path, typer.Argument(help="A profile that 'thrawl learn -o' wrote.", metavar="PROFILE")],
    form: Annotated[
        Literal["scrapy", "wget", "heritrix", "browsertrix", "regex"],
        typer.Option("--format", help="For which crawler."),
    ] = "regex",
) -> None:
    """Print the learned URL patterns as rules for another crawler."""
    typer.echo(FORMATS[form](Profile.load(profile)))
