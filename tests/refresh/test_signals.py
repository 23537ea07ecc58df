"""Pages that tell of the whole site: sitemaps and newest posts are found, followed and measured; liars are dropped."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web
from tests.crawl.tinyforum import START, Crawl, TinyForum, archived
from tests.refresh.conftest import Watch

from thrawl.archive import Archive
from thrawl.archive.watching import Watching
from thrawl.refresh.feeds import FeedItem
from thrawl.refresh.pages import FEED_HEAD, History, Layer, PageRef, RowsShown, Site
from thrawl.refresh.policies.ours import Ours
from thrawl.refresh.signals import ENTRY, Signal, SignalKind, Signals
from thrawl.refresh.sitemaps import Sitemap, named_sitemaps, read_sitemap
from thrawl.refresh.trust import TRIED_AGAIN

SITE = "http://f.example/"
NOON = 1_780_315_200
SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://f.example/thread/7</loc><lastmod>2026-06-01T12:00:00Z</lastmod></url>
<url><loc>/thread/8</loc><lastmod>2026-06-01T13:00:00+02:00</lastmod></url>
<url><loc>/about</loc></url><url><loc>/help</loc><lastmod>lately</lastmod></url></urlset>"""
INDEX = b"""<sitemapindex><sitemap><loc>/old.xml</loc><lastmod>2020-01-01</lastmod></sitemap>
<sitemap><loc>/new.xml</loc><lastmod>2026-01-01</lastmod></sitemap></sitemapindex>"""
FEED = Signal(SignalKind.FEED, f"{SITE}feed")
NEWEST = Signal(SignalKind.NEWEST, f"{SITE}new")


def test_a_sitemap_names_addresses_and_times_the_newest_first() -> None:
    items = (FeedItem(f"{SITE}thread/7", NOON), FeedItem(f"{SITE}thread/8", NOON - 3600))
    assert read_sitemap(SITEMAP, f"{SITE}sitemap.xml") == Sitemap(items)
    assert read_sitemap(gzip.compress(SITEMAP), f"{SITE}sitemap.xml.gz") == Sitemap(items)


def test_of_a_sitemap_of_sitemaps_the_one_that_changed_last_is_followed() -> None:
    assert read_sitemap(INDEX, f"{SITE}sitemap.xml").inner == f"{SITE}new.xml"


@pytest.mark.parametrize(
    "body", [b"", b"<html><loc>/thread/7</loc>", b"\x1f\x8bbroken", b"<urlset><lastmod>2026-01-01"]
)
def test_what_is_no_sitemap_tells_nothing(body: bytes) -> None:
    assert read_sitemap(body, SITE) == Sitemap()


def test_sitemaps_are_where_robots_txt_says_or_in_the_usual_place() -> None:
    assert named_sitemaps("User-agent: *\nSitemap: http://f.example/a.xml\n", SITE) == (f"{SITE}a.xml",)
    assert named_sitemaps("", SITE) == (f"{SITE}sitemap.xml",)


def misled() -> Ours:
    """A policy whose feed told nothing of twelve posts that an index page shows."""
    policy = Ours()
    history = History(*(np.array([value], dtype=np.int64) for value in (1, 10, 100)))
    site = Site((1, 2), 25, 15, has_feed=True, has_entry_rows=True, has_index_rows=True, seconds_per_request=60.0)
    policy.begin(site, history, {}, 1000.0)
    feed = RowsShown([10], [100], None, [1], 0, 1)
    policy.observe(1000.0, FEED_HEAD, feed)
    policy.observe(9000.0, FEED_HEAD, feed)
    policy.observe(9060.0, PageRef(Layer.INDEX, 1, 1), RowsShown([10], [5000], [13], None, 0, 1))
    return policy


