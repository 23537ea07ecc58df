"""Index pages that are walked from their head until a row that did not change: how far each walk has got.

A list moves while it is walked: what stood at the foot of page 1 stands at the head of page 2 a moment later, and after
a kill, or a page that failed, a whole page further. Such a row is as it was because this very walk read it, and tells
nothing of the rows below it. So a row ends a walk only if it was read before the walk began, and a walk that was cut
off goes on from the head, past all that it had read, when its watch does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from thrawl.refresh.pages import Layer, PageRef

_NONE: Final[frozenset[int]] = frozenset()


class Walks:
    """`unfinished` are the walks of an earlier run: their boards, and the threads whose rows they had read."""

    def __init__(self, unfinished: Mapping[int, Collection[int]], rows_per_page: int) -> None:
        self._rows_per_page = rows_per_page
        self._read = {board: set(threads) for board, threads in unfinished.items() if threads}

    def __contains__(self, board: int) -> bool:
        return board in self._read

    def read(self, ref: PageRef) -> Collection[int]:
        """The threads whose rows the walk of a page's board has read before."""
        return self._read.get(ref.list, _NONE) if ref.kind is Layer.INDEX else _NONE

    def go_on(self, ref: PageRef, threads: Sequence[int]) -> PageRef:
        """None of a page's rows was known before the walk: the next page is to be read."""
        if ref.kind is Layer.INDEX:
            self._read.setdefault(ref.list, set()).update(threads)
        return ref._replace(page=ref.page + 1)

    def goes_past(self, ref: PageRef) -> bool:
        """Whether a page that is as it was may have been read by the walk itself, as far as that had got."""
        return ref.page * self._rows_per_page <= len(self.read(ref))

    def end(self, board: int) -> None:
        self._read.pop(board, None)
