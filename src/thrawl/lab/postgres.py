"""A PostgreSQL server of one's own, for tests and benchmarks: an ordinary user's, on a free loopback port, gone after.

It can be killed and started again, as a machine that loses its power.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError

_START_SECONDS: Final = 180.0  # on a busy machine one that was killed takes more than half a minute to recover


class NoPostgres(InputError):
    """There is no PostgreSQL on this machine that could be started."""


class Postgres:
    """A server in a folder. Its data survive a kill, as long as `safe` has it write them down in time."""

    def __init__(self, folder: Path, *, safe: bool = False, connections: int = 100) -> None:
        self._user = _server_user()
        self._data = folder / "data"
        self._folder = folder
        self._port = _free_port()
        self._safe = safe
        self._connections = connections
        self._server: subprocess.Popen[bytes] | None = None
        self.address = f"postgresql://thrawl@127.0.0.1:{self._port}/postgres"
        if self._user is not None:
            shutil.chown(folder, self._user)
        make = ["-D", str(self._data), "-U", "thrawl", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([_binary("initdb"), *make], check=True, **self._quiet())

    def start(self) -> None:
        """Start it, and wait until it answers."""
        fast = [] if self._safe else ["-c", "fsync=off", "-c", "synchronous_commit=off"]
        room = ["-c", "shared_buffers=32MB", "-c", f"max_connections={self._connections}"]
        listen = ["-p", str(self._port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        command = [_binary("postgres"), "-D", str(self._data), *listen, *fast, *room]
        self._server = subprocess.Popen(command, **self._quiet())
        self._wait()

    @property
    def pid(self) -> int:
        """The server's first process, whose children serve connections."""
        assert self._server is not None
        return self._server.pid

    def kill(self) -> None:
        """End it at once: nothing is written down any more."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait()
            self._server = None

    def _quiet(self) -> dict[str, Any]:
        nowhere = subprocess.DEVNULL
        return {"user": self._user, "cwd": self._folder, "stdout": nowhere, "stderr": nowhere}

    def _wait(self) -> None:
        import psycopg  # an extra

        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError as error:
                dead = self._server is None or self._server.poll() is not None
                if dead or time.monotonic() > deadline:
                    raise NoPostgres(f"PostgreSQL did not start: {error}") from error
                time.sleep(0.05)


@contextmanager
def running_postgres(*, safe: bool = False, connections: int = 100) -> Iterator[Postgres]:
    """A server that is gone afterwards, with its data. Raises NoPostgres where there is none to be had."""
    with tempfile.TemporaryDirectory(prefix="thrawl-pg-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder), safe=safe, connections=connections)
        try:
            server.start()
            yield server
        finally:
            server.kill()


def _binary(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = str(installed[0]) if installed else shutil.which(name)
    if found is None:
        raise NoPostgres("there are no PostgreSQL binaries on this machine (Debian: apt-get install postgresql)")
    return found


def _server_user() -> str | None:
    """PostgreSQL refuses to run as root; another user does it then."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    found = next((name for name in ("postgres", "nobody") if name in known), None)
    if found is None:
        raise NoPostgres("PostgreSQL does not run as root, and there is no other user to run it as")
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
