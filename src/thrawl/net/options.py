"""What a user can choose about fetching, and nothing else; every other figure is a limit with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thrawl import limits
from thrawl._version import __version__
from thrawl.errors import UsageError


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """The limits of `thrawl.limits` that hold for one fetch; tests make them small."""

    body_bytes: int = limits.MAX_BODY_BYTES
    ratio: int = limits.MAX_DECOMPRESSION_RATIO
    ratio_free_bytes: int = limits.RATIO_FREE_BYTES
    header_bytes: int = limits.MAX_HEADER_BYTES
    total_seconds: float = limits.TOTAL_SECONDS
    connect_seconds: float = limits.CONNECT_SECONDS
    first_byte_seconds: float = limits.FIRST_BYTE_SECONDS
    redirects: int = limits.MAX_REDIRECTS
    retries: int = limits.MAX_RETRIES
    backoff_seconds: float = limits.BACKOFF_SECONDS
    retry_after_seconds: float = limits.MAX_RETRY_AFTER_SECONDS


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """`start_url` is where the user pointed Thrawl: if that is a private place, it alone is opened.

    `agent` is a User-Agent of the user's own; `cookies_from` names the browser whose cookies are taken.
    """

    start_url: str | None = None
    proxy: str | None = None
    use_environment_proxies: bool = True
    delay: float = limits.DEFAULT_DELAY_SECONDS
    concurrency: int = 1
    contact: str | None = None
    agent: str | None = None
    cookies_file: Path | None = None
    cookies_from: str | None = None
    allow_private: bool = False
    obey_robots: bool = True
    verify_tls: bool = True
    limits: FetchLimits = FetchLimits()

    def __post_init__(self) -> None:
        if not 0 <= self.delay <= limits.MAX_DELAY_SECONDS:
            raise UsageError(f"The delay must be from 0 to {limits.MAX_DELAY_SECONDS:g} seconds.")
        if self.concurrency < 1:
            raise UsageError("The concurrency must be at least 1 request at a time.")
        if self.contact and not (self.contact.isascii() and self.contact.isprintable()):
            raise UsageError("The contact must be plain ASCII, such as a mail address or a URL.")

        if self.agent is not None and not (self.agent.strip() and self.agent.isascii() and self.agent.isprintable()):
            raise UsageError("The user agent must be plain ASCII, such as 'MyArchiver/1.0 (+https://example.org)'.")

    @property
    def user_agent(self) -> str:
        """Who asks, and where to complain; an honest name often passes where a browser's would not."""
        return self.agent or f"Thrawl/{__version__} ({f'+{self.contact}' if self.contact else 'forum archiver'})"
