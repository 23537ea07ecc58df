"""The numbers that a site gives its posts, as far as their ids are numbers."""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import Connection, select

from thrawl.archive.facts import NO_NUMBERS, Numbers
from thrawl.archive.tables import posts, threads

_NUMBER: Final = re.compile(r"\D*(\d{1,9})")
_MOST: Final = 20_000  # posts; of a larger forum they are not held in memory, and a share of them says nothing
_FEWEST: Final = 20  # posts without which holes say nothing
_OWN: Final = 0.9  # of the posts that have a number to themselves; numbers within threads are shared


def post_numbers(connection: Connection, forum_id: int) -> frozenset[int]:
    """The numbers of all posts, where each has one to itself."""
    mine = select(posts.c.post_id).join(threads, threads.c.id == posts.c.thread_id)
    query = mine.where(threads.c.forum_id == forum_id, posts.c.post_id.is_not(None)).limit(_MOST + 1)
    ids = list(connection.scalars(query))
    numbers = frozenset(int(found[1]) for one in ids if (found := _NUMBER.fullmatch(one)))
    fits = _FEWEST <= len(ids) <= _MOST and len(numbers) >= _OWN * len(ids)
    return numbers if fits else frozenset()


def numbers_of(connection: Connection, forum_id: int) -> Numbers:
    """How many numbers there are, and how many of them archived posts have."""
    numbers = post_numbers(connection, forum_id)
    return Numbers(len(numbers), max(numbers) - min(numbers) + 1) if numbers else NO_NUMBERS
