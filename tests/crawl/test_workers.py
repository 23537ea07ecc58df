"""Pages are read in processes that can be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from thrawl.crawl.reader import SiteReader
from thrawl.crawl.values import Misfit, PageJob, Role
from thrawl.crawl.wire import framed
from thrawl.crawl.workers import WorkerPool, _Pipe, worker_pool
from thrawl.errors import PageError
from thrawl.profile.patterns import Pattern
from thrawl.profile.profile import ListPattern, Profile

SITE = "http://forum.test"
PROFILE = Profile(f"{SITE}/", (ListPattern(Pattern.parse(SITE + "/board/{a:number}")),), ())
GOOD = b'<ul><li><a href="/board/1">Lenses</a><li><a href="/board/2">Tripods</a></ul>'


def job(body: bytes) -> PageJob:
    return PageJob(f"{SITE}/", Role.ENTRY, f"{SITE}/", body, "utf-8", datetime.now(UTC))


async def test_a_page_goes_in_as_bytes_and_comes_out_as_values() -> None:
    pool = WorkerPool(PROFILE, 1)
    try:
        reading = await pool.read(job(GOOD))
    finally:
        await pool.close()
    assert [link.url for link in reading.links] == [f"{SITE}/board/1", f"{SITE}/board/2"]


async def test_a_worker_that_hangs_is_killed_and_the_next_page_is_read() -> None:
    pool = WorkerPool(PROFILE, 1, clock_seconds=8)  # a fresh worker must start within that on a busy machine
    try:
        await pool.read(job(GOOD))
        (worker,) = pool.pids()
        os.kill(worker, signal.SIGSTOP)
        hung = await pool.read(job(GOOD))
        after = await pool.read(job(GOOD))
    finally:
        await pool.close()
    assert (hung.misfit, after.misfit) == (None, None)
    assert pool.pids() == []


async def test_an_answer_that_nobody_waits_for_any_more_is_not_taken_for_the_next_one() -> None:
    """Forums of a fleet share their readers, and one of them may be stopped in the midst of a page."""
    pool = WorkerPool(PROFILE, 1)
    other = b'<ul><li><a href="/board/7">Cameras</a><li><a href="/board/8">Bags</a></ul>'
    try:
        await pool.read(job(GOOD))
        for _ in range(3):
            given_up = asyncio.create_task(pool.read(job(GOOD)))
            await asyncio.sleep(0)  # it is on its way
            given_up.cancel()
            await asyncio.wait([given_up])
        readings = [await pool.read(job(body)) for body in (other, GOOD, other)]
    finally:
        await pool.close()
    found = [reading.links[0].url.removeprefix(SITE) for reading in readings]
    assert found == ["/board/7", "/board/1", "/board/7"]


async def test_nor_is_one_that_came_in_the_moment_in_which_it_was_given_up() -> None:
    pipe = _Pipe()
    ours, theirs = socket.socketpair()
    with theirs:
        await asyncio.get_running_loop().create_unix_connection(lambda: pipe, sock=ours)
        given_up = asyncio.create_task(pipe.ask(job(GOOD)))
        await asyncio.sleep(0)
        given_up.cancel()
        pipe.data_received(framed("the first answer"))  # before the task is told that it was cancelled
        with pytest.raises(asyncio.CancelledError):
            await given_up
        next_one = asyncio.create_task(pipe.ask(job(GOOD)))
        await asyncio.sleep(0)
        pipe.data_received(framed("the second answer"))
        await asyncio.sleep(0)
        assert next_one.done()
        assert await next_one == "the second answer"
        pipe.close()


async def test_a_turn_that_is_given_up_in_the_moment_in_which_it_comes_goes_to_the_next_one() -> None:
    async with worker_pool(workers=1) as pool:
        worker = await pool._free_worker()
        first, second = (asyncio.create_task(pool._free_worker()) for _ in range(2))
        await asyncio.sleep(0)
        pool._release(worker)
        first.cancel()
        done, _ = await asyncio.wait([first, second], timeout=10)
        assert second in done
        assert second.result() is worker


@pytest.mark.parametrize("cancels", [1, 2])
async def test_a_job_that_is_given_up_again_and_again_leaves_a_worker_that_reads(cancels: int) -> None:
    """The first while its pipe is opened; the second as soon as the worker is replaced for that."""
    async with worker_pool(PROFILE, workers=1) as pool:
        given_up = asyncio.create_task(pool.read(job(GOOD)))
        for _ in range(cancels):
            await asyncio.sleep(0)
            given_up.cancel()
        await asyncio.wait([given_up])
        assert (await pool.read(job(GOOD))).misfit is None


async def test_a_worker_that_is_killed_costs_no_page() -> None:
    pool = WorkerPool(PROFILE, 1)
    try:
        (worker,) = pool.pids()
        os.kill(worker, signal.SIGKILL)
        crashed = await pool.read(job(GOOD))
        after = await pool.read(job(GOOD))
    finally:
        await pool.close()
    assert (crashed.misfit, after.misfit) == (None, None)


async def test_a_page_that_ends_every_worker_is_at_fault() -> None:
    pool = WorkerPool(PROFILE, 1, clock_seconds=0.0001)
    try:
        fatal = await pool.read(job(GOOD))
    finally:
        await pool.close()
    assert fatal.misfit is Misfit.KILLED


async def test_pages_that_wait_are_read_together_and_each_gets_its_own_answer() -> None:
    pages = [f'<a href="/board/{number}">Lenses</a><a href="/board/0">All</a>'.encode() for number in range(1, 12)]
    async with worker_pool(PROFILE, 1) as pool:
        readings = await asyncio.gather(*(pool.read(job(page)) for page in pages))
    assert [reading.links[0].url for reading in readings] == [f"{SITE}/board/{number}" for number in range(1, 12)]


async def test_a_page_that_ends_its_worker_costs_no_page_that_waited_beside_it() -> None:
    fatal = replace(job(GOOD), charset="no such charset")
    jobs = [job(GOOD), job(GOOD), fatal, job(GOOD), job(GOOD), job(GOOD), job(GOOD)]
    async with worker_pool(PROFILE, 1) as pool:
        readings = await asyncio.gather(*map(pool.read, jobs))
    assert [reading.misfit for reading in readings] == [Misfit.KILLED if one is fatal else None for one in jobs]


async def test_another_profile_counts_from_the_next_page_on() -> None:
    pool = WorkerPool(Profile(f"{SITE}/", (), ()), 1)
    try:
        before = await pool.read(job(GOOD))
        pool.change(PROFILE)
        after = await pool.read(job(GOOD))
    finally:
        await pool.close()
    assert (len(before.links), len(after.links)) == (0, 2)


def test_a_worker_starts_without_loops_databases_and_what_learns() -> None:
    loaded = run("import sys, thrawl.crawl.worker\nprint(*sys.modules)").stdout.decode().split()
    assert "thrawl.profile.cutting" in loaded
    assert not {"aiohttp", "asyncio", "multiprocessing", "sqlalchemy"} & set(loaded)
    assert not {"thrawl.learn.wrappers.growth", "thrawl.page.features", "thrawl.page.timegrammar"} & set(loaded)


def run(code: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=240, check=False)


def test_the_system_ends_a_worker_that_takes_too_much_cpu() -> None:
    ended = run("from thrawl.crawl.worker import bound_cpu\nbound_cpu(0)\nwhile True: pass")
    assert ended.returncode == -signal.SIGXCPU


def test_a_worker_gets_no_more_memory_than_its_bound() -> None:
    ended = run("from thrawl.crawl.worker import bound_memory\nbound_memory()\nbytearray(3 * 1024**3)")
    assert b"MemoryError" in ended.stderr


def test_a_page_that_nests_sixty_thousand_levels_is_read() -> None:
    deep = b"<b>" * 60_000 + b'<a href="/board/1">x</a>'
    reading = SiteReader(PROFILE).read(job(deep))
    assert [link.url for link in reading.links] in ([f"{SITE}/board/1"], [])


async def test_a_site_that_is_not_known_yet_is_read_as_whole_pages_by_the_same_workers() -> None:
    async with worker_pool(workers=1) as pool:
        page = await pool.page(GOOD.decode(), f"{SITE}/")
        assert [link.anchor for link in page.links] == ["Lenses", "Tripods"]
        with pytest.raises(PageError, match="nests more than"):
            await pool.page("<div>" * 100_000, f"{SITE}/")
        pool.change(PROFILE)
        assert len((await pool.read(job(GOOD))).links) == 2


async def test_pages_of_two_workers_can_be_compared() -> None:
    """What pages are compared by is made of hashes, which differ from process to process."""
    row = "<li class='row'><a href='/t/{0}'>Title {0}</a> <i>1 May 2024</i></li>"
    html = "<ul>" + "".join(row.format(at) for at in range(9)) + "</ul>"
    async with worker_pool(workers=1) as one, worker_pool(workers=1) as two:
        pages = [await pool.page(html, f"{SITE}/") for pool in (one, two)]
    looks = [page.shapes.outline(page.records[0].start) for page in pages]
    assert looks[0] == looks[1]


async def test_a_whole_page_that_ends_every_worker_is_an_error_for_that_page() -> None:
    pool = WorkerPool(None, 1, clock_seconds=0.0001)
    try:
        with pytest.raises(PageError, match="more than 10 s of CPU"):
            await pool.page("<p>words", f"{SITE}/")
    finally:
        await pool.close()


async def test_one_worker_is_enough_while_no_page_waits() -> None:
    pool = WorkerPool(PROFILE, 4)
    try:
        assert len(pool.pids()) == 1
    finally:
        await pool.close()
