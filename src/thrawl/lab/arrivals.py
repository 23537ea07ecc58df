"""A door before a server that notes when each request arrived, by the kernel's own clock.

A server on a busy machine reads a request long after it came, and what it notes then says nothing of the pace at which
it was asked. Linux stamps every segment as it comes in (`SO_TIMESTAMPNS`); the door reads those stamps, writes down the
moment and the first line of each request, and hands everything on.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from typing import IO, Final

_SO_TIMESTAMPNS: Final = 35  # of Linux; Python has no name for it
_TIMESPEC: Final = struct.Struct("qq")
_METHOD: Final = b"GET "
_CHUNK: Final = 65_536


class Door:
    """Listens on loopback, before a server on another port."""

    def __init__(self, server_port: int, port: int, log: IO[str]) -> None:
        self._server_port = server_port
        self._log = log
        self._listening = socket.create_server(("127.0.0.1", port))
        self._listening.setblocking(False)
        # Before a visitor comes, who inherits it: what arrives unstamped would be stamped when it is read.
        self._listening.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = int(self._listening.getsockname()[1])

    async def open(self) -> None:
        """Let visitors in until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            visitor, _ = await loop.sock_accept(self._listening)
            visitor.setblocking(False)
            task = asyncio.create_task(self._serve(visitor))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _serve(self, visitor: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with visitor:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._server_port)
            back = asyncio.create_task(_answer(reader, visitor))
            try:
                while not back.done():
                    await _readable(loop, visitor)
                    data, notes, _, _ = visitor.recvmsg(_CHUNK, 128)
                    if not data:
                        break
                    self._note(data, notes)
                    writer.write(data)
            except (OSError, asyncio.CancelledError):
                pass
            finally:
                back.cancel()
                writer.close()

    def _note(self, data: bytes, notes: list[tuple[int, int, bytes]]) -> None:
        if data.startswith(_METHOD):
            stamps = [_TIMESPEC.unpack(value[: _TIMESPEC.size]) for _, kind, value in notes if kind == _SO_TIMESTAMPNS]
            moment = stamps[0][0] + stamps[0][1] / 1e9 if stamps else time.time()
            address = data.split(b" ", 2)[1].decode("latin-1")
            host, _, path = address.partition("://")[2].partition("/")
            self._log.write(f"{moment:.6f} {host.removeprefix('www.')} /{path}\n")
            self._log.flush()


async def _readable(loop: asyncio.AbstractEventLoop, sock: socket.socket) -> None:
    ready = asyncio.Event()
    loop.add_reader(sock, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(sock)


async def _answer(reader: asyncio.StreamReader, visitor: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    try:
        while data := await reader.read(_CHUNK):
            await loop.sock_sendall(visitor, data)
        visitor.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
