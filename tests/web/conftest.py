"""A served archive and a real browser, for the tests of this folder."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.routing import Route
from tests.web.samples import fill

from thrawl.web.app import make_app
from thrawl.web.shelf import open_shelf

Serve = Callable[..., str]


@contextmanager
def served(
    *locations: Path, host: str = "127.0.0.1", token: str | None = None, more: Sequence[Route] = ()
) -> Iterator[str]:
    """Archives served on loopback; the address of the server."""
    with open_shelf([str(location) for location in locations]) as shelf, socket.create_server(("127.0.0.1", 0)) as door:
        app = make_app(shelf, host=host, token=token, more=more)
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as closing:

        def start(*locations: Path, **options: object) -> str:
            return closing.enter_context(served(*locations, **options))  # type: ignore[arg-type]

        yield start


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive with a bit of everything; nobody writes to it."""
    location = tmp_path_factory.mktemp("sample") / "forum.example.db"
    fill(location)
    return location


@pytest.fixture(scope="session")
def site(sample: Path) -> Iterator[str]:
    """The address of the served sample."""
    with served(sample) as address:
        yield f"{address}/forum.example"


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """Debian's Chromium, driven by Playwright; for one module at a time, since its event loop runs all the while."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    arguments = ["--no-sandbox"] if os.getuid() == 0 else []  # Chromium's sandbox does not run as root
    with playwright.sync_playwright() as driver:
        try:
            opened = driver.chromium.launch(executable_path=chromium, args=arguments)
        except playwright.Error as error:
            pytest.skip(f"Chromium does not start here: {str(error).splitlines()[0]}")
        yield opened
        opened.close()
