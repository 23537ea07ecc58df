"""What a fetch costs: pages a second and CPU ms a page, of the client with all its checks and of bare aiohttp.

    python benchmarks/bench_fetch.py [--pages 2000] [--rounds 5] [--concurrency 8]

The server runs in its own process, so only the client's CPU is counted. Rounds alternate between the two, and the
ratio is taken between their medians, so a busy machine disturbs both alike. Exit status 1 when the ratio is above 2.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import multiprocessing
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection

import aiohttp

from thrawl.net.client import Client
from thrawl.net.message import Request
from thrawl.net.options import ClientOptions

GOAL = 2.0
ROBOTS = b"User-agent: *\nDisallow: /admin\nDisallow: /search\nDisallow: /*sid=\n"
Fetch = Callable[[str], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Figures:
    pages_per_second: float
    cpu_ms_per_page: float


def forum_page(number: int) -> bytes:
    """Some 60 kB that compress about as a forum's page does."""
    rows = "".join(
        f'<tr class="row{n % 2}"><td><a href="/thread?t={number * 100 + n}">Thread {n * 7919 % 1000} of {number}</a>'
        f'<td>{n * 31 % 97} replies<td><a href="/user?u={n * 17 % 331}">member{n * 17 % 331}</a>'
        f"<td>2026-05-{n % 28 + 1:02} {n % 24:02}:{n * 7 % 60:02}</tr>\n"
        for n in range(440)
    )
    return f"<!doctype html><title>Board {number}</title><table>{rows}</table>".encode()


async def serve(port_out: Connection, *, compressed: bool) -> None:
    pages = [forum_page(number) for number in range(20)]
    answers = [_answer(gzip.compress(page, 5) if compressed else page, compressed) for page in pages]
    robots = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(ROBOTS)}\r\n\r\n".encode() + ROBOTS

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                line = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1]
                writer.write(robots if line == b"/robots.txt" else answers[int(line[-2:], 36) % len(answers)])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port_out.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def _answer(body: bytes, compressed: bool) -> bytes:
    packed = "Content-Encoding: gzip\r\n" if compressed else ""
    head = (
        f"HTTP/1.1 200 OK\r\nDate: Fri, 01 May 2026 12:00:00 GMT\r\nContent-Type: text/html; charset=utf-8\r\n{packed}"
        f'ETag: "abc"\r\nCache-Control: private\r\nVary: Accept-Encoding\r\nContent-Length: {len(body)}\r\n\r\n'
    )
    return head.encode() + body


def run_server(port_out: Connection, compressed: bool) -> None:
    asyncio.run(serve(port_out, compressed=compressed))


async def measured(fetch: Fetch, urls: list[str], concurrency: int) -> Figures:
    waiting = iter(urls)

    async def worker() -> None:
        for url in waiting:
            await fetch(url)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker() for _ in range(concurrency)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Figures(len(urls) / wall, 1000 * cpu / len(urls))


async def compare(port: int, args: argparse.Namespace) -> tuple[list[Figures], list[Figures]]:
    base = f"http://127.0.0.1:{port}"
    urls = [f"{base}/board?b={number}&page={number % 90 + 10}" for number in range(args.pages)]
    options = ClientOptions(start_url=base, delay=0, concurrency=args.concurrency, use_environment_proxies=False)
    ours: list[Figures] = []
    bare: list[Figures] = []
    async with Client(options) as client, aiohttp.ClientSession() as session:

        async def fetch_ours(url: str) -> bytes:
            return (await client.fetch(Request(url))).body

        async def fetch_bare(url: str) -> bytes:
            async with session.get(url) as answer:
                return await answer.read()

        assert await fetch_ours(urls[0]) == await fetch_bare(urls[0])
        for _ in range(args.rounds):
            bare.append(await measured(fetch_bare, urls, args.concurrency))
            ours.append(await measured(fetch_ours, urls, args.concurrency))
    return ours, bare


def report(name: str, rounds: list[Figures]) -> float:
    cpu = statistics.median(figures.cpu_ms_per_page for figures in rounds)
    speed = statistics.median(figures.pages_per_second for figures in rounds)
    print(f"  {name:14} {speed:8.0f} pages/s {cpu:8.3f} CPU ms/page")
    return cpu


def bench(compressed: bool, args: argparse.Namespace) -> float:
    ours_end, server_end = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=run_server, args=(server_end, compressed), daemon=True)
    server.start()
    try:
        ours, bare = asyncio.run(compare(ours_end.recv(), args))
    finally:
        server.terminate()
        server.join()
    print(f"{'gzip' if compressed else 'plain'} pages of {len(forum_page(0)) // 1000} kB:")
    ratio = report("thrawl client", ours) / report("bare aiohttp", bare)
    print(f"  ratio of CPU   {ratio:8.2f} (goal: at most {GOAL:g})")
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--concurrency", type=int, default=8)
    args = parser.parse_args()
    ratios = [bench(compressed, args) for compressed in (False, True)]
    return 0 if max(ratios) <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
