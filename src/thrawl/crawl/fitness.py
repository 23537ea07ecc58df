"""Notices that a site's pages stopped fitting its profile: a share of the recent pages shows no content.

Login walls and challenges do not count: learning again would not open them.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from thrawl.crawl.values import Reading
from thrawl.profile.profile import Profile

_RECENT: Final = 40  # pages; a dozen broken ones in a row are noticed, a few deleted threads are not
_FEWEST: Final = 20
_SHARE: Final = 0.5
_ECHOES: Final = 6  # pages in a row that say what others say: threads that only posts lead to are rare by then
_FRUITLESS: Final = 8  # pages of a pattern, all without posts; a few deleted threads in a row are fewer


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


class Echoes:
    """Pages that links in posts led to and that showed only what was known: after some in a row the rest is left alone.

    On sites that know a thread by any of its messages, every post's own link leads to its thread once more.
    """

    def __init__(self) -> None:
        self._in_a_row = 0

    def add(self, *, echo: bool) -> None:
        self._in_a_row = self._in_a_row + 1 if echo else 0

    @property
    def only(self) -> bool:
        return self._in_a_row >= _ECHOES


class Harvest:
    """What each pattern of threads brought so far: one that brings nothing is stopped."""

    def __init__(self, profile: Profile) -> None:
        self._patterns = [one.pattern for one in profile.thread]
        self._empty = [0] * len(self._patterns)

    def add(self, url: str, *, fruit: bool) -> None:
        """A page of a thread was read, with posts or without; one with posts clears its pattern for good."""
        number = self._pattern_of(url)
        if number is None or self._empty[number] < 0:
            return
        self._empty[number] = -1 if fruit else self._empty[number] + 1

    def is_fruitless(self, url: str) -> bool:
        if max(self._empty, default=0) < _FRUITLESS:
            return False
        number = self._pattern_of(url)
        return number is not None and self._empty[number] >= _FRUITLESS

    def _pattern_of(self, url: str) -> int | None:
        return next((number for number, one in enumerate(self._patterns) if one.match(url) is not None), None)
