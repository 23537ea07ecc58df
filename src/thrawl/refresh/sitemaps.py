"""Sitemaps (sitemaps.org): which addresses a site names, and when it says that each was changed.

Many sites write theirs once a night, or give every page the time of the day: whether one can be believed is measured
like any other signal. Read by the HTML parser, which bears broken ones and knows no entities to blow up; of a sitemap
of sitemaps the one that changed last is followed, for that is where new threads stand.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urljoin

from protego import Protego
from selectolax.lexbor import LexborHTMLParser

from thrawl.limits import MAX_SITEMAP_BYTES
from thrawl.refresh.feeds import MOST_ITEMS, FeedItem

_GZIP: Final = b"\x1f\x8b"
# The flag of zlib by which gzip's own header is read.
_GZIP_WINDOW: Final = 31
# Where a site that names no sitemap has one, by the protocol's own example.
USUAL_PLACE: Final = "/sitemap.xml"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The newest items of a sitemap; `inner` is the sitemap to read instead, where it lists sitemaps."""

    items: tuple[FeedItem, ...] = ()
    inner: str | None = None


def named_sitemaps(robots: str, url: str) -> tuple[str, ...]:
    """The sitemaps that robots.txt names, or else the usual place."""
    named = tuple(urljoin(url, one) for one in Protego.parse(robots).sitemaps)
    return named or (urljoin(url, USUAL_PLACE),)


def read_sitemap(body: bytes, url: str) -> Sitemap:
    """What a sitemap tells; nothing where it is none, or names no times."""
    text = _unpacked(body)
    if b"<urlset" not in text[:4096] and b"<sitemapindex" not in text[:4096]:
        return Sitemap()
    entries: list[tuple[str, int | None]] = []
    for node in LexborHTMLParser(text.decode("utf-8", errors="replace")).css("loc, lastmod"):
        if node.tag == "loc":
            entries.append((urljoin(url, node.text(strip=True)), None))
        elif entries:
            entries[-1] = (entries[-1][0], _seconds(node.text(strip=True)))
    dated = sorted(((time, one) for one, time in entries if time is not None), reverse=True)
    if b"<sitemapindex" in text[:4096]:
        return Sitemap(inner=dated[0][1] if dated else None)
    return Sitemap(tuple(FeedItem(one, time) for time, one in dated[:MOST_ITEMS]))


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body[:MAX_SITEMAP_BYTES]
    with suppress(zlib.error):
        return zlib.decompressobj(_GZIP_WINDOW).decompress(body, MAX_SITEMAP_BYTES)
    return b""


def _seconds(shown: str) -> int | None:
    """Seconds of a W3C time; a day is taken as its beginning."""
    try:
        moment = datetime.fromisoformat(shown)
    except ValueError:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
