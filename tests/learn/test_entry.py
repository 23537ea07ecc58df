"""From any page of a forum to addresses where its entry may be; and the paper's keyword baseline."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

import pytest

from thrawl.learn.classifier import Verdict
from thrawl.learn.entry import entry_candidates, keyword_entry
from thrawl.learn.sampler import Sampled
from thrawl.net.message import Response
from thrawl.page.reading import read_page


def sampled(url: str, *hrefs: str) -> Sampled:
    html = "".join(f'<a href="{href}">word {href}</a> ' for href in hrefs)
    response = Response(url, url, 200, (("Content-Type", "text/html"),), html.encode(), "utf-8", datetime.now(UTC))
    return Sampled(url, response, read_page(html, url), Verdict("other", 1.0))


def first(count: int, start: Sampled) -> list[str]:
    return list(islice(entry_candidates(start), count))


def test_the_root_comes_first() -> None:
    assert first(1, sampled("http://f.test/t?id=3")) == ["http://f.test/"]


def test_folders_above_come_before_other_links() -> None:
    start = sampled("http://f.test/club/board/t.php?id=3", "/help", "/club/board/", "/help")
    found = list(entry_candidates(start))
    assert found.index("http://f.test/club/board/") < found.index("http://f.test/help")


def test_an_index_file_stands_for_its_folder() -> None:
    start = sampled("http://f.test/board/t.php?id=3", "/board/index.php", "/help")
    assert first(2, start) == ["http://f.test/", "http://f.test/board/index.php"]


def test_each_address_is_named_once() -> None:
    found = list(entry_candidates(sampled("http://f.test/", "/", "/", "/b", "/b")))
    assert len(found) == len(set(found))


def test_addresses_with_numbers_or_queries_are_no_entries() -> None:
    found = list(entry_candidates(sampled("http://f.test/x", "/t/3", "/b?id=4", "/boards")))
    assert "http://f.test/boards" in found
    assert "http://f.test/t/3" not in found
    assert "http://f.test/b?id=4" not in found


def test_other_sites_are_no_entries() -> None:
    assert all("other" not in url for url in entry_candidates(sampled("http://f.test/x", "http://other.test/")))


@pytest.mark.parametrize(
    ("url", "entry"),
    [
        ("http://f.test/forum/t?id=3", "http://f.test/forum/"),
        ("http://f.test/club/bbs/t/3", "http://f.test/club/bbs/"),
        ("http://f.test/myboard/x.php", "http://f.test/myboard/"),
        ("http://f.test/t?id=3", "http://f.test/"),
        ("http://f.test/forum.php?id=3", "http://f.test/"),
        ("http://f.test", "http://f.test/"),
    ],
)
def test_the_baseline_knows_keywords_only(url: str, entry: str) -> None:
    assert keyword_entry(url) == entry
