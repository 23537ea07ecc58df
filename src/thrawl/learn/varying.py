"""What varies between pages of one template: their content, in links and elsewhere.

Pages of one link group come from one template. What stands on all of them is the template; what stands on one alone is
its content. On an index page the content is links with titles, on a thread page it is words that are no links. That
needs no records and no times, so it works for a thread with one post and for lists without dates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thrawl.page.reading import Page
from thrawl.page.tree import TEXT
from thrawl.profile.urls import same_site


@dataclass(frozen=True, slots=True)
class Own:
    """What one page has that its neighbours lack: links, and characters elsewhere."""

    links: int
    text_chars: int


def own_content(texts: Sequence[Mapping[str, bool]], others: Sequence[Mapping[str, bool]] = ()) -> list[Own]:
    """What each page has that none of the rest has, nor any of some other pages, by the texts of each."""
    return [_own(found, [*texts[:at], *texts[at + 1 :], *others]) for at, found in enumerate(texts)]


def _own(texts: Mapping[str, bool], others: Sequence[Mapping[str, bool]]) -> Own:
    mine = [(text, linked) for text, linked in texts.items() if not any(text in other for other in others)]
    return Own(
        links=sum(linked for _, linked in mine),
        text_chars=sum(len(text) for text, linked in mine if not linked),
    )


def texts_of(page: Page) -> dict[str, bool]:
    """The texts of a page, and whether each stands in a link of the site: links elsewhere are words of a post."""
    inside = (link.node for link in page.links if same_site(link.url, page.url))
    linked = {node for start in inside for node in range(start, page.tree.ends[start])}
    return {
        " ".join(page.tree.texts[node].split()): node in linked
        for node, tag in enumerate(page.tree.tags)
        if tag == TEXT and not page.tree.texts[node].isspace()
    }
