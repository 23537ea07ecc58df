"""The general reader: posts of a single saved page, with nothing known of its site.

The page is taken as a sample of one: what repeats on it, what is written on it once, and where its times stand tell
enough for most pages.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from thrawl import limits
from thrawl.learn.wrappers.posts import wrapper_of_sample
from thrawl.learn.wrappers.sample import Sample, sample_alone
from thrawl.page.reading import find_regions
from thrawl.page.shape import shapes
from thrawl.page.shown import PostRecord
from thrawl.page.times import find_times
from thrawl.page.tree import Tree

_MOST_RECORDS: Final = 60  # of one page that are learned from: these tell how the others are cut
_MOST_TIMES: Final = 2 * _MOST_RECORDS  # of one page: when it was written, and when it was edited


def read_posts(tree: Tree, url: str, fetched: datetime | None = None) -> tuple[PostRecord, ...]:
    """The posts that a page shows, as well as it can be told from this page alone; nothing if it shows none.

    Every way to cut it is tried on all of its records, so of very many the middle ones are left out: the others tell
    how the whole page is cut.
    """
    wrapper = wrapper_of_sample(_studied(tree, url), fetched)
    if wrapper is None:
        return ()
    return wrapper.cut(tree, url, fetched or datetime.now(UTC)) or ()


def _studied(tree: Tree, url: str) -> Sample:
    tree = tree.thinned(_MOST_RECORDS).without_middle(limits.MAX_STUDIED_NODES)
    looks, mentions = shapes(tree), find_times(tree)
    records = [one.start for region in find_regions(looks, mentions)[:1] for one in region.records]
    times = [time.node for time in mentions]  # of records that stand in no list
    for marks, most in ((records, _MOST_RECORDS), (times, _MOST_TIMES)):
        if len(marks) > most:
            tree = tree.without(marks[most - most // 4], marks[-(most // 4)])
            return sample_alone(url, shapes(tree), find_times(tree))
    return sample_alone(url, looks, mentions)
