"""Archives for the tests of the reader: one with a bit of everything, made as a crawl would make it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from thrawl.archive import Archive, BoardRef, FoundUrl, PageKind, PageOutcome, RefusedUrl, ThreadRef
from thrawl.archive.media import Embedded, KeptFile, MediaRole
from thrawl.archive.mediastore import MediaStore, store_for
from thrawl.archive.mediatypes import type_of
from thrawl.archive.values import FailureKind
from thrawl.page.shown import PostRecord, Quote, ThreadRow

SITE = "http://forum.example"
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
TECHNICAL, LENSES = BoardRef("Technical", f"{SITE}/b/1"), BoardRef("Lenses", f"{SITE}/b/2")
EMPTY = BoardRef("An empty board", f"{SITE}/b/9")
LONG_WORD = "antidisestablishmentarianism" * 12
# The smallest pictures there are: one dot each.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8ffff3f0005fe02fe"
    "a7351f0d0000000049454e44ae426082"
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>window.ran = "svg"</script></svg>'
PAGE = b"<!doctype html><script>window.ran = 'attached page'</script>"


def post(post_id: str | None, text: str, html: str | None = None, **fields: Any) -> PostRecord:
    plain = PostRecord(
        post_id=post_id,
        post_url=f"{SITE}/post/{post_id}" if post_id else None,
        author="Ann",
        author_url=f"{SITE}/user/ann",
        published=NOON,
        published_text="Fri May 01, 2026 12:00 pm",
        edited=None,
        text=text,
        html=f"<p>{text}</p>" if html is None else html,
    )
    return replace(plain, **fields)


def thread(number: int, title: str | None, posts: tuple[PostRecord, ...], page: int = 1, **fields: Any) -> PageOutcome:
    url = f"{SITE}/t/{number}"
    plain = PageOutcome(
        forum_id=1,
        url=url if page == 1 else f"{url}?page={page}",
        kind=PageKind.THREAD if page == 1 else PageKind.THREAD_FLIP,
        fetched=NOON + timedelta(minutes=fields.pop("minute", 0)),
        page_number=page,
        list_url=url,
        status=200,
        thread=ThreadRef(url, title),
        posts=posts,
        boards=(TECHNICAL, LENSES),
    )
    return replace(plain, **fields)


def index(board: BoardRef, rows: tuple[ThreadRow, ...], **fields: Any) -> PageOutcome:
    found = tuple(FoundUrl(row.url, PageKind.THREAD, "a thread URL") for row in rows)
    plain = PageOutcome(
        forum_id=1, url=board.url or "", kind=PageKind.INDEX, fetched=NOON, status=200, boards=(board,), rows=rows,
        found=found,
    )  # fmt: skip
    return replace(plain, **fields)


RICH = (
    post("1", "Hello everyone", '<p>Hello <b>everyone</b>, see <a href="http://forum.example/t/2">the other thread</a> '
         'and <a href="http://elsewhere.example/x">elsewhere</a>.</p>'),
    post("2", "I agree", "<blockquote><p>Hello everyone</p></blockquote><p>I agree</p>", author="Bob",
         quotes=(Quote("Ann", "Hello everyone", "1"),), reply_to="1", published=NOON + timedelta(hours=1)),
    post("3", "code and a table", f"<pre><code>def f():\n    return {LONG_WORD!r}</code></pre>"
         "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><ol><li>one</li></ol>"),
    post("4", "pictures", '<p><img src="http://forum.example/dot.png" alt="a dot" width="40" height="40">'
         '<img src="http://forum.example/gone.png" alt="a lost one"><img src="http://elsewhere.example/never.png">'
         '<img src="data:image/png;base64,iVBORw0KGgo="></p>'),
    post("5", "attachments", '<p><a href="http://forum.example/plan.zip">../../etc/plan.zip</a> '
         '<a href="http://forum.example/drawing.svg">drawing.svg</a></p>'),
    post("6", "مرحبا بالعالم", "<p>مرحبا بالعالم، هذا نص طويل من اليمين إلى اليسار</p>", author="ليلى"),
    post("7", "写真はとても良いです", "<p>写真はとても良いです。" + "長い文章" * 60 + "</p>", author="健太"),
    post("8", LONG_WORD, author="W" * 180),
    post("9", "deep", depth=4, published=None, published_text="yesterday", author=None, post_url=None),
)  # fmt: skip


def fill(location: Path) -> MediaStore:
    """Make the archive with a bit of everything."""
    store = store_for(str(location))
    assert store is not None
    with Archive.open(location, create=True) as archive:
        archive.put_forum(f"{SITE}/", "forum.example")
        rows = (
            ThreadRow("A rich thread", f"{SITE}/t/1", replies=8, last_time=NOON, author="Ann", sticky=True),
            ThreadRow("A long thread", f"{SITE}/t/2", replies=300, last_time=NOON + timedelta(days=1)),
            ThreadRow("Never fetched", f"{SITE}/t/7", replies=3),
        )
        archive.save(index(TECHNICAL, ()))
        archive.save(index(EMPTY, ()))
        archive.save(
            index(LENSES, rows, boards=(TECHNICAL, LENSES), refused=(RefusedUrl(f"{SITE}/login", "not a list"),))
        )
        archive.save(thread(1, "A rich thread", RICH))
        long = tuple(post(f"l{number}", f"post number {number} of the long one") for number in range(220))
        archive.save(thread(2, "A long thread", long))
        archive.save(thread(3, None, (post("n", "a thread without a title"),), boards=()))
        archive.save(thread(4, "Edited and gone", (post("e", "the first wording"), post("g", "soon gone"))))
        archive.save(thread(4, "Edited and gone", (post("e", "the second wording", edited=NOON),), minute=5))
        archive.mark_vanished(f"{SITE}/t/4", NOON + timedelta(minutes=5))
        archive.save(
            PageOutcome(1, f"{SITE}/t/8", PageKind.THREAD, NOON, failure="the site has no such page (HTTP 404)",
                        failure_kind=FailureKind.GONE, status=404)
        )  # fmt: skip
        add_files(archive, store)
    return store


FILES = {
    f"{SITE}/dot.png": PNG,
    f"{SITE}/plan.zip": PAGE,
    f"{SITE}/drawing.svg": SVG,
}


def add_files(archive: Archive, store: MediaStore) -> None:
    def finder(html: str, base: str) -> list[Embedded]:
        from thrawl.page.pictures import PostPicture, found_in

        return [
            Embedded(one.url, MediaRole.SHOWN) if isinstance(one, PostPicture)
            else Embedded(one.url, MediaRole.ATTACHED, one.name)
            for one in found_in(html, base)
        ]  # fmt: skip

    archive.media.find(1, finder)
    for wanted in archive.media.wanted(1, 100, NOON.timestamp(), after=0, attachments=True):
        content = FILES.get(wanted.url)
        if content is None:
            archive.media.miss(wanted, "the site has no such page (HTTP 404)", 0.0, status=404, due=0.0)
        else:
            kept = KeptFile(store.put(content), type_of(content), len(content))
            archive.media.keep(wanted, kept, 0.0, 200)
