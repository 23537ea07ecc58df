"""Threads and posts kept safe."""

from importlib import import_module
from typing import TYPE_CHECKING

from thrawl.archive.values import (
    BoardRef,
    FoundUrl,
    PageOutcome,
    PageState,
    PendingPage,
    RefusedUrl,
    ThreadRef,
)
from thrawl.page.pagekind import PageKind

if TYPE_CHECKING:
    from thrawl.archive.store import Archive

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


def __getattr__(name: str) -> object:
    """`Archive` brings a whole library along, and comes when it is asked for: a glance does not need it."""
    if name != "Archive":
        raise AttributeError(f"module 'thrawl.archive' has no attribute {name!r}")
    return import_module("thrawl.archive.store").Archive
