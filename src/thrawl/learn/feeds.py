"""Feeds that a page announces: RSS and Atom links, for refreshing."""

from __future__ import annotations

from urllib.parse import urljoin

from thrawl.page.reading import Page


def find_feeds(page: Page) -> tuple[str, ...]:
    """The addresses of the feeds in the head of a page, in order."""
    found = [
        urljoin(page.url, attributes["href"])
        for tag, attributes, _ in page.tree.head
        if tag == "link"
        and "alternate" in attributes.get("rel", "").lower().split()
        and any(kind in attributes.get("type", "").lower() for kind in ("rss", "atom"))
        and attributes.get("href")
    ]
    return tuple(dict.fromkeys(found))
