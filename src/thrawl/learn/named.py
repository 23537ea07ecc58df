"""Whether an anchor names the page behind it: the agreement between pages that no layout can fake."""

from __future__ import annotations

import re
from typing import Final

from thrawl.page.reading import Page

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "legend", "caption", "strong", "b"})
_CUT: Final = ("...", "…")
_FEWEST_CHARS: Final = 2  # of a name that can be recognised
_FOLDED: Final = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """Letters and digits alone, without case."""
    return _FOLDED.sub("", text.casefold())


def names_page(anchor: str, page: Page) -> bool:
    """Whether an anchor is the title of a page or one of its headings; long anchors may be cut."""
    plain = anchor.strip()
    cut = plain.endswith(_CUT)
    name = folded(plain.rstrip(".…"))
    if len(name) < _FEWEST_CHARS:
        return False
    tree = page.tree
    if name in folded(tree.title):
        return True
    headings = (folded(tree.text(node)) for node, tag in enumerate(tree.tags) if tag in _HEADINGS)
    return any(heading == name or (cut and heading.startswith(name)) for heading in headings)
