"""What other programs get: every format, streamed and whole."""

from __future__ import annotations

import csv
import email
import email.policy
import json
import mailbox
import re
import sqlite3
import tracemalloc
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from pyarrow.dataset import dataset

from thrawl.archive import Archive, BoardRef, ThreadRef
from thrawl.archive.export import Format, Wanted, What, export, zone_named
from thrawl.archive.export_dataset import export_dataset
from thrawl.archive.selection import Selection, moment
from thrawl.errors import ArchiveError, InputError, UsageError
from thrawl.page.shown import Quote, ThreadRow
from thrawl.web.export import export_site

CONTRACT = [
    *("forum", "board", "board_url", "thread_url", "thread_title", "post_id", "post_url", "position", "author"),
    *("author_url", "published", "published_text", "edited", "text", "html", "quotes", "reply_to", "depth"),
    *("first_seen", "vanished", "revision", "fetched"),
]


@pytest.fixture
def filled(archive: Archive, make: Any) -> Archive:
    archive.save(make.index_page((ThreadRow("A thread", f"{make.site}/t/1", replies=2, last_time=make.noon),)))
    reply = make.post("b", "I agree", quotes=(Quote("Ann", "words of a", "a"),), reply_to="a", author="Bob")
    archive.save(make.thread_page((make.post("a"), reply)))
    last = make.post("c", published=None, published_text=None, author=None, author_url=None, post_url=None)
    archive.save(make.thread_page((last,), page=2, minute=1))
    return archive


def written(archive: Archive, folder: Path, what: What, form: Format, **options: Any) -> Path:
    path = folder / f"out.{form}"
    if form is Format.HTML:
        export_site(archive, path, Wanted(**options), None)
    else:
        export(archive, what, form, path, Wanted(**options))
    return path


def test_json_lines_keep_the_contract_field_by_field(filled: Archive, tmp_path: Path, make: Any) -> None:
    lines = written(filled, tmp_path, What.POSTS, Format.JSONL).read_text(encoding="utf-8").splitlines()
    first, second, third = map(json.loads, lines)
    assert list(first) == CONTRACT
    assert second == {
        "forum": f"{make.site}/",
        "board": ["Technical", "Lenses"],
        "board_url": f"{make.site}/b/2",
        "thread_url": f"{make.site}/t/1",
        "thread_title": "A thread",
        "post_id": "b",
        "post_url": f"{make.site}/post/b",
        "position": 2,
        "author": "Bob",
        "author_url": f"{make.site}/user/ann",
        "published": "2026-05-01T12:00:00+00:00",
        "published_text": "Fri May 01, 2026 12:00 pm",
        "edited": None,
        "text": "I agree",
        "html": "<p>I agree</p>",
        "quotes": [{"author": "Ann", "text": "words of a", "post_id": "a"}],
        "reply_to": "a",
        "depth": None,
        "first_seen": "2026-05-01T12:00:00+00:00",
        "vanished": None,
        "revision": 1,
        "fetched": "2026-05-01T12:00:00+00:00",
    }
    assert (third["position"], third["author"], third["published"], third["post_url"]) == (3, None, None, None)


def test_threads_boards_and_pages_are_exported_too(filled: Archive, tmp_path: Path, make: Any) -> None:
    def rows(what: What) -> list[dict[str, Any]]:
        text = written(filled, tmp_path, what, Format.JSONL).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    (thread,) = rows(What.THREADS)
    assert (thread["url"], thread["replies"], thread["sticky"]) == (f"{make.site}/t/1", 2, False)
    assert [board["path"] for board in rows(What.BOARDS)] == [["Technical"], ["Technical", "Lenses"]]
    assert {page["url"]: page["state"] for page in rows(What.PAGES)}[f"{make.site}/t/1"] == "done"


@pytest.mark.parametrize("what", list(What))
@pytest.mark.parametrize("form", [Format.CSV, Format.PARQUET, Format.JSONL])
def test_tables_hold_the_same_rows_in_every_format(filled: Archive, tmp_path: Path, what: What, form: Format) -> None:
    path = written(filled, tmp_path, what, form)
    expected = {What.POSTS: 3, What.THREADS: 1, What.BOARDS: 2, What.PAGES: 3}[what]
    if form is Format.PARQUET:
        assert parquet.read_table(path).num_rows == expected
    elif form is Format.CSV:
        with path.open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == expected
    else:
        assert len(path.read_text(encoding="utf-8").splitlines()) == expected


