"""The general reader: posts of a single saved page, with nothing known of its site.

The page is taken as a sample of one: what repeats on it, what is written on it once, and where its times stand tell
enough for most pages.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from thrawl import limits
from thrawl.learn.wrappers.posts import wrapper_of_page
from thrawl.page.reading import Page, read_tree
from thrawl.page.shown import PostRecord
from thrawl.page.tree import Tree

_MOST_RECORDS: Final = 60  # of one page that are learned from: these tell how the others are cut
_MOST_TIMES: Final = 2 * _MOST_RECORDS  # of one page: when it was written, and when it was edited


def read_posts(tree: Tree, url: str, fetched: datetime | None = None) -> tuple[PostRecord, ...]:
    """The posts that a page shows, as well as it can be told from this page alone; nothing if it shows none.

    Every way to cut it is tried on all of its records, so of very many the middle ones are left out: the others tell
    how the whole page is cut.
    """
    wrapper = wrapper_of_page(_studied(tree, url), fetched)
    if wrapper is None:
        return ()
    return wrapper.cut(tree, url, fetched or datetime.now(UTC)) or ()


def _studied(tree: Tree, url: str) -> Page:
    page = read_tree(tree.thinned(_MOST_RECORDS).without_middle(limits.MAX_STUDIED_NODES), url)
    records = [record.start for record in page.records]
    times = [time.node for time in page.times]  # of records that stand in no list
    for marks, most in ((records, _MOST_RECORDS), (times, _MOST_TIMES)):
        if len(marks) > most:
            return read_tree(page.tree.without(marks[most - most // 4], marks[-(most // 4)]), url)
    return page
