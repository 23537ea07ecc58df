"""Figures that take a look at the whole archive, taken in the background: a page shows the last ones and never waits.

They are taken anew when somebody looks and they are old; the larger the archive, the longer they count as fresh, so
that taking them never costs more than a small part of the machine.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from thrawl.archive import figures
from thrawl.archive.figures import Activity, BoardFigures, Delays, Reason
from thrawl.archive.progress import Progress, told
from thrawl.archive.store import Archive
from thrawl.archive.values import PageState
from thrawl.errors import ThrawlError
from thrawl.page.pagekind import PageKind

_FRESH_SECONDS: Final = 3.0
_SHARE: Final = 20  # figures that took a second are fresh for twenty


@dataclass(frozen=True, slots=True)
class Figures:
    """An archive at one moment."""

    taken: datetime
    boards: dict[int | None, BoardFigures]
    pages: tuple[tuple[PageKind, PageState, int], ...]
    failures: tuple[Reason, ...]
    refusals: tuple[Reason, ...]
    progress: tuple[Progress, ...]
    left: dict[int, int]
    activity: Activity
    delays: Delays | None
    media: dict[str, int]
    media_failures: tuple[tuple[str, int], ...]

    @property
    def threads(self) -> int:
        return sum(board.threads for board in self.boards.values())

    @property
    def posts(self) -> int:
        return sum(board.posts for board in self.boards.values())


def take(archive: Archive) -> Figures:
    """Take all figures of an archive now."""
    with archive.reading() as connection:
        forums = archive.forums()
        return Figures(
            taken=datetime.now(UTC),
            boards=figures.by_board(connection),
            pages=archive.page_counts(),
            failures=tuple(figures.failures(connection)),
            refusals=tuple(figures.refused(connection)),
            progress=tuple(told(connection)),
            left={forum.id: figures.pages_left(connection, forum.id) for forum in forums},
            activity=figures.activity(connection),
            delays=figures.delays(connection),
            media={state.value: number for state, number in archive.media.counts().items()},
            media_failures=tuple(archive.media.failures()),
        )


class CachedFigures:
    """The figures of one archive, taken by one thread at a time."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: Figures | None = None
        self._problem: str | None = None
        self._stale_at = 0.0
        self._taking = threading.Lock()
        self._first = threading.Event()

    def look(self) -> Figures | None:
        """The last figures; None until the first ones are taken, of which a small archive's are waited for."""
        if time.monotonic() >= self._stale_at and self._taking.acquire(blocking=False):
            threading.Thread(target=self._take, daemon=True, name="figures").start()
        self._first.wait(0.03)
        return self._known

    def now(self) -> Figures:
        """Take them now and wait for them."""
        with self._taking:
            self._known = take(self._archive)
            self._first.set()
        return self._known

    def _take(self) -> None:
        began = time.monotonic()
        try:
            self._known = take(self._archive)
        except ThrawlError as error:  # an archive that is being moved away is still read by those who have its pages
            self._problem = str(error)
        finally:
            took = time.monotonic() - began
            self._stale_at = time.monotonic() + max(_FRESH_SECONDS, _SHARE * took)
            self._first.set()
            self._taking.release()