def test_csv_cells_are_plain(filled: Archive, tmp_path: Path) -> None:
    with written(filled, tmp_path, What.POSTS, Format.CSV).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == CONTRACT
    assert rows[1]["board"] == "Technical > Lenses"
    assert json.loads(rows[1]["quotes"])[0]["author"] == "Ann"
    assert (rows[0]["quotes"], rows[2]["author"]) == ("", "")


def test_parquet_has_real_times_and_lists(filled: Archive, tmp_path: Path, make: Any) -> None:
    rows = parquet.read_table(written(filled, tmp_path, What.POSTS, Format.PARQUET)).to_pylist()
    assert list(rows[0]) == CONTRACT
    assert rows[0]["published"] == make.noon
    assert rows[0]["board"] == ["Technical", "Lenses"]
    assert rows[1]["quotes"] == [{"author": "Ann", "text": "words of a", "post_id": "a"}]


def test_a_mail_reader_sees_threads(filled: Archive, tmp_path: Path) -> None:
    box = mailbox.mbox(written(filled, tmp_path, What.POSTS, Format.MBOX))
    first, second, third = box
    box.close()
    assert second["In-Reply-To"] == first["Message-ID"]
    assert third["References"] == first["Message-ID"]
    assert "In-Reply-To" not in first
    assert second["Subject"] == "A thread"
    assert second["From"].startswith("Bob <bob@forum.example.invalid")
    assert second.get_payload(decode=True).decode() == "Ann wrote:\n> words of a\n\nI agree\n"


def test_mails_are_the_same_in_every_export(filled: Archive, tmp_path: Path) -> None:
    first = written(filled, tmp_path, What.POSTS, Format.MBOX).read_bytes()
    assert written(filled, tmp_path, What.POSTS, Format.MBOX).read_bytes() == first


def test_a_post_cannot_forge_mail(archive: Archive, tmp_path: Path, make: Any) -> None:
    nasty = make.post("a", "From here\nFrom thrawl Sun\n\nhello", author='Ann\r\nBcc: x@y.example "<')
    archive.save(make.thread_page((nasty,), thread=ThreadRef(f"{make.site}/t/1", "Title\nX-Evil: yes")))
    box = mailbox.mbox(written(archive, tmp_path, What.POSTS, Format.MBOX))
    (only,) = box
    box.close()
    assert only["X-Evil"] is None
    assert only["Bcc"] is None
    assert "hello" in only.get_payload(decode=True).decode()


def test_the_html_archive_links_boards_threads_and_posts(filled: Archive, tmp_path: Path) -> None:
    folder = written(filled, tmp_path, What.POSTS, Format.HTML)
    index = (folder / "index.html").read_text(encoding="utf-8")
    (board,) = re.findall(r'href="(boards/\d+\.html)" dir="auto">Lenses', index)
    (thread,) = re.findall(r'href="\.\./(threads/[^"]+)">A thread', (folder / board).read_text(encoding="utf-8"))
    page = (folder / thread).read_text(encoding="utf-8")
    assert "<p>I agree</p>" in page
    assert page.count("<article") == 3


def test_what_strangers_wrote_does_not_run(archive: Archive, tmp_path: Path, make: Any) -> None:
    html = '<img src="/pic.png" onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">x</a>'
    post = make.post("a", "x", html=html, author="<script>alert(4)</script>", post_url="javascript:alert(5)")
    thread = ThreadRef(f"{make.site}/t/1", "<script>alert(6)</script>")
    archive.save(make.thread_page((post,), thread=thread, boards=(BoardRef("<script>alert(7)</script>", None),)))
    folder = written(archive, tmp_path, What.POSTS, Format.HTML)
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        assert "javascript:" not in text
        assert "onerror=" not in text
    page = (folder / "threads/0/1.html").read_text(encoding="utf-8")
    assert "pic.png (picture not kept)" in page
    assert "<img" not in page  # nothing is fetched from the old site


