"""Pictures and attachments, fetched after the threads: through the same fetcher, under their own share of the budget.

What posts show is asked for wherever it stands; what they only link, on the forum's own host alone. The state is the
archive's, and a file is in the store before the archive says so: killed at any moment, a run goes on with what is left,
and nothing is kept twice. A host that misses many in a row, or cannot be reached, is left alone until the next run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from thrawl import limits
from thrawl.archive import Archive
from thrawl.archive.media import Embedded, KeptFile, MediaRole, WantedFile
from thrawl.archive.mediastore import MediaStore
from thrawl.archive.mediatypes import HTML, type_of
from thrawl.crawl.options import MediaMode, MediaTally
from thrawl.crawl.outcomes import is_for_good, passes, refusal_of
from thrawl.errors import FetchError
from thrawl.net.message import Fetcher, Request, Response

_BATCH: Final = 200  # files asked of the archive at a time
_HOSTS_AT_ONCE: Final = 4  # files under way beyond the user's concurrency: one slow host does not hold up the others
_DEAD: Final = 3  # failures to connect to a host in a row before the rest of its files waits for the next run


@dataclass(slots=True)
class _Host:
    """How a host has answered so far. Until it was seen to have some file, it is asked for one at a time."""

    asked: int = 0
    answered: int = 0
    misses: int = 0
    dead: int = 0
    lives: bool = False

    @property
    def is_on_trial(self) -> bool:
        return not self.lives and self.answered < self.asked

    @property
    def is_given_up(self) -> bool:
        return self.dead >= _DEAD or (not self.lives and self.misses >= limits.MAX_MEDIA_MISSES)


class MediaCrawl:
    """Fetches the files that a forum's posts show; `most` bounds the requests."""

    def __init__(
        self,
        archive: Archive,
        store: MediaStore,
        forum_id: int,
        entry: str,
        fetcher: Fetcher,
        mode: MediaMode,
        stop: asyncio.Event,
        *,
        concurrency: int = 1,
        most: int | None = None,
        tally: MediaTally | None = None,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        self._archive = archive
        self._store = store
        self._forum_id = forum_id
        self._own_host = urlsplit(entry).hostname or ""
        self._fetcher = fetcher
        self._mode = mode
        self._stop = stop
        self._at_once = concurrency + _HOSTS_AT_ONCE
        self._most = most
        self._hosts: dict[str, _Host] = {}
        self._kept_bytes = 0
        self._watch = watch
        self.tally = tally or MediaTally()

    async def run(self) -> None:
        """Fetch until nothing is left that can be had now, enough was asked for, or `stop` is set."""
        self._store.tidy()
        self._archive.media.find(self._forum_id, self._files_of)
        self._kept_bytes = self._archive.media.kept_bytes(self._forum_id)
        under_way: set[asyncio.Task[None]] = set()
        try:
            for wanted in self._wanted():
                while under_way and self._host(wanted).is_on_trial:
                    under_way = await self._some(under_way)
                if not self._may_ask(wanted):
                    continue
                under_way.add(asyncio.create_task(self._fetch(wanted)))
                if len(under_way) >= self._at_once:
                    under_way = await self._some(under_way)
                if self._is_over():
                    break
            while under_way:
                under_way = await self._some(under_way)
        finally:
            for task in under_way:
                task.cancel()

    async def _some(self, under_way: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        done, rest = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        self._watch()
        return rest

    def _files_of(self, html: str, base: str) -> Iterator[Embedded]:
        from thrawl.page.pictures import PostPicture, found_in  # the parser loads slowly, and pages are read elsewhere

        for one in found_in(html, base):
            if isinstance(one, PostPicture):
                yield Embedded(one.url, MediaRole.SHOWN)
                if one.full is not None:
                    yield Embedded(one.full, MediaRole.FULL)
            elif urlsplit(one.url).hostname == self._own_host:
                yield Embedded(one.url, MediaRole.ATTACHED, one.name)

    def _wanted(self) -> Iterator[WantedFile]:
        """All files that are to be asked for, batch by batch: what is settled meanwhile is not asked of the archive."""
        after, now = 0, datetime.now(UTC).timestamp()
        while True:
            batch = self._archive.media.wanted(
                self._forum_id, _BATCH, now, after=after, attachments=self._mode is MediaMode.ALL
            )
            yield from batch if after else _from_all_times(batch)
            if not batch:
                return
            after = batch[-1].id

    def _is_over(self) -> bool:
        spent = self._most is not None and self.tally.requests >= self._most
        return spent or self._stop.is_set() or self._kept_bytes >= limits.MAX_FORUM_MEDIA_BYTES

    def _may_ask(self, wanted: WantedFile) -> bool:
        host = self._host(wanted)
        crowded = wanted.host != self._own_host and host.asked >= limits.MAX_HOST_MEDIA
        if self._is_over() or host.is_given_up or crowded:
            self.tally.put_off += 1
            return False
        host.asked += 1
        self.tally.requests += 1
        return True

    def _host(self, wanted: WantedFile) -> _Host:
        return self._hosts.setdefault(wanted.host, _Host())

    async def _fetch(self, wanted: WantedFile) -> None:
        host = self._host(wanted)
        try:
            await self._ask(wanted, host)
        finally:
            host.answered += 1

    async def _ask(self, wanted: WantedFile, host: _Host) -> None:
        try:
            response = await self._fetcher.fetch(Request(wanted.url, cookies=wanted.host == self._own_host))
        except FetchError as error:
            host.dead += not is_for_good(error)
            self._miss(wanted, error.reason, status=None, passing=not is_for_good(error))
            return
        host.dead = 0
        failure = refusal_of(response.status) or self._no_picture(wanted, response)
        if failure is not None:
            host.misses += 1
            self._miss(wanted, failure, status=response.status, passing=passes(response.status))
            return
        host.lives = True
        await self._keep(wanted, response)

    def _no_picture(self, wanted: WantedFile, response: Response) -> str | None:
        """Why an answer is not the file that was asked for."""
        if not response.body:
            return "the answer is empty"
        if wanted.shown and type_of(response.body) == HTML:
            return "the site answered with a page instead of a picture"
        return None

    async def _keep(self, wanted: WantedFile, response: Response) -> None:
        digest = await asyncio.to_thread(self._store.put, response.body)
        size = len(response.body)
        kept = KeptFile(digest, type_of(response.body), size)
        self._archive.media.keep(wanted, kept, response.fetched.timestamp(), response.status)
        self._kept_bytes += size
        self.tally.kept += 1
        self.tally.bytes += size

    def _miss(self, wanted: WantedFile, reason: str, *, status: int | None, passing: bool) -> None:
        now = datetime.now(UTC).timestamp()
        again = passing and wanted.tries + 1 < limits.MEDIA_TRIES
        due = now + limits.PAGE_RETRY_SECONDS * 4**wanted.tries if again else 0.0
        self._archive.media.miss(wanted, reason, now, status=status, due=due)
        self.tally.missing += 1
        self.tally.failures[reason] += 1


def _from_all_times(batch: Sequence[WantedFile]) -> Iterator[WantedFile]:
    """The first, the last and the middle one before the others: what a host has lost is often all of one time."""
    order = dict.fromkeys((0, len(batch) - 1, len(batch) // 2, *range(len(batch))))
    return (batch[at] for at in order) if batch else iter(())


def share_of(max_pages: int | None) -> int | None:
    """How many files may be asked for where the pages of a run are limited."""
    return None if max_pages is None else max(1, round(max_pages * limits.MEDIA_SHARE))
