"""Which proxy a URL goes through: the one that was asked for, else the environment's, else none."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies

from thrawl.errors import UsageError


class Proxies:
    """Chosen once, at the start: a crawl does not change its way when the environment does."""

    def __init__(self, option: str | None, *, use_environment: bool = True) -> None:
        self._option = _checked(option) if option else None
        found = getproxies() if use_environment and not option else {}
        self._no_proxy = found.get("no", "")
        self._by_scheme = {scheme: _checked(found[scheme]) for scheme in ("http", "https") if found.get(scheme)}

    def for_url(self, scheme: str, host: str) -> str | None:
        if self._option:
            return self._option
        proxy = self._by_scheme.get(scheme)
        if proxy is None or _exempt(host, self._no_proxy):
            return None
        return proxy


def _exempt(host: str, no_proxy: str) -> bool:
    """Whether no_proxy names the host or a domain above it; a port in it is ignored, as most tools do."""
    names = [name.strip().lower().partition(":")[0].lstrip(".") for name in no_proxy.split(",")]
    return "*" in names or any(name and (host == name or host.endswith(f".{name}")) for name in names)


def _checked(proxy: str) -> str:
    url = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"The proxy {proxy!r} cannot be used: give an HTTP proxy like http://127.0.0.1:8080.")
    return url
