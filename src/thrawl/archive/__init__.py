"""Threads and posts kept safe."""

from thrawl.archive.store import Archive
from thrawl.archive.values import (
    BoardRef,
    FoundUrl,
    PageKind,
    PageOutcome,
    PageState,
    PendingPage,
    RefusedUrl,
    ThreadRef,
)

__all__ = [
    "Archive",
    "BoardRef",
    "FoundUrl",
    "PageKind",
    "PageOutcome",
    "PageState",
    "PendingPage",
    "RefusedUrl",
    "ThreadRef",
]