def test_the_search_index_of_the_html_archive_finds_posts_by_words(filled: Archive, tmp_path: Path) -> None:
    folder = written(filled, tmp_path, What.POSTS, Format.HTML)
    leaf = (folder / "search/words-0.js").read_text(encoding="utf-8")
    assert ["agree", "0"] in json.loads(leaf.partition(",")[2].rstrip(");\n"))
    posts = (folder / "search/posts-0.js").read_text(encoding="utf-8")
    newest = json.loads(posts.partition(",")[2].rstrip(");\n"))[0]
    assert newest[:3] == ["threads/0/1.html#p2", "A thread", "Bob"]


def test_a_long_thread_is_turned_page_by_page(archive: Archive, tmp_path: Path, make: Any) -> None:
    archive.save(make.thread_page(" ".join(f"p{number}" for number in range(125))))
    folder = written(archive, tmp_path, What.POSTS, Format.HTML)
    pages = [(folder / f"threads/0/1{suffix}.html").read_text(encoding="utf-8") for suffix in ("", "-2", "-3")]
    assert [page.count("<article") for page in pages] == [50, 50, 25]
    assert 'rel="next" href="../../threads/0/1-2.html"' in pages[0]
    assert 'rel="prev" href="../../threads/0/1.html"' in pages[1]
    assert 'rel="next"' not in pages[2]


def test_an_earlier_html_export_is_replaced_and_other_folders_are_not(filled: Archive, tmp_path: Path) -> None:
    folder = written(filled, tmp_path, What.POSTS, Format.HTML)
    (folder / "old.txt").write_text("old", encoding="utf-8")
    written(filled, tmp_path, What.POSTS, Format.HTML)
    assert not (folder / "old.txt").exists()
    mine = tmp_path / "photos"
    mine.mkdir()
    (mine / "cat.jpg").touch()
    with pytest.raises(InputError, match="is no earlier export"):
        export_site(filled, mine, Wanted(), None)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_vanished_posts_can_be_left_out(filled: Archive, tmp_path: Path, make: Any) -> None:
    filled.mark_vanished(f"{make.site}/t/1", make.at(1))
    lines = written(filled, tmp_path, What.POSTS, Format.JSONL, with_vanished=False).read_text(encoding="utf-8")
    assert [json.loads(line)["position"] for line in lines.splitlines()] == [1]
    assert json.loads(lines)["post_id"] == "c"


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path, make: Any) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("the export of yesterday", encoding="utf-8")
    with Archive.open(tmp_path / "forum.db", create=True) as archive:
        archive.save(make.thread_page("a"))
        with sqlite3.connect(tmp_path / "forum.db") as other:
            other.execute("DROP TABLE authors")
        other.close()
        with pytest.raises(ArchiveError, match="no such table"):
            export(archive, What.POSTS, Format.JSONL, target)
    assert target.read_text(encoding="utf-8") == "the export of yesterday"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


