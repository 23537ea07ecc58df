"""What a fleet knows of its forums, its workers and the hosts that they hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ForumState(StrEnum):
    """Where a forum stands. `short`: all was fetched, but the site promises more than was got."""

    WAITING = "waiting"
    UNDER_WAY = "under way"
    COMPLETE = "complete"
    SHORT = "short"
    FAILED = "failed"
    DUPLICATE = "duplicate"

    @property
    def has_archive(self) -> bool:
        """Whether all that could be had is archived, so that it can be kept fresh."""
        return self in (ForumState.COMPLETE, ForumState.SHORT)


@dataclass(frozen=True, slots=True)
class FleetForum:
    """One forum of a fleet. `key` is what it shares a pace by: the address of its host, or its name.

    `turns` are those that it had, `left` the pages that the last one left to fetch, `worker` the one who has it now.
    """

    id: int
    url: str
    key: str
    state: ForumState
    reason: str = ""
    entry: str | None = None
    turns: int = 0
    left: int = 0
    pages: int = 0
    posts: int = 0
    failed: int = 0
    updated: float = 0.0
    moved: float = 0.0
    due: float = 0.0
    worker: str | None = None
    expected: float | None = None
    watching: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """How a forum's turn ended, for the registry. Pages, posts and failures are those of this turn."""

    state: ForumState
    reason: str = ""
    left: int = 0
    pages: int = 0
    posts: int = 0
    failed: int = 0
    wait: float = 0.0
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A host that a worker holds: whoever writes must still have this token."""

    key: str
    token: int
    pause: float = 0.0
    """Seconds that the host is left alone at first: the one who held it before may have asked it just now."""


@dataclass(frozen=True, slots=True)
class WorkerSeen:
    """A process that runs forums of the fleet, and when it was heard of last."""

    id: str
    machine: str
    pid: int
    joined: float
    seen: float
    forums: int
    pages: int
    speed: float