def test_the_next_signal_takes_the_place_of_one_that_lies_and_an_archive_remembers_it() -> None:
    signals = Signals((FEED, NEWEST), {}, 1000.0)
    policy = misled()
    assert (signals.current, policy.is_dropped(Layer.FEED)) == (FEED, True)
    assert signals.measure(policy, 2000.0)
    assert (signals.current, policy.is_dropped(Layer.FEED)) == (NEWEST, False)
    assert policy.belief(Layer.FEED).reliability == 1.0
    assert signals.reliability()[FEED.name] < 0.2
    kept = json.loads(json.dumps(signals.to_json()))
    assert Signals((FEED, NEWEST), kept, 3000.0).current == NEWEST
    assert Signals((FEED, NEWEST), kept, 2000.0 + TRIED_AGAIN).current == FEED


def test_what_was_measured_of_a_signal_is_told_to_the_policy_of_the_next_run() -> None:
    policy = misled()
    Signals((FEED,), {FEED.name: [40.0, 3.0, 0.0], ENTRY: [7.0, 1.0, 0.0]}, 1000.0).begin(policy)
    assert (policy.belief(Layer.FEED).told, policy.belief(Layer.ENTRY).missed) == (40.0, 1.0)


def last_time(forum: TinyForum, thread: int) -> str:
    return (START + timedelta(minutes=7 * forum.threads[thread][-1].id)).isoformat()


def the_site_tells(location: Path) -> list[str]:
    with Archive.open(location, readonly=True) as archive:
        found = Watching(archive, archive.forums()[0].id).state()["site"]["signals"]
        return [one["kind"] for one in found]


async def a_new_post_is_told_of(forum: TinyForum, watch: Watch, location: Path, *, at: str) -> None:
    forum.write(103)
    forum.asked.clear()
    await watch(forum, hours=1)
    assert archived(location) == forum.written()
    assert forum.asked[at] > 4


async def test_a_sitemap_with_times_is_found_and_tells_of_new_posts(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)

    def sitemap(_: int) -> web.Response:
        urls = "".join(
            f"<url><loc>{forum.origin}/thread/{one}</loc><lastmod>{last_time(forum, one)}</lastmod></url>"
            for one in forum.threads
        )
        return web.Response(text=f"<urlset>{urls}</urlset>", content_type="application/xml")

    forum.answers["/sitemap.xml"] = sitemap
    await crawl(forum)
    await watch(forum, hours=3)
    assert the_site_tells(location) == ["sitemap"]
    await a_new_post_is_told_of(forum, watch, location, at="/sitemap.xml")


async def test_a_page_of_newest_posts_is_found_among_the_links_of_the_entry_page(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=8)

    def newest(_: int) -> web.Response:
        threads = sorted(forum.threads, key=lambda one: -forum.threads[one][-1].id)[:10]
        rows = "".join(
            f"<dt><a href='/thread/{one}'>{forum.title(one)}</a>"
            f"<dd><time datetime='{last_time(forum, one)}'>{last_time(forum, one)}</time>"
            for one in threads
        )
        return web.Response(text=f"<!DOCTYPE html><title>News</title><dl>{rows}</dl>", content_type="text/html")

    def entry(_: int) -> web.Response:
        return web.Response(text=f"{forum.page('/')}<a href='/latest'>Latest</a>", content_type="text/html")

    forum.answers["/latest"], forum.answers["/"] = newest, entry
    await crawl(forum)
    await watch(forum, hours=3)
    assert the_site_tells(location) == ["newest posts"]
    await a_new_post_is_told_of(forum, watch, location, at="/latest")


async def test_who_comes_with_cookies_follows_no_link_that_nobody_explains(
    forum: TinyForum, crawl: Crawl, watch: Watch
) -> None:
    forum.fill(boards=2, threads=4)
    forum.answers["/"] = lambda _: web.Response(
        text=f"{forum.page('/')}<a href='/leave'>Leave</a>", content_type="text/html"
    )
    await crawl(forum)
    await watch(forum, hours=3, with_cookies=True)
    assert not forum.asked["/leave"]
