"""Times on pages of real software, where the shared folder is at hand."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.floors import floor

from thrawl.page.shape import shapes
from thrawl.page.timeformat import TimeFormat
from thrawl.page.times import TimeMention, find_times
from thrawl.page.timesettle import PageTimes, settle
from thrawl.page.timezones import shown_zone
from thrawl.page.tree import parse

SHARED = Path(__file__).parents[2].parent / "shared"
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "month": 31 * 86400, "year": 366 * 86400}
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder of real pages is not here")


def read_page(body: str) -> PageTimes:
    tree = parse(body)
    mentions = find_times(tree, NOW)
    places = shapes(tree).tag_paths
    lists: dict[int, list[TimeMention]] = {}
    for mention in mentions:
        lists.setdefault(places[mention.node], []).append(mention)
    return PageTimes(mentions, NOW, tuple(map(tuple, lists.values())), shown_zone(tree))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def labelled_pages() -> Iterator[tuple[list[dict[str, Any]], str]]:
    with (SHARED / "pages" / "posts.jsonl").open(encoding="utf-8") as file:
        posts = {page["url"]: page["posts"] for page in map(json.loads, file)}
    sources = [SHARED / "pages" / "pages.jsonl.xz", *sorted((SHARED / "real").glob("*/pages.jsonl.xz"))]
    for source in sources:
        for page in lines(source):
            if page.get("status", 200) == 200 and page["url"] in posts:
                yield posts.pop(page["url"]), page["body"]


def test_the_times_labelled_by_hand_are_found() -> None:
    right = wrong = 0
    for posts, body in labelled_pages():
        page = read_page(body)
        form = settle([page])
        values = {form.read_mention(mention, NOW).value for mention in page.mentions} - {None}
        here = timezone(timedelta(minutes=form.zone or 0))
        for post in posts:
            true = datetime.fromisoformat(post["time_iso"])
            true = true if true.tzinfo else true.replace(tzinfo=here)
            found = any(value is not None and abs(value - true) < timedelta(minutes=1) for value in values)
            right, wrong = right + found, wrong + (not found)
    assert right + wrong > 80
    assert right >= floor("labelled-times") * (right + wrong)


def thread_pages(site: Path, count: int) -> Iterator[tuple[str, str]]:
    rules = json.loads((site / "rules.json").read_text(encoding="utf-8"))
    threads = [re.compile(pattern) for pattern, kind in rules["canonical"] if kind == "thread"]
    for page in lines(site / "pages.jsonl.xz"):
        if page["status"] == 200 and any(pattern.search(page["url"]) for pattern in threads):
            yield page["url"], page["body"]
            count -= 1
            if not count:
                return


def shown_posts(site: Path, urls: set[str]) -> dict[str, list[int]]:
    return {page["url"]: page["posts"] for page in lines(site / "shows.jsonl.xz") if page["url"] in urls}


@pytest.mark.parametrize("name", ["discuz", "fluxbb", "phorum", "vanilla", "xmb"])
def test_the_first_post_of_each_thread_has_its_true_time(name: str) -> None:
    site = SHARED / "corpus" / name
    pages = dict(thread_pages(site, 40))
    world = json.loads((site / "world.json").read_text(encoding="utf-8"))
    first = {post["id"]: post["time"] for post in world["posts"] if post["n"] == 1}
    read = {url: read_page(body) for url, body in pages.items()}
    form = settle(list(read.values()))
    right = wrong = 0
    for url, posts in shown_posts(site, set(pages)).items():
        for post in first.keys() & set(posts):
            found = is_shown(first[post], read[url], form)
            right, wrong = right + found, wrong + (not found)
    assert right + wrong > 20
    assert right >= floor("first-post-times") * (right + wrong)


def is_shown(true: int, page: PageTimes, form: TimeFormat) -> bool:
    for mention in page.mentions:
        read = form.read_mention(mention, NOW)
        if read.value and read.precision and 0 <= true - read.value.timestamp() < SECONDS[read.precision]:
            return True
    return False
