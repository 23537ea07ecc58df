"""Servers that mean harm: each limit holds, the error says which, and the client goes on with the next URL."""

from __future__ import annotations

import asyncio
import gzip
import random
import time
import tracemalloc
import zlib
from dataclasses import replace

import brotli
import pytest

from thrawl.errors import FetchError, LimitExceeded, UrlRefused
from thrawl.net.decode import zstd
from thrawl.net.message import Request, Response
from thrawl.net.options import FetchLimits
from thrawl.net.retry import TooManyRedirects, TooSlow

SMALL = FetchLimits(body_bytes=100_000, ratio_free_bytes=10_000, total_seconds=20.0, backoff_seconds=0.001)
KNOWN = {FetchError, LimitExceeded, UrlRefused, TooManyRedirects, TooSlow}
ZEROS = bytes(50_000_000)
BOMBS = {
    "gzip": lambda: gzip.compress(ZEROS),
    "deflate": lambda: zlib.compress(ZEROS),
    "br": lambda: brotli.compress(ZEROS, quality=1),
    "zstd": lambda: zstd.compress(ZEROS),
}


@pytest.fixture
def fetch(make_client):
    client = make_client(limits=SMALL)

    async def ask(url):
        return await client.fetch(Request(url))

    return ask


async def still_works(server, net, fetch):
    response = await fetch(server.on("/fine", net.reply(b"fine")))
    return response.body == b"fine"


@pytest.mark.parametrize("encoding", list(BOMBS))
async def test_a_bomb_is_stopped_before_it_unfolds(server, net, fetch, encoding):
    url = server.on("/", net.reply(BOMBS[encoding](), f"Content-Encoding: {encoding}"))
    tracemalloc.start()
    with pytest.raises(LimitExceeded, match=r"larger than|times its size"):
        await fetch(url)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000
    assert await still_works(server, net, fetch)


async def test_a_small_body_that_unpacks_too_far_breaks_the_ratio(server, net, fetch):
    url = server.on("/", net.reply(gzip.compress(bytes(90_000)), "Content-Encoding: gzip"))
    with pytest.raises(LimitExceeded, match="more than 200 times its size"):
        await fetch(url)


async def test_a_well_compressed_page_below_the_free_size_is_fine(server, net, fetch):
    url = server.on("/", net.reply(gzip.compress(bytes(10_000)), "Content-Encoding: gzip"))
    assert len((await fetch(url)).body) == 10_000


async def test_thousands_of_empty_gzip_members_are_an_error(server, net, fetch):
    with pytest.raises(LimitExceeded, match="64 gzip streams"):
        await fetch(server.on("/", net.reply(gzip.compress(b"") * 2000, "Content-Encoding: gzip")))


async def test_a_damaged_compressed_body_is_an_error(server, net, fetch):
    packed = bytearray(gzip.compress(b"words " * 1000))
    packed[20:30] = b"\xff" * 10
    with pytest.raises(FetchError, match="gzip body is damaged"):
        await fetch(server.on("/", net.reply(bytes(packed), "Content-Encoding: gzip")))


async def test_a_body_over_the_limit_is_refused_by_its_length_alone(server, net, fetch):
    with pytest.raises(LimitExceeded, match="larger than 100000 bytes"):
        await fetch(server.on("/", net.reply(b"", length=10**12)))
    assert await still_works(server, net, fetch)


async def test_a_body_at_the_limit_is_fine_and_one_byte_more_is_not(server, net, fetch):
    assert len((await fetch(server.on("/", net.reply(b"x" * 100_000)))).body) == 100_000
    with pytest.raises(LimitExceeded):
        await fetch(server.on("/", b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_001))


async def test_an_endless_body_is_stopped_at_the_limit(server, net, fetch):
    async def endless(asked, writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 10_000)
            await writer.drain()

    with pytest.raises(LimitExceeded, match="larger than"):
        await fetch(server.on("/", endless))
    assert await still_works(server, net, fetch)


