"""What a usable URL is, and its one spelling: the first check that anything from a user or a page passes.

The result is plain ASCII, has a lower-case scheme and host, no default port, no user name, no fragment, and
nothing that a server or a proxy could read in two ways.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address
from urllib.parse import SplitResult, urljoin, urlsplit

import idna

from thrawl.errors import UsageError
from thrawl.limits import MAX_URL_CHARS

DEFAULT_PORTS = {"http": 80, "https": 443}

# A URL that is already in its one spelling; nearly all are, and this costs a microsecond.
_CLEAN = re.compile(
    r"https?://(?=[^/]{1,253}/)[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9][a-z0-9-]{0,62})*"
    r"(?::(?!80/|443/)(?:[1-5]\d{4}|[1-9]\d{0,3}))?/[!$-;=?-Z_a-z~\[\]]*"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))", re.IGNORECASE)
_UNSAFE = re.compile(r"[^!$-;=?-Z_a-z~\[\]]+")
_WITH_DIGIT = re.compile(r"(?<![0-9A-Za-z])[0-9A-Za-z]*[0-9][0-9A-Za-z]*")
_HOST_NAME = re.compile(r"[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?")


@dataclass(frozen=True, slots=True)
class Target:
    """A URL in its one spelling, with the parts that the client asks for again and again."""

    url: str
    scheme: str
    host: str
    origin: str
    path: str

    @property
    def secure(self) -> bool:
        return self.scheme == "https"


class BadUrl(ValueError):
    """Why a URL cannot be used, in words that complete "the URL ..."."""


def usable_url(text: str) -> str:
    """The URL that a user typed, in its one spelling; a missing scheme means http."""
    try:
        return normal_url(_with_scheme(text.strip()))
    except BadUrl as bad:
        shown = text if len(text) <= 100 else text[:100] + "…"
        raise UsageError(
            f"The URL {shown!r} cannot be used: it {bad}; give one like https://forum.example.org/."
        ) from None


def normal_url(url: str) -> str:
    """The one spelling of an absolute http or https URL; raises BadUrl for anything else."""
    if len(url) > MAX_URL_CHARS:
        raise BadUrl(f"has more than {MAX_URL_CHARS} characters")
    if _CLEAN.fullmatch(url):
        return url
    if _CONTROL.search(url):
        raise BadUrl("holds control characters")
    parts = _split(url)
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise BadUrl(f"has the scheme {scheme!r}, and only http and https are fetched")
    query = f"?{_quoted(parts.query)}" if parts.query else ""
    return f"{scheme}://{_authority(parts, scheme)}{_quoted(parts.path) or '/'}{query}"


def target_of(url: str) -> Target:
    """The parts of a URL that `normal_url` made; cut by hand, which its one spelling allows."""
    scheme, _, rest = url.partition("://")
    authority, _, local = rest.partition("/")
    host = authority[1:].partition("]")[0] if authority.startswith("[") else authority.partition(":")[0]
    return Target(url, scheme, host, f"{scheme}://{authority}", "/" + local.partition("?")[0])


def redirect_target(base: str, location: str) -> str:
    """Where a Location header leads; a user name in it is dropped, for nobody asked to send one."""
    try:
        target = urljoin(base, location.strip())
        parts = urlsplit(target)
    except ValueError:
        raise BadUrl("cannot be read") from None
    if "@" in parts.netloc:
        target = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return normal_url(target)


def without_numbers(url: str) -> str:
    """The URL with its numbers made equal, and words that hold a digit with them: names, keys of a session."""
    return _WITH_DIGIT.sub("0", url)


def _with_scheme(text: str) -> str:
    if not text:
        raise BadUrl("is empty")
    if text.startswith("//"):
        return "http:" + text
    return text if _SCHEME.match(text) else "http://" + text


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        raise BadUrl("cannot be read") from None


def _authority(parts: SplitResult, scheme: str) -> str:
    if "@" in parts.netloc:
        raise BadUrl("holds a user name or password; log in with a cookies file instead")
    try:
        port = parts.port
    except ValueError:
        raise BadUrl("has a port that is no number from 1 to 65535") from None
    if port == 0:
        raise BadUrl("has a port that is no number from 1 to 65535")
    host = _host(parts)
    return host if port in (None, DEFAULT_PORTS[scheme]) else f"{host}:{port}"


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if not host:
        raise BadUrl("names no host")
    if ":" in host or "[" in parts.netloc:
        return _ipv6_host(host, parts.netloc)
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            raise BadUrl("has a host name that cannot exist") from None
    if len(host) > 253 or not _HOST_NAME.fullmatch(host):
        raise BadUrl("has a host name that cannot exist")
    return host


def _ipv6_host(host: str, netloc: str) -> str:
    try:
        address = IPv6Address(host)
    except ValueError:
        raise BadUrl("has an IPv6 address that cannot exist") from None
    if address.scope_id or not re.fullmatch(r"\[[^\[\]]*\](?::\d*)?", netloc):
        raise BadUrl("has an IPv6 address that cannot exist")
    return f"[{address}]"


def _quoted(text: str) -> str:
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8")), text)
