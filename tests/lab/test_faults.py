"""Each fault misbehaves in its own way, seen by a bare client."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest

from thrawl.lab import faults
from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named

WORLD = generate(20, seed=6, language="de")


def forum(*wanted: faults.Fault) -> ForumServer:
    return ForumServer(WORLD, skin_named("rows"), faults=wanted)


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        yield session


async def test_latency_delays_the_answer(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Latency(0.15)) as server:
        began = time.monotonic()
        async with client.get(server.url) as response:
            assert response.status == 200
        assert time.monotonic() - began >= 0.15


async def test_refusals_come_for_their_share_with_retry_after(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Refusals(429, 0.5, retry_after="7", seed=2)) as server:
        statuses = []
        for _ in range(40):
            async with client.get(server.url) as response:
                statuses.append(response.status)
                assert response.headers.get("Retry-After") == ("7" if response.status == 429 else None)
        assert 10 < statuses.count(429) < 30
        assert set(statuses) == {200, 429}


async def test_resets_cut_the_connection(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Resets()) as server:
        with pytest.raises(aiohttp.ClientConnectionError):
            await client.get(server.url)


async def test_truncation_stops_in_the_middle_of_the_body(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Truncation()) as server, client.get(server.url) as response:
        assert response.status == 200
        with pytest.raises((aiohttp.ClientPayloadError, aiohttp.ClientConnectionError)):
            await response.read()


async def test_a_wrong_charset_is_named(client: aiohttp.ClientSession) -> None:
    async with forum(faults.WrongCharset("iso-8859-1")) as server, client.get(server.url) as response:
        assert response.charset == "iso-8859-1"
        assert "Beiträge" in (await response.read()).decode("utf-8")


async def test_a_redirect_loop_never_ends(client: aiohttp.ClientSession) -> None:
    async with forum(faults.RedirectLoop()) as server:
        with pytest.raises(aiohttp.TooManyRedirects):
            await client.get(server.url, max_redirects=20)


async def test_a_bomb_is_small_on_the_wire_and_large_unpacked(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Bomb(mebibytes=20)) as server, client.get(server.url) as response:
        body = await response.read()
        assert response.headers["Content-Encoding"] == "gzip"
        assert len(body) < 100_000
        assert len(gzip.decompress(body)) == 20 * 1024 * 1024


async def test_a_header_flood_has_more_headers_than_anybody_reads() -> None:
    async with forum(faults.HeaderFlood(kibibytes=100)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.origin.rsplit(":", 1)[1]), limit=2**22)
        writer.write(b"GET / HTTP/1.1\r\nHost: forum\r\nConnection: close\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        assert len(head) > 100_000


async def test_a_drip_sends_byte_by_byte(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Drip(pause=0.02)) as server, client.get(server.url) as response:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(response.read(), 0.3)


async def test_a_flood_sends_more_than_any_page(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Flood(mebibytes=12)) as server, client.get(server.url) as response:
        got = 0
        async for chunk in response.content.iter_chunked(2**16):
            got += len(chunk)
        assert got == 12 * 1024 * 1024


async def test_a_fault_can_strike_one_part_of_the_site_only(client: aiohttp.ClientSession) -> None:
    async with forum(faults.Refusals(503, 1.0, where="hilfe")) as server:
        statuses = {}
        for path in ("/", "/hilfe.html"):
            async with client.get(server.origin + path) as response:
                statuses[path] = response.status
        assert statuses == {"/": 200, "/hilfe.html": 503}


def test_every_fault_has_a_name() -> None:
    assert all(name == fault.name for name, fault in faults.FAULTS.items())
    assert len(faults.FAULTS) >= 9
