"""Skins: each turns a world into the pages of one family of forum, and knows the truth about every page."""

from __future__ import annotations

from thrawl.errors import UsageError
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.rows import Rows
from thrawl.lab.skins.tables import Tables

SKINS: dict[str, type[Skin]] = {skin.name: skin for skin in (Tables, Rows)}


def skin_named(name: str) -> Skin:
    """A new skin of that name, with its usual layers."""
    if name not in SKINS:
        raise UsageError(f"There is no skin {name!r}; choose one of {', '.join(SKINS)}.")
    return SKINS[name]()
