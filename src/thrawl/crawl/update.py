"""Running again on a complete archive: only what is new is fetched.

Index lists are fetched again from their head, as long as they show rows that changed; a thread is fetched again from
the last page that the archive knows, or whole where its row shows fewer posts than before. That it is an update
stands in the page's reason, so an update that is killed goes on as an update.

Lists move while they are read, by whole pages while nobody reads: a page whose rows are all as they were because this
very update read them, where they stood before, tells nothing of the rows below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thrawl.archive import Archive
from thrawl.archive.identity import names_its_year
from thrawl.archive.values import FoundUrl, PageState, PendingPage, StoredThread
from thrawl.archive.watching import UPDATE_MARK
from thrawl.crawl import lists
from thrawl.crawl.changes import RowFacts, row_changed
from thrawl.page.pagekind import PageKind
from thrawl.page.shown import ThreadRow

_MARK: Final = UPDATE_MARK
HEAD: Final = f"{_MARK}what is new on this list"
FURTHER: Final = f"{_MARK}the page before it showed changes"
GREW: Final = f"{_MARK}the thread's row shows something new"
SHRANK: Final = f"{_MARK}the thread's row shows fewer posts"
UNKNOWN: Final = f"{_MARK}the thread's row does not tell whether it changed"
AUDIT: Final = "again: its thread has fewer posts than its row says"
REDESIGN: Final = "again: the site was learned anew"
MENDED: Final = "the ledger found it missing, and the profile was mended"


def is_update(page: PendingPage) -> bool:
    return (page.reason or "").startswith(_MARK)


def is_again(page: PendingPage) -> bool:
    """Whether a page was fetched before and must be read in full all the same."""
    return page.reason in (AUDIT, REDESIGN, MENDED)


class Updater:
    """Finds what to fetch again."""

    def __init__(self, archive: Archive, forum_id: int) -> None:
        self._archive = archive
        self._forum_id = forum_id

    def begin(self) -> int:
        """Ask for the heads of all index lists again; their number."""
        heads = [
            FoundUrl(page.url, page.kind, HEAD, page.list_url, 1, lists.INDEX, again=True)
            for page in self._archive.pages()
            if page.kind in (PageKind.ENTRY, PageKind.INDEX) and page.state is PageState.DONE
        ]
        self._archive.add_urls(self._forum_id, heads)
        return len(heads)

    def changed(self, rows: tuple[ThreadRow, ...]) -> list[FoundUrl]:
        """The thread pages to fetch again because of what an index page shows now."""
        return [url for row in rows for url in self._changed(row)]

    def shows_known(self, rows: tuple[ThreadRow, ...]) -> bool:
        """Whether the last row is as it was: in a sorted list, all after it are, too. Others may be pinned."""
        return bool(rows) and self._is_known(rows[-1])

    def were_read(self, rows: tuple[ThreadRow, ...], list_url: str) -> bool:
        """Whether all rows were read since the head of their list was."""
        head = self._archive.page(list_url)
        if head is None or head.fetched is None or not rows:
            return False
        known = (self._archive.thread(row.url) for row in rows)
        return all(stored is not None and stored.last_seen >= head.fetched for stored in known)

    def whole_thread(self, thread_url: str, reason: str) -> Iterator[FoundUrl]:
        """All known pages of a thread, to be fetched again."""
        for page in self._archive.pages_of_list(thread_url):
            yield FoundUrl(
                page.url,
                page.kind,
                reason,
                thread_url,
                page.page_number,
                lists.thread_flip_priority(page.page_number),
                again=True,
            )

    def last_page(self, thread_url: str, reason: str) -> Iterator[FoundUrl]:
        """The last page of a thread that the archive knows, to be fetched again."""
        last = max(self._archive.pages_of_list(thread_url), key=lambda page: page.page_number, default=None)
        if last is not None:
            rank = lists.thread_flip_priority(last.page_number)
            yield FoundUrl(last.url, last.kind, reason, thread_url, last.page_number, rank, again=True)

    def is_whole_since(self, thread_url: str, reason: str) -> bool:
        """Whether no page of a thread that was asked for again is left to fetch."""
        return all(
            page.state in (PageState.DONE, PageState.FAILED)
            for page in self._archive.pages_of_list(thread_url)
            if page.reason == reason
        )

    def _is_known(self, row: ThreadRow) -> bool:
        stored = self._archive.thread(row.url)
        return stored is not None and _differs(stored, row) is False

    def _changed(self, row: ThreadRow) -> Iterator[FoundUrl]:
        stored = self._archive.thread(row.url)
        if stored is None:
            return
        if stored.replies is not None and row.replies is not None and row.replies < stored.replies:
            yield from self.whole_thread(stored.url, SHRANK)
            return
        differs = _differs(stored, row)
        if differs is False:
            return
        yield from self.last_page(stored.url, UNKNOWN if differs is None else GREW)


def _differs(stored: StoredThread, row: ThreadRow) -> bool | None:
    """Whether a row tells something new of its thread; None where rows of this site do not tell."""
    before = RowFacts(stored.replies, _lasting(stored.last_time_text))
    return row_changed(before, RowFacts(row.replies, _lasting(row.last_time_text)))


def _lasting(shown: str | None) -> str | None:
    """A shown time that can be compared with one of another day; "yesterday" cannot."""
    return shown if shown and names_its_year(shown) else None
