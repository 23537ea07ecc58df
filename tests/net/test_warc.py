"""What was fetched is on disk, byte for byte, and comes back as a fetcher."""

from __future__ import annotations

import asyncio
import gzip
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from thrawl.errors import ArchiveError, InputError, LimitExceeded, NotInReplay
from thrawl.net.message import Request
from thrawl.net.options import FetchLimits
from thrawl.net.transfer import Exchange
from thrawl.net.warc import WarcWriter
from thrawl.net.warc_replay import WarcReplay

MOMENT = datetime(2026, 5, 1, 12, 0, 0, 123456, UTC)
PAGE = b"<html><p>a post</p></html>" * 100


def exchange(url="http://a.test/", body=PAGE, *headers, status=200, minutes=0, sent=(("Host", "a.test"),)):
    given = (("Content-Type", "text/html"), *headers)
    moment = MOMENT + timedelta(minutes=minutes)
    return Exchange(url, tuple(sent), status, "Fine", given, body, body, moment, 0.1)


async def write(folder, *exchanges, **options):
    writer = WarcWriter(folder, **options)
    for one in exchanges:
        await writer.record(one)
    await writer.close()
    return sorted(Path(folder).iterdir())


def records(file):
    with file.open("rb") as opened:
        return [
            (record.rec_type, record.rec_headers, record.http_headers, record.raw_stream.read())
            for record in ArchiveIterator(opened, check_digests="raise")
        ]


async def test_a_live_fetch_is_kept_as_it_travelled(server, net, make_client, tmp_path):
    packed = gzip.compress(PAGE)
    server.on("/a", net.reply(b"", "Location: /b", status="302 Found"))
    server.on("/b", net.reply(packed, "Content-Encoding: gzip", "X-Odd: caf\xe9", "Set-Cookie: sid=1"))
    writer = WarcWriter(tmp_path)
    client = make_client(recorder=writer)
    live = await client.fetch(Request(server.url + "/a"))
    await client.fetch(Request(server.url + "/b"))
    await writer.close()
    kept = records(next(tmp_path.iterdir()))
    assert [kind for kind, *_ in kept] == [
        "warcinfo",
        "response",
        "request",
        "response",
        "request",
        "revisit",
        "request",
    ]
    assert kept[3][3] == packed
    assert all("sid" not in str(headers) for kind, _, headers, _ in kept if kind == "request")
    replay = await WarcReplay(tmp_path).fetch(Request(server.url + "/a"))
    assert (replay.body, replay.url, replay.hops, replay.status) == (live.body, live.url, live.hops, 200)
    assert replay.header("content-encoding") is None


async def test_header_bytes_are_not_changed(tmp_path):
    (file,) = await write(tmp_path, exchange("http://a.test/", PAGE, ("X-Odd", "caf\xe9")))
    assert b"X-Odd: caf\xe9\r\n" in gzip.decompress(file.read_bytes())


async def test_every_record_is_a_gzip_member_of_its_own(tmp_path):
    (file,) = await write(tmp_path, exchange(), exchange("http://a.test/2", b"two"))
    assert file.read_bytes().count(b"\x1f\x8b\x08") >= 5


async def test_an_unchanged_page_becomes_a_revisit(tmp_path):
    (file,) = await write(tmp_path, exchange(), exchange(minutes=5), exchange(status=304, body=b"", minutes=9))
    kept = [(kind, headers) for kind, headers, *_ in records(file) if kind in ("response", "revisit")]
    assert [kind for kind, _ in kept] == ["response", "revisit", "revisit"]
    assert kept[1][1].get_header("WARC-Refers-To-Date") == "2026-05-01T12:00:00.123456Z"
    assert "server-not-modified" in kept[2][1].get_header("WARC-Profile")
    response = await WarcReplay(tmp_path).fetch(Request("http://a.test/"))
    assert (response.body, response.status, response.fetched) == (PAGE, 200, MOMENT + timedelta(minutes=9))


async def test_the_latest_record_wins_but_an_outage_does_not(tmp_path):
    await write(tmp_path, exchange(body=b"new", minutes=5), exchange(body=b"old"))
    await write(tmp_path, exchange(body=b"busy", status=503, minutes=9))
    assert (await WarcReplay(tmp_path).fetch(Request("http://a.test/"))).body == b"new"


