"""What reading times costs: finding them on a page, as a share of parsing it, and reading one by a learned format.

    python benchmarks/bench_times.py [MIRROR/pages.jsonl.xz …]

Without mirrors it measures a made page of 100 kB with 40 posts; with them, the first 200 pages of each.
"""

from __future__ import annotations

import json
import lzma
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from thrawl.page.times import find_times
from thrawl.page.timesettle import PageTimes, settle
from thrawl.page.timetext import scan
from thrawl.page.tree import Tree, parse

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
PAGES = 200


def made_page(page: int, posts: int = 40) -> str:
    """A thread page: for each post an author's panel with a join date, a time, and 2 kB of words and markup."""
    return "<table>" + "".join(_post(page * posts + number) for number in range(posts)) + "</table>"


def _post(number: int) -> str:
    at = datetime(2004, 5, 3, 14, 5) + timedelta(minutes=3170 * number)
    words = f"<p>{'plain words of a post ' * 12} <b>bold</b></p><br><a href='/x/{number}'>a link</a>" * 6
    return (
        f"<tr><td class='author'><a href='/user/{number % 9}'>user{number % 9}</a><br>Posts: {number * 7}<br>"
        f"Joined: {number % 9 + 1} May 2019</td><td class='post'><div class='head'>posted on "
        f"{at.strftime('%d-%m-%Y at %I:%M %p')}</div>{words}</td></tr>"
    )


def bodies(paths: list[str]) -> Iterator[str]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for _, line in zip(range(PAGES), lines, strict=False):
                page = json.loads(line)
                if page["status"] == 200:
                    yield page["body"]


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call: other processes do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure_pages(pages: list[str]) -> None:
    chars = sum(map(len, pages))
    trees: list[Tree] = []
    parsing = cpu(lambda: trees.extend(map(parse, pages)))
    finding = cpu(lambda: [find_times(tree, NOW) for tree in trees])
    per = 100_000_000 / chars
    print(f"{len(pages)} pages, {chars / len(pages) / 1000:.0f} kB each")
    print(f"parse       {parsing * per:8.2f} ms / 100 kB")
    print(f"find_times  {finding * per:8.2f} ms / 100 kB   {finding / parsing:.2f} of parsing")


def measure_reading() -> None:
    """The scanner remembers texts, so the general reader is given each text once."""
    mentions = find_times(parse(made_page(0)), NOW)
    form = settle([PageTimes(mentions, NOW, (mentions,))])
    texts = [(datetime(2001, 1, 1) + timedelta(minutes=n)).strftime("%d-%m-%Y at %I:%M %p") for n in range(20_000)]
    learned = cpu(lambda: [form.read(text, None, NOW) for text in texts]) / len(texts)
    general = cpu(lambda: [scan(text) for text in texts]) / len(texts)
    print(f"learned     {learned * 1e6:8.2f} µs a time")
    print(f"general     {general * 1e6:8.2f} µs a time   {general / learned:.1f} times the learned form")


def main() -> None:
    measure_pages(list(bodies(sys.argv[1:])) or [made_page(number) for number in range(20)])
    measure_reading()


if __name__ == "__main__":
    main()
