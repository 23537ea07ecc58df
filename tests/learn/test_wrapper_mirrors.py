"""Post wrappers on mirrors of real software, where the shared folder is at hand: the floors that must hold."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from tests.floors import floor

from thrawl.learn.wrappers.posts import learn_post_wrapper
from thrawl.page.reading import read_page
from thrawl.page.tree import parse

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
NOW = datetime(2026, 11, 15, tzinfo=UTC)
FOLD = re.compile(r"[^\w]+")

pytestmark = pytest.mark.skipif(not CORPUS.exists(), reason="the shared mirrors are not beside this checkout")


def thread_pages(site: str) -> Iterator[tuple[str, str]]:
    rules = json.loads((CORPUS / site / "rules.json").read_text(encoding="utf-8"))
    threads = [re.compile(pattern) for pattern, kind in rules["canonical"] if kind.startswith("thread")]
    with lzma.open(CORPUS / site / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            if page["status"] == 200 and any(pattern.search(page["url"]) for pattern in threads):
                yield page["url"], page["body"]


def fold(text: str) -> str:
    return FOLD.sub("", text).casefold()


@pytest.mark.parametrize("site", ["xmb", "wpblog"])
def test_nearly_all_posts_of_a_mirror_are_cut_right(site: str) -> None:
    world = json.loads((CORPUS / site / "world.json").read_text(encoding="utf-8"))
    users = {user["id"]: user["name"] for user in world["users"]}
    truth = {(users[post["author"]], fold(post["text"])[:30], fold(post["text"])[-30:]) for post in world["posts"]}
    pages = list(thread_pages(site))
    wrapper = learn_post_wrapper([read_page(html, url) for url, html in Random(1).sample(pages, 16)])
    assert wrapper is not None
    assert wrapper.confidence > floor("wrapper-confidence")
    found = [post for url, html in pages for post in wrapper.cut(parse(html), url, NOW) or ()]
    right = {(post.author or "", fold(post.text)[:30], fold(post.text)[-30:]) for post in found}
    assert len(right & truth) >= floor("posts-recall") * len(truth)
    assert len(right & truth) >= floor("posts-precision") * len(right)
    assert sum(post.published is not None for post in found) >= floor("posts-timed") * len(found)
