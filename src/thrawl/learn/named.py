"""Whether an anchor names the page behind it: the agreement between pages that no layout can fake."""

from __future__ import annotations

from typing import Final

from thrawl.page.reading import Page
from thrawl.profile.folding import fold

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "legend", "caption", "strong", "b"})
_CUT: Final = ("...", "…")
_FEWEST_CHARS: Final = 2  # of a name that can be recognised


def names_page(anchor: str, page: Page) -> bool:
    """Whether an anchor is the title of a page or one of its headings; long anchors may be cut."""
    plain = anchor.strip()
    cut = plain.endswith(_CUT)
    name = fold(plain.rstrip(".…"))
    if len(name) < _FEWEST_CHARS:
        return False
    tree = page.tree
    if name in fold(tree.title):
        return True
    headings = (fold(tree.text(node)) for node, tag in enumerate(tree.tags) if tag in _HEADINGS)
    return any(heading == name or (cut and heading.startswith(name)) for heading in headings)