async def test_a_record_is_on_disk_when_the_call_comes_back(tmp_path):
    writer = WarcWriter(tmp_path)
    await asyncio.gather(*(writer.record(exchange(f"http://a.test/{n}", b"%d" % n)) for n in range(20)))
    replay = WarcReplay(tmp_path)
    assert len(replay) == 20
    await writer.close()


async def test_files_are_changed_at_their_size(tmp_path):
    files = await write(tmp_path, *(exchange(f"http://a.test/{n}", b"%d" % n) for n in range(5)), max_bytes=500)
    assert len(files) > 1
    assert len(WarcReplay(tmp_path)) == 5


async def test_a_disk_that_is_full_is_told_and_leaves_no_half_record(tmp_path, monkeypatch):
    writer = WarcWriter(tmp_path)
    await writer.record(exchange())

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ArchiveError, match="No space left"):
        await writer.record(exchange("http://a.test/2"))
    monkeypatch.undo()
    await writer.close()
    assert len(WarcReplay(tmp_path)) >= 1


def test_a_file_where_the_folder_should_be_is_told(tmp_path):
    (tmp_path / "x").write_text("")
    with pytest.raises(InputError, match="is a file"):
        WarcWriter(tmp_path / "x")


def test_a_missing_warc_is_told(tmp_path):
    with pytest.raises(InputError, match="There is no WARC file"):
        WarcReplay(tmp_path / "none.warc.gz")
    with pytest.raises(InputError, match="holds no WARC files"):
        WarcReplay(tmp_path)


@pytest.mark.parametrize(
    "content",
    [b"hello, I am no WARC", b"\x1f\x8b\x08\x00garbage", gzip.compress(b"no WARC either", mtime=0), b""],
    ids=["text", "broken gzip", "gzip of something else", "nothing"],
)
def test_a_file_that_is_no_warc_is_told(tmp_path, content):
    file = tmp_path / "a.warc.gz"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.warc\.gz is damaged at byte 0"):
        WarcReplay(file)


async def test_damage_in_the_middle_is_told_with_its_place(tmp_path):
    (file,) = await write(tmp_path, *(exchange(f"http://a.test/{n}", bytes([n]) * 999) for n in range(9)))
    data = bytearray(file.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 40] = b"\xff" * 40
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"damaged at byte \d+"):
        WarcReplay(file)


async def test_a_file_cut_short_anywhere_keeps_what_stands_before(tmp_path):
    (file,) = await write(tmp_path, *(exchange(f"http://a.test/{n}", b"%d" % n * 50) for n in range(3)))
    data = file.read_bytes()
    counts = set()
    for end in range(data.index(b"\x1f\x8b\x08", 1), len(data), 7):
        file.write_bytes(data[:end])
        counts.add(len(WarcReplay(file)))
    assert counts == {0, 1, 2, 3}


async def test_plain_warc_files_of_others_are_read(tmp_path):
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.test/>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(chunked)
    )
    file = tmp_path / "a.warc"
    file.write_bytes(head + chunked + b"\r\n\r\n")
    assert (await WarcReplay(file).fetch(Request("http://a.test/"))).body == b"hello"


async def test_a_url_that_no_record_holds_is_an_error(tmp_path):
    await write(tmp_path, exchange())
    with pytest.raises(NotInReplay):
        await WarcReplay(tmp_path).fetch(Request("http://a.test/other"))


async def test_limits_hold_on_stored_bodies_too(tmp_path):
    bomb = gzip.compress(bytes(5_000_000))
    await write(tmp_path, exchange("http://a.test/", bomb, ("Content-Encoding", "gzip")))
    with pytest.raises(LimitExceeded):
        await WarcReplay(tmp_path, limits=FetchLimits(body_bytes=100_000)).fetch(Request("http://a.test/"))


BODIES = st.binary(max_size=300) | st.sampled_from([PAGE, b"\r\n\r\n", b"WARC/1.0\r\n", gzip.compress(b"x")])
NAMES = st.sampled_from([f"http://a.test/{n}" for n in range(4)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NAMES, BODIES, st.sampled_from([200, 200, 404])), min_size=1, max_size=8))
def test_what_goes_in_comes_out(pages):
    async def round_trip(folder):
        written = [
            exchange(url, body, status=status, minutes=minute) for minute, (url, body, status) in enumerate(pages)
        ]
        await write(folder, *written)
        replay = WarcReplay(folder)
        for url, last in {one.url: one for one in written}.items():
            response = await replay.fetch(Request(url))
            assert (response.body, response.status, response.fetched) == (last.body, last.status, last.fetched)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(round_trip(folder))
