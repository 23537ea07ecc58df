"""The next page of a list as the head of its page tells it: `<link rel="next">`.

Lists that grow under a script when they are scrolled down show no pager that works without it, but many name their
next page here for search engines.
"""

from __future__ import annotations

from typing import Final

from thrawl.page.links import Link, resolver_of
from thrawl.page.tree import Tree

_NO_NODE: Final = -1


def next_in_head(tree: Tree, url: str) -> tuple[Link, ...]:
    """The links to next pages in the head of the page at `url`; they stand at no node of its tree."""
    hrefs = [
        attributes["href"]
        for tag, attributes, _ in tree.head
        if tag == "link" and attributes.get("href") and "next" in attributes.get("rel", "").lower().split()
    ]
    resolver = resolver_of(tree, url) if hrefs else None
    found = [resolver.resolve(href) for href in dict.fromkeys(hrefs)] if resolver else []
    return tuple(Link(_NO_NODE, one[0], "", "next", "", one[1]) for one in found if one is not None)
