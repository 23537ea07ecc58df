"""Bad pages are normal pages: each gives a result or a clear error, soon."""

from __future__ import annotations

import contextlib
import json
import lzma
import random
import time
from pathlib import Path

import forumpages
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thrawl.errors import PageError
from thrawl.page.reading import read_page

URL = "http://village.example/t/1"
SHARED = Path(__file__).parents[3] / "shared"
MARKUP = st.sampled_from(
    "<div> </div> <table> <tr> <td> </table> <li> <ul> <a href='/x'> </a> <b> <p> <br> <!-- --> <script> </script>"
    " <select> <option value='/b?x'> <time datetime='2020-01-01'> <base href='//'> <svg> <template> <frameset>"
    " &amp; &#0; 2020-01-01 10:00 word <div id='p1'> <div class='a'> \x00 \ud800 ]]>"
    " <![CDATA[ <?xml?> <!doctype html>".split(" ")
)

FLOODS = {
    "3,000 levels": "<div>" * 3000 + "2020-01-01 10:00 words",
    "100,000 levels": "<div>" * 100_000,
    "unclosed tables": "<table><tr><td>" * 5000,
    "50,000 siblings": "<p>x</p>" * 50_000,
    "20,000 links": "".join(f'<a href="/x/{n}">link {n}</a> ' for n in range(20_000)),
    "30,000 options": "<select>" + "".join(f'<option value="/x?{n}">{n}' for n in range(30_000)),
    "20,000 cells": "<table><tr>" + "".join(f'<td><a href="{n}">{n}</a></td>' for n in range(20_000)),
    "10,000 times": "".join(f"<div><b>2020-01-{n % 28 + 1:02}</b> text {n}</div>" for n in range(10_000)),
    "50,000 attributes": "<div " + " ".join(f"a{n}=1" for n in range(50_000)) + ">",
    "100,000 spaces in an address": f"<a href='a{100_000 * ' '}b\n'>words</a>",
    "1,000,000 brackets": "<" * 1_000_000,
    "2 MB of posts": forumpages.div_thread(4, content=(" ".join(forumpages.WORDS) * 1200,)),
}


@pytest.mark.parametrize("html", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_read_or_refused_within_seconds(html: str) -> None:
    began = time.process_time()
    with contextlib.suppress(PageError):
        read_page(html, URL)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("name", ["100,000 levels", "50,000 attributes"])
def test_a_page_that_would_choke_the_parser_is_refused_in_words(name: str) -> None:
    with pytest.raises(PageError, match="more than"):
        read_page(FLOODS[name], URL)


@pytest.mark.parametrize(
    "html",
    [
        "",
        " ",
        "just words",
        "<?xml version='1.0'?><rss><item/></rss>",
        "\x00\x01\xff" * 500,
        "\ud800 lone \udfff",
        "%PDF-1.4",
    ],
    ids=["empty", "blank", "plain text", "XML", "binary", "surrogates", "PDF"],
)
def test_what_is_no_page_has_no_records(html: str) -> None:
    page = read_page(html, URL)
    assert page.records == ()
    assert page.links == ()


def test_a_page_beyond_the_limit_is_refused_with_its_size() -> None:
    with pytest.raises(PageError, match="characters"):
        read_page("x" * (4 * 1024 * 1024 + 1), URL)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MARKUP, max_size=60))
def test_any_soup_of_tags_gives_records_inside_the_page(pieces: list[str]) -> None:
    page = read_page("".join(pieces), URL)
    for record in page.records:
        assert 0 <= record.start < record.end <= len(page.tree)
        assert record.start <= min(record.parts)
    starts = [record.start for record in page.records]
    assert starts == sorted(set(starts))
    for group in page.groups:
        assert group.links


@pytest.mark.parametrize("seed", range(12))
def test_mutated_pages_never_crash(seed: int) -> None:
    chosen = random.Random(seed)
    layouts = (forumpages.div_thread(5), forumpages.table_thread(4), forumpages.board(6), forumpages.nested_comments())
    for html in layouts:
        read_page(mutated(html, chosen), URL)


def test_mutated_real_pages_never_crash() -> None:
    path = SHARED / "pages" / "pages.jsonl.xz"
    if not path.exists():
        pytest.skip("the shared pages are not beside this checkout")
    chosen = random.Random(1)
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    for row in chosen.sample(pages, 25):
        with contextlib.suppress(PageError):
            read_page(mutated(row["body"], chosen), row["url"])


def mutated(html: str, chosen: random.Random) -> str:
    """Cut, double, swap and spoil a page at random places."""
    pieces = html.split("<")
    for _ in range(max(3, len(pieces) // 20)):
        at = chosen.randrange(len(pieces))
        what = chosen.randrange(4)
        if what == 0:
            del pieces[at : at + chosen.randrange(1, 4)]
        elif what == 1:
            pieces.insert(at, pieces[chosen.randrange(len(pieces))])
        elif what == 2:
            pieces[at] = pieces[at][: chosen.randrange(1 + len(pieces[at]))]
        else:
            pieces[at] = pieces[at].replace("div", "table").replace('"', "")
        if not pieces:
            return ""
    return "<".join(pieces)
