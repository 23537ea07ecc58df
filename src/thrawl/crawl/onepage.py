"""One page by itself: its posts, without an archive, a frontier or a network."""

from __future__ import annotations

from datetime import UTC, datetime

from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import PageJob, Role
from thrawl.net.charset import charset_of
from thrawl.page.shown import PostRecord
from thrawl.profile.profile import Profile


def read_one(
    html: str | bytes, url: str, profile: Profile | None = None, fetched: datetime | None = None
) -> tuple[PostRecord, ...]:
    """The posts that a page shows; none where it shows none."""
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    charset = "utf-8" if isinstance(html, str) else charset_of(body, None)
    reader = SiteReader(profile or Profile(url, (), ()))
    return reader.read(PageJob(url, Role.THREAD, url, body, charset, fetched or datetime.now(UTC))).posts