async def drip(asked, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def drip_headers(asked, writer):
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-A: b\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("dripping", [drip, drip_headers])
async def test_a_server_that_drips_is_stopped_by_the_one_deadline(server, net, make_client, dripping):
    client = make_client(limits=replace(SMALL, total_seconds=0.5, first_byte_seconds=0.4))
    began = time.monotonic()
    with pytest.raises(LimitExceeded, match=r"within 0\.5 s"):
        await client.fetch(Request(server.on("/", dripping)))
    assert time.monotonic() - began < 60
    assert (await client.fetch(Request(server.on("/fine", net.reply(b"fine"))))).body == b"fine"


async def test_a_server_that_never_answers_is_stopped_at_the_first_byte(server, net, make_client):
    async def silent(asked, writer):
        await asyncio.sleep(30)

    client = make_client(limits=FetchLimits(first_byte_seconds=0.1, retries=1, backoff_seconds=0.001))
    with pytest.raises(FetchError, match=r"sent nothing for 0.1 s \(2 tries\)"):
        await client.fetch(Request(server.on("/", silent)))


async def test_many_headers_are_stopped(server, net, fetch):
    with pytest.raises(LimitExceeded, match="65536 bytes of headers"):
        await fetch(server.on("/", net.reply(b"", *[f"X-{n}: {'v' * 50}" for n in range(3000)])))
    assert await still_works(server, net, fetch)


async def test_one_huge_header_is_stopped(server, net, fetch):
    with pytest.raises(LimitExceeded, match="bytes of headers"):
        await fetch(server.on("/", net.reply(b"", f"X-A: {'v' * 70_000}")))


async def test_headers_that_are_too_large_together_are_stopped(server, net, fetch):
    with pytest.raises(LimitExceeded, match="bytes of headers"):
        await fetch(server.on("/", net.reply(b"", *[f"X-{n}: {'v' * 7000}" for n in range(10)])))


async def test_many_headers_within_the_limit_are_fine(server, net, fetch):
    assert (await fetch(server.on("/", net.reply(b"x", *[f"X-{n}: {'v' * 500}" for n in range(100)])))).status == 200


async def test_any_mess_is_a_response_or_an_error_for_that_url(server, net, make_client):
    """Proper answers with bytes changed, dropped and doubled: whatever comes, only a FetchError may come of it."""
    client = make_client(limits=replace(SMALL, total_seconds=0.3, first_byte_seconds=0.2, retries=0))
    dice = random.Random(7)
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    packed = net.reply(gzip.compress(b"words " * 50), "Content-Encoding: gzip", "Set-Cookie: a=b", "Retry-After: 1")
    moved = net.reply(b"", "Location: /elsewhere?a=b", status="302 Found")
    urls = []
    for number in range(150):
        data = bytearray(dice.choice((chunked, packed, moved)))
        for _ in range(dice.randint(1, 4)):
            begin = dice.randrange(len(data))
            data[begin : begin + dice.randint(0, 5)] = dice.choice((b"", b"\x00", b"\r\n", b"9", dice.randbytes(4)))
        urls.append(server.on(f"/{number}", bytes(data) + net.cut))
    results = await asyncio.gather(*(client.fetch(Request(url)) for url in urls), return_exceptions=True)
    assert {type(result) for result in results if isinstance(result, BaseException)} <= KNOWN
    assert any(isinstance(result, Response) for result in results)


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://0.0.0.0/",
        "http://2130706434/",
    ],
)
async def test_a_redirect_to_a_private_address_is_refused(server, net, fetch, target):
    with pytest.raises(UrlRefused, match="not an address of the public internet"):
        await fetch(server.on("/", net.reply(b"", f"Location: {target}", status="302 Found")))


async def test_a_name_that_resolves_to_a_private_address_is_refused(server, net, make_client):
    client = make_client(start_url="http://forum.test/", resolver=net.resolver({"evil.test": [["127.0.0.1"]]}))
    with pytest.raises(UrlRefused):
        await client.fetch(Request(f"http://evil.test:{server.port}/"))
    assert not server.asked


async def test_the_host_of_the_start_url_opens_its_own_address_only(server, net, make_client):
    names = {"intra.test": [["127.0.0.1"]], "other.test": [["127.0.0.2"]]}
    client = make_client(start_url="http://intra.test/", resolver=net.resolver(names))
    server.on("/", net.reply(b"inside"))
    assert (await client.fetch(Request(f"http://intra.test:{server.port}/"))).body == b"inside"
    with pytest.raises(UrlRefused):
        await client.fetch(Request(f"http://other.test:{server.port}/"))


async def test_private_addresses_are_allowed_when_asked_for(server, net, make_client):
    client = make_client(start_url=None, allow_private=True)
    assert (await client.fetch(Request(server.on("/", net.reply(b"x"))))).status == 200


async def test_cancelling_a_fetch_frees_its_turn(server, net, make_client):
    client = make_client(concurrency=1)
    task = asyncio.create_task(client.fetch(Request(server.on("/drip", drip))))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await client.fetch(Request(server.on("/", net.reply(b"x"))))).status == 200
    assert [state.active for state in client.pace_states()] == [0]
