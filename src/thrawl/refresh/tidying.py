"""Takes out of the frontier what a page shows to be had already: by another signal, or by another page of the list.

A crawl puts every thread whose row changed into the frontier, in the transaction that keeps the row, so that a watch
that is killed loses none. The policy sees the same rows and asks by itself, often for another page of the thread.
"""

from __future__ import annotations

from typing import Final

from thrawl.archive.watching import Watching
from thrawl.crawl import update
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.pages import Layer, PageRef, PostsShown, RowsShown, Shown

# Why a crawl puts threads into the frontier whose rows changed.
ROW_REASONS: Final = (update.GREW, update.UNKNOWN)


def tidy(watching: Watching, atlas: Atlas, ref: PageRef, list_url: str, shown: Shown) -> None:
    """After a page of the list was read and saved."""
    if isinstance(shown, PostsShown) and shown.page >= shown.pages:
        watching.end_thread(list_url, ROW_REASONS)
    elif isinstance(shown, RowsShown) and ref.kind is Layer.INDEX and shown.last_times is not None:
        rows = zip(shown.threads, shown.last_times, strict=True)
        known = (atlas.archived(thread) for thread, time in rows if 0 < time <= atlas.last_times.get(thread, 0))
        watching.end_held((thread for thread in known if thread is not None), ROW_REASONS)
