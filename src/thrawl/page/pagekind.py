"""What a page of a forum is: the one list of kinds, for URLs, pages, labels and the archive."""

from __future__ import annotations

from enum import StrEnum


class PageKind(StrEnum):
    """The kind of a page. A further page of a list has a kind of its own where its address is meant; where what a page
    shows is meant, it is of its list's kind. The order is the order of fetching: what lists more comes first.
    """

    ENTRY = "entry"
    INDEX = "index"
    INDEX_FLIP = "index-flip"
    THREAD = "thread"
    THREAD_FLIP = "thread-flip"
    OTHER = "other"

    @property
    def is_thread(self) -> bool:
        """Whether posts stand there."""
        return self in (PageKind.THREAD, PageKind.THREAD_FLIP)

    @property
    def is_flip(self) -> bool:
        """Whether it is a further page of a list."""
        return self in (PageKind.INDEX_FLIP, PageKind.THREAD_FLIP)

    @property
    def priority(self) -> int:
        """Lower is fetched earlier."""
        return _PRIORITY[self]


_PRIORITY = {kind: rank for rank, kind in enumerate(PageKind)}
