"""How learning reads pages: wherever it is told to, so that a crawl can lend its bounded processes.

Learning must not know of the crawl (data flows one way), so it is handed something that turns HTML into a page. Without
one it reads right here, which is for pages that are trusted: tests, experiments, a person's own files.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from thrawl.page.reading import Page, read_page


class PageSource(Protocol):
    """Whatever reads whole pages. `page` raises a PageError for what no forum page would be, or takes too much."""

    async def page(self, html: str, url: str, reference: datetime | None = None) -> Page: ...


class ReadHere:
    """Reads pages in this process, without a bound on what one may cost."""

    async def page(self, html: str, url: str, reference: datetime | None = None) -> Page:
        return read_page(html, url, reference=reference)
