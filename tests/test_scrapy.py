"""Thrawl inside a real Scrapy crawl: the spider of docs/scrapy.md, as a user would copy it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import thrawl
from thrawl.lab.server import running_forum

pytest.importorskip("scrapy")

from thrawl.scrapy import PostsPipeline

DOCS = (Path(__file__).parents[1] / "docs" / "scrapy.md").read_text(encoding="utf-8")
THREADS = 15
SECONDS = 240


def test_the_documented_spider_archives_a_forum(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    (tmp_path / "spider.py").write_text(example, encoding="utf-8")
    plain = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with running_forum("tables", THREADS) as url:
        wanted = thrawl.crawl(url, archive=tmp_path / "thrawl.db", delay=0, concurrency=4)
        with thrawl.Archive.open(tmp_path / "thrawl.db", readonly=True) as archive:
            (forum,) = archive.forums()
        (tmp_path / "profile.json").write_text(forum.profile or "", encoding="utf-8")
        command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-O", "items.jl", "-s", "DOWNLOAD_DELAY=0"]
        subprocess.run([*command, "-s", "LOG_LEVEL=ERROR"], check=True, cwd=tmp_path, env=plain, timeout=SECONDS)
    items = [json.loads(line) for line in (tmp_path / "items.jl").read_text(encoding="utf-8").splitlines()]
    assert sum(len(item["posts"]) for item in items) >= wanted.posts
    with thrawl.Archive.open(tmp_path / "forum.db", readonly=True) as archive:
        assert archive.check() == []
        assert archive.summary().posts == wanted.posts
        assert archive.summary().threads == wanted.threads


def test_the_pipeline_works_without_a_profile_and_lets_other_items_pass() -> None:
    pipeline = PostsPipeline()
    assert pipeline.process_item({"image": "x"}) == {"image": "x"}
    assert pipeline.process_item({"url": "http://f.test/t/1", "html": "<p>no posts</p>"})["posts"] == []
