"""Templates become pages: everything that is not marked as markup is escaped."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

ASSETS = files("thrawl.web") / "assets"


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("thrawl.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(when=when, iso=iso, size=size, number=number)
    return made


@cache
def template(name: str) -> Template:
    return environment().get_template(name)


def render(name: str, **values: Any) -> str:
    return template(name).render(**values)


def asset(name: str) -> bytes:
    """A file of the package that pages use."""
    return (ASSETS / name).read_bytes()


def when(moment: datetime | None) -> str:
    """A time as people read it: to the minute, in UTC where its zone is known."""
    if moment is None:
        return ""
    shown = f"{moment:%Y-%m-%d %H:%M}"
    return f"{shown} UTC" if moment.tzinfo else shown


def iso(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat(timespec="seconds")


def size(number_of_bytes: int | None) -> str:
    """A size as people say it."""
    if number_of_bytes is None:
        return ""
    if number_of_bytes < 1000:
        return f"{number_of_bytes} bytes"
    return f"{number_of_bytes / 1e3:.0f} kB" if number_of_bytes < 1e6 else f"{number_of_bytes / 1e6:.1f} MB"


def number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"
