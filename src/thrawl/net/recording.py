"""A live client that also keeps every exchange as WARC files, where that is asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from thrawl.net.client import Client
from thrawl.net.options import ClientOptions


@asynccontextmanager
async def open_client(options: ClientOptions, warc: Path | None = None) -> AsyncIterator[Client]:
    """A client, and WARC files in the folder `warc`; both are closed afterwards, the client first."""
    async with AsyncExitStack() as closing:
        recorder = None
        if warc is not None:
            from thrawl.net.warc import WarcWriter  # most crawls keep none

            recorder = WarcWriter(warc)
            closing.push_async_callback(recorder.close)
        yield await closing.enter_async_context(Client(options, recorder=recorder))
