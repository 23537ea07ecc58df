"""Times inside one line of text, for readers that seldom need to search for one.

A site's learned format reads nearly all of its times. Building the general grammar takes as long as reading several
pages, so it is loaded with the first text that needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thrawl.page.timetext import Found


def scan(text: str) -> tuple[Found, ...]:
    """Every time in a text, in order: see `timetext.scan`."""
    from thrawl.page.timetext import scan as scan_now  # builds the grammar, the first time

    return scan_now(text)
