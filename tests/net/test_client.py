"""The live client against a real server: redirects, retries, cookies, conditional requests, proxies."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import brotli
import pytest

from thrawl._version import __version__
from thrawl.errors import FetchError, InputError, LimitExceeded, UrlRefused, UsageError
from thrawl.net.decode import zstd
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions, FetchLimits

PAGE = b"<html><title>Lenses</title>" + b"<p>a post</p>" * 500


async def test_a_page_comes_with_its_status_headers_and_text(server, net, get):
    url = server.on("/", net.reply("<p>Grüße</p>".encode(), "Content-Type: text/html; charset=utf-8", "X-A: b"))
    response = await get(url + "#fragment")
    assert (response.status, response.url, response.text) == (200, url, "<p>Grüße</p>")
    assert response.header("x-a") == "b"
    assert response.is_html
    assert response.elapsed > 0


@pytest.mark.parametrize(
    ("kind", "body", "is_html"),
    [
        ("text/html", PAGE, True),
        ("application/xhtml+xml", b'<?xml version="1.0"?><html><p>a post</p></html>', True),
        ("application/rss+xml", b"<rss><item>a post</item></rss>", False),
        ("text/html", b'<?xml version="1.0"?><rss><item>a post</item></rss>', False),
        ("text/html", b"<html><!-- <rdf:RDF/> --><p>a post</p></html>", True),
        ("application/pdf", b"%PDF", False),
    ],
)
async def test_a_feed_is_no_page_whatever_it_is_called(server, net, get, kind, body, is_html):
    response = await get(server.on("/", net.reply(body, f"Content-Type: {kind}")))
    assert response.is_html == is_html


async def test_requests_say_honestly_who_asks(server, net, make_client):
    url = server.on("/", net.reply(PAGE))
    await make_client(contact="archive@example.org").fetch(Request(url))
    assert server.asked[0].headers["user-agent"] == f"Thrawl/{__version__} (+archive@example.org)"


def test_without_a_contact_no_contact_is_made_up():
    assert ClientOptions().user_agent == f"Thrawl/{__version__} (forum archiver)"


async def test_a_turn_is_waited_for_behind_robots_txt_and_behind_each_redirect(server, net, make_client):
    server.on("/robots.txt", net.reply(b"", "Content-Type: text/plain"))
    server.on("/a", net.reply(b"", "Location: /b", status="302 Found"))
    server.on("/b", net.reply(b"", "Location: /c", status="302 Found"))
    server.on("/c", net.reply(PAGE))
    asked_before = []

    async def turn() -> None:
        asked_before.append(len(server.asked))

    client = make_client(obey_robots=True)
    await client.fetch(Request(f"{server.url}/a", turn=turn))
    assert asked_before == [1, 2, 3]
    await client.fetch(Request(f"{server.url}/c", turn=turn))
    assert asked_before == [1, 2, 3]


async def test_requests_to_a_host_start_a_delay_apart(server, net, make_client):
    client = make_client(delay=0.15)
    url = server.on("/", net.reply(PAGE))
    began = time.monotonic()
    await asyncio.gather(*(client.fetch(Request(url)) for _ in range(3)))
    assert 0.3 <= time.monotonic() - began < 60


async def test_a_host_that_is_busy_is_asked_more_slowly_until_it_recovers(server, net, make_client):
    client = make_client()
    busy = net.reply(b"", status="429 Slow down")
    slowed = []

    def answer(asked):
        slowed.append(client.pace_states()[0])
        return net.reply(PAGE)

    await client.fetch(Request(server.on("/", [busy, answer])))
    assert slowed[0].delay > 0
    assert slowed[0].trouble == "HTTP 429"
    for _ in range(5):
        await client.fetch(Request(server.on("/", net.reply(PAGE))))
    assert client.pace_states()[0].delay == 0


async def test_a_closed_client_fetches_nothing(server, net, make_client):
    client = make_client()
    await client.close()
    with pytest.raises(FetchError, match="client was closed"):
        await client.fetch(Request(server.on("/", net.reply(PAGE))))


async def test_connections_are_kept_alive(server, net, get):
    url = server.on("/", net.reply(PAGE))
    for _ in range(5):
        await get(url)
    assert server.connections == 1


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("br", brotli.compress),
        ("zstd", zstd.compress),
        ("gzip", lambda data: gzip.compress(data[:100]) + gzip.compress(data[100:])),
        ("zstd", lambda data: zstd.compress(data[:100]) + zstd.compress(data[100:])),
        ("gzip", lambda data: data),
        ("identity", lambda data: data),
    ],
    ids=["gzip", "zlib", "raw deflate", "brotli", "zstd", "two members", "two frames", "plain as gzip", "identity"],
)
async def test_compressed_bodies_are_unpacked(server, net, get, encoding, pack):
    url = server.on("/", net.reply(pack(PAGE), f"Content-Encoding: {encoding}"))
    response = await get(url)
    assert response.body == PAGE
    assert response.header("content-encoding") is None


async def test_an_unknown_content_encoding_is_an_error_in_words(server, net, get):
    with pytest.raises(FetchError, match="content encoding 'compress'"):
        await get(server.on("/", net.reply(PAGE, "Content-Encoding: compress")))


async def test_a_content_encoding_that_is_a_mistake_means_plain(server, net, get):
    assert (await get(server.on("/", net.reply(PAGE, "Content-Encoding: UTF-8")))).body == PAGE


async def test_chunked_bodies_are_joined(server, get):
    url = server.on("/", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert (await get(url)).body == b"abcde"


async def test_redirects_are_followed_and_recorded(server, net, get):
    a = server.on("/a", net.reply(b"", "Location: b?x=1", status="302 Found"))
    b = server.on("/b?x=1", net.reply(b"", "Location: /c#top", status="301 Moved"))
    c = server.on("/c", net.reply(PAGE))
    response = await get(a)
    assert response.url == c
    assert response.requested == a
    assert [(hop.url, hop.status, hop.location) for hop in response.hops] == [(a, 302, b), (b, 301, c)]


async def test_a_redirect_with_raw_utf8_is_followed(server, net, get):
    a = server.on("/a", net.reply(b"", "Location: /th\xc3\xa9", status="302 Found"))
    server.on("/th%C3%A9", net.reply(PAGE))
    assert (await get(a)).status == 200


async def test_redirects_in_a_circle_end_early(server, net, get):
    a = server.on("/a", net.reply(b"", "Location: /b", status="302 Found"))
    server.on("/b", net.reply(b"", "Location: /a", status="302 Found"))
    with pytest.raises(LimitExceeded, match="circle"):
        await get(a)
    assert len(server.asked) < 10


async def test_a_page_may_send_a_visitor_to_itself_with_a_cookie(server, net, get):
    def answer(asked):
        if "cookie" in asked.headers:
            return net.reply(PAGE)
        return net.reply(b"", "Location: /a", "Set-Cookie: seen=1", status="302 Found")

    assert (await get(server.on("/a", answer))).status == 200


async def test_more_than_ten_redirects_are_an_error(server, net, get):
    for n in range(12):
        server.on(f"/{n}", net.reply(b"", f"Location: /{n + 1}", status="302 Found"))
    with pytest.raises(LimitExceeded, match="more than 10"):
        await get(server.url + "/0")
    assert len(server.asked) == 11


@pytest.mark.parametrize(
    "location", ["ftp://a.test/", "javascript:alert(1)", "file:///etc/passwd", "http://[", "http://:80/"]
)
async def test_redirects_to_what_is_no_web_page_are_refused(server, net, get, location):
    with pytest.raises(UrlRefused):
        await get(server.on("/", net.reply(b"", f"Location: {location}", status="302 Found")))


@pytest.mark.parametrize("status", ["503 Busy", "500 Oops", "429 Slow down", "502 Bad gateway"])
async def test_errors_of_the_server_are_tried_again(server, net, get, status):
    url = server.on("/", [net.reply(b"", status=status), net.reply(b"", status=status), net.reply(PAGE)])
    assert (await get(url)).status == 200
    assert len(server.asked) == 3


async def test_an_error_that_stays_is_a_response(server, net, make_client):
    limits = FetchLimits(backoff_seconds=0.001, retries=3)
    url = server.on("/", net.reply(b"busy", status="503 Busy"))
    response = await make_client(limits=limits).fetch(Request(url))
    assert (response.status, response.body) == (503, b"busy")
    assert len(server.asked) == 4


async def test_a_missing_page_is_a_response_and_not_tried_again(server, get):
    assert (await get(server.url + "/none")).status == 404
    assert len(server.asked) == 1


async def test_retry_after_is_waited_for_in_seconds_and_as_a_date(server, net, make_client):
    client = make_client(limits=FetchLimits(backoff_seconds=0.001, retry_after_seconds=0.2))
    soon = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    for n, value in enumerate(("1", soon)):
        busy = net.reply(b"", f"Retry-After: {value}", status="429 Slow down")
        url = server.on(f"/{n}", [busy, net.reply(PAGE)])
        began = time.monotonic()
        assert (await client.fetch(Request(url))).status == 200
        assert 0.2 <= time.monotonic() - began < 60


async def test_a_connection_that_breaks_in_mid_body_is_tried_again(server, net, get):
    broken = net.reply(PAGE[:100] + net.cut, length=len(PAGE))
    assert (await get(server.on("/", [broken, broken, net.reply(PAGE)]))).body == PAGE


async def test_a_connection_that_breaks_before_the_answer_is_tried_again(server, net, get):
    assert (await get(server.on("/", [b"HTTP/1.1 200" + net.cut, net.cut, net.reply(PAGE)]))).body == PAGE


async def test_a_compressed_body_that_ends_early_is_tried_again(server, net, get):
    packed = gzip.compress(PAGE)
    short = net.reply(packed[:-20], "Content-Encoding: gzip")
    assert (await get(server.on("/", [short, net.reply(packed, "Content-Encoding: gzip")]))).body == PAGE


async def test_a_body_always_shorter_than_its_length_is_an_error_in_words(server, net, make_client):
    limits = FetchLimits(backoff_seconds=0.001, retries=2)
    url = server.on("/", net.reply(PAGE + net.cut, length=10**6))
    with pytest.raises(FetchError, match=r"broke off before its end \(3 tries\)"):
        await make_client(limits=limits).fetch(Request(url))


async def test_what_is_no_http_is_an_error_in_words(server, net, get):
    with pytest.raises(FetchError, match="not proper HTTP"):
        await get(server.on("/", b"SSH-2.0-OpenSSH_9.2\r\n\r\n" + net.cut))


async def test_a_closed_port_is_an_error_in_words(start_server, get):
    with pytest.raises(FetchError, match=r"127.0.0.1:1 cannot be reached \(Connection refused\)"):
        await get("http://127.0.0.1:1/")


async def test_an_unknown_host_is_an_error_in_words_and_not_tried_again(net, make_client):
    client = make_client(resolver=net.resolver({}))
    with pytest.raises(FetchError, match=r"host name nowhere\.test is unknown"):
        await client.fetch(Request("http://nowhere.test/"))


async def test_validators_make_a_request_conditional(server, net, get):
    def answer(asked):
        fresh = asked.headers.get("if-none-match") == '"v1"'
        return net.reply(b"", 'ETag: "v1"', status="304 Not Modified") if fresh else net.reply(PAGE, 'ETag: "v1"')

    url = server.on("/", answer)
    first = await get(url)
    again = await get(url, etag=first.header("etag"), last_modified="Fri, 01 May 2026 12:00:00 GMT")
    assert (first.status, again.status, again.body) == (200, 304, b"")
    assert server.asked[1].headers["if-modified-since"] == "Fri, 01 May 2026 12:00:00 GMT"


async def test_a_validator_cannot_bring_header_lines_with_it(server, net, get):
    await get(server.on("/", net.reply(PAGE)), etag='"x"\r\nX-Evil: 1')
    assert "x-evil" not in server.asked[0].headers


async def test_cookies_go_back_to_their_host_and_to_no_other(server, net, make_client):
    client = make_client(
        resolver=net.resolver({"a.test": [["127.0.0.1"]], "b.test": [["127.0.0.1"]]}), allow_private=True
    )
    a, b = f"http://a.test:{server.port}", f"http://b.test:{server.port}"

    def answer(asked):
        onward = f"{b}/" if "cookie" in asked.headers else f"{a}/set"
        line = "Set-Cookie: sid=1; Domain=.test; Path=/"
        return net.reply(b"", line, f"Location: {onward}", status="302 Found")

    server.on("/set", answer)
    server.on("/", net.reply(PAGE))
    await client.fetch(Request(f"{a}/set"))
    await client.fetch(Request(f"{a}/"))
    await client.fetch(Request(f"{a}/", cookies=False))
    assert [asked.headers.get("cookie") for asked in server.asked] == [None, "sid=1", None, "sid=1", None]


async def test_a_host_that_sends_nobody_back_for_its_cookies_sees_a_stranger_each_time(server, net, get):
    server.on("/", net.reply(PAGE, "Set-Cookie: only=board-3; Path=/"))
    server.on("/on", net.reply(b"", "Set-Cookie: only=board-4; Path=/", "Location: /", status="302 Found"))
    for path in ("/", "/on", "/"):
        await get(server.url + path)
    assert [asked.headers.get("cookie") for asked in server.asked] == [None] * 4


async def test_a_host_that_writes_its_cookie_into_links_gets_it_back(server, net, get):
    url = server.on(
        "/", net.reply(b"<a href='/b?sid=k3271oi0i4kje19'>x</a>", "Set-Cookie: sid=k3271oi0i4kje19; Path=/")
    )
    for _ in range(2):
        await get(url)
    assert [asked.headers.get("cookie") for asked in server.asked] == [None, "sid=k3271oi0i4kje19"]


async def test_cookies_that_a_host_changes_follow_those_that_the_user_gave(server, net, make_client, tmp_path):
    file = tmp_path / "cookies.txt"
    file.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc\n")
    client = make_client(cookies_file=file)
    url = server.on("/", net.reply(PAGE, "Set-Cookie: session=def; Path=/"))
    for _ in range(2):
        await client.fetch(Request(url))
    assert [asked.headers["cookie"] for asked in server.asked] == ["session=abc", "session=def"]


async def test_a_request_without_cookies_keeps_none(server, net, get):
    url = server.on("/", net.reply(PAGE, "Set-Cookie: sid=1"))
    await get(url, cookies=False)
    await get(url)
    assert "cookie" not in server.asked[1].headers


async def test_cookies_of_a_file_are_sent(server, net, make_client, tmp_path):
    file = tmp_path / "cookies.txt"
    lines = ["# Netscape HTTP Cookie File", "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc"]
    file.write_text("\n".join(lines))
    await make_client(cookies_file=file).fetch(Request(server.on("/", net.reply(PAGE))))
    assert server.asked[0].headers["cookie"] == "session=abc"


def test_a_cookies_file_that_is_none_is_told(make_client, tmp_path):
    file = tmp_path / "cookies.txt"
    file.write_text("hello")
    with pytest.raises(InputError, match="Netscape"):
        make_client(cookies_file=file)
    with pytest.raises(InputError, match="cannot be read"):
        make_client(cookies_file=tmp_path / "none")


async def test_a_proxy_gets_the_whole_url_and_resolves_the_name(server, net, make_client):
    server.on("/x", net.reply(PAGE))
    client = make_client(proxy=server.url, start_url="http://forum.test/")
    assert (await client.fetch(Request("http://forum.test/x"))).status == 200
    assert server.asked[0].target == "http://forum.test/x"


async def test_behind_a_proxy_literal_addresses_are_still_refused(server, net, make_client):
    server.on("/", net.reply(b"", "Location: http://169.254.169.254/keys", status="302 Found"))
    client = make_client(proxy=server.url, start_url="http://forum.test/")
    with pytest.raises(UrlRefused):
        await client.fetch(Request("http://forum.test/"))
    for host in ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]"):
        with pytest.raises(UrlRefused):
            await client.fetch(Request(f"http://{host}/"))
    assert len(server.asked) == 1


async def test_the_environment_names_a_proxy_and_its_exceptions(server, net, make_client, monkeypatch):
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "example.org, .direct.test")
    server.on("/", net.reply(PAGE))
    client = make_client(use_environment_proxies=True, resolver=net.resolver({}))
    assert (await client.fetch(Request("http://forum.test/"))).status == 200
    for host in ("a.direct.test", "example.org"):
        with pytest.raises(FetchError, match="unknown"):
            await client.fetch(Request(f"http://{host}/"))


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "http://", "http://a:b:c"])
def test_an_unusable_proxy_is_wrong_usage(make_client, proxy):
    with pytest.raises(UsageError, match="proxy"):
        make_client(proxy=proxy)


def test_an_unusable_start_url_is_wrong_usage(make_client):
    with pytest.raises(UsageError, match="only http and https"):
        make_client(start_url="ftp://forum.test/")


@pytest.mark.parametrize("wrong", [{"delay": -1}, {"concurrency": 0}, {"contact": "a\nb"}, {"delay": float("nan")}])
def test_options_out_of_range_are_wrong_usage(wrong):
    with pytest.raises(UsageError):
        ClientOptions(**wrong)


async def test_a_share_of_faults_never_loses_a_page(server, net, get):
    """As the replay of mirrors with --fail 0.1 --reset 0.03."""
    count = 0

    def answer(asked):
        nonlocal count
        count += 1
        if count % 7 == 0:
            return net.reply(b"busy", "Retry-After: 1", status="503 Busy")
        if count % 11 == 0:
            return net.reply(PAGE[:99] + net.cut, length=len(PAGE))
        return net.reply(PAGE)

    urls = [server.on(f"/{n}", answer) for n in range(60)]
    responses = await asyncio.gather(*(get(url) for url in urls))
    assert {response.status for response in responses} == {200}
