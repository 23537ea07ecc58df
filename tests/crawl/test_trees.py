"""Forums that show one post a page, crawled whole: the answers have another form of address than the first post.

Random forums, each by the seed with which it was once lost.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.crawl.randomforum import crawled

from thrawl.lab.bench.forums import Order


@pytest.mark.parametrize(
    ("seed", "form"),
    [(96008, "m=7 and m=8&de=2, beside links to other threads"), (96012, "/7/ and /8/word/2/"), (84002, "7 and 8,2")],
)
async def test_a_tree_is_one_thread_whatever_form_its_answers_have(seed: int, form: str, tmp_path: Path) -> None:
    site = Order(seed, ()).site()
    posts = sum(len(list(site.plan.view.posts(thread))) for thread in site.plan.view.all_thread_ids())
    _, scores = await crawled(site, tmp_path / "forum.db")
    assert scores.archived == posts, form
