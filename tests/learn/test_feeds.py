"""The feeds that a page names."""

from __future__ import annotations

from thrawl.learn.feeds import find_feeds
from thrawl.page.reading import read_page


def test_feeds_are_named_in_the_head() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" href="/feed">'
        '<link rel="alternate" type="application/atom+xml" href="/atom"><link rel="stylesheet" href="/s.css">'
        '<link rel="alternate" hreflang="fr" href="/fr/">'
    )
    found = read_page(f"<html><head>{head}</head><body></body></html>", "http://f.test/b/")
    assert find_feeds(found) == ("http://f.test/feed", "http://f.test/atom")
