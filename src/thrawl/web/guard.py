"""The door of the server: who may come in, and what a browser may do with what it gets.

On loopback the Host header must name this machine, so that no page elsewhere reaches the archive through a name of its
own (DNS rebinding). Elsewhere every request must carry the token that was printed at the start: as a bearer token, as a
cookie, or once in the address, which then moves it into a cookie that no script reads and no other site sends. Nothing
but GET and HEAD is answered, and nothing is changed by them.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "thrawl_token"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_LOOPBACK_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """ASGI middleware around the whole server. Without a token, only this machine is served."""

    def __init__(self, app: ASGIApp, *, host: str, token: str | None) -> None:
        self._app = app
        self._host = host
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_here(headers.get("host", "")):
            return PlainTextResponse("This server does not go by that name.\n", 421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Nothing here can be changed.\n", 405, {"Allow": "GET, HEAD"})
        if self._token is None or self._is_token(_carried(headers)):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in query if name == "token"), "")
        if not self._is_token(given):
            return PlainTextResponse("Add ?token=… to the address: thrawl serve printed it at its start.\n", 401)
        return self._moved_into_cookie(scope["path"], [pair for pair in query if pair[0] != "token"])

    def _moved_into_cookie(self, path: str, query: list[tuple[str, str]]) -> Response:
        assert self._token is not None
        # One slash: an address that begins with two leads to another server.
        target = "/" + path.lstrip("/") + (f"?{urlencode(query)}" if query else "")
        answer = RedirectResponse(target, 303)
        answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict", path="/")
        return answer

    def _is_token(self, given: str) -> bool:
        return self._token is not None and hmac.compare_digest(given.encode(), self._token.encode())

    def _is_here(self, host: str) -> bool:
        """Names of this machine; where a token is asked for, also addresses, which nobody can rebind."""
        name = _without_port(host)
        if name in _LOOPBACK_NAMES or name == self._host.lower():
            return True
        return self._token is not None and _is_address(name)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address to listen on."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _carried(headers: Headers) -> str:
    """The token that a request brings along."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return given.strip()
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _without_port(host: str) -> str:
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
