"""Posts out of saved pages: WARC files, mirrors, folders and single pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.crawl.tinyforum import TinyForum

from thrawl.archive import Archive
from thrawl.crawl.extract import extract
from thrawl.crawl.saved import SavedFiles, open_saved
from thrawl.errors import InputError
from thrawl.net.client import Client
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions
from thrawl.net.warc import WarcWriter


@pytest.fixture
def offline() -> TinyForum:
    """A forum that no server serves; its pages are taken from it by hand."""
    return TinyForum(origin="http://forum.test").fill(boards=2, threads=6, longest=9)


def all_pages(forum: TinyForum) -> dict[str, str]:
    """Every page of a forum by its path."""
    found: dict[str, str] = {}
    paths = ["/", *(f"/board/{one}" for one in forum.boards), *(f"/thread/{one}" for one in forum.threads)]
    for path in paths:
        for page in (path, *(f"{path}?page={number}" for number in range(2, 9))):
            body = forum.page(page) if path != "/" or page == path else None
            if body is not None:
                found[page] = body
    return found


def mirror_of(forum: TinyForum, folder: Path) -> Path:
    folder.mkdir()
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as lines:
        for path, body in all_pages(forum).items():
            page = {"url": forum.origin + path, "status": 200, "type": "text/html", "location": None, "body": body}
            lines.write(json.dumps(page) + "\n")
    return folder


async def extracted(path: Path, location: Path, **options: object) -> dict[str, list[str]]:
    with Archive.open(location, create=True) as archive:
        await extract(open_saved([path]), archive, **options)  # type: ignore[arg-type]  # a profile, or nothing
        found: dict[str, list[str]] = {}
        for post in archive.posts():
            found.setdefault(post.thread_url, []).append(post.text)
        return found


async def test_a_mirror_with_a_profile_gives_threads_in_order(
    offline: TinyForum, tmp_path: Path, location: Path
) -> None:
    found = await extracted(mirror_of(offline, tmp_path / "mirror"), location, profile=offline.profile())
    assert found == offline.written()


async def test_a_folder_of_html_files_gives_the_posts_of_each(
    offline: TinyForum, tmp_path: Path, location: Path
) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    for thread in list(offline.threads)[:6]:
        (folder / f"thread-{thread}.html").write_text(offline.page(f"/thread/{thread}") or "", encoding="utf-8")
    found = await extracted(folder, location)
    words = {text for texts in found.values() for text in texts}
    shown = {post.text for thread in list(offline.threads)[:6] for post in offline.threads[thread][:4]}
    assert len(words & shown) >= 0.8 * len(shown)


async def test_what_a_crawl_kept_as_warc_can_be_read_again(forum: TinyForum, tmp_path: Path, location: Path) -> None:
    forum.fill(boards=1, threads=5, longest=5)
    recorder = WarcWriter(tmp_path / "warc")
    async with Client(ClientOptions(start_url=f"{forum.origin}/", delay=0), recorder=recorder) as client:
        for path in all_pages(forum):
            await client.fetch(Request(forum.origin + path))
    await recorder.close()
    found = await extracted(tmp_path / "warc", location, profile=forum.profile())
    assert found == forum.written()


async def test_a_whole_forum_is_learned_whatever_was_saved_first(offline: TinyForum, tmp_path: Path) -> None:
    folder = tmp_path / "mirrors" / "forum.test"
    for path, body in {"/about": "<html><p>Nothing of a forum.</html>", **all_pages(offline)}.items():
        file = folder / (path.removeprefix("/") or "index.html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body, encoding="utf-8")
    found = await extracted(tmp_path / "mirrors", tmp_path / "a.db")
    assert set(found) == {f"{offline.origin}/thread/{one}" for one in offline.threads}
    assert sum(map(len, found.values())) == sum(map(len, offline.threads.values()))


def test_a_saved_file_knows_its_address_from_what_it_says(tmp_path: Path) -> None:
    marked = tmp_path / "a.html"
    marked.write_text("<!-- saved from url=(0030)http://forum.test/thread/7 --><p>x", encoding="utf-8")
    canonical = tmp_path / "b.html"
    canonical.write_text("<link rel='canonical' href='http://forum.test/t?a=1&amp;b=2'>", encoding="utf-8")
    plain = tmp_path / "c.html"
    plain.write_text("<p>x", encoding="utf-8")
    urls = list(SavedFiles([tmp_path]).urls())
    assert urls == ["http://forum.test/thread/7", "http://forum.test/t?a=1&b=2", plain.as_uri()]


def test_the_user_may_say_where_files_stood(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.html").write_text("<p>x", encoding="utf-8")
    assert list(SavedFiles([tmp_path], "http://forum.test/x").urls()) == ["http://forum.test/x/sub/a.html"]


def test_what_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file or folder"):
        open_saved([tmp_path / "nothing"])
    with pytest.raises(InputError, match="There are no HTML files"):
        open_saved([tmp_path])
