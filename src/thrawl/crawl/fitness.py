"""Notices that a site's pages stopped fitting its profile: a share of the recent pages shows no content.

Login walls and challenges do not count: learning again would not open them.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from thrawl.crawl.values import Reading

_RECENT: Final = 40  # pages; a dozen broken ones in a row are noticed, a few deleted threads are not
_FEWEST: Final = 20
_SHARE: Final = 0.5


class Fitness:
    """The last pages that were read, and whether each fitted."""

    def __init__(self) -> None:
        self._recent: deque[bool] = deque(maxlen=_RECENT)

    def add(self, reading: Reading) -> None:
        if reading.misfit is None:
            self._recent.append(not reading.general)
        elif reading.misfit.means_redesign:
            self._recent.append(False)

    def is_lost(self) -> bool:
        """Whether so many recent pages did not fit that the site has to be learned again."""
        return len(self._recent) >= _FEWEST and self._recent.count(False) >= _SHARE * len(self._recent)

    def restart(self) -> None:
        self._recent.clear()
