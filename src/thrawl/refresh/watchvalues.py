"""What a caller can choose about a watch, what it can see of it, and what it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from thrawl.archive.values import StoredPost
from thrawl.refresh.budget import Budget

# Of all requests; enough to meet each page of a forum of 20,000 pages within a year at 3,000 a day.
AUDIT_SHARE: Final = 0.02


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """`seconds` ends the watch after that time, `once` after a round. `workers` 0 reads pages in this process."""

    budget: Budget
    seconds: float | None = None
    once: bool = False
    workers: int = 1
    audit_share: float = AUDIT_SHARE
    with_cookies: bool = False


@dataclass(slots=True)
class WatchTally:
    """A watch in numbers, as it runs."""

    requests: Counter[str] = field(default_factory=Counter)
    posts: int = 0
    threads: int = 0
    failed: int = 0
    edited: int = 0
    last_url: str = ""
    last_why: str = ""
    interrupted: bool = False
    next_at: float = 0.0

    @property
    def asked(self) -> int:
        return self.requests.total()


@dataclass(frozen=True, slots=True)
class NewPosts:
    """What a page brought: its posts that the archive did not hold, and whether their thread is new."""

    posts: tuple[StoredPost, ...]
    new_thread: bool


Tell = Callable[[NewPosts], None]
Look = Callable[[WatchTally], None]
