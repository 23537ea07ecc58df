"""One turn of one forum: its archive is opened, it is learned unless it is known, and crawled until it is stopped.

Whatever goes wrong with a forum becomes the end of its turn, in words: it costs the others nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from thrawl.archive.mediastore import store_for
from thrawl.archive.opening import Fence
from thrawl.archive.store import Archive
from thrawl.archive.trying import opened_for
from thrawl.crawl.forum import ForumCrawl
from thrawl.crawl.options import CrawlOptions, Finished, MediaMode, Tally
from thrawl.crawl.workers import Readers, WorkerPool
from thrawl.errors import ArchiveAway, ArchiveError, LearnError, LeaseLost, ThrawlError
from thrawl.fleet.budget import expected_posts
from thrawl.fleet.learning import ForumLearner, Learners
from thrawl.fleet.marks import Marks
from thrawl.fleet.pace import FleetPace
from thrawl.fleet.readers import LentReaders
from thrawl.fleet.values import FleetForum, ForumState, Turn
from thrawl.net.client import Client
from thrawl.net.options import ClientOptions
from thrawl.profile.profile import Profile

if TYPE_CHECKING:
    from thrawl.learn.learner import Learned

# Seconds until a forum is tried again whose archive's server was away, or whose lease was lost.
AWAY_SECONDS: Final = 5.0
_LITTLE_LEFT: Final = 200  # pages: a forum with no more than this is let end, though its turn is over


class SameForum(LearnError):
    """The fleet has this forum already, under another name."""


@dataclass(slots=True)
class Shared:
    """What all forums of a process share."""

    pace: FleetPace
    readers: WorkerPool
    learners: Learners
    marks: Marks
    client: ClientOptions
    crawl: CrawlOptions = field(default_factory=lambda: CrawlOptions(media=MediaMode.NONE))
    watches: bool = False
    media_dir: str | None = None

    def lend(self, profile: Profile) -> Readers:
        return LentReaders(self.readers, profile)


@dataclass(slots=True)
class ForumTurn:
    """A turn, from outside: what it does, and how to end it soon."""

    forum: FleetForum
    location: str
    shared: Shared
    fence: Fence | None = None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    tally: Tally = field(default_factory=Tally)
    began: float = field(default_factory=time.monotonic)
    crawl: ForumCrawl | None = None
    doing: str = "opening"
    ending_since: float | None = None
    is_void: bool = False

    async def run(self) -> Turn:
        """Crawl; however it ends, it ends in words."""
        try:
            end = await self._done()
        except SameForum as error:
            end = Turn(ForumState.DUPLICATE, str(error))
        except (ArchiveAway, LeaseLost) as error:
            end = Turn(ForumState.WAITING, str(error), wait=AWAY_SECONDS)
        except ThrawlError as error:
            end = Turn(ForumState.FAILED, str(error))
        except Exception as error:  # noqa: BLE001 - the edge between one forum and all others: a bug is told, too
            end = Turn(ForumState.FAILED, f"a bug in Thrawl: {type(error).__name__}: {error}")
        return replace(end, pages=self.pages, posts=self.posts, failed=self.failed)

    @property
    def pages(self) -> int:
        """Those of this turn, so far."""
        return self.tally.pages

    @property
    def posts(self) -> int:
        return self.tally.posts

    @property
    def failed(self) -> int:
        return self.tally.failures.total()

    @property
    def has_much_left(self) -> bool:
        """Whether it would still take long; a forum with little left is let end."""
        if self.crawl is None or self.crawl.forum_id is None:
            return False
        return self.crawl.archive.waiting(self.crawl.forum_id) > _LITTLE_LEFT

    def stopped(self) -> Turn:
        """The end of a turn that was cancelled."""
        end = Turn(ForumState.WAITING, "it was stopped")
        return replace(end, pages=self.pages, posts=self.posts, failed=self.failed)

    @property
    def is_crawling(self) -> bool:
        """Whether there is something in the archive to go on with."""
        return self.crawl is not None and self.crawl.crawling

    def end_soon(self) -> None:
        """Finish the pages in hand, and leave the rest to the next turn."""
        if self.ending_since is None:
            self.ending_since = time.monotonic()
            self.stop.set()

    def void(self) -> None:
        """Nothing of what it has in hand may be written: the process was away, and its requests ran out of time."""
        self.is_void = True

    def check(self, connection: Connection) -> None:
        """The fence of its archive. Raises LeaseLost where the turn may write no more."""
        if self.is_void:
            raise LeaseLost("the process stood still for longer than its leases last; what it had in hand is dropped")
        if self.fence is not None:
            self.fence(connection)

    def say(self, sentence: str) -> None:
        self.doing = sentence

    async def _done(self) -> Turn:
        with opened_for(self.location, fence=self.check, frugal=True) as archive:
            options = replace(self.shared.client, start_url=self.forum.url)
            async with Client(options, pace=self.shared.pace) as client:
                with self._learner(client) as learn:
                    self.crawl = ForumCrawl(
                        start=self.forum.url,
                        archive=archive,
                        fetcher=client,
                        learn=learn,
                        options=self.shared.crawl,
                        say=self.say,
                        stop=self.stop,
                        tally=self.tally,
                        lend=self.shared.lend,
                        store=store_for(self.location, self.shared.media_dir),
                    )
                    return self._end(archive, await self.crawl.run())

    @contextmanager
    def _learner(self, client: Client) -> Iterator[ForumLearner]:
        with closing(ForumLearner(self.shared.learners, client, self.say, self._learned)) as learner:
            yield learner

    def _learned(self, learned: Learned, marks: Sequence[int]) -> None:
        """Raises SameForum where the fleet has the forum under another name."""
        same = self.shared.marks.put(self.forum.id, learned.profile.entry, marks)
        if same is not None:
            raise SameForum(f"the same forum as {same}")

    def _end(self, archive: Archive, finished: Finished) -> Turn:
        if not finished.fetched_all:
            return Turn(ForumState.WAITING, "its turn was over", left=finished.waiting)
        if not archive.summary().threads:
            reasons = finished.tally.failures.most_common(1)
            why = f" ({reasons[0][0]})" if reasons else ""
            raise ArchiveError(f"no thread of {self.forum.url} could be archived{why}")
        assert self.crawl is not None
        assert self.crawl.forum_id is not None
        expected = expected_posts(archive, self.crawl.forum_id, time.time()) if self.shared.watches else None
        if finished.missing:
            return Turn(ForumState.SHORT, finished.missing[0].sentence(), expected=expected)
        return Turn(ForumState.COMPLETE, expected=expected)
