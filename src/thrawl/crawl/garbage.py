"""Looking for reference cycles rarely while pages go through: they leave next to none, and looking costs a tenth."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from thrawl.limits import GC_VALUES

_under_way = 0  # crawls of this process: there is one collector, and the first and the last of them set it
_left_behind = False  # whether crawls have ended here that nobody looked through


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """What is there now is not looked through any more, and what comes only every so many values."""
    global _under_way
    _under_way += 1
    try:
        if _under_way > 1:
            yield
        else:
            with _collecting_rarely():
                yield
    finally:
        _under_way -= 1


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    global _left_behind
    if _left_behind:
        gc.collect()  # what was frozen counts as old and is hardly looked at again: crawl after crawl would add up
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(GC_VALUES, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
        _left_behind = True  # most processes end after their only crawl, and looking takes as long as ten pages
