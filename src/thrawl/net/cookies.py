"""Cookies, kept by host: what one host sets goes back to that host and to no other, and only if it is asked for.

Stricter than a browser on purpose: a Domain attribute is not obeyed, so no list of public suffixes is needed and
no site can plant a cookie on another. Only the user's own cookies file can name a whole domain.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, LoadError, MozillaCookieJar
from pathlib import Path

from thrawl.errors import InputError
from thrawl.limits import MAX_COOKIE_BYTES, MAX_COOKIES_PER_HOST, MAX_HOSTS

_UNSENDABLE = re.compile(r"[\x00-\x1f\x7f;]")


@dataclass(frozen=True, slots=True)
class Cookie:
    name: str
    value: str
    path: str = "/"
    secure: bool = False
    expires: float | None = None
    domain: str | None = None

    def fits(self, path: str, secure: bool, now: float) -> bool:
        if (self.secure and not secure) or (self.expires is not None and self.expires <= now):
            return False
        return path == self.path or path.startswith(self.path.rstrip("/") + "/")


class Cookies:
    """All cookies of one client, in bounded memory."""

    def __init__(self, given: Iterable[Cookie] = (), clock: Callable[[], float] = time.time) -> None:
        self._given = tuple(given)
        self._hosts: OrderedDict[str, dict[tuple[str, str], Cookie]] = OrderedDict()
        self._clock = clock

    def header(self, host: str, path: str, secure: bool) -> str | None:
        """The Cookie header for a request; longer paths first, and what the host set replaces the file's."""
        if not self._given and host not in self._hosts:
            return None
        now = self._clock()
        fitting: dict[str, Cookie] = {}
        for cookie in sorted(self._known(host), key=lambda cookie: len(cookie.path)):
            if cookie.fits(path, secure, now):
                fitting.pop(cookie.name, None)
                fitting[cookie.name] = cookie
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in reversed(fitting.values())) or None

    def are_wanted_by(self, host: str) -> bool:
        """Whether a host gets cookies back at all: it has asked for them once, or the user gave some.

        Others see each request as a stranger's. A site that remembers its visitor shows lists filtered, or in another
        layout, once a link asked for that.
        """
        return host in self._hosts or any(_domain_fits(cookie.domain, host) for cookie in self._given)

    def keep(self, host: str, path: str, secure: bool, set_cookies: Iterable[str]) -> None:
        """Remember what a response set."""
        for line in set_cookies:
            cookie = parse_set_cookie(line, path, self._clock())
            if cookie is not None and (secure or not cookie.secure):
                self._store(host, cookie)

    def _known(self, host: str) -> list[Cookie]:
        given = [cookie for cookie in self._given if _domain_fits(cookie.domain, host)]
        return given + list(self._hosts.get(host, {}).values())

    def _store(self, host: str, cookie: Cookie) -> None:
        kept = self._hosts.setdefault(host, {})
        self._hosts.move_to_end(host)
        kept.pop((cookie.name, cookie.path), None)
        kept[cookie.name, cookie.path] = cookie
        if len(kept) > MAX_COOKIES_PER_HOST:
            del kept[next(iter(kept))]
        if len(self._hosts) > MAX_HOSTS:
            self._hosts.popitem(last=False)


def parse_set_cookie(line: str, request_path: str, now: float) -> Cookie | None:
    """One Set-Cookie line; None when it is no cookie that could be sent back."""
    pair, *attributes = line[: 2 * MAX_COOKIE_BYTES].split(";")
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not equals or not name or len(pair) > MAX_COOKIE_BYTES or _UNSENDABLE.search(name + value):
        return None
    named = {}
    for attribute in attributes:
        key, _, text = attribute.partition("=")
        named[key.strip().lower()] = text.strip()
    path = named.get("path", "")
    if not path.startswith("/"):
        path = request_path.rpartition("/")[0] or "/"
    return Cookie(name, value, path, "secure" in named, _expiry(named, now))


def load_cookies(file: Path) -> tuple[Cookie, ...]:
    """A cookies file in the Netscape format, as browsers' extensions and other tools write it."""
    jar = MozillaCookieJar()
    try:
        jar.load(str(file), ignore_discard=True, ignore_expires=True)
    except LoadError:
        raise InputError(
            f"The cookies file {file} is not in the Netscape format (its first line must be "
            "'# Netscape HTTP Cookie File')."
        ) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"The cookies file {file} cannot be read: {problem}.") from None
    return tuple(_given_cookies(jar))


def _given_cookies(jar: CookieJar) -> Iterable[Cookie]:
    for cookie in jar:
        domain = cookie.domain.lower() if cookie.domain_specified else cookie.domain.lower().lstrip(".")
        # A session cookie stands in the file with the time 0.
        expires = float(cookie.expires) if cookie.expires else None
        if not _UNSENDABLE.search(cookie.name + (cookie.value or "")):
            yield Cookie(cookie.name, cookie.value or "", cookie.path, cookie.secure, expires, domain)


def _domain_fits(domain: str | None, host: str) -> bool:
    if domain is None:
        return False
    return host == domain.lstrip(".") or (domain.startswith(".") and host.endswith(domain))


def _expiry(named: dict[str, str], now: float) -> float | None:
    if re.fullmatch(r"-?\d{1,12}", named.get("max-age", "")):
        return now + int(named["max-age"])
    try:
        return parsedate_to_datetime(named["expires"]).timestamp() if "expires" in named else None
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
