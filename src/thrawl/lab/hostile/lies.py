"""How a server lies, one named class a lie. See `lab.faults` for servers that are merely broken."""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from aiohttp import web

from thrawl.lab.faults import Fault
from thrawl.lab.skins.base import Skin
from thrawl.lab.skins.values import Visit
from thrawl.lab.world import View

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_HREF: Final = re.compile(r'href="(/[^"#]*)')
_ROBOTS: Final = "/robots.txt"
_BLOCK: Final = b"<p>" + b" " * (1024 * 1024 - 3)
RETRY_AFTER: Final = ("0", "1", "-5", "1.5", "99999999999999", "soon", "", "Wed, 21 Oct 2015 07:28:00 GMT", "\u0661")
"""Ways to say when to come back; none may be waited for longer than the client's own bound."""

CHALLENGE: Final = """<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>
<p>Please enable JavaScript and cookies to continue. Verify you are human.</p><form id="challenge-form"></form>
<script src="/challenge.js"></script></body></html>"""

SPELLINGS: Final = tuple(
    f"{scheme}{host}"
    for scheme in ("http://", "HTTP://", "//", "http:/\\")
    for host in (
        *("127.0.0.2", "127.2", "127.0.2", "2130706434", "0x7f000002", "0x7f.0.0.2", "0177.0.0.2", "017700000002"),
        *("127.0.0.2.", "user@127.0.0.2", "127.0.0.1@127.0.0.2", "%31%32%37.0.0.2", "\uff11\uff12\uff17.0.0.2"),
        *("[::1]", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "[0:0:0:0:0:0:0:1]", "127\u30020.0.2"),
    )
)
"""Addresses on this machine beside the forum's own, in many writings."""


class Bombs(Fault):
    """Small bodies that unpack to very large ones, by any packer."""

    name = "bombs"

    def __init__(self, encoding: str, packed: bytes, share: float = 0.2, *, seed: int = 1) -> None:
        super().__init__(share, seed=seed)
        self._encoding, self._packed = encoding, packed

    async def strike(self, request: web.Request) -> web.StreamResponse:
        return web.Response(body=self._packed, content_type="text/html", headers={"Content-Encoding": self._encoding})


def packed(encoding: str, mebibytes: int = 48) -> bytes:
    """A bomb. Raises ImportError where the packer is not installed."""
    if encoding == "gzip":
        packer = zlib.compressobj(9, wbits=31)
        return b"".join(packer.compress(_BLOCK) for _ in range(mebibytes)) + packer.flush()
    if encoding == "br":
        import brotli

        return bytes(brotli.compress(_BLOCK * mebibytes, quality=1))
    return zstd.compress(_BLOCK * mebibytes)


class Loops(Fault):
    """Some addresses redirect for ever, to themselves with one word more."""

    name = "loops"

    def hits(self, request: web.Request) -> bool:
        first = re.sub(r"[?&]again", "", request.path_qs)
        return request.path != _ROBOTS and Random(f"{first}").random() < self.share

    async def strike(self, request: web.Request) -> web.StreamResponse:
        mark = "&" if request.query_string else "?"
        return web.Response(status=302, headers={"Location": f"{request.path_qs}{mark}again"})


class SoftMissing(Fault):
    """Pages that are not there, with status 200."""

    name = "soft-404"

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        if request.path == _ROBOTS:
            return None
        return web.Response(text="<html><title>Oh!</title><body><p>This page does not exist.</p></body></html>",
                            content_type="text/html")  # fmt: skip


class LastPage(Fault):
    """Every page number of a list shows its last page."""

    name = "last-page"

    def __init__(self, skin: Skin, view: View) -> None:
        super().__init__()
        self._skin, self._view = skin, view

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        place = self._skin.place(request.raw_path, self._view)
        if place is None or place.what not in ("board", "thread") or place.form:
            return None
        last = replace(place, page=self._skin.page_count(place, self._view))
        answer = self._skin.answer(self._skin.path(last, self._view), Visit(self._skin, self._view, ""))
        return web.Response(text=answer.body, status=answer.status, content_type="text/html")


class NewSessions(Fault):
    """All links of each answer carry a session of their own, whatever the visitor brought."""

    name = "new-sessions"

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        sid = f"{self._random.getrandbits(128):032x}"
        return _rewritten(response, lambda text: _HREF.sub(lambda one: _with_item(one[0], f"sid={sid}"), text))


