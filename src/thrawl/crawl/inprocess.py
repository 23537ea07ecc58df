"""Reading pages without worker processes."""

from __future__ import annotations

from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import PageJob, Reading
from thrawl.profile.profile import Profile


class InProcess:
    """Reads pages right here; for small crawls of pages that are trusted, as tests and saved files are."""

    size = 1

    def __init__(self, profile: Profile) -> None:
        self._reader = SiteReader(profile)

    async def read(self, job: PageJob) -> Reading:
        return self._reader.read(job)

    def change(self, profile: Profile) -> None:
        self._reader = SiteReader(profile)

    async def close(self) -> None:
        """Nothing is held open."""
