"""What a crawl leaves behind in its process."""

from __future__ import annotations

import gc
import weakref

from thrawl.crawl.garbage import collecting_rarely


class Holder:
    """Holds itself, as tasks and their errors do."""

    def __init__(self) -> None:
        self.own = self


def test_cycles_of_one_crawl_are_gone_when_the_next_one_begins() -> None:
    with collecting_rarely():
        known = weakref.ref(Holder())
        gc.freeze()  # as a second crawl within this one does
    with collecting_rarely():
        assert known() is None


def test_the_process_looks_for_cycles_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with collecting_rarely():
        assert gc.get_threshold() != before
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