def test_wrong_combinations_are_told(filled: Archive, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds posts"):
        export(filled, What.THREADS, Format.MBOX, tmp_path / "x")
    with pytest.raises(UsageError, match="add -o NAME"):
        export(filled, What.POSTS, Format.PARQUET, None)
    with pytest.raises(InputError, match="there is no folder"):
        export(filled, What.POSTS, Format.JSONL, tmp_path / "missing" / "x")
    with pytest.raises(InputError, match="is a folder"):
        export(filled, What.POSTS, Format.JSONL, tmp_path)


def test_many_posts_need_no_more_memory_than_few(tmp_path: Path, make: Any) -> None:
    with Archive.open(tmp_path / "forum.db", create=True) as archive:
        archive.put_forum(f"{make.site}/", "forum.example")
        text = "word " * 800
        for page in range(1, 31):
            posts = tuple(make.post(f"{page}-{number}", text) for number in range(100))
            archive.save(make.thread_page(posts, page=page))
        tracemalloc.start()
        count = export(archive, What.POSTS, Format.JSONL, tmp_path / "out.jsonl")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert count == 3000
    assert (tmp_path / "out.jsonl").stat().st_size > 24_000_000
    assert peak < 12_000_000


def test_mail_keeps_every_alphabet(archive: Archive, tmp_path: Path, make: Any) -> None:
    title, text = "Überraschung: 日本語 " * 10, "Zeile eins\nŻółw " + "lang " * 100
    post = make.post("a", text, author="Zoë “Z” Żak")
    archive.save(make.thread_page((post,), thread=ThreadRef(f"{make.site}/t/1", title)))
    with written(archive, tmp_path, What.POSTS, Format.MBOX).open("rb") as file:
        file.readline()
        message = email.message_from_binary_file(file, policy=email.policy.default)
    assert message["Subject"] == title.strip()
    assert message["From"].addresses[0].display_name == "Zoë “Z” Żak"
    assert message.get_content().rstrip("\n") == text
    assert message["Date"].datetime == make.noon


def rows_of(archive: Archive, folder: Path, what: What = What.POSTS, **options: Any) -> list[dict[str, Any]]:
    text = written(archive, folder, what, Format.JSONL, **options).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


LOCAL = datetime(2026, 7, 1, 9, 30)  # a site that does not tell its zone


def test_a_time_without_a_zone_is_written_without_one(archive: Archive, tmp_path: Path, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", published=LOCAL, edited=LOCAL),)))
    (post,) = rows_of(archive, tmp_path)
    assert (post["published"], post["edited"]) == ("2026-07-01T09:30:00", "2026-07-01T09:30:00")
    (row,) = parquet.read_table(written(archive, tmp_path, What.POSTS, Format.PARQUET)).to_pylist()
    assert row["published"] == LOCAL
    assert row["first_seen"] == make.noon
    box = mailbox.mbox(written(archive, tmp_path, What.POSTS, Format.MBOX))
    (mail,) = box
    box.close()
    assert mail["Date"] == "Wed, 01 Jul 2026 09:30:00 -0000"
    page = written(archive, tmp_path, What.POSTS, Format.HTML) / "threads/0/1.html"
    assert '<time datetime="2026-07-01T09:30:00"' in page.read_text(encoding="utf-8")


def test_a_time_without_a_zone_takes_the_one_that_is_named(archive: Archive, tmp_path: Path, make: Any) -> None:
    archive.save(make.index_page((ThreadRow("A thread", f"{make.site}/t/1", last_time=LOCAL),)))
    archive.save(make.thread_page((make.post("a", published=LOCAL), make.post("b"))))
    berlin = zone_named("Europe/Berlin")
    first, second = rows_of(archive, tmp_path, zone=berlin)
    assert (first["published"], second["published"]) == ("2026-07-01T09:30:00+02:00", "2026-05-01T12:00:00+00:00")
    assert rows_of(archive, tmp_path, What.THREADS, zone=berlin)[0]["last_time"] == "2026-07-01T09:30:00+02:00"
    path = written(archive, tmp_path, What.POSTS, Format.PARQUET, zone=berlin)
    assert parquet.read_table(path).to_pylist()[0]["published"] == LOCAL.replace(tzinfo=berlin)


def test_parquet_holds_text_where_only_some_zones_are_known(archive: Archive, tmp_path: Path, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", published=LOCAL), make.post("b"))))
    rows = parquet.read_table(written(archive, tmp_path, What.POSTS, Format.PARQUET)).to_pylist()
    assert [row["published"] for row in rows] == ["2026-07-01T09:30:00", "2026-05-01T12:00:00+00:00"]


def test_a_zone_that_is_not_known_is_said_so() -> None:
    for name in ("Mars/Base", "../../etc/passwd", ""):
        with pytest.raises(UsageError, match="no time zone"):
            zone_named(name)


def test_posts_tell_their_history(archive: Archive, tmp_path: Path, make: Any) -> None:
    archive.save(make.thread_page((make.post("a", "first", depth=0), make.post("b", depth=1))))
    archive.save(make.thread_page((make.post("a", "second", depth=0),), minute=5))
    archive.mark_vanished(f"{make.site}/t/1", make.at(5))
    edited, gone = rows_of(archive, tmp_path)
    assert (edited["revision"], edited["text"], edited["depth"], edited["vanished"]) == (2, "second", 0, None)
    assert (edited["first_seen"], edited["fetched"]) == ("2026-05-01T12:00:00+00:00", "2026-05-01T12:05:00+00:00")
    assert (gone["revision"], gone["depth"], gone["vanished"]) == (1, 1, "2026-05-01T12:05:00+00:00")


@pytest.mark.parametrize("pages", [(1, 2), (2, 1), (1, 2, 1, 2), (2, 1, 2)])
def test_two_sorts_of_posts_with_one_number_are_two_posts(
    archive: Archive, tmp_path: Path, make: Any, pages: tuple[int, ...]
) -> None:
    """A blog: its post-6 stands on the first page, comment-6 and comment-7 on both or on the second."""
    url = f"{make.site}/t/1"
    post = make.post("6", "the essay", post_url=f"{url}#post-6")
    six = make.post("6", "a remark", post_url=f"{url}#comment-6")
    seven = make.post("7", "another", post_url=f"{url}?page=2#comment-7")
    for minute, page in enumerate(pages):
        archive.save(make.thread_page((post, six) if page == 1 else (six, seven), page=page, minute=minute))
    found = rows_of(archive, tmp_path)
    assert [one["text"] for one in found] == ["the essay", "a remark", "another"]
    assert len({one["post_id"] for one in found}) == 3
    assert [one["revision"] for one in found] == [1, 1, 1]


def test_a_part_of_the_archive_can_be_exported(archive: Archive, tmp_path: Path, make: Any) -> None:
    late = make.post("b", author="Bob", published=make.at(60 * 24 * 40))
    archive.save(make.thread_page((make.post("a"), late, make.post("c"))))
    elsewhere = (BoardRef("Bodies", f"{make.site}/b/3"),)
    archive.save(make.thread_page("d", thread_url=f"{make.site}/t/2", boards=elsewhere))
    other = archive.put_forum("http://other.example/", "other.example")
    url = "http://other.example/t/1"
    archive.save(make.thread_page("e", thread_url=url, forum_id=other, boards=(BoardRef("Bodies", None),)))

    def ids(**wanted: Any) -> list[str]:
        return [row["post_id"] for row in rows_of(archive, tmp_path, selection=Selection(**wanted))]

    assert ids(board="lenses") == ["a", "b", "c"]
    assert ids(board="bodies") == ["d", "e"]
    assert ids(forum="http://other.example/") == ["e"]
    assert ids(author="BOB") == ["b"]
    assert ids(since=moment("2026-06")) == ["b"]
    assert [row["position"] for row in rows_of(archive, tmp_path, selection=Selection(author="Bob"))] == [2]
    threads = rows_of(archive, tmp_path, What.THREADS, selection=Selection(author="Bob"))
    assert [row["url"] for row in threads] == [f"{make.site}/t/1"]
    assert len(rows_of(archive, tmp_path, What.BOARDS, selection=Selection(forum="other.example"))) == 1
    assert len(rows_of(archive, tmp_path, What.PAGES, selection=Selection(forum="other.example"))) == 1
    site = written(archive, tmp_path, What.POSTS, Format.HTML, selection=Selection(board="lenses"))
    assert "Bodies" not in (site / "index.html").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="no author 'Nobody'"):
        ids(author="Nobody")


def test_a_partitioned_dataset_is_read_as_one_table_with_forum_and_month(filled: Archive, tmp_path: Path) -> None:
    place = tmp_path / "posts"
    assert export_dataset(filled, place, Wanted()) == 3
    table = dataset(place, partitioning="hive").to_table()
    rows = sorted(table.to_pylist(), key=lambda row: row["position"])
    assert sorted(rows[0]) == sorted([*CONTRACT, "month"])
    assert {row["forum"] for row in rows} == {"http://forum.example/"}
    assert [row["month"] for row in rows] == ["2026-05", "2026-05", None]
    assert rows[0]["published"] == "2026-05-01T12:00:00+00:00"


def test_a_dataset_takes_several_archives_and_replaces_what_is_exported_again(
    filled: Archive, tmp_path: Path, make: Any
) -> None:
    place = tmp_path / "posts"
    export_dataset(filled, place, Wanted())
    with Archive.open(tmp_path / "other.db", create=True) as other:
        other.put_forum("http://other.example/", "other.example")
        other.save(make.thread_page("x"))
        export_dataset(other, place, Wanted())
    export_dataset(filled, place, Wanted())
    table = dataset(place, partitioning="hive").to_table()
    counts = {row["values"]: row["counts"] for row in table["forum"].value_counts().to_pylist()}
    assert counts == {"http://forum.example/": 3, "http://other.example/": 1}
    assert sorted(path.name[:6] for path in place.iterdir()) == ["forum=", "forum="]
