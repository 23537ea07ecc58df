"""Skins: each turns a world into the pages of one family of forum, and knows the truth about every page."""

from __future__ import annotations

from thrawl.errors import UsageError
from thrawl.lab.skins.answers import Answers
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.cards import Cards
from thrawl.lab.skins.journal import Journal
from thrawl.lab.skins.leaves import Leaves
from thrawl.lab.skins.lounge import Lounge
from thrawl.lab.skins.rows import Rows
from thrawl.lab.skins.script import Script
from thrawl.lab.skins.tables import Tables
from thrawl.lab.skins.tree import Tree
from thrawl.lab.skins.values import Layers

__all__ = ["SKINS", "Layers", "Skin", "skin_named"]

SKINS: dict[str, type[Skin]] = {
    skin.name: skin for skin in (Tables, Rows, Cards, Leaves, Tree, Answers, Journal, Lounge, Script)
}


def skin_named(name: str, layers: Layers | None = None) -> Skin:
    """A new skin of that name; `layers` says where it shows its changes."""
    if name not in SKINS:
        raise UsageError(f"There is no skin {name!r}; choose one of {', '.join(SKINS)}.")
    return SKINS[name](layers)
