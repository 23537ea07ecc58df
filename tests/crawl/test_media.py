"""Pictures and attachments: each kept once, each missing one with its reason, whatever happens in between."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from aiohttp import web
from sqlalchemy import select
from tests.crawl.mediasite import PNG, MediaSite, fetch_media, page, post
from tests.crawl.tinyforum import Crawl, TinyForum

from thrawl.archive import Archive
from thrawl.archive.media import MediaRole, MediaState, PostFile, files_of
from thrawl.archive.mediastore import BucketStore, FolderStore, MediaStore, store_for
from thrawl.archive.tables import posts as posts_table
from thrawl.crawl.media import share_of
from thrawl.crawl.options import MediaMode
from thrawl.errors import UsageError
from thrawl.limits import MAX_MEDIA_MISSES
from thrawl.page.pictures import PostAttachment, PostPicture, found_in
from thrawl.page.srcset import largest

BASE = "http://forum.example/t/1"


@pytest.fixture
async def site() -> AsyncIterator[MediaSite]:
    site = MediaSite()
    await site.start()
    yield site
    await site.stop()


@pytest.fixture
def archive(tmp_path: Path, site: MediaSite) -> Iterator[Archive]:
    with Archive.open(tmp_path / "forum.db", create=True) as opened:
        opened.put_forum(f"{site.origin}/", "127.0.0.1")
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> MediaStore:
    made = store_for(str(tmp_path / "forum.db"))
    assert made is not None
    return made


def show(archive: Archive, site: MediaSite, *htmls: str, minute: int = 0) -> None:
    archive.save(page(site.origin, tuple(post(number, html) for number, html in enumerate(htmls, 1)), minute))


def files(archive: Archive) -> list[PostFile]:
    with archive.reading() as connection:
        return files_of(connection, [row.id for row in connection.execute(select(posts_table.c.id))])


# --- what posts show


def test_a_picture_is_taken_in_its_largest_form() -> None:
    assert largest("a.png 1x, b.png 2x") == "b.png"
    assert largest("/s,1.png 320w, /l,2.png 1024w,/m.png 640w") == "/l,2.png"
    html = '<img src="s.png" srcset="s.png 1x, /l.png 2x">'
    assert list(found_in(html, BASE)) == [PostPicture("http://forum.example/l.png", None)]


def test_a_small_picture_leads_to_the_whole_one_where_its_link_says_so() -> None:
    html = '<a href="/big.JPG"><img src="/small.jpg"></a><a href="/t/2"><img src="/other.jpg"></a>'
    assert list(found_in(html, BASE)) == [
        PostPicture("http://forum.example/small.jpg", "http://forum.example/big.JPG"),
        PostPicture("http://forum.example/other.jpg", None),
    ]
    asks_for_less = '<a href="/file?id=3"><img src="/file?id=3&amp;small=1"></a>'
    (found,) = found_in(asks_for_less, BASE)
    assert found == PostPicture("http://forum.example/file?id=3&small=1", "http://forum.example/file?id=3")


def test_attachments_are_known_by_their_names_and_pages_are_none() -> None:
    html = (
        '<a href="/f/1">notes.pdf</a> <a href="/x/plan.zip">the plan</a> <a href="/f/2" download="a/b.txt">x</a>'
        ' <a href="/t/5">another thread</a> <a href="/page.html">a page</a>'
    )
    assert list(found_in(html, BASE)) == [
        PostAttachment("http://forum.example/f/1", "notes.pdf"),
        PostAttachment("http://forum.example/x/plan.zip", "plan.zip"),
        PostAttachment("http://forum.example/f/2", "a/b.txt"),
    ]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="/f/1">no<b>tes.p</b>df</a>',
        '<a href="/f/1">notes&#46;pdf</a>',
        '<a href="/f/1">notes&period;pdf</a>',
        '<a href="/f/1" DOWNLOAD="notes.pdf">x</a>',
        '<a href="/f/notes%2Epdf">x</a>',
        '<a href="/f/notes.%70df">x</a>',
    ],
)
def test_the_name_of_an_attachment_may_be_written_in_any_way(html: str) -> None:
    (found,) = found_in(html, BASE)
    assert isinstance(found, PostAttachment)
    assert found.name == "notes.pdf"


@pytest.mark.parametrize(
    "html",
    [
        '<img src="data:image/png;base64,AAAA">',
        '<img src="javascript:alert(1)">',
        '<img src="http://[bad/x.png">',
        '<img src="/count.gif" width="1" height="1">',
        "<img>",
    ],
)
def test_what_cannot_be_fetched_or_shows_nothing_is_passed_over(html: str) -> None:
    assert list(found_in(html, BASE)) == []


# --- fetching


async def test_pictures_of_posts_are_kept_once_by_their_content(
    archive: Archive, store: MediaStore, site: MediaSite
) -> None:
    site.files = {"/a.png": PNG, "/same.png": PNG, "/b.png": PNG + b"b"}
    show(archive, site, '<img src="/a.png"><img src="/b.png">', '<img src="/a.png"> <img src="/same.png">')
    tally = await fetch_media(archive, store, site.origin)
    assert (tally.requests, tally.kept, tally.missing) == (3, 3, 0)
    assert site.asked["/a.png"] == 1
    assert sorted(store.digests()) == sorted({sha256(PNG).hexdigest(), sha256(PNG + b"b").hexdigest()})
    shown = [(one.post, one.url, one.type, one.bytes) for one in files(archive)]
    assert (1, f"{site.origin}/b.png", "image/png", len(PNG) + 1) in shown
    assert len(shown) == 4
    assert (await fetch_media(archive, store, site.origin)).requests == 0


async def test_a_missing_picture_is_asked_for_once_and_says_why(
    archive: Archive, store: MediaStore, site: MediaSite
) -> None:
    site.files = {"/page.png": b"<!doctype html><title>Sorry</title>", "/empty.png": b""}
    show(archive, site, '<img src="/gone.png"><img src="/page.png"><img src="/empty.png">')
    for _ in range(2):
        await fetch_media(archive, store, site.origin)
    assert site.asked["/gone.png"] == 1
    assert {one.url.rpartition("/")[2]: one.failure for one in files(archive)} == {
        "gone.png": "the site has no such page (HTTP 404)",
        "page.png": "the site answered with a page instead of a picture",
        "empty.png": "the answer is empty",
    }
    assert all(one.state is MediaState.MISSING for one in files(archive))


async def test_a_host_that_has_no_picture_is_left_alone_soon(
    archive: Archive, store: MediaStore, site: MediaSite
) -> None:
    show(archive, site, "".join(f'<img src="/{number}.png">' for number in range(100)))
    tally = await fetch_media(archive, store, site.origin)
    assert (tally.requests, tally.put_off) == (MAX_MEDIA_MISSES, 100 - MAX_MEDIA_MISSES)


async def test_a_host_that_lost_its_old_pictures_is_asked_for_the_others(
    archive: Archive, store: MediaStore, site: MediaSite
) -> None:
    site.files = {f"/{number}.png": PNG + bytes([number]) for number in range(50, 100)}
    show(archive, site, "".join(f'<img src="/{number}.png">' for number in range(100)))
    assert (await fetch_media(archive, store, site.origin)).kept == 50


async def test_attachments_come_only_when_asked_for_and_only_from_the_forum(
    archive: Archive, store: MediaStore, site: MediaSite
) -> None:
    site.files = {"/plan.pdf": b"%PDF-1.7 x", "/a.png": PNG}
    elsewhere = '<a href="http://elsewhere.example/big.zip">big.zip</a>'
    show(archive, site, f'<img src="/a.png"><a href="/plan.pdf">plan.pdf</a>{elsewhere}')
    assert (await fetch_media(archive, store, site.origin)).kept == 1
    assert (await fetch_media(archive, store, site.origin, MediaMode.ALL)).kept == 1
    (plan,) = (one for one in files(archive) if one.role is MediaRole.ATTACHED)
    assert (plan.name, plan.type) == ("plan.pdf", "application/pdf")


async def test_what_an_edited_post_shows_is_found_again(archive: Archive, store: MediaStore, site: MediaSite) -> None:
    site.files = {"/a.png": PNG, "/b.png": PNG + b"b"}
    show(archive, site, '<img src="/a.png">')
    await fetch_media(archive, store, site.origin)
    edited = replace(post(1, '<img src="/b.png">'), text="new words")
    archive.save(page(site.origin, (edited,), 5))
    await fetch_media(archive, store, site.origin)
    assert [one.url.rpartition("/")[2] for one in files(archive)] == ["b.png"]


async def test_a_limited_run_asks_for_its_share_and_the_next_goes_on(
    archive: Archive, store: MediaStore, site: MediaSite
) -> None:
    site.files = {f"/{number}.png": PNG + bytes([number]) for number in range(6)}
    show(archive, site, "".join(f'<img src="{path}">' for path in site.files))
    assert share_of(None) is None
    assert share_of(8) == 4
    assert (await fetch_media(archive, store, site.origin, most=4)).kept == 4
    assert (await fetch_media(archive, store, site.origin, most=4)).kept == 2


async def test_a_passing_trouble_is_tried_again_by_a_later_run(
    archive: Archive, store: MediaStore, site: MediaSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thrawl.limits.PAGE_RETRY_SECONDS", 0.0)
    site.files = {"/a.png": 503}
    show(archive, site, '<img src="/a.png">')
    assert (await fetch_media(archive, store, site.origin)).missing == 1
    site.files = {"/a.png": PNG}
    assert (await fetch_media(archive, store, site.origin)).kept == 1


async def test_killed_at_any_moment_nothing_is_lost_and_nothing_kept_twice(tmp_path: Path, site: MediaSite) -> None:
    location = tmp_path / "forum.db"
    contents = [PNG + bytes([number]) * 2000 for number in range(60)]
    site.files = {f"/{number}.png": content for number, content in enumerate(contents)}
    site.slow = 0.002
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{site.origin}/", "127.0.0.1")
        show(archive, site, *(f'<img src="{path}">' for path in site.files))
    script = str(Path(__file__).with_name("mediasite.py"))
    for kill_after in (*(0.02 * times for times in range(1, 13)), None):
        command = await asyncio.create_subprocess_exec(
            sys.executable, script, str(location), site.origin, stdout=asyncio.subprocess.PIPE
        )
        assert command.stdout is not None
        await command.stdout.readline()
        if kill_after is not None:
            await asyncio.sleep(kill_after)
            with suppress(ProcessLookupError):  # it ended before
                command.kill()
        await command.wait()
    assert command.returncode == 0
    store = FolderStore(Path(f"{location}.media"))
    assert sorted(store.digests()) == sorted(sha256(content).hexdigest() for content in contents)
    assert not list(store.folder.glob("??/*.tmp"))
    with Archive.open(location, readonly=True) as archive:
        assert archive.media.counts() == {MediaState.KEPT: 60}
        assert archive.check() == []


# --- where they are kept


@pytest.mark.parametrize("kind", ["folder", "bucket"])
def test_a_store_keeps_each_content_once_and_hands_it_out_again(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    made: MediaStore = FolderStore(tmp_path / "media") if kind == "folder" else BucketStore(f"memory://{tmp_path.name}")
    digest = made.put(PNG)
    assert made.put(PNG) == digest
    assert made.put(PNG + b"b") != digest
    assert len(list(made.digests())) == 2
    assert made.read(digest) == PNG
    assert made.copy(digest, tmp_path / "copy.png")
    assert (tmp_path / "copy.png").read_bytes() == PNG
    for unknown in ("0" * 64, "../../etc/passwd", ""):
        assert made.read(unknown) is None
        assert not made.copy(unknown, tmp_path / "none")


def test_a_store_is_where_the_user_says(tmp_path: Path) -> None:
    assert isinstance(store_for("forum.db", "memory://x"), BucketStore)
    assert isinstance(store_for("postgresql://x/y", tmp_path), FolderStore)
    assert store_for("postgresql://x/y") is None
    with pytest.raises(UsageError, match="cannot be used as a place for pictures"):
        store_for("forum.db", "nowhere://x")


# --- as a part of a crawl


async def test_a_crawl_fetches_pictures_after_its_threads_and_counts_them_apart(
    forum: TinyForum, crawl: Crawl, location: Path
) -> None:
    forum.picture = '<img src="/smile.png"><img src="/gone.png">'
    forum.answers["/smile.png"] = lambda times: web.Response(body=PNG)
    forum.fill(boards=1, threads=3)
    order: list[str] = []
    forum.before = order.append
    kept = FolderStore(Path(f"{location}.media"))
    finished = await crawl(forum, store=kept)
    assert finished.complete
    assert (forum.asked["/smile.png"], forum.asked["/gone.png"]) == (1, 1)
    assert set(order[-2:]) == {"/smile.png", "/gone.png"}
    media = finished.tally.media
    assert (media.requests, media.kept, media.missing) == (2, 1, 1)
    assert finished.tally.pages == len(order) - 2
    assert list(kept.digests()) == [sha256(PNG).hexdigest()]


async def test_a_crawl_that_is_told_so_fetches_none(forum: TinyForum, crawl: Crawl, location: Path) -> None:
    forum.picture = '<img src="/smile.png">'
    forum.fill(boards=1, threads=3)
    await crawl(forum, store=FolderStore(Path(f"{location}.media")), media=MediaMode.NONE)
    assert "/smile.png" not in forum.asked
