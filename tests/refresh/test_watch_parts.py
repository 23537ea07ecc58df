"""The parts of a watch: its clock, its budget, what it makes of rows, entry pages and feeds."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.crawl.tinyforum import Crawl, TinyForum
from tests.refresh.conftest import VirtualClock, Watch

from thrawl.archive import Archive
from thrawl.archive.watching import Watching
from thrawl.crawl.changes import RowFacts, row_changed
from thrawl.crawl.values import BoardRow
from thrawl.errors import UsageError
from thrawl.lab.simulation.experiment import POLICIES as SIMULATED
from thrawl.lab.simulation.forum import Forum, Looks
from thrawl.lab.timeline import make_timeline
from thrawl.refresh.atlas import Atlas
from thrawl.refresh.budget import Budget, Purse, parse_duration
from thrawl.refresh.clock import SystemClock
from thrawl.refresh.feeds import FeedItem, read_feed
from thrawl.refresh.freshness import freshness
from thrawl.refresh.pages import RowsShown
from thrawl.refresh.registry import POLICIES, make_policy
from thrawl.refresh.seeing import order_of, posts_place


@pytest.mark.parametrize("name", list(POLICIES))
def test_a_simulation_and_a_watch_run_the_same_objects(name: str) -> None:
    forum = Forum(make_timeline("one", [(1, 1, 1, 1, 0, 0)], now=10), Looks())
    assert type(SIMULATED[name](forum)) is type(make_policy(name)) is POLICIES[name]


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        ((3, 100), (3, 100), False),
        ((3, 100), (4, 100), True),
        ((3, 100), (2, 100), True),
        ((3, 100), (3, 160), True),
        ((3, 100), (3, 40), True),
        ((3, None), (3, 100), False),
        ((None, None), (3, 100), None),
    ],
)
def test_a_row_changed_when_its_count_or_its_time_did_either_way(
    before: tuple[int | None, int | None], now: tuple[int | None, int | None], changed: bool | None
) -> None:
    assert row_changed(RowFacts(*before), RowFacts(*now)) is changed


class TestClock:
    def test_it_never_runs_back_and_goes_on_after_the_systems_clock_was_set_back(self) -> None:
        wall, monotonic = 1000.0, 50.0
        clock = SystemClock(lambda: wall, lambda: monotonic)
        monotonic += 10
        wall -= 3600
        assert clock.now() == 1010.0
        monotonic += 5
        assert clock.now() == 1015.0

    def test_it_follows_the_systems_clock_ahead_after_a_sleep(self) -> None:
        wall, monotonic = 1000.0, 50.0
        clock = SystemClock(lambda: wall, lambda: monotonic)
        wall += 8 * 3600
        assert clock.now() == 1000.0 + 8 * 3600

    async def test_waiting_ends_when_the_watch_is_stopped(self) -> None:
        stop = asyncio.Event()
        stop.set()
        assert not await SystemClock().sleep_until(2e12, stop)


class TestBudget:
    def test_requests_are_spaced_evenly(self) -> None:
        assert Budget.parse("3000/day").step == pytest.approx(28.8)
        assert Budget.parse("100 per hour").step == 36.0
        assert parse_duration("2h") == parse_duration("120 minutes") == 7200.0

    @pytest.mark.parametrize("text", ["", "fast", "0/day", "3000", "3000/fortnight"])
    def test_what_is_no_budget_is_told(self, text: str) -> None:
        with pytest.raises(UsageError, match="no budget"):
            Budget.parse(text)

    def test_nothing_is_saved_up(self) -> None:
        purse = Purse(Budget.parse("60/hour"), now=1000.0)
        purse.take(1000.0)
        assert purse.next_at == 1060.0
        purse.take(90_000.0)
        assert purse.next_at == 90_060.0

    def test_a_restart_brings_no_request_forward_and_a_clock_set_back_does_not_stop_it(self) -> None:
        budget = Budget.parse("60/hour")
        assert Purse(budget, now=1000.0, next_at=1040.0).next_at == 1040.0
        assert Purse(budget, now=1000.0, next_at=9_000_000.0).next_at == 1060.0


def test_a_round_needs_a_policy_that_knows_when_it_is_over() -> None:
    with pytest.raises(UsageError, match="rounds"):
        make_policy("lws", once=True)
    with pytest.raises(UsageError, match="no policy"):
        make_policy("best")


ATOM = b"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">
<entry><link href="/thread/7#p9"/><updated>2026-05-01T12:00:00Z</updated></entry>
<entry><link href="/thread/8"/></entry></feed>"""
RSS = b"""<rss version="2.0"><channel><item><link>http://f.example/thread/7</link>
<pubDate>Fri, 01 May 2026 14:00:00 +0200</pubDate></item></channel></rss>"""


def test_feeds_of_both_kinds_give_addresses_and_times() -> None:
    noon = int(datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp())
    assert read_feed(ATOM, "http://f.example/feed") == (
        FeedItem("http://f.example/thread/7#p9", noon),
        FeedItem("http://f.example/thread/8", None),
    )
    assert read_feed(RSS, "http://f.example/feed") == (FeedItem("http://f.example/thread/7", noon),)
    assert read_feed(b"<html>no feed", "http://f.example/feed") == ()


def test_the_number_of_a_boards_row_that_counts_posts_is_the_one_near_what_is_held() -> None:
    rows = [BoardRow("a", (("threads", 10), ("posts", 104))), BoardRow("b", (("threads", 3), ("posts", 31)))]
    assert posts_place(rows, {"a": 100, "b": 30}) == "posts"
    assert posts_place(rows, {"a": 9000, "b": 4000}) is None


def test_the_order_of_rows_is_compared_without_the_pinned_ones() -> None:
    shown = RowsShown((1, 2, 3, 4), None, (1, 1, 1, 1), None, 1, 1)
    assert order_of(shown, {1: 5, 2: 90, 3: 80, 4: 70}) == (2, 2)


async def test_a_row_that_told_of_a_post_which_the_crawl_did_not_get_is_followed(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.fill(boards=2, threads=5)
    await crawl(forum)
    with Archive.open(location, readonly=True) as archive:
        atlas = Atlas(Watching(archive, archive.forums()[0].id))
        history = atlas.begin(0.0)
    thread, last = int(history.thread[-1]), int(history.time[-1])
    held = history.thread.tolist().count(thread)
    for row, found in (((held + 1, last + 60), [thread]), ((held + 1, last), []), ((held, last + 60), [])):
        assert atlas.behind(replace(history, rows={thread: row})) == found


async def test_freshness_tells_delays_requests_and_next_visits(
    forum: TinyForum, crawl: Crawl, watch: Watch, location: Path
) -> None:
    forum.fill(boards=2, threads=5)
    await crawl(forum)
    clock = VirtualClock(datetime.now(UTC).timestamp() + 60)
    forum.write(101)
    await watch(forum, hours=2, clock=clock)
    with Archive.open(location, readonly=True) as archive:
        told = freshness(Watching(archive, archive.forums()[0].id), clock.now()).plain()
    assert told["requests_today"]["index"] > 2
    assert told["next_visits"]
    assert told["signals"]["index_rows"] is True