class Calendar(Fault):
    """Every page links to a calendar that has no end."""

    name = "calendar"

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        if request.path != "/kalender":
            return None
        month = int(request.query.get("m", "0"))
        days = "".join(f'<td><a href="/kalender?m={month}&amp;d={day}">{day}</a></td>' for day in range(1, 29))
        links = f'<a href="/kalender?m={month - 1}">&lt;</a> <a href="/kalender?m={month + 1}">Next</a>'
        text = f"<html><body>{links}<table><tr>{days}</tr></table></body></html>"
        return web.Response(text=text, content_type="text/html")

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        link = f'<p><a href="/kalender?m={self._random.randint(-999, 999)}">Calendar</a></p></body>'
        return _rewritten(response, lambda text: text.replace("</body>", link))


class Challenges(Fault):
    """A challenge instead of every page, with status 200."""

    name = "challenges"

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        return None if request.path == _ROBOTS else web.Response(text=CHALLENGE, content_type="text/html")


class Robots(Fault):
    """A robots.txt of any kind."""

    name = "robots"

    def __init__(self, status: int = 200, body: str = "", location: str | None = None) -> None:
        super().__init__(where=_ROBOTS)
        self._status, self._body, self._location = status, body, location

    async def strike(self, request: web.Request) -> web.StreamResponse:
        headers = {"Location": self._location} if self._location else {}
        return web.Response(status=self._status, text=self._body, headers=headers)


class Retreats(Fault):
    """429 with one of many ways to say when to come back."""

    name = "retreats"

    async def strike(self, request: web.Request) -> web.StreamResponse:
        return web.Response(status=429, text="Slow.", headers={"Retry-After": self._random.choice(RETRY_AFTER)})


class Hour(Fault):
    """429 for an hour on all pages; robots.txt is to be had."""

    name = "hour"

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        if request.path == _ROBOTS:
            return None
        return web.Response(status=429, text="Later.", headers={"Retry-After": "3600"})


class Traps(Fault):
    """Leads to other addresses of this machine, by one route, in a writing that changes from page to page."""

    name = "traps"

    def __init__(self, route: str, port: int, *, seed: int = 1) -> None:
        super().__init__(seed=seed)
        self._route, self._port = route, port
        self.used: set[str] = set()

    def target(self, draw: Random | None = None) -> str:
        spelling = (draw or self._random).choice(SPELLINGS)
        self.used.add(spelling)
        return f"{spelling}:{self._port}/secret"

    async def strike(self, request: web.Request) -> web.StreamResponse | None:
        if self._route == "robots" and request.path == _ROBOTS:
            return web.Response(status=302, headers={"Location": self.target()})
        if self._route == "sitemap" and request.path == _ROBOTS:
            lines = "\n".join(f"Sitemap: {self.target()}" for _ in range(60))
            return web.Response(text=f"User-agent: *\nAllow: /\n{lines}\n")
        if self._route == "redirect" and request.path != _ROBOTS and self._random.random() < 0.3:
            return web.Response(status=302, headers={"Location": self.target()})
        return None

    async def spoil(self, request: web.Request, response: web.Response) -> web.StreamResponse:
        return _rewritten(response, self._with_trap)

    def _with_trap(self, text: str) -> str:
        target = self.target()
        heads = {
            "canonical": f'<link rel="canonical" href="{target}">',
            "base": f'<base href="{target}">',
            "feed": f'<link rel="alternate" type="application/rss+xml" href="{target}">',
        }
        if self._route == "link":
            links = "".join(f'<li><a href="{self.target()}">A thread about lenses {at}</a></li>' for at in range(8))
            return text.replace("</body>", f"<ul>{links}</ul></body>")
        return text.replace("</head>", heads.get(self._route, "") + "</head>")


ROUTES: Final = ("link", "redirect", "canonical", "base", "feed", "sitemap", "robots")


def _with_item(url: str, item: str) -> str:
    return f"{url}{'&amp;' if '?' in url else '?'}{item}"


def _rewritten(response: web.Response, change: Callable[[str], str]) -> web.Response:
    if isinstance(response.body, bytes) and "html" in response.content_type:
        charset = response.charset or "utf-8"
        response.body = change(response.body.decode(charset, "replace")).encode(charset, "replace")
        response.headers.pop("ETag", None)
    return response
