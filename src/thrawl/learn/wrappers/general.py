"""The general reader: posts of a single saved page, with nothing known of its site.

The page is taken as a sample of one: what repeats on it, what is written on it once, and where its times stand tell
enough for most pages.
"""

from __future__ import annotations

from datetime import UTC, datetime

from thrawl.learn.wrappers.posts import wrapper_of_page
from thrawl.page.reading import Page
from thrawl.page.shown import PostRecord


def read_posts(page: Page, fetched: datetime | None = None) -> tuple[PostRecord, ...]:
    """The posts that a page shows, as well as it can be told from this page alone; nothing if it shows none."""
    wrapper = wrapper_of_page(page, fetched)
    if wrapper is None:
        return ()
    return wrapper.cut(page.tree, page.url, fetched or datetime.now(UTC)) or ()
