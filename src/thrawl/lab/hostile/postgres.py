"""A PostgreSQL server of one's own on loopback, made for a trial or a test, that can be killed and started again."""

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
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError
from thrawl.lab.hostile.processes import children_of

_SECONDS: Final = 60  # for a server to answer, recovery after a kill included, on a busy machine
_USERS: Final = ("postgres", "nobody")
_OPTIONS: Final = (
    *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "shared_buffers=32MB"),
    *("-c", "fsync=off"),  # a kill leaves what the system was given to write; only a power cut would not
)


@dataclass(slots=True)
class PostgresServer:
    """A server and its folder."""

    folder: Path
    port: int
    options: tuple[str, ...] = ()
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        """Of the database that every server has."""
        return self.address_of("postgres")

    def address_of(self, database: str) -> str:
        return f"postgresql://thrawl@127.0.0.1:{self.port}/{database}"

    def create(self, database: str) -> str:
        """The address of a new database."""
        import psycopg  # an extra

        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{database}"'.encode())
        return self.address_of(database)

    def start(self) -> None:
        command = [_binary("postgres"), "-D", str(self.folder / "data"), "-p", str(self.port)]
        self._process = subprocess.Popen([*command, *_OPTIONS, *self.options], **_quiet(self.folder))
        self._wait()

    def kill(self) -> None:
        """SIGKILL to the server and to all processes that it made, as the end of a machine would."""
        if self._process is None:
            return
        for number in (*children_of(self._process.pid), self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def _wait(self) -> None:
        import psycopg

        until = time.monotonic() + _SECONDS
        while True:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError as error:
                if self._process is None or self._process.poll() is not None or time.monotonic() > until:
                    raise InputError(f"PostgreSQL did not start: {' '.join(str(error).split())}") from error
                time.sleep(0.05)


@contextmanager
def postgres_server(*options: str) -> Iterator[PostgresServer]:
    """A server that lives as long as the block. Raises InputError, with the reason, where none can be had."""
    with tempfile.TemporaryDirectory(prefix="thrawl-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        user = _user()
        if user is not None:
            shutil.chown(folder, user)
        make = [_binary("initdb"), "-D", str(folder / "data"), "-U", "thrawl", "-A", "trust", "-E", "UTF8"]
        subprocess.run([*make, "--locale=C", "--no-sync"], check=True, **_quiet(folder))
        server = PostgresServer(folder, _free_port(), options)
        try:
            server.start()
            yield server
        finally:
            server.kill()  # nobody needs its data any more


def _binary(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = str(installed[0]) if installed else shutil.which(name)
    if found is None:
        raise InputError("There are no PostgreSQL binaries on this machine (Debian: apt-get install postgresql)")
    return found


def _user() -> str | None:
    """PostgreSQL refuses to run as root; another user does it then."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    found = next((name for name in _USERS if name in known), None)
    if found is None:
        raise InputError("PostgreSQL does not run as root, and there is no other user to run it as")
    return found


def _quiet(folder: Path) -> dict[str, Any]:
    nowhere = subprocess.DEVNULL
    return {"user": _user(), "cwd": folder, "stdout": nowhere, "stderr": nowhere}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
