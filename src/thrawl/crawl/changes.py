"""The one rule for "this row changed": another count or another time than the row showed before, either way.

Crawls that update (`update`) and policies that watch (`thrawl.refresh`) ask the same question of the same facts. A
count that goes down tells of deleted posts, a time that goes back too; a time that stays while the count grows is a
site that shows minutes. What a row is compared with is the row that was read before, never what the archive holds: a
site that
counts one too many would else look changed for ever.
"""

from __future__ import annotations

from typing import NamedTuple


class RowFacts(NamedTuple):
    """What a row tells of its list: how many posts it has, and when the last one was made; None where it does not.

    A time is seconds since 1970, or any text that reads the same on every day. A tuple: policies make millions of them.
    """

    posts: int | None
    time: int | str | None


def row_changed(before: RowFacts, now: RowFacts) -> bool | None:
    """Whether a row differs from what it showed before; None where the two have nothing in common to compare."""
    told: bool | None = None
    if before.posts is not None and now.posts is not None:
        if before.posts != now.posts:
            return True
        told = False
    if before.time is not None and now.time is not None:
        if before.time != now.time:
            return True
        told = False
    return told
