"""One turn of a forum that is complete: it is kept fresh, with its share of the fleet's budget."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Final

from thrawl.archive.store import Archive
from thrawl.errors import InputError
from thrawl.fleet.budget import expected_posts
from thrawl.fleet.turn import ForumTurn
from thrawl.fleet.values import ForumState, Turn
from thrawl.net.client import Client
from thrawl.net.options import FetchLimits
from thrawl.refresh.budget import Budget
from thrawl.refresh.clock import SystemClock
from thrawl.refresh.registry import BEST, make_policy
from thrawl.refresh.rhythm import DAY
from thrawl.refresh.watcher import Watcher
from thrawl.refresh.watchvalues import WatchOptions, WatchTally

# A forum that waited for its turn may catch up on no more than this, in seconds.
_LONGEST_WAIT: Final = DAY


@dataclass(slots=True)
class WatchTurn(ForumTurn):
    """A watch of `seconds`. `share` are its requests a day; those of the time that it waited come on top."""

    share: float = 0.0
    seconds: float = 0.0
    watched: WatchTally = field(default_factory=WatchTally)

    async def run(self) -> Turn:
        end = await ForumTurn.run(self)
        if end.state is ForumState.WAITING:  # its lease or its database went away, and nothing of it is lost
            end = replace(end, state=self._state, reason=self.forum.reason)
        return end

    @property
    def pages(self) -> int:
        return self.watched.asked

    @property
    def posts(self) -> int:
        return self.watched.posts

    @property
    def failed(self) -> int:
        return self.watched.failed

    @property
    def is_crawling(self) -> bool:
        return True

    @property
    def has_much_left(self) -> bool:
        return False  # it ends by itself

    def stopped(self) -> Turn:
        return replace(ForumTurn.stopped(self), state=self._state, reason=self.forum.reason)

    @property
    def _state(self) -> ForumState:
        """What it was before: a watch does not make a forum complete."""
        return ForumState.SHORT if self.forum.reason else ForumState.COMPLETE

    async def _done(self) -> Turn:
        with Archive.open(self.location, fence=self.check, frugal=True) as archive:
            forum = next(iter(archive.forums()), None)
            if forum is None:
                raise InputError(f"the archive of {self.forum.url} is empty; have it crawled again with --retry-failed")
            # a page that fails is the policy's to try again: retries are requests, too
            options = replace(self.shared.client, start_url=self.forum.url, limits=FetchLimits(retries=0))
            async with Client(options, pace=self.shared.pace) as client:
                watcher = Watcher(
                    archive, forum, client, make_policy(BEST),
                    WatchOptions(self._budget(), self.seconds),
                    SystemClock(), say=self.say, stop=self.stop, tally=self.watched, lend=self.shared.lend,
                )  # fmt: skip
                await watcher.run()
            expected = expected_posts(archive, forum.id, time.time())
        return Turn(self._state, self.forum.reason, expected=expected)

    def _budget(self) -> Budget:
        waited = min(max(0.0, time.time() - self.forum.updated), _LONGEST_WAIT)
        return Budget(self.share * (waited + self.seconds) / self.seconds, DAY)
