"""How long reading a page takes: parse, times, records, links and features.

Prints milliseconds of CPU time on one core. Pages are made here, so that figures can be compared between machines
and versions; with a mirror as argument, its pages of 80 to 130 kB are read instead for the first line.

    python benchmarks/bench_page.py [MIRROR]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from thrawl.lab.training.annotation import sample
from thrawl.page.reading import read_page

URL = "http://village.example/t/1"
WORDS = "It took four weekends and a long saw, since the nails were rusty and the wood harder than it looks. "
MOST_MILLISECONDS = 20.0
MOST_SECONDS = 5.0


def thread(posts: int, sentences: int) -> str:
    """A thread page with profiles, quotes, signatures and buttons, as large as asked for."""
    parts = [
        f'<div class="entry e{number % 2}" id="p{number}"><div class="side"><a href="/people/{number % 30}">'
        f"name{number % 30}</a><span>Posts: {number * 7}</span><span>Joined: 2011-05-0{number % 9 + 1}</span></div>"
        f'<div class="main"><span class="when">2021-05-{number % 28 + 1:02} 10:{number % 60:02}</span><p>'
        f"<blockquote>name{number % 29} wrote: {WORDS}</blockquote>{WORDS * sentences}</p>"
        f'<a href="/reply?{number}">Reply</a><a href="/quote?{number}">Quote</a>'
        f'<a href="#p{number}">#{number}</a></div></div>'
        for number in range(posts)
    ]
    return f"<html><head><title>A thread</title></head><body><h1>A thread</h1>{''.join(parts)}</body></html>"


def board(rows: int) -> str:
    """A board with two links a row."""
    parts = [
        f'<tr><td><a href="/t/{number}">Question {number} about the old bridge</a></td><td><a href="/people/'
        f'{number % 30}">name{number % 30}</a></td><td>{number}</td><td>2021-05-{number % 28 + 1:02} 10:00</td></tr>'
        for number in range(rows)
    ]
    return f"<table>{''.join(parts)}</table>"


def seconds(html: str) -> float:
    began = time.process_time()
    read_page(html, URL)
    return time.process_time() - began


def main(arguments: Sequence[str]) -> int:
    if arguments:
        pages = [page.html for page in sample(Path(arguments[0]), 60, 1) if 80_000 < len(page.html) < 130_000]
    else:
        pages = [thread(posts, 100 // posts + 6) for posts in range(60, 120, 2)]
    if not pages:
        sys.exit("the mirror has no pages of 80 to 130 kB")
    seconds(pages[0])
    typical = 1000 * median(seconds(html) for html in pages)
    size = median(map(len, pages)) / 1000
    print(f"a page of {size:.0f} kB      {typical:8.1f} ms   (at most {MOST_MILLISECONDS:.0f})")
    large = {"2 MB of posts": thread(2000, 5), "20,000 links": board(10_000)}
    slowest = 0.0
    for name, html in large.items():
        took = seconds(html)
        slowest = max(slowest, took)
        print(f"{name:22}{1000 * took:8.1f} ms   {1e6 * took / len(html):.3f} µs a character")
    ratio = seconds(thread(1600, 5)) / max(1e-9, seconds(thread(200, 5)))
    print(f"8 times the page takes {ratio:7.1f} times as long")
    return int(typical > MOST_MILLISECONDS or slowest > MOST_SECONDS or ratio > 16)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
