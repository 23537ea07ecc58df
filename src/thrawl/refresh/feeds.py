"""RSS and Atom: which addresses a feed names, and when each was changed. Read by feedparser, which bears broken feeds.

A feed lists threads or posts, without counts and mostly without further pages; an address that no pattern of the site
explains as a thread's is left out.
"""

from __future__ import annotations

import io
from calendar import timegm
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from thrawl.limits import MAX_FEED_BYTES

MOST_ITEMS: Final = 500


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An address and the time of its last change, in seconds; None where the feed does not tell."""

    url: str
    time: int | None


def read_feed(body: bytes, url: str) -> tuple[FeedItem, ...]:
    """The items of a feed in its order; none where it is no feed."""
    import feedparser  # most sites are watched without one, and it takes a while to load

    if len(body) > MAX_FEED_BYTES:
        return ()
    parsed = feedparser.parse(io.BytesIO(body), sanitize_html=False, resolve_relative_uris=False)
    items = []
    for entry in parsed.entries[:MOST_ITEMS]:
        link = entry.get("link")
        named = next((name for name in ("updated_parsed", "published_parsed") if name in dict.keys(entry)), None)
        moment = None if named is None else entry[named]
        if isinstance(link, str) and link:
            items.append(FeedItem(urljoin(url, link), None if moment is None else timegm(moment)))
    return tuple(items)
