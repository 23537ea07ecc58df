"""Serves the pages of a mirror (or of the built-in forum) on loopback, from memory, at little cost; prints its URL."""

from __future__ import annotations

import asyncio
import json
import lzma
import sys
from pathlib import Path
from urllib.parse import urlsplit

from thrawl.lab.generate import generate
from thrawl.lab.server import ForumServer
from thrawl.lab.skins import skin_named

TALLY = "/served-so-far"
FILLING = (
    '<p class="more">It took four weekends and a long saw. <a href="http://elsewhere.example/about">About</a></p>\n'
)


class Pages(asyncio.Protocol):
    """HTTP/1.1 with as little work as it takes: the pages are ready, each with its headers."""

    answers: dict[str, bytes]
    served = 0
    served_bytes = 0
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nNot Found"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            target = head.split(b" ", 2)[1].decode("latin-1")
            assert isinstance(self._transport, asyncio.Transport)
            self._transport.write(self._tally() if target == TALLY else self._answer(target))

    def _answer(self, target: str) -> bytes:
        answer = self.answers.get(target, self.missing)
        Pages.served += 1
        Pages.served_bytes += len(answer)
        return answer

    def _tally(self) -> bytes:
        """Pages and bytes since this was asked last."""
        body = f"{Pages.served} {Pages.served_bytes}".encode()
        Pages.served = Pages.served_bytes = 0
        return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def answers_of(site: Path, origin: str, kilobytes: int = 0) -> tuple[dict[str, bytes], str]:
    """All pages of a mirror with their host replaced, filled up to a size, and the path of its entry page."""
    entry = urlsplit(json.loads((site / "rules.json").read_text(encoding="utf-8"))["entry"])
    there = f"{entry.scheme}://{entry.netloc}"
    answers = {}
    with lzma.open(site / "pages.jsonl.xz", "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            parts = urlsplit(page["url"])
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            page["body"] = _filled(str(page["body"] or ""), 1000 * kilobytes)
            answers[target or "/"] = _answer(page, there, origin)
    return answers, entry.path or "/"


def _filled(body: str, size: int) -> str:
    """A page with as many lines of a menu at its end as it lacks to a size."""
    lines = max(0, size - len(body)) // len(FILLING)
    before, end, after = body.rpartition("</body>")
    return f"{before}<div>{FILLING * lines}</div>{end}{after}" if lines and end else body


def _answer(page: dict[str, object], there: str, origin: str) -> bytes:
    body = str(page["body"] or "").replace(there, origin).encode()
    location = str(page.get("location") or "").replace(there, origin)
    head = f"HTTP/1.1 {page['status']} X\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return (head + (f"Location: {location}\r\n" if location else "") + "\r\n").encode() + body


async def main() -> None:
    if len(sys.argv) < 2:
        async with ForumServer(generate(2000), skin_named("tables")) as forum:
            print(forum.url, flush=True)
            await asyncio.Event().wait()
    server = await asyncio.get_running_loop().create_server(Pages, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    Pages.answers, path = answers_of(Path(sys.argv[1]), f"http://127.0.0.1:{port}", int(*sys.argv[2:3]))
    print(f"http://127.0.0.1:{port}{path}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
