"""What the one writer knows the database to hold already: most of a page was met before, and need not be asked for.

All of it is bounded, and all of it can be forgotten: the database is then asked again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from thrawl.limits import RECENT_THREADS, RECENT_URLS


class Recent:
    """URLs that the database is known to hold already, with the priority they hold. Bounded; the oldest go first."""

    def __init__(self, size: int = RECENT_URLS) -> None:
        self._size = size
        self._priorities: OrderedDict[str, int] = OrderedDict()

    def knows(self, url: str, priority: int) -> bool:
        return self._priorities.get(url, priority + 1) <= priority

    def __contains__(self, url: str) -> bool:
        return url in self._priorities

    def remember(self, items: Iterable[tuple[str, int]]) -> None:
        self._priorities.update(items)
        while len(self._priorities) > self._size:
            self._priorities.popitem(last=False)


class KnownIds:
    """The row that a name leads to, as the database has it: the thread of a URL, an author. Bounded; the oldest go
    first."""

    def __init__(self, size: int = RECENT_THREADS) -> None:
        self._size = size
        self._ids: OrderedDict[str, int] = OrderedDict()

    def get(self, name: str) -> int | None:
        return self._ids.get(name)

    def remember(self, name: str, number: int) -> None:
        self._ids[name] = number
        if len(self._ids) > self._size:
            self._ids.popitem(last=False)

    def forget(self) -> None:
        """After a transaction was rolled back, or threads became one, nothing remembered is certain."""
        self._ids.clear()


def author_mark(forum_id: int, name: str, url: str) -> str:
    """What an author is remembered by; with the URL's length, so that no two of them are taken for one."""
    return f"author {forum_id} {len(url)} {url} {name}"
