"""The type of pages by what varies between them: a second opinion where the classifier sees nothing it knows.

Pages of one link group come from one template. What stands on all of them is the template; what stands on
one alone is its content. On an index page the content is links with titles, on a thread page it is words
that are no links. That needs no records and no times, so it works for a thread with one post and for lists
without dates; but profiles also have a few words of their own, so it only speaks for the links with the
longest anchors of a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

from thrawl.page.reading import Page
from thrawl.page.tree import TEXT

_FEWEST_LINKS: Final = 3
_FEWEST_CHARS: Final = 60


@dataclass(frozen=True, slots=True)
class Own:
    """What one page has that its neighbours lack: links, characters in links, characters elsewhere."""

    links: int
    link_chars: int
    text_chars: int


def type_by_content(pages: Sequence[Page]) -> Literal["index", "thread"] | None:
    """The type that the pages' own content speaks for; None where it speaks for neither."""
    if len(pages) < 2:
        return None
    owned = own_content([texts_of(page) for page in pages])
    links = median(own.links for own in owned)
    link_chars = median(own.link_chars for own in owned)
    text_chars = median(own.text_chars for own in owned)
    if links >= _FEWEST_LINKS and link_chars >= text_chars:
        return "index"
    if text_chars >= _FEWEST_CHARS and text_chars >= 3 * link_chars:
        return "thread"
    return None


def own_content(texts: Sequence[Mapping[str, bool]]) -> list[Own]:
    """What each page has that none of the others has, by the texts of each."""
    shared = Counter(text for found in texts for text in found)
    return [_own(found, shared) for found in texts]


def _own(texts: Mapping[str, bool], shared: Counter[str]) -> Own:
    mine = [(text, linked) for text, linked in texts.items() if shared[text] == 1]
    return Own(
        links=sum(linked for _, linked in mine),
        link_chars=sum(len(text) for text, linked in mine if linked),
        text_chars=sum(len(text) for text, linked in mine if not linked),
    )


def texts_of(page: Page) -> dict[str, bool]:
    """The texts of a page, and whether each stands in a link."""
    linked = {node for link in page.links for node in range(link.node, page.tree.ends[link.node])}
    return {
        " ".join(page.tree.texts[node].split()): node in linked
        for node, tag in enumerate(page.tree.tags)
        if tag == TEXT and not page.tree.texts[node].isspace()
    }
