"""One pool of readers for all forums of a process: each sees it as its own."""

from __future__ import annotations

from typing import Final

from thrawl.crawl.values import PageJob, Reading
from thrawl.crawl.workers import WorkerPool
from thrawl.profile.profile import Profile

# Pages that one forum may have waiting for a reader are few, so that the queue, which is first come first served, is
# fair to all.
_EACH: Final = 1


class LentReaders:
    """Implements Readers for one forum on a pool that stays open when its crawl ends."""

    size = _EACH

    def __init__(self, pool: WorkerPool, profile: Profile) -> None:
        self._pool = pool
        self._profile = profile

    async def read(self, job: PageJob) -> Reading:
        return await self._pool.read(job, self._profile)

    def change(self, profile: Profile) -> None:
        self._profile = profile

    async def close(self) -> None:
        """The pool is not this forum's to close."""
