"""`thrawl demo`: the built-in forum on loopback."""

from __future__ import annotations


def demo() -> None:
    """Start the built-in forum on this machine and crawl it: no network needed."""
