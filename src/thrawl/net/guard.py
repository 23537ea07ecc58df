"""Where Thrawl will not go: the hostile web must not use it to reach the user's own network.

A page can link or redirect to anything, and a name can resolve to another address at every lookup. So the
address itself is checked, where the socket is made; the resolver only filters what can be chosen from.
`ip.is_global` alone is not enough (it lets multicast, NAT64, 6to4 and Azure's metadata address through), hence an
allow-list for IPv6 and extra networks for IPv4.

A start URL that is itself in a private place opens exactly the addresses that its host had at the first lookup.
"""

from __future__ import annotations

import socket
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from aiohttp import ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult

from thrawl.errors import UrlRefused

Address = IPv4Address | IPv6Address
AddrInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[str | int | bytes, ...]]

_LOOPBACK = IPv4Address("127.0.0.1")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_TUNNELS = (IPv6Network("2002::/16"), IPv6Network("2001::/32"))
_IPV4_EXTRA = (IPv4Network("192.88.99.0/24"), IPv4Network("168.63.129.16/32"))
# Addresses that hand out a machine's keys to whoever asks: a mere name never opens them.
_METADATA = frozenset(
    ip_address(text)
    for text in ("169.254.169.254", "169.254.170.2", "168.63.129.16", "100.100.100.200", "fd00:ec2::254")
)


class AddressRefused(OSError):
    """A socket was about to be made to an address that the guard refuses."""


def is_public(address: Address) -> bool:
    """Whether an address is a normal host of the public internet."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        return address in _GLOBAL_UNICAST and address.is_global and not any(address in network for network in _TUNNELS)
    return address.is_global and not address.is_multicast and not any(address in extra for extra in _IPV4_EXTRA)


@lru_cache(maxsize=1024)
def literal_address(host: str) -> Address | None:
    """The address that a host is in itself, in any spelling that some resolver or proxy would read as one."""
    if host == "localhost" or host.endswith(".localhost"):
        return _LOOPBACK
    try:
        return ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


class Guard(AbstractResolver):
    """Checks URLs, answers of the resolver and addresses of sockets. One for each client."""

    def __init__(
        self,
        *,
        start_url: str | None = None,
        allow_private: bool = False,
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._allow_private = allow_private
        self._resolver = resolver
        self._start_host = urlsplit(start_url).hostname if start_url else None
        self._start_looked_up = False
        self._opened: set[Address] = set()
        literal = literal_address(self._start_host) if self._start_host else None
        if literal is not None:
            self._opened.add(literal)

    def allows(self, address: Address) -> bool:
        if self._allow_private or is_public(address):
            return True
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return address in self._opened or mapped in self._opened

    def check_url(self, url: str, host: str) -> None:
        """Refuse a URL whose host is a literal address of a private place; names are checked once resolved."""
        if host == self._start_host:
            return
        literal = literal_address(host)
        if literal is not None and not self.allows(literal):
            raise UrlRefused(url, refusal(literal))

    def make_socket(self, info: AddrInfo) -> socket.socket:
        """aiohttp's socket factory: the last place where an address can be refused, and the one that counts."""
        family, kind, protocol, _, target = info
        address = ip_address(str(target[0]).partition("%")[0])
        if not self.allows(address):
            raise AddressRefused(refusal(address))
        return socket.socket(family, kind, protocol)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if self._resolver is None:
            self._resolver = ThreadedResolver()
        found = await self._resolver.resolve(host, port, family)
        addresses = [ip_address(result["host"].partition("%")[0]) for result in found]
        if host == self._start_host and not self._start_looked_up:
            self._start_looked_up = True
            self._open_if_private(addresses)
        allowed = [result for result, address in zip(found, addresses, strict=True) if self.allows(address)]
        if found and not allowed:
            raise AddressRefused(refusal(addresses[0]))
        return allowed

    async def close(self) -> None:
        if self._resolver is not None:
            await self._resolver.close()

    def _open_if_private(self, addresses: list[Address]) -> None:
        """A host that is partly public is public: its private addresses stay shut."""
        if any(is_public(address) or address in _METADATA for address in addresses):
            return
        self._opened.update(addresses)


def refusal(address: Address) -> str:
    return (
        f"{address} is not an address of the public internet, and the crawl did not start there; "
        "allow it with --allow-private if that is meant"
    )
