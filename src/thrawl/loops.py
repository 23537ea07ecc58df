"""Run a coroutine from plain code, also where an event loop runs already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

T = TypeVar("T")


def run(call: Coroutine[object, object, T]) -> T:
    """The coroutine's result. Beside a loop that runs here, as in a notebook, it has a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _in_new_loop(call)
    return _in_thread(call)


def _in_new_loop(call: Coroutine[object, object, T]) -> T:
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(call)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The fast loop where there is one; on Windows there is none, and Python's own does it."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _in_thread(call: Coroutine[object, object, T]) -> T:
    """Run beside a loop that already runs here. Stopping the caller (a notebook's stop button) stops the work."""
    started: Future[Callable[[], object]] = Future()

    async def stoppable() -> T:
        task = asyncio.current_task()
        assert task is not None
        started.set_result(partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel))
        return await call

    with ThreadPoolExecutor(1, thread_name_prefix="thrawl") as threads:
        done = threads.submit(_in_new_loop, stoppable())
        try:
            return done.result()
        except KeyboardInterrupt:
            started.result()()
            raise
