"""The live client: a fetcher that survives the real web and is polite to it.

A fetch is a chain of hops; each hop passes the guard, robots.txt and the host's pace, then is tried as often as its
trouble deserves. What leaves (headers, cookies) is put together in one place, `_outgoing`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver

from thrawl.errors import FetchError, UrlRefused
from thrawl.limits import MAX_ROBOTS_BYTES, MAX_ROBOTS_REDIRECTS
from thrawl.net.browser_cookies import browser_cookies
from thrawl.net.charset import charset_of
from thrawl.net.cookies import Cookies, load_cookies, parse_set_cookie
from thrawl.net.decode import ACCEPT_ENCODING
from thrawl.net.guard import Guard
from thrawl.net.message import REDIRECT_STATUSES, TRAVEL_HEADERS, Hop, Request, Response
from thrawl.net.options import ClientOptions, FetchLimits
from thrawl.net.pace import HostPace, Pace, PaceState
from thrawl.net.proxy import Proxies
from thrawl.net.retry import (
    BUSY_STATUSES,
    TooManyRedirects,
    TooSlow,
    Transient,
    backoff,
    failure_retries,
    retry_after_seconds,
    status_retries,
)
from thrawl.net.robots import Robots
from thrawl.net.transfer import Exchange, Order, Recorder, sending, transfer
from thrawl.net.url import BadUrl, Target, normal_url, redirect_target, target_of, usable_url

ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_MAX_HEADER_FIELDS: Final = 256
_SHORTEST_ID: Final = 8  # letters of a session's id; what is shorter stands in any page by chance


@dataclass(frozen=True, slots=True)
class _Way:
    """How a whole fetch is made: pages obey robots.txt and may not be cut, robots.txt itself the other way round."""

    limits: FetchLimits
    robots: bool
    cut: bool


class Client:
    """Implements Fetcher on aiohttp. Make it and close it inside the event loop that uses it."""

    def __init__(
        self,
        options: ClientOptions | None = None,
        *,
        recorder: Recorder | None = None,
        resolver: AbstractResolver | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.options = options or ClientOptions()
        self._recorder = recorder
        start = usable_url(self.options.start_url) if self.options.start_url else None
        self._guard = Guard(start_url=start, allow_private=self.options.allow_private, resolver=resolver)
        self._pace = pace or Pace(self.options.delay, self.options.concurrency)
        self._proxies = Proxies(self.options.proxy, use_environment=self.options.use_environment_proxies)
        given = load_cookies(self.options.cookies_file) if self.options.cookies_file else ()
        if self.options.cookies_from:
            given = (*browser_cookies(self.options.cookies_from), *given)
        self._cookies = Cookies(given)
        self._robots = Robots(self._get_robots, self._slow_down_to)
        self._sessions: dict[bool, aiohttp.ClientSession] = {}
        self._closed = False
        limits = self.options.limits
        self._page_way = _Way(limits, robots=self.options.obey_robots, cut=False)
        small = replace(limits, body_bytes=MAX_ROBOTS_BYTES, redirects=min(MAX_ROBOTS_REDIRECTS, limits.redirects))
        self._robots_way = _Way(small, robots=False, cut=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def fetch(self, request: Request) -> Response:
        """The answer after all redirects; raises a FetchError when there is none to speak of."""
        return await self._follow(request, self._page_way)

    def pace_states(self) -> tuple[PaceState, ...]:
        """The pace of every host that was asked, for a progress display."""
        return self._pace.states()

    async def close(self) -> None:
        self._closed = True
        await self._robots.close()
        for session in self._sessions.values():
            await session.close()
        self._sessions.clear()

    async def _follow(self, request: Request, way: _Way) -> Response:
        url = _checked(request.url, request.url)
        hops: list[Hop] = []
        answers: list[Exchange] = []
        while True:
            exchange = await self._hop(url, request, way)
            location = exchange.header("location") if exchange.status in REDIRECT_STATUSES else None
            if not location:
                return _response(request, exchange, tuple(hops))
            target = _checked_target(url, location)
            answers.append(exchange)
            hops.append(Hop(url, exchange.status, target))
            if request.cookies and any(hop.url == target for hop in hops):
                self._keep_cookies(answers)  # it sends the visitor back to see whether these come along
            _check_hops(request.url, hops, way.limits)
            if request.turn is not None:
                await request.turn()
            url = target

    async def _hop(self, url: str, request: Request, way: _Way) -> Exchange:
        target = target_of(url)
        self._guard.check_url(url, target.host)
        if way.robots and await self._robots.check(url, target.origin) and request.turn is not None:
            await request.turn()
        exchange = await self._try(target, request, way)
        if request.cookies and (self._cookies.are_wanted_by(target.host) or _are_written_out(exchange)):
            self._keep_cookies([exchange])
        if self._recorder is not None and not way.cut:
            await self._recorder.record(exchange)
        return exchange

    def _keep_cookies(self, exchanges: Iterable[Exchange]) -> None:
        for exchange in exchanges:
            target = target_of(exchange.url)
            self._cookies.keep(target.host, target.path, target.secure, exchange.all_headers("set-cookie"))

    async def _try(self, target: Target, request: Request, way: _Way) -> Exchange:
        """Try until there is an answer, or until more tries would be in vain."""
        limits = way.limits
        pace = self._pace.host(target.host)
        tried = 0
        while True:
            tried += 1
            retry_after = None
            try:
                exchange = await self._paced(self._order(target, request, way), pace)
            except Transient as failure:
                if tried > failure_retries(failure, limits):
                    tries = f" ({tried} tries)" if tried > 1 else ""
                    raise FetchError(target.url, failure.reason + tries) from failure
            else:
                if tried > status_retries(exchange.status, limits):
                    return exchange
                retry_after = retry_after_seconds(exchange.header("retry-after"), limits)
            await asyncio.sleep(backoff(tried, limits, retry_after))

    async def _paced(self, order: Order, pace: HostPace) -> Exchange:
        """One try in the host's turn, and what it tells about the host."""
        started = await pace.start()
        try:
            if self._closed:
                raise FetchError(order.url, "the client was closed")
            exchange = await transfer(self._session(proxied=order.proxy is not None), order, pace.go)
        except Transient as failure:
            if failure.slows:
                pace.trouble(started, failure.reason)
            raise
        except TooSlow as failure:
            pace.trouble(started, failure.reason)
            raise
        finally:
            pace.end()
        if exchange.status in BUSY_STATUSES:
            wait = retry_after_seconds(exchange.header("retry-after"), order.limits)
            pace.trouble(started, f"HTTP {exchange.status}", retry_after=wait, sure=exchange.status == 429)
        else:
            pace.success()
        return exchange

    def _order(self, target: Target, request: Request, way: _Way) -> Order:
        return Order(
            url=target.url,
            headers=self._outgoing(target, request),
            limits=way.limits,
            proxy=self._proxies.for_url(target.scheme, target.host),
            keep_raw=self._recorder is not None and not way.cut,
            cut=way.cut,
        )

    def _outgoing(self, target: Target, request: Request) -> dict[str, str]:
        """Every header that tells a server more than that a stranger asks."""
        headers: dict[str, str] = {}
        if request.cookies:
            cookie = self._cookies.header(target.host, target.path, target.secure)
            if cookie:
                headers["Cookie"] = cookie
        if (request.etag or request.last_modified) and urlsplit(request.url).hostname == target.host:
            if request.etag:
                headers["If-None-Match"] = _one_line(request.etag)
            if request.last_modified:
                headers["If-Modified-Since"] = _one_line(request.last_modified)
        return headers

    def _session(self, *, proxied: bool) -> aiohttp.ClientSession:
        """Two pools: every socket of the direct one passes the guard; the other only ever connects to the proxy."""
        session = self._sessions.get(proxied)
        if session is None:
            session = self._sessions[proxied] = self._new_session(self._connector(proxied=proxied))
        return session

    def _connector(self, *, proxied: bool) -> aiohttp.TCPConnector:
        if proxied:
            return aiohttp.TCPConnector(limit=0, ssl=self.options.verify_tls)
        return aiohttp.TCPConnector(
            limit=0,
            ssl=self.options.verify_tls,
            resolver=self._guard,
            socket_factory=self._guard.make_socket,
        )

    def _new_session(self, connector: aiohttp.TCPConnector) -> aiohttp.ClientSession:
        limits = self.options.limits
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers={
                "User-Agent": self.options.user_agent,
                "Accept": ACCEPT,
                "Accept-Encoding": ACCEPT_ENCODING,
            },
            timeout=aiohttp.ClientTimeout(
                total=None,
                connect=limits.connect_seconds,
                sock_connect=limits.connect_seconds,
                sock_read=limits.first_byte_seconds,
            ),
            max_line_size=limits.header_bytes,
            max_field_size=limits.header_bytes,
            max_headers=_MAX_HEADER_FIELDS,
            trace_configs=[sending()],
        )

    async def _get_robots(self, url: str) -> Response:
        return await self._follow(Request(url, cookies=False), self._robots_way)

    def _slow_down_to(self, origin: str, seconds: float) -> None:
        self._pace.host(urlsplit(origin).hostname or "").ask_for_delay(seconds)


