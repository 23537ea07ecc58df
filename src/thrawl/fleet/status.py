"""How a fleet is doing, for `thrawl fleet status` and the dashboard."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import func, select

from thrawl.fleet.registry import Registry
from thrawl.fleet.tables import fleet_forums, fleet_workers
from thrawl.fleet.values import FleetForum, ForumState, WorkerSeen
from thrawl.limits import FLEET_LEASE_SECONDS

# Seconds without a page after which a forum that is under way is called stuck; the longest pause that a host can ask
# for is 10 minutes.
_STUCK_SECONDS: Final = 900.0
# Seconds after which a worker that was not heard of is taken for gone.
_GONE_SECONDS: Final = FLEET_LEASE_SECONDS
_SUMS: Final = ("pages", "posts", "failed", "left", "watching")
_MOST: Final = 50  # forums that are named; the others are counted


@dataclass(frozen=True, slots=True)
class Trouble:
    """A forum that needs a person, and why."""

    url: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class FleetStatus:
    """A fleet at one moment. `speed` is in pages a second, over all workers that are at work."""

    place: str
    states: dict[str, int]
    pages: int
    posts: int
    failed_pages: int
    left: int
    watched: int
    speed: float
    workers: tuple[WorkerSeen, ...]
    stuck: tuple[Trouble, ...]
    troubles: tuple[Trouble, ...]

    @property
    def forums(self) -> int:
        return sum(self.states.values())

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "fleet": self.place,
            "forums": self.forums,
            "states": self.states,
            "pages": self.pages,
            "posts": self.posts,
            "failed_pages": self.failed_pages,
            "pages_left": self.left,
            "watched": self.watched,
            "pages_per_second": round(self.speed, 2),
            "workers": [
                {"id": one.id, "machine": one.machine, "pid": one.pid, "forums": one.forums, "pages": one.pages,
                 "pages_per_second": one.speed, "joined": one.joined, "seen": one.seen}
                for one in self.workers
            ],
            "stuck": [_plain(one) for one in self.stuck],
            "troubles": [_plain(one) for one in self.troubles],
        }  # fmt: skip


def status_of(registry: Registry) -> FleetStatus:
    """How the fleet is doing now."""
    now = time.time()
    with registry.transaction() as connection:
        states = Counter(
            {
                ForumState(state).value: int(number)
                for state, number in connection.execute(
                    select(fleet_forums.c.state, func.count()).group_by(fleet_forums.c.state)
                )
            }
        )
        sums = [func.coalesce(func.sum(fleet_forums.c[name]), 0) for name in _SUMS]
        pages, posts, failed, left, watched = map(int, connection.execute(select(*sums)).one())
        at_work = select(fleet_workers).where(fleet_workers.c.seen > now - _GONE_SECONDS)
        rows = connection.execute(at_work.order_by(fleet_workers.c.machine, fleet_workers.c.pid)).mappings()
        workers = tuple(WorkerSeen(**row) for row in rows)
    under_way = sum(one.pages for one in workers)
    stuck = [one for one in registry.forums([ForumState.UNDER_WAY], limit=10 * _MOST) if _is_stuck(one, now)]
    troubled = registry.forums([ForumState.FAILED, ForumState.SHORT], limit=_MOST)
    return FleetStatus(
        place=registry.place.shown,
        states={state.value: states[state.value] for state in ForumState},
        pages=max(pages, under_way),
        posts=posts,
        failed_pages=failed,
        left=left,
        watched=watched,
        speed=sum(one.speed for one in workers),
        workers=workers,
        stuck=tuple(Trouble(one.url, one.state.value, _why_stuck(one, now)) for one in stuck[:_MOST]),
        troubles=tuple(Trouble(one.url, one.state.value, one.reason) for one in troubled),
    )


def _is_stuck(forum: FleetForum, now: float) -> bool:
    return now - max(forum.moved, forum.updated) > _STUCK_SECONDS


def _why_stuck(forum: FleetForum, now: float) -> str:
    minutes = (now - max(forum.moved, forum.updated)) / 60
    return f"no page for {minutes:.0f} minutes{f', {forum.reason}' if forum.reason else ''}"


def _plain(one: Trouble) -> dict[str, str]:
    return {"url": one.url, "state": one.state, "reason": one.reason}
