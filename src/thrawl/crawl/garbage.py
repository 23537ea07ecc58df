"""Looking for reference cycles rarely while pages go through: they leave next to none, and looking costs a tenth."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from thrawl.limits import GC_VALUES


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """What is there now is not looked through any more, and what comes only every so many values."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(GC_VALUES, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
        gc.collect()  # what was frozen counts as old and is hardly looked at again: crawl after crawl would add up
