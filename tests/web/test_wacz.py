"""A web archive of what a crawl fetched, pages and pictures, as the tools of web archivists take it."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from tests.crawl.mediasite import PNG, MediaSite, fetch_page, page, post

from thrawl.archive import Archive
from thrawl.cli.main import main
from thrawl.errors import InputError, UsageError
from thrawl.web.wacz import export_wacz

pytest.importorskip("wacz", reason="the wacz package is not installed")


async def crawled(folder: Path) -> None:
    """An archive of one thread with one picture, and the WARC files of both."""
    site = MediaSite({"/t/1": b"<!doctype html><title>A thread</title><p>words 1</p>", "/a.png": PNG})
    await site.start()
    try:
        fetched, _ = await fetch_page(site.origin, folder / "warc", "/t/1", "/a.png")
    finally:
        await site.stop()
    with Archive.open(folder / "forum.db", create=True) as archive:
        archive.put_forum(f"{site.origin}/", "127.0.0.1")
        archive.save(replace(page(site.origin, (post(1, '<img src="/a.png">'),)), fetched=fetched))


def test_a_wacz_holds_the_pages_and_their_pictures_and_is_valid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(crawled(tmp_path))
    made = tmp_path / "forum.wacz"
    command = ["export", str(tmp_path / "forum.db"), "--format", "wacz", "--warc", str(tmp_path / "warc")]
    assert main([*command, "-o", str(made)]) == 0
    checking = "import sys; from wacz.main import main; sys.exit(main())"
    checked = subprocess.run(
        [sys.executable, "-c", checking, "validate", "-f", str(made)], capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout
    assert "the passed WACZ is valid" in checked.stdout
    with zipfile.ZipFile(made) as file:
        names = file.namelist()
        pages = [json.loads(line) for line in io.TextIOWrapper(file.open("pages/pages.jsonl"), "utf-8")][1:]
        index = gzip.decompress(file.read("indexes/index.cdx.gz")).decode()
    assert any(name.startswith("archive/") for name in names)
    assert [one["title"] for one in pages] == ["A thread"]
    assert "/a.png" in index


def test_what_is_missing_is_told(sample: Path, tmp_path: Path) -> None:
    with Archive.open(sample, readonly=True) as archive:
        with pytest.raises(UsageError, match="add --warc DIR"):
            export_wacz(archive, tmp_path / "x.wacz", None)
        with pytest.raises(InputError, match="holds no WARC files"):
            export_wacz(archive, tmp_path / "x.wacz", tmp_path)