def _checked(url: str, asked: str) -> str:
    try:
        return normal_url(url)
    except BadUrl as bad:
        raise UrlRefused(asked[:200], f"the URL {bad}") from None


def _checked_target(url: str, location: str) -> str:
    try:
        text = location.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        text = location
    try:
        return redirect_target(url, text)
    except BadUrl as bad:
        raise UrlRefused(url, f"it redirects to a URL that {bad}") from None


def _are_written_out(exchange: Exchange) -> bool:
    """Whether a page carries a cookie in its links or its redirect, as it does until the cookie comes back: a session's
    id."""
    cookies = (parse_set_cookie(line, "/", 0.0) for line in exchange.all_headers("set-cookie"))
    values = [cookie.value for cookie in cookies if cookie is not None and len(cookie.value) >= _SHORTEST_ID]
    location = exchange.header("location") or ""
    return any(value in location or value.encode() in exchange.body for value in values)


def _check_hops(url: str, hops: list[Hop], limits: FetchLimits) -> None:
    if len(hops) > limits.redirects:
        raise TooManyRedirects(url, f"it redirects more than {limits.redirects} times")
    # A page that sets a cookie may send the visitor to itself once; more often is a circle.
    if sum(hop.location == hops[-1].location for hop in hops) > 2:
        raise TooManyRedirects(url, "it redirects in a circle")


def _response(request: Request, exchange: Exchange, hops: tuple[Hop, ...]) -> Response:
    return Response(
        requested=request.url,
        url=exchange.url,
        status=exchange.status,
        headers=tuple([pair for pair in exchange.headers if pair[0].lower() not in TRAVEL_HEADERS]),
        body=exchange.body,
        charset=charset_of(exchange.body, exchange.header("content-type")),
        fetched=exchange.fetched,
        hops=hops,
        elapsed=exchange.elapsed,
    )


def _one_line(value: str) -> str:
    """A validator came from a server: it must not bring further header lines with it."""
    return "".join(char for char in value if char.isprintable()).encode("latin-1", "ignore").decode("latin-1")
