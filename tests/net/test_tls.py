"""https: certificates are checked, and a proxy only tunnels."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest

from thrawl.errors import FetchError
from thrawl.net.message import Request

CERTIFICATE = Path(__file__).with_name("loopback.pem")


@pytest.fixture
async def secure(server, net):
    """A port that answers with a page over TLS, under a certificate that nobody vouches for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    server.on("/", net.reply(b"secret"))
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=context)
    yield listening.sockets[0].getsockname()[1]
    listening.close()


@pytest.fixture
async def tunnel(secure):
    """A proxy that connects every name to the secure port; gives its URL and the list of what was asked of it."""
    asked: list[bytes] = []

    async def pump(reader, writer):
        while data := await reader.read(65536):
            writer.write(data)
        writer.close()

    async def serve(reader, writer):
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        there = await asyncio.open_connection("127.0.0.1", secure)
        writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        await asyncio.gather(pump(reader, there[1]), pump(there[0], writer), return_exceptions=True)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield f"http://me:secret@127.0.0.1:{listening.sockets[0].getsockname()[1]}", asked
    listening.close()


async def test_a_certificate_that_nobody_vouches_for_is_an_error_in_words(secure, get):
    with pytest.raises(FetchError, match="TLS certificate is not valid"):
        await get(f"https://127.0.0.1:{secure}/")


async def test_certificates_need_not_be_checked_when_the_user_says_so(secure, make_client):
    client = make_client(verify_tls=False)
    assert (await client.fetch(Request(f"https://127.0.0.1:{secure}/"))).body == b"secret"


async def test_plain_http_where_tls_is_expected_is_an_error_in_words(get, net):
    async def plain(reader, writer):
        writer.write(net.reply(b"speak plainly", status="400 Bad Request"))
        writer.close()

    listening = await asyncio.start_server(plain, "127.0.0.1", 0)
    with pytest.raises(FetchError, match="no TLS connection"):
        await get(f"https://127.0.0.1:{listening.sockets[0].getsockname()[1]}/")
    listening.close()


async def test_a_proxy_tunnels_https_and_sees_no_headers_of_ours(tunnel, make_client, server):
    proxy, asked = tunnel
    client = make_client(proxy=proxy, start_url="https://forum.test/", verify_tls=False)
    assert (await client.fetch(Request("https://forum.test/"))).body == b"secret"
    assert asked[0].startswith(b"CONNECT forum.test:443 ")
    assert b"Proxy-Authorization" in asked[0]
    assert "proxy-authorization" not in server.asked[0].headers


async def test_a_proxy_that_refuses_to_connect_is_told(server, net, make_client):
    server.on("forum.test:443", net.reply(b"", status="403 Forbidden"))
    client = make_client(proxy=server.url, start_url="https://forum.test/")
    with pytest.raises(FetchError, match="proxy answered 403"):
        await client.fetch(Request("https://forum.test/"))


async def test_a_proxy_that_is_not_there_is_told(make_client):
    client = make_client(proxy="http://127.0.0.1:1", start_url="http://forum.test/")
    with pytest.raises(FetchError, match=r"the proxy 127\.0\.0\.1:1 cannot be reached"):
        await client.fetch(Request("http://forum.test/"))
